// Training as the content of a page.
#pragma once

#include "orderlab/study/train.hpp"
#include "page/page_frame.hpp"

namespace orderlab {

PageContent page_content(const study::TrainFinding& finding);

}  // namespace orderlab
