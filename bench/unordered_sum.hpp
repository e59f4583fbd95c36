// The baseline of every sum: what memory and the machine's adders allow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orderlab {

/// Sum in whatever order is fastest: eight vectors of the widest kind the machine has, compiled and chosen as
/// reference/extraction.cpp is.
double unordered_sum(const double* x, std::size_t n);
float unordered_sum(const float* x, std::size_t n);

/// The sum in fp32 of numbers of 16 bits.
float unordered_sum_of_halves(const std::uint16_t* x, std::size_t n);
float unordered_sum_of_bfloats(const std::uint16_t* x, std::size_t n);

}  // namespace orderlab
