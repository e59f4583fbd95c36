#include "engine/big_count.hpp"

#include <cmath>

namespace orderlab {

BigCount factorial(std::uint64_t m) {
  BigCount product = 1;
  for (std::uint64_t k = 2; k <= m; ++k) product *= k;
  return product;
}

BigCount tree_count(std::uint64_t m) {
  BigCount product = 1;
  for (std::uint64_t k = 2; k < m; ++k) product *= 2 * k - 1;
  return product;
}

double ratio(const BigCount& part, const BigCount& whole) {
  if (part == 0) return 0;
  // A quotient of 64 or 65 bits with a sticky bit below: rounding that to 53 bits is rounding the ratio.
  const int shift = 64 + static_cast<int>(msb(whole)) - static_cast<int>(msb(part));
  BigCount rest;
  BigCount quotient;
  divide_qr(BigCount(part << static_cast<unsigned>(shift)), whole, quotient, rest);
  const unsigned bits = msb(quotient) + 1;
  const bool sticky = rest != 0 || (bits == 65 && bit_test(quotient, 0));
  if (bits == 65) quotient >>= 1;
  const auto word = static_cast<std::uint64_t>(quotient) | (sticky ? 1u : 0u);
  return std::ldexp(static_cast<double>(word), static_cast<int>(bits == 65) - shift);
}

}  // namespace orderlab
