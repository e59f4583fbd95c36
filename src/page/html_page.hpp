// A study as one page that needs no network, and as plain Vega-Lite specs.
#pragma once

#include <string>
#include <vector>

#include "page/study.hpp"

namespace orderlab {

/// HTML with scripts, styles and data inside. The same study gives the same bytes.
std::string to_html(const Study& study);

struct SpecFile {
  std::string name;  ///< "growth.vl.json"
  std::string json;
};

/// One Vega-Lite spec a chart, with its data and the light theme inside.
std::vector<SpecFile> to_spec_files(const Study& study);

}  // namespace orderlab
