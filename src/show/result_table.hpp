// The table of results that samples or all orders gave.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/distribution.hpp"
#include "orderlab/study/input.hpp"
#include "show/columns.hpp"

namespace orderlab {

/// A result with its weight.
struct ResultRow {
  std::string bits;  ///< empty for a bin
  double value = 0;  ///< of a bin the lower edge
  Value count;       ///< of samples, or of orders as a text
  double weight = 0;
  std::optional<double> error_ulp;
  std::optional<double> bin_ulp = {};  ///< width of a bin
};

/// One for each of `results`.
std::vector<ResultRow> result_rows(const Distribution& results, const study::InputFacts& input);

/// The same as an array of objects.
Json result_table_json(std::span<const ColumnOf<ResultRow>> columns, const Distribution& results,
                       const study::InputFacts& input);

/// bits, value, count, error_ulp; CSV has bin_ulp too.
std::span<const ColumnOf<ResultRow>> sampled_result_columns();

/// bits, value, count, probability, error_ulp.
std::span<const ColumnOf<ResultRow>> enumerated_result_columns();

}  // namespace orderlab
