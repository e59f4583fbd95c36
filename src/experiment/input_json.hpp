// What JSON reports have in common: their head, the config of their terms and orders, the terms, numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "experiment/enumerated_order.hpp"
#include "experiment/input.hpp"
#include "experiment/order_run.hpp"
#include "orderlab/record.hpp"

namespace orderlab {

/// A number, or "inf", "-inf", "nan", which JSON has no numbers for.
nlohmann::ordered_json json_number(double value);

/// A text; null for an empty one.
nlohmann::ordered_json text_or_null(const std::string& text);

/// What there may be; null where there is nothing.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<T, double>)
    return json_number(*value);
  else
    return *value;
}

/// A value of a record; null where it is null.
nlohmann::ordered_json json_of(const Field& field);

/// "orderlab", "bits_version", "command".
nlohmann::ordered_json json_head(const std::string& command);

/// The part of "config" that says which terms and orders.
nlohmann::ordered_json input_config_json(const InputReport& input, const std::vector<AskedOrder>& asked);

/// What is drawn, and what it is compared with.
struct SamplingConfig {
  std::uint64_t seed = 1;
  std::uint64_t samples = 1;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  std::string baseline;  ///< expression; empty for each order's own
};

/// The whole "config" of samples.
nlohmann::ordered_json sampling_config_json(const InputReport& input, const std::vector<AskedOrder>& asked,
                                            const SamplingConfig& sampling);

/// The whole "config" of all orders at once.
nlohmann::ordered_json enumeration_config_json(const InputReport& input, const AskedOrder& asked,
                                               const std::string& baseline);

/// "order": the name (empty for an expression), the expression, and `more` about it.
nlohmann::ordered_json order_json(const std::string& name, const std::string& expression,
                                  const nlohmann::ordered_json& more);

/// "order" of what was sampled: guarantee and heights.
nlohmann::ordered_json sampled_order_json(const OrderReport& order);

/// The same of what was enumerated.
nlohmann::ordered_json enumerated_order_json(const EnumeratedOrder& order);

/// "input".
nlohmann::ordered_json input_json(const InputReport& input);

}  // namespace orderlab
