// What the text and the JSON of training share.
#pragma once

#include <optional>
#include <string_view>

#include "config/json.hpp"
#include "orderlab/study/train.hpp"

namespace orderlab {

/// A score as tables name it.
struct NamedScore {
  std::string_view name;   ///< in JSON
  std::string_view title;  ///< in text
  study::ScoreOfEpoch study::TrainEpoch::*member;
};
inline constexpr NamedScore kNamedScores[] = {
    {"loss", "loss", &study::TrainEpoch::loss},
    {"train_accuracy", "train accuracy", &study::TrainEpoch::train_accuracy},
    {"validation_accuracy", "validation accuracy", &study::TrainEpoch::validation_accuracy},
    {"test_accuracy", "test accuracy", &study::TrainEpoch::test_accuracy}};

/// Empty where there is no estimate.
inline std::optional<double> sd_of(const std::optional<SdEstimate>& estimate) {
  return estimate ? std::optional(estimate->sd) : std::nullopt;
}

/// Scores as lists over orders of lists over epochs; differences without the first order; margins as lists of nodes,
/// nodes that flip, flips.
Json seed_json(const study::SeedRecord& record);

}  // namespace orderlab
