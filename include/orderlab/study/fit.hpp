// Arrival models from recorded arrival orders, and the sums that they predict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/fit.hpp"

namespace orderlab::study {

struct FitFinding {
  std::string path;  ///< for the text alone
  std::string hash;  ///< of the recording
  std::uint64_t seed = 1;
  HeldOut held_out = HeldOut::even;
  bool predict = false;
  PredictOptions predicted;  ///< how, where `predict`
  ArrivalFit fit;
  std::vector<Prediction> predictions;  ///< of the first models of the fit

  bool partial() const;
};

inline bool FitFinding::partial() const {
  return fit.partial || (predict && (predictions.size() < fit.models.size() || predictions.back().partial));
}

}  // namespace orderlab::study
