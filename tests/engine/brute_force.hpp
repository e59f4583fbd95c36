// Every order one by one: what enumerate is held to. Additions, stages and orders are written out here from their
// definitions; nothing of the stages or the engine is used.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"

namespace orderlab::testing {

/// Additions in one format on doubles that hold its numbers.
struct Adder {
  Format format = Format::fp64;

  double rounded(double x) const { return value_of_bits(format, round_to_bits(format, x)); }

  // The double sum of two fp16 numbers is exact, and 53 >= 2 * 8 + 2 makes rounding one of bf16 numbers twice correct.
  double add(double a, double b) const {
    if (format == Format::fp64) return a + b;
    if (format == Format::fp32) return static_cast<double>(static_cast<float>(a) + static_cast<float>(b));
    return rounded(a + b);
  }

  /// As a global atomic does: fp32 flushes subnormal operands and results to zeros of their sign.
  double add_atomically(double a, double b) const { return flushed(add(flushed(a), flushed(b))); }

 private:
  double flushed(double x) const {
    return format == Format::fp32 && std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
  }
};

/// A stage: replaces the partial sums by others.
using StageStep = std::function<void(const Adder&, std::vector<double>&)>;

/// How a left-to-right sum begins, and what it does at each step.
enum class Start : std::uint8_t { first, zero, atomic };

inline double add_in_turn(const Adder& adder, const double* x, std::size_t count, Start start) {
  if (start == Start::first) {
    double sum = x[0];
    for (std::size_t i = 1; i < count; ++i) sum = adder.add(sum, x[i]);
    return sum;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    sum = start == Start::atomic ? adder.add_atomically(sum, x[i]) : adder.add(sum, x[i]);
  return sum;
}

namespace steps {

/// Each run of k left to right; k = 0: all in one.
inline StageStep seq(std::size_t k = 0, Start start = Start::first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    const std::size_t run = k == 0 ? x.size() : k;
    std::size_t out = 0;
    for (std::size_t i = 0; i < x.size(); i += run)
      x[out++] = add_in_turn(adder, &x[i], std::min(run, x.size() - i), start);
    x.resize(out);
  };
}

inline StageStep chunks(std::size_t t) {
  return [=](const Adder& adder, std::vector<double>& x) {
    const std::size_t m = x.size();
    std::size_t begin = 0;
    std::size_t out = 0;
    for (std::size_t c = 0; c < t && begin < m; ++c) {
      const std::size_t size = m / t + (c < m % t ? 1 : 0);
      x[out++] = add_in_turn(adder, &x[begin], size, Start::first);
      begin += size;
    }
    x.resize(out);
  };
}

inline StageStep strided(std::size_t w, Start start = Start::first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::vector<double> groups;
    for (std::size_t j = 0; j < std::min(w, x.size()); ++j) {
      std::vector<double> group;
      for (std::size_t i = j; i < x.size(); i += w) group.push_back(x[i]);
      groups.push_back(add_in_turn(adder, group.data(), group.size(), start));
    }
    x = std::move(groups);
  };
}

/// Each run of k: the distances of the pairs are k/2, k/4, ..., 1 (`far_first`) or 1, 2, 4, ...
inline StageStep trees_of_runs(std::size_t k, bool far_first) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::size_t out = 0;
    for (std::size_t begin = 0; begin < x.size(); begin += k) {
      const std::size_t size = std::min(k, x.size() - begin);
      double* const v = &x[begin];
      if (far_first) {
        for (std::size_t o = k / 2; o > 0; o /= 2)
          for (std::size_t l = 0; l < o && l + o < size; ++l) v[l] = adder.add(v[l], v[l + o]);
      } else {
        for (std::size_t o = 1; o < k; o *= 2)
          for (std::size_t l = 0; l + o < size; l += 2 * o) v[l] = adder.add(v[l], v[l + o]);
      }
      x[out++] = v[0];
    }
    x.resize(out);
  };
}
inline StageStep halving(std::size_t k) { return trees_of_runs(k, true); }
inline StageStep adjacent(std::size_t k) { return trees_of_runs(k, false); }

inline double add_halves(const Adder& adder, const double* x, std::size_t count) {
  if (count == 1) return x[0];
  const std::size_t left = (count + 1) / 2;
  return adder.add(add_halves(adder, x, left), add_halves(adder, x + left, count - left));
}

inline StageStep pairwise() {
  return [](const Adder& adder, std::vector<double>& x) { x = {add_halves(adder, x.data(), x.size())}; };
}

inline StageStep reverse() {
  return [](const Adder&, std::vector<double>& x) { std::reverse(x.begin(), x.end()); };
}

/// Thread blocks of b threads, as many as there are terms for; thread t adds terms t, t + b, ... of its block's
/// b * items. Threads without a term are left out.
inline StageStep tile(std::size_t b, std::size_t items) {
  return [=](const Adder& adder, std::vector<double>& x) {
    std::vector<double> sums;
    for (std::size_t block = 0; block < x.size(); block += b * items) {
      for (std::size_t t = 0; t < b && block + t < x.size(); ++t) {
        double sum = 0.0;
        for (std::size_t j = 0; j < items && block + j * b + t < x.size(); ++j)
          sum = adder.add(sum, x[block + j * b + t]);
        sums.push_back(sum);
      }
    }
    x = std::move(sums);
  };
}

}  // namespace steps

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
  std::string text = enumeration.orders + " orders\n";
  for (const ReachableResult& r : enumeration.results)
    text += bits_text(format, r.bits) + " " + r.count + " " +
            bits_text(Format::fp64, std::bit_cast<std::uint64_t>(r.probability)) + "\n";
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
