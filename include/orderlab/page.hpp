// A finding as a page for people. In orderlab::sweep.
#pragma once

#include <string>

#include "orderlab/study/arrivals.hpp"
#include "orderlab/study/compare.hpp"
#include "orderlab/study/infer.hpp"
#include "orderlab/study/infer_model.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/study/train.hpp"

namespace orderlab {

/// HTML with charts, which needs no network: what `orderlab sample --html` writes. Shape: at least one order was done.
std::string html_page(const study::SampleFinding& finding);

/// The same of an operation: a map of its outputs, how often they differ and how far, and what is order and what
/// method.
std::string html_page(const study::OperationSampleFinding& finding);

/// The same of training: scores by epoch, what seed and order do to them, predictions that change.
std::string html_page(const study::TrainFinding& finding);

/// The same of a solver: residuals by iteration, how far runs drift apart, how many iterations they take.
std::string html_page(const study::SolveFinding& finding);

/// A page of two models: their scores, the interval of the difference, and power against runs.
std::string html_page(const study::CompareFinding& finding);

/// A page of arrival orders: features that differ, spread and correlation along the grid, and the first wave.
std::string html_page(const study::ArrivalsFinding& finding);

/// A page of flips between two runs of a language model: answers that are still the same, and margins beside the noise.
std::string html_page(const study::InferFinding& finding);

/// The same of a model that was run with several settings, and what each reduction does by itself.
std::string html_page(const study::ModelInferFinding& finding);

}  // namespace orderlab
