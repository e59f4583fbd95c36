// XORWOW, the generator that cuRAND uses by default: its sequence, and places far ahead in it.
//
// Source: G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (14), 2003; how cuRAND seeds it, and that its sequences
// are 2^67 numbers apart: cuRAND Library, "Bit Generation with XORWOW and MRG32k3a generators". Seeds are tested with
// numbers that cuRAND printed.
#pragma once

#include <cstdint>

namespace orderlab::host_program {

struct XorwowState {
  std::uint32_t x[5];
  std::uint32_t d;  ///< a Weyl sequence
};

inline XorwowState xorwow_seeded(std::uint64_t seed) {
  const std::uint32_t low = static_cast<std::uint32_t>(seed) ^ 0xAAD26B49U;
  const std::uint32_t high = static_cast<std::uint32_t>(seed >> 32) ^ 0xF7DCEFDDU;
  const std::uint32_t a = 1099087573U * low;
  const std::uint32_t b = 2591861531U * high;
  return {{123456789U + a, 362436069U ^ a, 521288629U + b, 88675123U ^ b, 5783321U + a}, 6615241U + a + b};
}

/// The next number; moves the state.
inline std::uint32_t next_of(XorwowState& state) {
  const std::uint32_t t = state.x[0] ^ state.x[0] >> 2;
  const std::uint32_t last = state.x[4];
  for (int i = 0; i < 4; ++i) state.x[i] = state.x[i + 1];
  state.x[4] = last ^ last << 4 ^ t ^ t << 1;
  state.d += 362437U;
  return state.x[4] + state.d;
}

/// The state after n numbers, or after n * 2^67, in which the Weyl sequence does not move.
XorwowState xorwow_skipped(const XorwowState& state, std::uint64_t n);
XorwowState xorwow_sequence(const XorwowState& state, std::uint64_t n);

}  // namespace orderlab::host_program
