// Random trials of the bounds that always hold: orders, formats and terms biased to trouble, drawn and sorted arrivals.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/format.hpp"

namespace orderlab::testing {

/// Arrangements that are hard on sums: ascending, descending, by magnitude both ways, one sign first, and alternating
/// from both ends.
inline std::vector<std::vector<std::uint32_t>> hard_arrangements(const std::vector<double>& numbers) {
  const auto key = [&](std::uint32_t i) { return ordered_key(Format::fp64, bits_of(numbers[i])); };
  const auto magnitude = [&](std::uint32_t i) { return bits_of(std::fabs(numbers[i])); };
  std::vector<std::uint32_t> ascending(numbers.size());
  std::iota(ascending.begin(), ascending.end(), 0u);
  std::stable_sort(ascending.begin(), ascending.end(), [&](auto a, auto b) { return key(a) < key(b); });
  std::vector<std::uint32_t> by_magnitude = ascending;
  std::stable_sort(by_magnitude.begin(), by_magnitude.end(),
                   [&](auto a, auto b) { return magnitude(a) < magnitude(b); });
  std::vector<std::uint32_t> signs = by_magnitude;
  std::stable_partition(signs.begin(), signs.end(), [&](auto i) { return std::signbit(numbers[i]); });
  std::vector<std::uint32_t> ends;
  for (std::size_t i = 0; i < ascending.size(); ++i)
    ends.push_back(i % 2 == 0 ? ascending[i / 2] : ascending[ascending.size() - 1 - i / 2]);
  std::vector<std::vector<std::uint32_t>> all{ascending, by_magnitude, signs, ends};
  for (std::size_t i = 0; i < 3; ++i) all.emplace_back(all[i].rbegin(), all[i].rend());
  return all;
}

/// What was tried, and the largest part of each bound that an error came to where additions alone round.
struct BoundTrials {
  std::uint64_t sums = 0;
  double running = 0;
  double gamma = 0;
  double any_order = 0;
  double every_order = 0;

  /// Sums of `wanted` drawn orders and more of arranged ones, from inputs 1, 2, ... of `stream`.
  static BoundTrials run(std::uint16_t stream, std::uint64_t wanted) {
    BoundTrials trials;
    for (std::uint64_t seed = 1; trials.sums < wanted; ++seed) trials.try_input(stream, seed);
    MESSAGE(trials.sums << " sums; largest error over D1 " << trials.running << ", D2 " << trials.gamma << ", D3 "
                        << trials.any_order << ", every_order_bound " << trials.every_order);
    return trials;
  }

 private:
  void try_input(std::uint16_t stream, std::uint64_t seed) {
    static const auto pipelines = product_pipelines();
    static const auto formats = formats_to_try();
    IndexGenerator draw(RandomStream(seed, stream, 0), 0);
    const Formats& format = formats[below(draw, formats.size())];
    const std::string& pipeline = pipelines[below(draw, pipelines.size())];
    const Trouble trouble = kTroubles[below(draw, std::size(kTroubles))];
    static constexpr std::uint64_t kSizes[] = {3, 10, 30, 300};
    const std::size_t n = 1 + below(draw, kSizes[below(draw, std::size(kSizes))]);
    const bool products = is_fused(pipeline) || chance(draw, 5);
    const std::string format_text = to_string(format);
    CAPTURE(seed);
    CAPTURE(pipeline);
    CAPTURE(n);
    CAPTURE(format_text);
    const auto numbers = [&](std::uint64_t offset, Trouble kind) {
      return troublesome_numbers(2 * seed + offset, format.terms, kind, n);
    };
    const TypedTerms terms = products ? TypedTerms(format.terms, numbers(0, trouble), numbers(1, Trouble::near_one))
                                      : TypedTerms(format.terms, numbers(0, trouble));
    const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), format, seed);
    try_orders(*evaluator, exact_sum(terms.view()), exact_sum_abs(terms.view()).to_double());
  }

  void try_orders(const Evaluator& evaluator, const ExactValue& exact, double sum_abs) {
    const auto bound = every_order_bound(evaluator, exact);
    const auto scratch = evaluator.make_scratch();
    const Order& order = evaluator.order();
    for (std::uint64_t i = 0; i < (order.random() ? 16u : 1u); ++i)
      try_sum(evaluator, evaluator.evaluate(i, *scratch), bound, exact, sum_abs);
    if (!order.random() || order.stages()[order.first_random()].stage->reduces) return;
    for (const auto& arrangement : hard_arrangements(evaluator.random_inputs()))
      try_sum(evaluator, evaluator.evaluate_arranged(arrangement, *scratch), bound, exact, sum_abs);
  }

  void try_sum(const Evaluator& evaluator, const Evaluation& e, const std::optional<double>& of_every_order,
               const ExactValue& exact, double sum_abs) {
    ++sums;
    if (!std::isfinite(e.value)) {
      REQUIRE((!of_every_order || std::isinf(*of_every_order)));  // a finite one promises that nothing overflows
      return;
    }
    const Format format = evaluator.formats().accumulate;
    const std::size_t n = evaluator.term_count();
    const double error = std::fabs(exact.difference(e.value));
    REQUIRE(running_bound(e.error).has_value() == e.error.bounded);
    const bool only_additions = e.error.plain && e.error.extra == 0;
    const auto hold = [&](const std::optional<double>& bound, double& largest) {
      if (!bound) return;
      REQUIRE(error <= *bound);  // the error is rounded once, the bounds are inflated by more than that
      if (only_additions && error > 0) largest = std::max(largest, error / *bound);
    };
    hold(running_bound(e.error), running);
    hold(gamma_bound(e.error.plain, format, e.height, sum_abs, e.error.extra), gamma);
    hold(any_order_bound(e.error.plain, format, n, sum_abs, e.error.extra), any_order);
    double fixed = 0;  // is its own bound
    hold(of_every_order, evaluator.order().random() ? every_order : fixed);
  }
};

}  // namespace orderlab::testing
