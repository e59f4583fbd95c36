// A sweep as the content of a page, as one page that needs no network, and as plain Vega-Lite specs.
#pragma once

#include <string>
#include <vector>

#include "page/page_frame.hpp"
#include "page/sweep_content.hpp"

namespace orderlab {

PageContent page_content(const SweepContent& content);

/// HTML with scripts, styles and data inside. The same content gives the same bytes.
std::string to_html(const SweepContent& content);

/// One Vega-Lite spec a chart, with its data and the light theme inside.
std::vector<SpecFile> to_spec_files(const SweepContent& content);

}  // namespace orderlab
