// Jumps in the sequence of XORWOW: its five words move by a matrix of bits, whose powers are found by squaring.
#include "orderlab/xorwow.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <vector>

namespace orderlab::host_program {

namespace {

constexpr unsigned kBits = 160;
using StateBits = std::array<std::uint32_t, 5>;
using BitMatrix = std::array<StateBits, kBits>;  ///< what each bit of a state becomes

StateBits moved(const BitMatrix& matrix, const StateBits& words) {
  StateBits result{};
  for (unsigned word = 0; word < words.size(); ++word)
    for (std::uint32_t rest = words[word]; rest != 0; rest &= rest - 1) {
      const StateBits& column = matrix[32 * word + static_cast<unsigned>(std::countr_zero(rest))];
      for (unsigned i = 0; i < result.size(); ++i) result[i] ^= column[i];
    }
  return result;
}

/// A step, 2 steps, 4 steps, ..., as far as they were asked for.
const BitMatrix& power(unsigned exponent) {
  static std::mutex mutex;
  static std::vector<BitMatrix> powers;
  const std::lock_guard lock(mutex);
  constexpr unsigned kMost = 67 + 64;
  powers.reserve(kMost);  // so that none moves
  if (powers.empty()) {
    BitMatrix step;
    for (unsigned bit = 0; bit < kBits; ++bit) {
      XorwowState state{};
      state.x[bit / 32] = 1U << bit % 32;
      next_of(state);
      step[bit] = std::to_array(state.x);
    }
    powers.push_back(step);
  }
  while (powers.size() <= exponent) {
    BitMatrix next;
    for (unsigned bit = 0; bit < kBits; ++bit) next[bit] = moved(powers.back(), powers.back()[bit]);
    powers.push_back(next);
  }
  return powers[exponent];
}

/// After n * 2^exponent steps, without the Weyl sequence.
XorwowState jumped(const XorwowState& state, std::uint64_t n, unsigned exponent) {
  StateBits words = std::to_array(state.x);
  for (; n != 0; n >>= 1, ++exponent)
    if ((n & 1) != 0) words = moved(power(exponent), words);
  return {{words[0], words[1], words[2], words[3], words[4]}, state.d};
}

}  // namespace

XorwowState xorwow_skipped(const XorwowState& state, std::uint64_t n) {
  XorwowState result = jumped(state, n, 0);
  result.d += 362437U * static_cast<std::uint32_t>(n);
  return result;
}

XorwowState xorwow_sequence(const XorwowState& state, std::uint64_t n) {
  constexpr unsigned kSequence = 67;
  return jumped(state, n, kSequence);
}

}  // namespace orderlab::host_program
