// Running text for a terminal.
#pragma once

#include <string>

namespace orderlab {

/// `text` with its lines broken at spaces so that none is longer than `width`, but for words that are.
std::string wrapped(const std::string& text, int width);

}  // namespace orderlab
