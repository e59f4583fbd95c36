// What JSON documents have in common: numbers, texts, metrics, the config of samples.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "config/point_config.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab {

/// A number, or "inf", "-inf", "nan", which JSON has no numbers for.
Json json_number(double value);

/// The inverse. Error(input) for what it does not write.
double number_from(const Json& json);

/// A text; null for an empty one.
Json text_or_null(const std::string& text);

/// A value; one that is no finite number is a text.
Json json_of(const Value& value);

/// Sets the members of `json` that `metrics` has, each metric one.
void add_metrics(Json& json, const Metrics& metrics);

/// The inverse: what add_metrics wrote. Metrics that `json` has not are left out. Error(input) for a value of another
/// type.
Metrics metrics_from(const Json& json, bool of_all_orders);

/// The text of a whole document: two blanks a level, one newline at its end.
std::string json_document(const Json& json);

/// What is drawn, and what it is compared with.
struct SamplingConfig {
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  std::string baseline;  ///< expression; empty for each order's own
};

/// What is asked of each order.
std::vector<PointConfig> sampling_configs(const study::InputFacts& input, const std::vector<study::AskedOrder>& asked,
                                          const SamplingConfig& sampling);

/// The whole "config" of samples.
Json sampling_config_json(const study::InputFacts& input, const std::vector<study::AskedOrder>& asked,
                          const SamplingConfig& sampling);

/// Significant digits of the exact sum in "input": more than any double holds.
inline constexpr int kExactDigits = 40;

}  // namespace orderlab
