// Many numbers rounded to a format, and numbers of 16 bits as they are stored: in vectors.
#pragma once

#include <cstdint>
#include <span>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Rounds each number to `format`: bit for bit what RoundedNumbers::rounded_to makes of one after the other, and what
/// it notes in `error`.
///
/// Cost: two additions to `error`, each of which waits for the one before, 3 or 4 cycles a number.
void round_all(Format format, std::span<double> numbers, RunningError& error);

/// The codes of numbers of fp16 or bf16, and back. store_codes makes NaN canonical; a NaN that is loaded has any payload.
void store_codes(Format format, std::span<const double> numbers, std::uint16_t* codes);
void load_codes(Format format, const std::uint16_t* codes, std::span<double> numbers);

}  // namespace orderlab
