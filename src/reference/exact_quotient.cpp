// An exact sum divided by a count.
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "reference/exact_digits.hpp"
#include "reference/exact_loop.hpp"
#include "reference/natural.hpp"

namespace orderlab {

ExactValue ExactLoop::quotient(const ExactValue& value, std::uint32_t divisor) {
  constexpr std::size_t kBelow = 3;  // words of zeros below: 192 bits, more than any two doubles hold
  assert(value.finite() && divisor > 0);
  if (value.zero()) return value;
  assert(value.first_ >= kBelow);  // the last bit of a double is 2^1074 times that of an exact value
  std::array<std::uint64_t, kExactWords + kBelow> storage{};
  const std::span words(storage.data(), kBelow + value.size_);
  std::ranges::copy(value.words(), words.begin() + kBelow);
  if (divide(words, divisor) != 0) words[0] |= 1;
  return {value.negative_, words, value.first_ - kBelow};
}

}  // namespace orderlab
