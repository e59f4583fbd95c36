// Charts of training with several seeds and orders.
#pragma once

#include <vector>

#include "orderlab/study/train.hpp"
#include "page/chart.hpp"

namespace orderlab {

/// Scores by epoch, scores of all runs by seed, how far runs of one seed drift apart, predictions that change.
std::vector<DrawnChart> train_charts(const study::TrainFinding& finding);

}  // namespace orderlab
