// Numbers of fp16 and bf16 among those of fp32: rounding to them, and reading them. In vectors, with the same bits for
// any width.
#pragma once

#include <cstddef>
#include <span>

#include "orderlab/format.hpp"

namespace orderlab {

/// Rounds numbers to `format`, one of fp32, fp16, bf16: to nearest, ties to even. A NaN stays one.
void round_to(Format format, std::span<float> numbers);

/// Sets numbers to those that lie one after the other from `from` on, little-endian, in `format`: fp32, fp16 or bf16.
void read_numbers(const std::byte* from, Format format, std::span<float> numbers);

}  // namespace orderlab
