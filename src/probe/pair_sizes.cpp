#include "probe/pair_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orderlab/error.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

Masks masks_for(Format terms, const AccumulatorPrecision& accumulator, int result_precision) {
  const int mask = mask_range(terms).mask;
  const int unit = accumulator.unit_exponent;
  const int precision = info(terms).precision;
  const int narrowest = std::min(accumulator.narrowest.value_or(precision), result_precision);
  const int widest = accumulator.widest.value_or(precision);
  // A sum of `most` units is exact, and less than half the ulp below M.
  const int bits = std::min(narrowest, mask - unit - widest - 1);
  if (bits < 0)
    throw Error(ErrorKind::unsupported,
                std::string(info(terms).name) + " terms are added with " + std::to_string(widest) +
                    " bits: no two terms of that format differ so much that one swallows the other; probe it with "
                    "--format fp32 or fp64");
  return {mask, unit, std::size_t{1} << std::min(bits, 53)};
}

PairSizes::PairSizes(AskedBox& box, const Masks& masks) : box_(box), masks_(masks) {
  for (std::size_t k = 0; k < box.box().together(); ++k) inputs_.push_back(zeros(box));
  for (const Terms& input : inputs_) views_.push_back(input.view());
  shown_ = n();
  show_units(0);
}

double PairSizes::unit() const { return (masks_.negative ? -1 : 1) * power_of_two(masks_.unit_exponent); }

void PairSizes::show_units(std::size_t begin) {
  if (shown_ == begin) return;
  const auto fill = [&](std::size_t from, double value) {
    const std::size_t end = from + std::min(masks_.most, n() - from);
    for (Terms& input : inputs_)
      for (std::size_t i = from; i < end; ++i) input.set(i, value);
  };
  if (shown_ < n()) fill(shown_, 0);
  fill(begin, unit());
  shown_ = begin;
}

void PairSizes::measure(std::span<const PlacePair> pairs, std::span<std::size_t> sizes) {
  const double unit = this->unit();
  const double mask = power_of_two(masks_.exponent);
  const auto shows = [&](std::size_t place) { return place >= shown_ && place - shown_ < masks_.most; };
  std::array<double, 64> results;
  for (std::size_t first = 0; first < pairs.size();) {
    const std::size_t count = std::min({pairs.size() - first, inputs_.size(), results.size()});
    const auto now = pairs.subspan(first, count);
    std::fill_n(sizes.subspan(first).begin(), count, n());
    for (std::size_t begin = 0; begin < n(); begin += std::min(masks_.most, n() - begin)) {
      show_units(begin);
      for (std::size_t k = 0; k < count; ++k) {
        inputs_[k].set(now[k].i, mask);
        inputs_[k].set(now[k].j, -mask);
      }
      box_.sums(std::span(views_).first(count), std::span(results).first(count));
      for (std::size_t k = 0; k < count; ++k) {
        std::size_t units = std::min(masks_.most, n() - begin);
        for (const std::size_t place : {now[k].i, now[k].j}) {
          inputs_[k].set(place, shows(place) ? unit : 0);
          if (shows(place)) --units;
        }
        const double left = results[k] / unit;
        const bool counts = left >= 0 && left <= static_cast<double>(units) && left == std::floor(left);
        std::size_t& size = sizes[first + k];
        size = counts && size > 0 ? size - static_cast<std::size_t>(left) : 0;
      }
    }
    first += count;
  }
}

std::size_t PairSizes::measure(PlacePair pair) {
  std::size_t size = 0;
  measure({&pair, 1}, {&size, 1});
  return size;
}

bool find_masks(AskedBox& box, Masks& masks) {
  constexpr int kTries = 4;
  constexpr int kLeastRange = 40;  // bits from units to masks below which nothing smaller is tried
  for (;;) {
    PairSizes sizes(box, masks);
    RandomPlaces places(box.n(), 2);
    bool counts = true;
    for (int i = 0; i < kTries && counts; ++i) {
      const auto pair = places.some(2);
      counts = sizes.measure({pair[0], pair[1]}) > 0 && sizes.measure({pair[1], pair[0]}) > 0;
    }
    if (counts) return true;
    const int range = masks.exponent - masks.unit_exponent;
    if (range / 2 < kLeastRange) return false;
    masks.exponent = masks.unit_exponent + range / 2;
  }
}

}  // namespace orderlab
