// A study as the content of a page, as one page that needs no network, and as plain Vega-Lite specs.
#pragma once

#include <string>
#include <vector>

#include "page/page_frame.hpp"
#include "page/study.hpp"

namespace orderlab {

PageContent page_content(const Study& study);

/// HTML with scripts, styles and data inside. The same study gives the same bytes.
std::string to_html(const Study& study);

/// One Vega-Lite spec a chart, with its data and the light theme inside.
std::vector<SpecFile> to_spec_files(const Study& study);

}  // namespace orderlab
