// What a report is about: one input, and one or more orders sampled on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/record.hpp"

namespace orderlab {

/// The terms, as a report describes them.
struct InputReport {
  std::uint64_t n = 0;
  Formats formats;
  std::string distribution;  ///< canonical text of generated terms; empty for given ones
  std::uint64_t input_seed = 1;
  std::uint64_t inexact_conversions = 0;
  bool products = false;
  std::string hash;
  ExactValue exact;
  ExactValue sum_abs;
};

/// One order on that input.
struct OrderReport {
  std::string name;        ///< empty for an expression
  std::string expression;  ///< canonical
  std::string arrival;     ///< model of the first `arrive` that samples differ by; empty without one
  std::string guarantee;
  bool random = false;
  std::uint64_t random_count = 1;  ///< partial sums that the first random stage sees
  std::vector<std::string> warnings;
  ResultCounts counts{CountingFrame{}};
  Record metrics;
};

/// An order as it was asked for.
struct AskedOrder {
  std::string expression;
  std::string arrival;  ///< as OrderReport::arrival
};

struct ExperimentReport {
  std::string command;
  InputReport input;
  std::vector<AskedOrder> asked;    ///< all of them, in the order given
  std::vector<OrderReport> orders;  ///< those done; fewer only when interrupted
  std::uint64_t seed = 1;
  std::uint64_t samples = 0;                                     ///< asked for
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;  ///< part of them, with --range
  std::uint64_t max_distinct = 0;
  std::string baseline;  ///< expression given with --baseline; empty for each order's own
  bool partial = false;  ///< interrupted
};

/// 40 digits say more than any double holds.
inline constexpr int kDecimalDigits = 40;

}  // namespace orderlab
