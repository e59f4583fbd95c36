// The different ones among the results that are given to judge.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab::study {

struct DistinctResults {
  std::vector<GivenResult> values;  ///< ascending, -0 before +0, NaN last; of equal bits, each reading apart
  std::uint64_t given = 0;          ///< repeated ones each counted
  std::uint64_t rounded = 0;        ///< numbers that the format does not hold
};

/// The distinct results among numbers, each rounded to the format, and results that were read. RequestError(usage) for
/// none.
inline DistinctResults distinct_results(std::span<const double> numbers, std::span<const GivenResult> read,
                                        Format format) {
  if (numbers.empty() && read.empty())
    throw RequestError(ErrorKind::usage, "no result to check: give one or more in `results`");
  DistinctResults all;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, GivenResult> distinct;
  const auto take = [&](const GivenResult& result) {
    const KeyInterval wide = result.read_widely(format);
    const auto [at, added] = distinct.try_emplace({ordered_key(format, result.bits), wide.low, wide.high}, result);
    if (!added) at->second.count += result.count;
    all.given += result.count;
  };
  for (const double number : numbers) {
    const std::uint64_t bits = round_to_bits(format, number);
    take({bits});
    if (!std::isnan(number) && value_of_bits(format, bits) != number) ++all.rounded;
  }
  for (const GivenResult& result : read) take(result);
  for (const auto& [key, result] : distinct) all.values.push_back(result);
  return all;
}

}  // namespace orderlab::study
