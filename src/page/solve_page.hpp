// The runs of one solver as the content of a page.
#pragma once

#include "orderlab/study/solve.hpp"
#include "page/page_frame.hpp"

namespace orderlab {

PageContent page_content(const study::SolveFinding& finding);

}  // namespace orderlab
