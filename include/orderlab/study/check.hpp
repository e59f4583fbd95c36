// Are these results explained by order? And by which, where the order of the sum is not known?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Something else that explains a result: other formats, a mean, a lost term.
struct Suggestion {
  std::string_view kind;                    ///< "format", "mean", "partial_sums", "term_missing" or "term_twice"
  std::string what;                         ///< in words
  std::string option = {};                  ///< the option of `check` to give instead
  std::uint64_t bits = 0;                   ///< the result that it explains
  std::optional<std::uint64_t> term = {};   ///< index of a lost or doubled term; the first, if several would do
  std::optional<std::uint64_t> terms = {};  ///< how many would do
  double by_chance = 0;  ///< about as many explanations of this kind would be found for a result that has another cause
};

struct CheckRequest {
  Order order;
  std::vector<double> results = {};     ///< to judge, repeated ones as often as they came; of the result format
  std::vector<GivenResult> given = {};  ///< more of them, such as printed ones
  double confidence = 0.999;            ///< probability of not flagging legitimate results, however many are given
  /// Orders to draw where they cannot be enumerated; empty: as many as needed.
  std::optional<std::uint64_t> samples = {};
  std::uint64_t seed = 1;  ///< its samples are independent of those of sample()
  /// Whether orders arrive as `order` says, so that unlikely frequencies count against the results. Otherwise they may
  /// arrive in any way, and the question is what can be reached.
  bool arrivals_known = false;
  Flushing flushing = Flushing::either;  ///< what fp32 additions do with subnormal numbers
  std::optional<Format> means = {};      ///< the format of the means that `given` are sums of
  double memory_bytes = 0x1p30;          ///< for enumerating all orders
  int threads = 0;                       ///< 0: all; findings never depend on it

  /// What else to try where a result is not explained: whether at all, and the same terms in other formats, where the
  /// caller can give them.
  bool suggests = false;
  std::function<std::optional<Input>(const Formats&, const Watch&)> in_formats = {};
};

struct CheckFinding {
  InputFacts input;
  std::string nonfinite_terms;  ///< "NaN", "inf and -inf", ...; empty when all are finite
  AskedOrder asked;
  std::string name;  ///< name of the order; empty for an expression
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
  std::optional<ResultCounts> samples;  ///< or by samples,
  std::uint64_t planned = 0;            ///< of as many at most: fewer where a first look at them was enough
  std::optional<double> bound;          ///< over every order, beside samples
  /// Sums of arrival orders that are not uniform, where samples left a result open.
  std::optional<UsualArrivals> others;

  CheckResult result;
  std::vector<Suggestion> suggestions;  ///< for the first result that is not explained
  bool partial = false;                 ///< interrupted
};

/// Verdicts on the results, from all orders where that is quick, else from samples; unless arrivals are known, sums of
/// other arrival orders count as samples do. Empty when interrupted before any. Several processes can share the samples
/// (Watch::divided).
///
/// Announces how many samples it draws. Errors: usage for no result, a confidence outside (0, 1), too few samples to
/// judge, more than 10^9 where their number is not given, or an order that cannot add the terms; unsupported for more
/// memory than is free. Where draws are divided, also throws DrawnPart and DrawsMissing.
std::optional<CheckFinding> check(const Input& input, const CheckRequest& request, const Watch& watch = {});

struct CheckAnyRequest {
  std::vector<double> results = {};     ///< to judge, repeated ones as often as they came; of the result format
  std::vector<GivenResult> given = {};  ///< more of them, such as printed ones
  std::optional<Format> means = {};     ///< the format of the means that `given` are sums of
  double confidence = 0.999;            ///< as in CheckRequest, of each random order
  /// Samples of each random order that cannot be enumerated; empty: as many as needed.
  std::optional<std::uint64_t> samples = {};
  OrderDevice device = OrderDevice::any;  ///< whose orders are tried
  std::uint64_t seed = 1;                 ///< as in CheckRequest
  double memory_bytes = 0x1p30;           ///< for enumerating all orders of a random one
  int threads = 0;                        ///< 0: all; findings never depend on it
};

/// What is found of a result, or of all of them.
enum class AnyVerdict : std::uint8_t {
  explained,      ///< every order gives it; or an order that was tried does, and hardly any would by chance
  consistent,     ///< orders that were tried give it, as some would by chance
  none,           ///< interrupted before an order that gives it was tried
  not_explained,  ///< no order that was tried gives it
  impossible,     ///< no order of these terms gives it
};

