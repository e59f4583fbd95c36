// What `orderlab fit` found, for its three reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/fit.hpp"

namespace orderlab {

struct FitReport {
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

inline bool FitReport::partial() const {
  return fit.partial || (predict && (predictions.size() < fit.models.size() || predictions.back().partial));
}

inline std::string_view name_of(HeldOut held_out) { return held_out == HeldOut::even ? "even" : "odd"; }

}  // namespace orderlab
