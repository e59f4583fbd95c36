// Are these results explained by order?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/flushing.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

/// Something else that explains a result: other formats, a mean, a lost term.
struct Suggestion {
  std::string_view kind;    ///< "format", "mean", "partial_sums", "term_missing" or "term_twice"
  std::string what;         ///< in words
  std::string option = {};  ///< the option of `check` to give instead
  std::uint64_t bits = 0;   ///< the result that it explains
  std::optional<std::uint64_t> term = {};   ///< of a lost or doubled term: its index; the first, if several would do
  std::optional<std::uint64_t> terms = {};  ///< how many would do
  double by_chance = 0;  ///< about as many explanations of this kind would be found for a result that has another cause
};

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
  Flushing flushing = Flushing::either;  ///< what fp32 additions do with subnormal numbers
  std::optional<Format> means = {};      ///< the format of the means that `given` are sums of
  double memory_bytes = 0x1p30;  ///< for enumerating all orders
  int threads = 0;               ///< 0: all; findings never depend on it

  /// What else to try where a result is not explained: whether at all, and the same terms in other formats, where the
  /// caller can give them.
  bool suggests = false;
  std::function<std::optional<Input>(const Formats&, const Watch&)> in_formats = {};
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
  Flushing flushing = Flushing::either;
  std::optional<Format> means;
  std::uint64_t rounded = 0;          ///< results given that the result format does not hold, which were rounded to it
  std::vector<std::string> warnings;  ///< Order::warnings
  std::vector<std::string> notes;     ///< what went another way than asked, a line each

  std::optional<Enumeration> all;       ///< decided by all orders,
  std::optional<ResultCounts> samples;  ///< or by samples
  std::optional<double> bound;          ///< over every order, beside samples
  std::optional<UsualArrivals> others;  ///< sums of arrival orders that are not uniform, where samples left a result open

  CheckResult result;
  std::vector<Suggestion> suggestions;  ///< for the first result that is not explained
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
