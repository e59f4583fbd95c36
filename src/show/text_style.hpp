// How reports for people may look.
#pragma once

namespace orderlab {

struct TextStyle {
  int width = 80;
  bool color = false;
};

}  // namespace orderlab
