// Text, CSV and JSON of training, and JSON of what is kept between runs of the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/json.hpp"
#include "orderlab/study/train.hpp"
#include "show/text_style.hpp"

namespace orderlab {

std::string to_text(const study::TrainFinding& finding, const TextStyle& style);
std::string to_json(const study::TrainFinding& finding);

/// One row for each run and epoch.
std::string to_csv(const study::TrainFinding& finding);

/// What order does to the score, and what the seed does, in words.
std::string conclusion_of(const study::TrainFinding& finding);

/// What decides every number of a seed's record: the graph, the model, orders, epochs, arrivals. Of a question, as
/// below; its request is canonical.
Json record_config(const study::TrainFinding& question);

/// What a finding is about, which is all of it but its seeds: "config", "input" and "kernel" of its document, and
/// whether sums vary.
Json question_json(const study::TrainFinding& question);

/// The inverse, but for what no page says. Error(input) for another document; usage for numbers out of range.
study::TrainFinding train_question_from(const Json& json);

/// A record on one line; the inverse gives it back without loss. Error(input) for another text.
std::string record_text(const study::SeedRecord& record);
study::SeedRecord seed_record(std::string_view text);

/// Empty where there is no estimate.
inline std::optional<double> sd_of(const std::optional<SdEstimate>& estimate) {
  return estimate ? std::optional(estimate->sd) : std::nullopt;
}

}  // namespace orderlab
