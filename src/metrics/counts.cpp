#include "orderlab/counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/format.hpp"
#include "run/product.hpp"

namespace orderlab {

namespace {

struct Pair {
  double high;
  double low;
};

Pair exact_product(double a, double b) {
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

template <class X>
void widen(std::optional<ResultCounts::Range<X>>& range, X low, X high) {
  if (!range) range = {low, high};
  range->min = std::min(range->min, low);
  range->max = std::max(range->max, high);
}

// Bin indices stay below 2^1020, so that dividing by a bin's width never overflows.
constexpr int kIndexBits = 1020;

// Up to here a difference and its products with a count stay finite: 2^961 * 2^53.
constexpr double kLargest = 0x1p960;

// floor(x 2^exponent), also where the product underflows.
double scaled_floor(double x, int exponent) {
  const double scaled = std::floor(std::ldexp(x, exponent));
  return x < 0 ? std::min(scaled, -1.0) : scaled + 0.0;  // bin 0 has one sign
}

}  // namespace

CountingFrame CountingFrame::make(const ExactValue& exact, Format format, std::uint64_t max_distinct) {
  const FloatEnvironment environment;
  CountingFrame frame{.format = format, .max_distinct = max_distinct};
  if (!exact.finite()) return frame;
  frame.center = value_of_bits(format, exact.round_to(format));
  if (!std::isfinite(frame.center)) frame.center = exact.to_double();
  if (!std::isfinite(frame.center)) frame.center = 0;
  frame.ulp_exponent = exact.ulp_exponent(format);
  return frame;
}

void ResultCounts::add(const Evaluation& sample, std::optional<double> running, std::optional<double> probabilistic) {
  const FloatEnvironment environment;
  widen(heights_, sample.height, sample.height);
  if (running) widen(running_, *running, *running);
  if (probabilistic) probabilistic_ = std::max(probabilistic_.value_or(0), *probabilistic);
  running_missing_ = running_missing_ || !running;
  probabilistic_missing_ = probabilistic_missing_ || !probabilistic;
  drop_missing_bounds();
  extra_ = std::max(extra_, allowance(sample.error));
  plain_ = plain_ && sample.error.plain;
  add_result(sample.bits, 1);
}

// A set has a bound only if every sample of it has one.
void ResultCounts::drop_missing_bounds() {
  if (running_missing_) running_.reset();
  if (probabilistic_missing_) probabilistic_.reset();
}

void ResultCounts::add_result(std::uint64_t bits, std::uint64_t count) {
  samples_ += count;
  const double value = value_of_bits(frame_.format, bits);
  if (std::isnan(value)) {
    nans_ += count;
  } else if (std::isinf(value)) {
    (value > 0 ? infinities_ : minus_infinities_) += count;
  } else {
    widen(extremes_, value + 0.0, value + 0.0);  // -0 and +0 are one extreme, whichever came first
    add_moments(value, count);
  }
  if (!binned_) {
    counts_[bits] += count;
    if (counts_.size() > frame_.max_distinct) start_bins();
  } else if (std::isfinite(value)) {
    coarsen_to(finest_bin());
    add_bin(bin_of(value), count);
    coarsen_until_fit();
  }
}

void ResultCounts::add_moments(double value, std::uint64_t count) {
  if (std::max(std::fabs(value), std::fabs(frame_.center)) > kLargest) return add_large_moments(value, count);
  const detail::TwoSum d = detail::two_sum(value, -frame_.center);
  const auto n = static_cast<double>(count);  // exact: counts stay below 2^53
  const double parts[2] = {d.sum, d.rest};
  for (const double part : parts) {
    if (part == 0) continue;
    sum_.add_product(part, n);
    const Pair scaled = exact_product(part, n);
    for (const double other : parts) {
      if (other == 0) continue;
      sum_of_squares_.add_product(other, scaled.high);
      sum_of_squares_.add_product(other, scaled.low);
    }
  }
}

// d and d^2 from the products they consist of, doubled as often as the count has bits: nothing can overflow.
void ResultCounts::add_large_moments(double value, std::uint64_t count) {
  ExactSum square;
  square.add_product(value, value);
  square.add_product(-value, frame_.center);
  square.add_product(-value, frame_.center);
  square.add_product(frame_.center, frame_.center);
  for (std::uint64_t rest = count; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) sum_of_squares_.merge(square);
    square.merge(ExactSum(square));
  }
  sum_.add_product(value, static_cast<double>(count));
  sum_.add_product(-frame_.center, static_cast<double>(count));
}

int ResultCounts::finest_bin() const {
  if (!extremes_) return -kIndexBits;
  const double farthest = std::max(frame_.center - extremes_->min, extremes_->max - frame_.center);
  const int exponent = std::isinf(farthest) ? 1024 : farthest > 0 ? std::ilogb(farthest) : -1;
  return exponent + 1 - frame_.ulp_exponent - kIndexBits;
}

double ResultCounts::bin_of(double value) const {
  const FloatEnvironment environment;
  const int exponent = -(bin_exponent_ + frame_.ulp_exponent);
  const double d = value - frame_.center;
  if (std::isinf(d)) return scaled_floor(value / 2 - frame_.center / 2, exponent + 1);
  return scaled_floor(d, exponent);
}

void ResultCounts::add_bin(double index, std::uint64_t count) { bins_[index] += count; }

void ResultCounts::start_bins() {
  binned_ = true;
  // The least k lies between the finest and one so coarse that all results fall into two bins.
  std::vector<std::pair<double, std::uint64_t>> list;
  for (const auto& [bits, count] : counts_) {
    const double value = value_of_bits(frame_.format, bits);
    if (std::isfinite(value)) list.emplace_back(value, count);
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto occupied = [&](int exponent) {
    bin_exponent_ = exponent;
    std::uint64_t bins = 0;
    double last = 0;
    for (const auto& [value, count] : list) {
      const double bin = bin_of(value);
      if (bins == 0 || bin != last) ++bins;
      last = bin;
    }
    return bins;
  };
  int low = finest_bin();
  int high = low + kIndexBits + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (occupied(middle) <= frame_.max_distinct)
      high = middle;
    else
      low = middle + 1;
  }
  bin_exponent_ = low;
  for (const auto& [value, count] : list) add_bin(bin_of(value), count);
  counts_.clear();
}

void ResultCounts::coarsen_to(int exponent) {
  if (exponent <= bin_exponent_) return;
  std::map<double, std::uint64_t> coarse;
  for (const auto& [index, count] : bins_) coarse[scaled_floor(index, bin_exponent_ - exponent)] += count;
  bins_ = std::move(coarse);
  bin_exponent_ = exponent;
}

void ResultCounts::coarsen_until_fit() {
  while (bins_.size() > frame_.max_distinct) coarsen_to(bin_exponent_ + 1);
}

void ResultCounts::merge(const ResultCounts& other) {
  const FloatEnvironment environment;
  if (!other.binned_) {
    for (const auto& [bits, count] : other.counts_) add_result(bits, count);
  } else {
    if (other.extremes_) widen(extremes_, other.extremes_->min, other.extremes_->max);
    if (!binned_) start_bins();
    coarsen_to(std::max(other.bin_exponent_, finest_bin()));
    ResultCounts coarse = other;
    coarse.coarsen_to(bin_exponent_);
    for (const auto& [index, count] : coarse.bins_) add_bin(index, count);
    coarsen_until_fit();
    samples_ += other.samples_;
    infinities_ += other.infinities_;
    minus_infinities_ += other.minus_infinities_;
    nans_ += other.nans_;
    sum_.merge(other.sum_);
    sum_of_squares_.merge(other.sum_of_squares_);
  }
  if (other.heights_) widen(heights_, other.heights_->min, other.heights_->max);
  if (other.running_) widen(running_, other.running_->min, other.running_->max);
  if (other.probabilistic_) probabilistic_ = std::max(probabilistic_.value_or(0), *other.probabilistic_);
  running_missing_ = running_missing_ || other.running_missing_;
  probabilistic_missing_ = probabilistic_missing_ || other.probabilistic_missing_;
  drop_missing_bounds();
  extra_ = std::max(extra_, other.extra_);
  plain_ = plain_ && other.plain_;
}

Distribution ResultCounts::results() const {
  const FloatEnvironment environment;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted(counts_.begin(), counts_.end());
  std::sort(sorted.begin(), sorted.end(), [this](const auto& a, const auto& b) {
    return ordered_key(frame_.format, a.first) < ordered_key(frame_.format, b.first);
  });
  Distribution list;
  list.values.reserve(sorted.size());
  for (const auto& [bits, count] : sorted)
    list.values.push_back({value_of_bits(frame_.format, bits), static_cast<double>(count)});
  return list;
}

Distribution ResultCounts::bins() const {
  const FloatEnvironment environment;
  Distribution list{{}, 1};
  list.values.reserve(bins_.size());
  for (const auto& [index, count] : bins_) list.values.push_back({index, static_cast<double>(count)});
  return list;
}

Distribution errors_of(const BinnedResults& bins, const CountingFrame& frame, const ExactValue& exact) {
  const FloatEnvironment environment;
  if (!exact.finite()) return {};
  const int exponent = bins.exponent + frame.ulp_exponent;
  const double offset = exact.difference(frame.center);
  Distribution errors{{}, std::ldexp(1.0, exponent)};
  for (const Weighted& bin : bins.indices.values)
    errors.values.push_back({std::ldexp(bin.value, exponent) + offset, bin.weight});
  return errors;
}

Distribution errors_of(const ResultCounts& counts, const ExactValue& exact) {
  const FloatEnvironment environment;
  if (!counts.binned()) return errors_of(counts.results(), exact);
  return errors_of(BinnedResults{counts.bins(), counts.bin_exponent()}, counts.frame(), exact);
}

BinnedResults bins_of(const Distribution& all, const CountingFrame& frame) {
  const FloatEnvironment environment;
  ResultCounts counts(frame);
  for (const Weighted& result : all.values) {
    Evaluation one;
    one.bits = bits_of(frame.format, result.value);
    counts.add(one, std::nullopt, std::nullopt);
  }
  BigCount orders = 0;
  for (const BigCount& some : all.orders) orders += some;
  BinnedResults binned{{{}, 1}, counts.bin_exponent()};
  Distribution& indices = binned.indices;
  for (std::size_t i = 0; i < all.size(); ++i) {  // ascending, so results of one bin are neighbours
    if (!std::isfinite(all.values[i].value)) continue;
    const double index = counts.bin_of(all.values[i].value);
    if (indices.empty() || indices.values.back().value != index) {
      indices.values.push_back({index, 0});
      indices.orders.emplace_back(0);
    }
    indices.orders.back() += all.orders[i];
    indices.values.back().weight = ratio(indices.orders.back(), orders);
  }
  return binned;
}

}  // namespace orderlab
