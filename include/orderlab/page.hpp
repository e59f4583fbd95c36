// A finding as a page for people. In orderlab::sweep.
#pragma once

#include <string>

#include "orderlab/study/sample.hpp"

namespace orderlab {

/// HTML with charts, which needs no network: what `orderlab sample --html` writes. Shape: at least one order was done.
std::string html_page(const study::SampleFinding& finding);

}  // namespace orderlab
