// Are these results explained by order?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

struct CheckRequest {
  Order order;
  std::vector<double> results = {};     ///< to judge, repeated ones as often as they came; of the result format
  std::vector<GivenResult> given = {};  ///< more of them, such as printed ones
  double confidence = 0.999;  ///< of not flagging legitimate results, however many are given
  std::optional<std::uint64_t> samples =
      {};                        ///< orders to draw where they cannot be enumerated; empty: as many as needed
  std::uint64_t seed = 1;        ///< its samples are independent of those of sample()
  /// Whether orders arrive as `order` says, so that unlikely frequencies count against the results. Otherwise they may
  /// arrive in any way, and the question is what can be reached.
  bool arrivals_known = false;
  double memory_bytes = 0x1p30;  ///< for enumerating all orders
  int threads = 0;               ///< 0: all; findings never depend on it
};

struct CheckFinding {
  InputFacts input;
  std::string nonfinite_terms;  ///< "NaN", "inf and -inf", ...; empty when all are finite
  AskedOrder asked;
  std::string name;  ///< of the order; empty for an expression
  std::string guarantee;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t memory_bytes = 0;
  std::uint64_t rounded = 0;          ///< results given that the result format does not hold, which were rounded to it
  std::vector<std::string> warnings;  ///< Order::warnings
  std::vector<std::string> notes;     ///< what went another way than asked, a line each

  std::optional<Enumeration> all;       ///< decided by all orders,
  std::optional<ResultCounts> samples;  ///< or by samples
  std::optional<double> bound;          ///< over every order, beside samples
  std::optional<UsualArrivals> others;  ///< sums of arrival orders that are not uniform, where samples left a result open

  CheckResult result;
  bool partial = false;  ///< interrupted
};

/// Verdicts on the results, from all orders where that is quick, else from samples; unless arrivals are known, sums of
/// other arrival orders count as samples do. Empty when interrupted before any.
///
/// Announces how many samples it draws. Errors: usage for no result, a confidence outside (0, 1), too few samples to
/// judge, more than 10^9 where their number is not given, or an order that cannot add the terms; unsupported for more
/// memory than is free.
std::optional<CheckFinding> check(const Input& input, const CheckRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
