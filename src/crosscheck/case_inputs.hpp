// What a case of a cross-check draws: its terms, and what a GPU is free to choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "orderlab/format.hpp"
#include "orderlab/simt.hpp"

namespace orderlab {

/// A distribution of terms biased to trouble, one of five in turn of the seeds; one is subnormal in the format.
std::string troubled_terms(Format format, std::uint64_t seed);

/// Distributions of the factors of products.
struct FactorTexts {
  std::string x;
  std::string y;

  std::string text() const { return x == y ? x : x + " times " + y; }
};

inline FactorTexts same_factors(const std::string& text) { return {text, text}; }

/// For factors of fused steps with sums in fp32, one of eleven in turn of the seeds: products and sums that cancel, are
/// equal, underflow, overflow, or meet at the least normal number, as far as the format has them.
FactorTexts troubled_factors(Format format, std::uint64_t seed);

/// A schedule, from nearly launch order to anything. `shape` numbers the launch shapes of the kernel.
simt::Schedule drawn_schedule(std::size_t n, std::size_t shape, std::uint64_t seed, std::uint64_t sample);

}  // namespace orderlab
