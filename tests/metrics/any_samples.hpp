// Samples with troublesome results, for tests of what counts them.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

struct Sample {
  Evaluation evaluation;
  std::optional<double> running;
  std::optional<double> probabilistic;
};

/// Where the results lie.
enum class Spread : std::uint8_t { few_ulps, many_ulps, wide, largest, smallest, special };
inline constexpr Spread kSpreads[] = {Spread::few_ulps, Spread::many_ulps, Spread::wide,
                                      Spread::largest,  Spread::smallest,  Spread::special};

inline double any_result(IndexGenerator& draw, const CountingFrame& frame, Spread spread) {
  const double ulp = std::ldexp(1.0, frame.ulp_exponent);
  switch (spread) {
    case Spread::few_ulps:
      return frame.center + ulp * (static_cast<double>(below(draw, 9)) - 4);
    case Spread::many_ulps:
      return frame.center + ulp * std::floor(std::ldexp(near_one(draw), 10));
    case Spread::largest:
      return with_random_sign(
          draw, std::ldexp(2 - std::ldexp(1.0, -static_cast<int>(below(draw, 9))), info(frame.format).e_max));
    case Spread::smallest:
      return with_random_sign(draw, static_cast<double>(below(draw, 40)) * info(frame.format).smallest_subnormal());
    case Spread::special:
      if (chance(draw, 5)) return std::numeric_limits<double>::quiet_NaN();
      if (chance(draw, 4)) return with_random_sign(draw, std::numeric_limits<double>::infinity());
      return with_random_sign(draw, chance(draw, 3) ? 0.0 : static_cast<double>(below(draw, 9)));
    default:
      return any_finite(draw, frame.format);
  }
}

inline Sample sample_of(const CountingFrame& frame, double result) {
  Sample s;
  s.evaluation.bits = round_to_bits(frame.format, result);
  s.evaluation.value = value_of_bits(frame.format, s.evaluation.bits);
  return s;
}

inline Sample any_sample(IndexGenerator& draw, const CountingFrame& frame, Spread spread) {
  Sample s = sample_of(frame, any_result(draw, frame, spread));
  s.evaluation.height = below(draw, 50);
  s.evaluation.error.extra = static_cast<double>(below(draw, 7));
  s.evaluation.error.plain = !chance(draw, 100);
  if (!chance(draw, 200)) s.running = static_cast<double>(below(draw, 1000));
  if (!chance(draw, 50)) s.probabilistic = static_cast<double>(below(draw, 1000));
  return s;
}

inline CountingFrame any_frame(IndexGenerator& draw, Format format, Spread spread) {
  const double terms[] = {chance(draw, 8)              ? 0.0
                          : spread == Spread::wide     ? any_finite(draw, format)
                          : spread == Spread::largest  ? std::ldexp(with_random_sign(draw, 1.5), info(format).e_max)
                          : spread == Spread::smallest ? info(format).smallest_subnormal() * 3
                                                       : near_one(draw)};
  return CountingFrame::make(exact_sum(terms), format, 2 + below(draw, chance(draw, 2) ? 8 : 63));
}

inline ResultCounts count(const CountingFrame& frame, const std::vector<Sample>& samples, std::size_t begin,
                          std::size_t end) {
  ResultCounts counts(frame);
  for (std::size_t i = begin; i < end; ++i)
    counts.add(samples[i].evaluation, samples[i].running, samples[i].probabilistic);
  return counts;
}

/// Calls `f` with a generator, a frame and samples, for every format and place of the results.
template <class F>
void for_each_case(std::uint64_t count, F f) {
  for (const FormatInfo& format : kFormats)
    for (const Spread spread : kSpreads)
      for (std::uint64_t trial = 0; trial < trials(count); ++trial) {
        CAPTURE(format.name);
        const auto spread_number = static_cast<int>(spread);
        CAPTURE(spread_number);
        CAPTURE(trial);
        IndexGenerator draw(RandomStream(11, static_cast<std::uint16_t>(spread), trial), format.format == Format::fp64);
        const CountingFrame frame = any_frame(draw, format.format, spread);
        std::vector<Sample> samples(below(draw, chance(draw, 3) ? 20 : 300) + 1);
        for (Sample& s : samples) s = any_sample(draw, frame, spread);
        f(draw, frame, samples);
      }
}

}  // namespace orderlab::testing
