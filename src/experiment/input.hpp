// The terms that an experiment works on, and what reports say of them.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// The terms, as a report describes them.
struct InputReport {
  std::uint64_t n = 0;
  Formats formats;
  std::string distribution;  ///< canonical text of generated terms; empty for given ones
  std::uint64_t input_seed = 1;
  std::uint64_t input_number = 0;  ///< of the independent arrays that one seed gives
  std::uint64_t inexact_conversions = 0;
  std::uint64_t overflowed_terms = 0;  ///< generated terms that are inf: the format has no finite number so large
  bool products = false;
  std::string hash;
  ExactValue exact;
  ExactValue sum_abs;
};

/// Terms with all that reports say of them.
struct Input {
  Terms terms;
  InputReport report;
};

/// Fills in what the terms themselves tell: n, products, conversions, hash, exact sums.
void describe(Input& input);

/// 40 digits say more than any double holds.
inline constexpr int kDecimalDigits = 40;

}  // namespace orderlab
