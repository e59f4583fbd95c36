// What JSON reports have in common: their head, the config of their terms and orders, the terms, numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orderlab/record.hpp"
#include "report/experiment.hpp"

namespace orderlab {

/// A number, or "inf", "-inf", "nan", which JSON has no numbers for.
nlohmann::ordered_json json_number(double value);

/// A value of a record; null where it is null.
nlohmann::ordered_json json_of(const Field& field);

/// "orderlab", "bits_version", "command".
nlohmann::ordered_json json_head(const std::string& command);

/// The part of "config" that says which terms and orders.
nlohmann::ordered_json input_config_json(const InputReport& input, const std::vector<AskedOrder>& asked);

/// "input".
nlohmann::ordered_json input_json(const InputReport& input);

}  // namespace orderlab
