// The points of a store as JSON lines and as CSV: no times, so that they depend on the config alone.
#pragma once

#include <string>

#include "sweep/store.hpp"

namespace orderlab {

/// One line a finished point, in the config's order: position, order_text and arrival_text as the config writes them,
/// input_number (axes that "config" leaves out where they have their default), and then "config", "input", "order" and
/// the metrics of `orderlab sample --json`. An operation has "op", "launch" and its sizes in place of "input" and
/// "order".
std::string to_json_lines(const Store& store);

/// The same in columns, one header line, named by the path to the value: config.n, input.condition, error.ulp.sd. A
/// column that some point has is there for all, empty where there is no value.
std::string to_csv(const Store& store);

}  // namespace orderlab
