// Which orders explain these results? For whoever does not know the order of a sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/order_device.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct CheckAnyRequest {
  std::vector<double> results = {};     ///< to judge, repeated ones as often as they came; of the result format
  std::vector<GivenResult> given = {};  ///< more of them, such as printed ones
  std::optional<Format> means = {};     ///< the format of the means that `given` are sums of
  double confidence = 0.999;            ///< as in CheckRequest, of each random order
  std::optional<std::uint64_t> samples =
      {};                                 ///< of each random order that cannot be enumerated; empty: as many as needed
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
  Formats formats;                       ///< those of the input, or with a wider accumulator
  bool random = false;                   ///< judged as check() does; a fixed order has one sum
  Verdict verdict = Verdict::explained;  ///< on all results; of a fixed order, impossible where any has other bits
  std::uint64_t explained = 0;           ///< results that it explains, repeated ones each counted
  std::vector<std::size_t> gives = {};   ///< which: places in CheckAnyFinding::values, ascending
  std::vector<std::string> also = {};    ///< of a fixed order: others that add these terms by the same tree

  std::optional<std::uint64_t> bits = {};  ///< the sum of a fixed order, in the result format
  std::optional<std::uint64_t> distance_ulp =
      {};  ///< of that sum from the nearest result; empty unless both are finite

  std::string orders = {};                     ///< of a random order: their number, where all were enumerated
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
  std::uint64_t exact_bits = 0;          ///< the exact sum rounded to the result format
  bool one_result = false;               ///< every order gives the exact sum, as none rounds a partial sum
  bool one_input = false;                ///< the input is generated, and by every input seed the same one
  bool partial = false;                  ///< interrupted

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