constexpr std::string_view name_of(AnyVerdict verdict) {
  constexpr std::string_view kNames[] = {"explained", "consistent", "none", "not_explained", "impossible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// The expected number of different sums of tried orders that would equal a result by chance, below which an order that
/// gives it explains it.
inline constexpr double kHardlyByChance = 0.05;

/// What is found of one of the results.
struct AnyValue {
  GivenResult given;
  AnyVerdict verdict = AnyVerdict::not_explained;
  std::uint64_t fixed = 0;   ///< fixed orders that give it, in the formats of the input
  std::uint64_t wider = 0;   ///< and with wider partial sums
  std::uint64_t random = 0;  ///< random orders that can

  /// Fixed orders that give it with narrower accumulators or rounded partial sums, and the probability that one of
  /// these would by chance. 0 and empty where they were not tried.
  std::uint64_t narrower = 0;
  std::optional<double> narrower_chance = {};

  /// Fixed orders that were tried, in all formats: those of the input, and wider ones if any result had them tried.
  std::uint64_t tried = 0;

  /// How many of these would give such a result by chance if an order that was not tried made it, and the probability
  /// that one of them or, where none gives it, a random one does: from where the sums of the others lie. Empty while no
  /// order was tried.
  std::optional<double> by_chance = {};
  std::optional<double> chance = {};
};

/// An order that was tried.
struct OrderCandidate {
  std::string text;                      ///< the simplest that parse_order reads: "simd(16)", or an expression
  std::string expression;                ///< canonical
  Formats formats;                       ///< those of the input, or with another accumulator
  bool random = false;                   ///< judged as check() does; a fixed order has one sum
  Verdict verdict = Verdict::explained;  ///< on all results; of a fixed order, impossible where any has other bits
  std::uint64_t explained = 0;           ///< results that it explains, repeated ones each counted
  std::vector<std::size_t> gives = {};   ///< which: places in CheckAnyFinding::values, ascending
  std::vector<std::string> also = {};    ///< other orders that add these terms by the tree of a fixed one

  std::optional<std::uint64_t> bits = {};  ///< the sum of a fixed order, in the result format
  /// Distance of that sum from the nearest result; empty unless both are finite.
  std::optional<std::uint64_t> distance_ulp = {};

  std::string orders = {};                     ///< number of orders of a random one, where all were enumerated
  std::optional<std::uint64_t> samples = {};   ///< or of those that were drawn
  std::optional<std::uint64_t> distinct = {};  ///< different results of these; empty where they were counted in bins
  std::optional<double> p = {};                ///< CheckResult::p

  double value() const { return value_of_bits(formats.result, bits.value_or(0)); }
};

struct CheckAnyFinding {
  InputFacts input;
  std::optional<Format> means;  ///< as in the request
  double confidence = 0.999;
  OrderDevice device = OrderDevice::any;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t memory_bytes = 0;
  std::vector<AnyValue> values;  ///< distinct results, ascending by value, -0 before +0, NaN last; each reading apart
  std::uint64_t results = 0;     ///< repeated ones each counted
  std::uint64_t rounded = 0;     ///< results given that the result format does not hold, which were rounded to it

  /// Those that explain all results, then those that explain some, then the kMostNear fixed orders whose sums are
  /// nearest, then random orders that explain none. Among equals fixed orders come first, the simplest first, then the
  /// random order with the fewest results.
  std::vector<OrderCandidate> candidates;
  static constexpr std::size_t kMostNear = 10;

  std::uint64_t fixed_tried = 0;         ///< in the formats of the input, no two of them the same order
  std::uint64_t fixed_sums = 0;          ///< their different sums
  std::vector<Formats> wider;            ///< tried too, for results that no fixed order in the input's gives
  std::vector<std::string> not_sampled;  ///< random orders that would take long

  /// Orders with narrower accumulators than those of the input, and orders that round partial sums. They are tried for
  /// results that no other order gives, and tell what another program may have done: `verdict` is about the formats of
  /// the input. Those that give some result, the first kMostNarrower of either kind that give the most.
  std::vector<OrderCandidate> narrower;
  std::uint64_t narrower_tried = 0;
  static constexpr std::size_t kMostNarrower = 5;

  std::uint64_t exact_bits = 0;  ///< the exact sum rounded to the result format
  bool one_result = false;       ///< every order gives the exact sum, as none rounds a partial sum
  bool one_input = false;        ///< the input is generated, and by every input seed the same one
  bool partial = false;          ///< interrupted

  /// Whether `order` explains all results.
  bool explains(const OrderCandidate& order) const { return order.verdict == Verdict::explained; }

  /// Whether some order explains all results.
  bool explained() const { return !candidates.empty() && explains(candidates.front()); }

  /// The worst of the results.
  AnyVerdict verdict() const;

  /// Results that are the exact sum, correctly rounded, or means of it; repeated ones each counted.
  std::uint64_t exact() const;
};

/// Tries every fixed order that n terms are known to be added in, with partial sums in wider formats for results that
/// none of them gives, and the random named orders. Empty when interrupted before any was tried.
///
/// Errors: usage for no result, a confidence outside (0, 1), or too few samples to judge; else as check().
std::optional<CheckAnyFinding> check_any(const Input& input, const CheckAnyRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
