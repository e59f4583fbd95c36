// The table of verdicts.
#pragma once

#include <span>

#include "orderlab/check.hpp"
#include "show/columns.hpp"

namespace orderlab {

struct VerdictRow {
  const ValueVerdict& verdict;
  Format format;
};

/// bits, value, given, verdict, reason, probability, seen, p, distance_ulp, error_ulp; null where there is none.
std::span<const ColumnOf<VerdictRow>> verdict_columns();

}  // namespace orderlab
