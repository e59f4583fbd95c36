// Every order one by one: what enumerate is compared with. Nothing of the stages or the engine is used for it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/stage_steps.hpp"
#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"

namespace orderlab::testing {

/// How many orders give each bit pattern of the result format.
using ResultTable = std::unordered_map<std::uint64_t, std::uint64_t>;

/// Calls use(x) for every arrangement of `x`, equal members told apart.
template <class Use>
void for_all_arrangements(std::vector<double>& x, std::size_t placed, Use& use) {
  if (placed == x.size()) return use(x);
  for (std::size_t i = placed; i < x.size(); ++i) {
    std::swap(x[placed], x[i]);
    for_all_arrangements(x, placed + 1, use);
    std::swap(x[placed], x[i]);
  }
}

/// The sum of every tree over the numbers in `set`, tree by tree: the lowest member lies on the left.
inline std::vector<double> sums_of_all_trees(const Adder& adder, const std::vector<double>& x, unsigned set) {
  if ((set & (set - 1)) == 0) return {x[static_cast<std::size_t>(std::countr_zero(set))]};
  std::vector<double> sums;
  const unsigned lowest = set & (0 - set);
  for (unsigned right = (set - 1) & set; right != 0; right = (right - 1) & set) {
    if ((right & lowest) != 0) continue;
    const std::vector<double> of_right = sums_of_all_trees(adder, x, right);
    for (const double a : sums_of_all_trees(adder, x, set & ~right))
      for (const double b : of_right) sums.push_back(adder.add(a, b));
  }
  return sums;
}

/// A pipeline of this file's steps, and its text: `prefix` runs once, then all arrangements are made of what it left
/// and go through `tail`; no tail: all trees instead.
struct KnownOrder {
  std::string text;
  std::vector<StageStep> prefix;
  std::vector<StageStep> tail;
  std::size_t terms_per_sum = 1;  ///< about how many terms become one partial sum
};

/// Runs all orders one by one.
inline ResultTable brute_force(const KnownOrder& order, const Formats& formats, const std::vector<double>& terms) {
  const Adder adder{formats.accumulate};
  std::vector<double> x;
  for (const double term : terms) x.push_back(adder.rounded(Adder{formats.terms}.rounded(term)));
  for (const StageStep& step : order.prefix) step(adder, x);
  ResultTable table;
  if (order.tail.empty()) {
    for (const double sum : sums_of_all_trees(adder, x, (1u << x.size()) - 1))
      ++table[round_to_bits(formats.result, sum)];
    return table;
  }
  std::vector<double> sums;
  const auto use = [&](const std::vector<double>& arranged) {
    sums = arranged;
    for (const StageStep& step : order.tail) step(adder, sums);
    ++table[round_to_bits(formats.result, sums.at(0))];
  };
  for_all_arrangements(x, 0, use);
  return table;
}

/// One line for each result, ascending (-0 before +0, NaN last): bits, count, bits of the probability.
inline std::string text_of(const ResultTable& table, Format format) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> results(table.begin(), table.end());
  const auto before = [&](const auto& a, const auto& b) {
    const double x = value_of_bits(format, a.first);
    const double y = value_of_bits(format, b.first);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && !std::isnan(x);
    return x < y || (x == y && std::signbit(x) && !std::signbit(y));
  };
  std::sort(results.begin(), results.end(), before);
  std::uint64_t orders = 0;
  for (const auto& [bits, count] : results) orders += count;
  std::string text = std::to_string(orders) + " orders\n";
  for (const auto& [bits, count] : results) {
    const double probability = static_cast<double>(count) / static_cast<double>(orders);  // both below 2^53
    text += bits_text(format, bits) + " " + std::to_string(count) + " " +
            bits_text(Format::fp64, std::bit_cast<std::uint64_t>(probability)) + "\n";
  }
  return text;
}

/// The same of an enumeration.
inline std::string text_of(const Enumeration& enumeration, Format format) {
  std::string text = enumeration.orders.str() + " orders\n";
  for (std::size_t i = 0; i < enumeration.results.size(); ++i) {
    const auto [value, probability] = enumeration.results.values[i];
    text += bits_text(format, bits_of(format, value)) + " " + enumeration.results.orders.at(i).str() + " " +
            bits_text(Format::fp64, std::bit_cast<std::uint64_t>(probability)) + "\n";
  }
  return text;
}

/// The space of `order` over `terms`; the order must have one.
inline OrderSpace space_of(std::string_view order, const Formats& formats, const std::vector<double>& terms) {
  const TypedTerms typed(formats.terms, terms);
  return order_space(*Evaluator::make(parse_order(order), typed.view(), formats, 1)).space.value();
}

/// What `enumerate` says of an order over `terms`.
inline Enumeration enumerated(std::string_view order, const Formats& formats, const std::vector<double>& terms,
                              int threads = 1) {
  return enumerate(space_of(order, formats, terms), {.threads = threads}).value();
}

/// n numbers biased to trouble, of kinds that mix: equal ones, overflow, all of kTroubles. Every draw is a function of
/// the seed.
inline std::vector<double> troublesome_mixture(std::uint64_t seed, Format format, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 77, n), 0);
  const auto any_kind = [&] {
    return troublesome_numbers(draw(), format, kTroubles[below(draw, std::size(kTroubles))], n);
  };
  std::vector<double> numbers = any_kind();
  const double smallest_normal = std::ldexp(1.0, info(format).e_min);
  const double digits = std::ldexp(1.0, info(format).precision);
  switch (below(draw, 10)) {
    case 0:  // few values
      for (double& x : numbers) x = numbers[below(draw, std::min<std::size_t>(n, 3))];
      break;
    case 4:  // about the normal range: flushing depends on the order
      for (double& x : numbers) x = smallest_normal / 4 * (static_cast<double>(below(draw, 25)) - 12);
      break;
    case 5:
    case 6:  // all digits meet
      for (double& x : numbers)
        x = std::ldexp(1 + static_cast<double>(draw() >> 11) * 0x1p-53, -static_cast<int>(below(draw, 4)));
      break;
    case 7:  // beside terms that they reach only together
      for (double& x : numbers) x = chance(draw, 3) ? 1.0 : (1 + static_cast<double>(below(draw, 5))) / 2 / digits;
      break;
    case 1:  // two kinds
      for (const double x : any_kind()) numbers[below(draw, n)] = x;
      break;
    case 2:  // overflow depends on the order
      for (double& x : numbers)
        x = with_random_sign(draw, std::ldexp(1.0 + static_cast<double>(below(draw, 8)) / 8,
                                              info(format).e_max - static_cast<int>(below(draw, 3))));
      break;
    case 3:  // opposite numbers
      for (double& x : numbers) x = with_random_sign(draw, numbers[0]);
      break;
    default:
      break;
  }
  if (chance(draw, 2)) numbers[below(draw, n)] *= -1;
  return numbers;
}

}  // namespace orderlab::testing
