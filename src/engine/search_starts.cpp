#include "engine/search_starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/stop.hpp"
#include "engine/binade_order.hpp"
#include "orderlab/philox.hpp"
#include "run/extended.hpp"
#include "run/product.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

namespace {

using Positions = std::vector<std::uint32_t>;

// Sorting, and choosing places binade by binade, in sums of as many numbers: measured, about.
constexpr std::uint64_t kSortCost = 4;
constexpr std::uint64_t kBinadesCost = 20;

Positions all_positions(std::size_t m) {
  Positions order(m);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

// Stable, by a key of the value.
template <class Key>
void sort_by(Positions& order, std::span<const double> values, Key key) {
  StopCounter stop;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    stop.step();
    return key(values[a]) < key(values[b]);
  });
}

// One sign and then the other, by magnitude.
Positions grouped(const Start& start, std::span<const double> values, bool falling_first) {
  Positions order = all_positions(values.size());
  sort_by(order, values, [&](double x) {
    const bool first = std::signbit(x) == start.negative_first;
    const double magnitude = std::fabs(x);
    return std::pair(!first, first == falling_first ? -magnitude : magnitude);
  });
  return order;
}

Positions alternating(std::span<const double> values) {
  Positions falling = all_positions(values.size());
  sort_by(falling, values, [](double x) { return -std::fabs(x); });
  Positions order;
  const auto next_of = [&](std::size_t& at, bool negative) {
    while (at < falling.size() && std::signbit(values[falling[at]]) != negative) ++at;
    if (at < falling.size()) order.push_back(falling[at++]);
  };
  for (std::size_t positive = 0, negative = 0; positive < falling.size() || negative < falling.size();) {
    next_of(positive, false);
    next_of(negative, true);
  }
  return order;
}

Positions arranged(const Start& start, std::span<const double> values, Format format, std::uint64_t seed) {
  Positions order = all_positions(values.size());
  switch (start.arrangement) {
    case Arrangement::ascending:
      sort_by(order, values, [](double x) { return x; });
      return order;
    case Arrangement::descending:
      sort_by(order, values, [](double x) { return -x; });
      return order;
    case Arrangement::rising:
      sort_by(order, values, [](double x) { return std::fabs(x); });
      return order;
    case Arrangement::falling:
      sort_by(order, values, [](double x) { return -std::fabs(x); });
      return order;
    case Arrangement::peak:
      return grouped(start, values, true);
    case Arrangement::late_peak:
      return grouped(start, values, false);
    case Arrangement::alternating:
      return alternating(values);
    case Arrangement::binades:
      return binade_order(values, format, {start.greatest, start.negative_first, start.foresight});
    case Arrangement::random:
      shuffle_values(std::span(order), RandomStream(seed, streams::kSearchStarts, start.number));
      return order;
    default:
      return order;
  }
}

// What rounding adds to s + x.
template <class T>
double rounding_of_sum(T s, T x) {
  if constexpr (std::is_same_v<T, double>) return -detail::two_sum(s, x).rest;
  if constexpr (std::is_same_v<T, Extended>) {
    const T sum = s + x;  // the rest by the same six additions
    const T t = sum - s;
    return -static_cast<double>((s - (sum - t)) + (x - t));
  }
  return static_cast<double>(s + x) - (static_cast<double>(s) + static_cast<double>(x));
}

// Left to right, taking of the next `window` numbers the one whose addition rounds most in the desired direction.
template <class T>
Positions greedy(const Positions& base, std::span<const double> values, std::uint32_t window, bool greatest) {
  struct Candidate {
    T value;
    std::uint32_t position;
  };
  std::vector<Candidate> near;
  Positions order;
  order.reserve(base.size());
  std::size_t next = 0;
  T sum = round_to<T>(0.0);
  while (order.size() < base.size()) {
    stop_point_at(order.size());
    for (; near.size() < window && next < base.size(); ++next)
      near.push_back({round_to<T>(values[base[next]]), base[next]});
    std::size_t best = 0;
    double best_rounding = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < near.size(); ++i) {
      const double rounded = greatest ? rounding_of_sum(sum, near[i].value) : -rounding_of_sum(sum, near[i].value);
      if (rounded > best_rounding) {
        best_rounding = rounded;
        best = i;
      }
    }
    sum = sum + near[best].value;
    order.push_back(near[best].position);
    near[best] = near.back();
    near.pop_back();
  }
  return order;
}

}  // namespace

std::uint64_t Start::cost() const {
  const bool sorts = arrangement != Arrangement::as_given && arrangement != Arrangement::random;
  return 1 + (arrangement == Arrangement::binades ? kBinadesCost : sorts ? kSortCost : 0) + (window > 1 ? window : 0);
}

std::vector<Start> constructed_starts(std::span<const double> values) {
  const bool negatives = std::any_of(values.begin(), values.end(), [](double x) { return x < 0; });
  const bool positives = std::any_of(values.begin(), values.end(), [](double x) { return x > 0; });
  std::vector<bool> firsts{!positives};
  if (positives && negatives) firsts.push_back(true);
  std::vector<Start> starts;
  for (const Arrangement a : {Arrangement::as_given, Arrangement::ascending, Arrangement::descending,
                              Arrangement::rising, Arrangement::falling, Arrangement::alternating})
    starts.push_back({.arrangement = a});
  for (const bool negative_first : firsts)
    for (const Arrangement a : {Arrangement::peak, Arrangement::late_peak})
      starts.push_back({.arrangement = a, .negative_first = negative_first});
  for (const std::uint32_t window : {1U, 4U, 16U, 64U})
    for (const bool greatest : {true, false}) {
      for (const bool negative_first : firsts) {
        for (const double foresight : {0.0, 0.5, 1.0})
          starts.push_back({Arrangement::binades, negative_first, greatest, foresight, window});
        if (window > 1) starts.push_back({Arrangement::peak, negative_first, greatest, 0, window});
      }
      if (window > 1) starts.push_back({Arrangement::as_given, false, greatest, 0, window});
    }
  std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.cost() < b.cost(); });
  return starts;
}

std::vector<std::uint32_t> make_start(const Start& start, std::span<const double> values, Format format,
                                      std::uint64_t seed) {
  stop_point();
  Positions order = arranged(start, values, format, seed);
  if (start.window <= 1) return order;
  return with_accumulator_type(format, [&](auto* type) {
    return greedy<std::remove_pointer_t<decltype(type)>>(order, values, start.window, start.greatest);
  });
}

}  // namespace orderlab
