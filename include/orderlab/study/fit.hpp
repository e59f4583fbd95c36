// Arrival models from recorded arrival orders, and the sums that they predict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/fit.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct FitRequest {
  HeldOut held_out = HeldOut::even;
  bool predict = false;                        ///< also compare the sums that recorded and fitted orders give
  std::string distribution = "uniform(0,10)";  ///< of their terms
  std::uint64_t inputs = 20;                   ///< summed
  std::uint64_t samples = 400;                 ///< drawn orders of each input
  std::uint64_t seed = 1;                      ///< of simulations, resampling, terms and orders
  int threads = 0;                             ///< 0: all; findings never depend on it
};

/// Interrupted before the first model was fitted: fit.models is empty.
struct FitFinding {
  std::string path;  ///< of the recording
  std::string hash;  ///< of the recording
  std::uint64_t seed = 1;
  HeldOut held_out = HeldOut::even;
  bool predict = false;
  PredictOptions predicted;  ///< how, where `predict`
  ArrivalFit fit;
  std::vector<Prediction> predictions;  ///< of the first models of the fit

  bool partial() const {
    return fit.partial || (predict && (predictions.size() < fit.models.size() || predictions.back().partial));
  }
};

/// Fits every model to the rows, and predicts with each.
///
/// Errors: usage for an unknown distribution; input as fit_arrivals and predict_sums; unsupported for more memory than
/// is free.
FitFinding fit(const Rows& recording, const FitRequest& request = {}, const Watch& watch = {});

}  // namespace orderlab::study
