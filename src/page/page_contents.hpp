// Findings as the content of a page.
#pragma once

#include "orderlab/study/arrivals.hpp"
#include "orderlab/study/compare.hpp"
#include "orderlab/study/infer.hpp"
#include "orderlab/study/infer_model.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/study/train.hpp"
#include "page/page_frame.hpp"
#include "show/host.hpp"

namespace orderlab {

/// Shape: at least one order was done.
PageContent page_content(const study::SampleFinding& finding);

PageContent page_content(const study::OperationSampleFinding& finding);
PageContent page_content(const study::SolveFinding& finding);
PageContent page_content(const study::TrainFinding& finding);
PageContent page_content(const study::CompareFinding& finding);
PageContent page_content(const study::ArrivalsFinding& finding);
PageContent page_content(const study::InferFinding& finding);
PageContent page_content(const study::ModelInferFinding& finding);
PageContent page_content(const HostFinding& finding);

}  // namespace orderlab
