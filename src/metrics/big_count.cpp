#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <new>
#include <type_traits>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/distribution.hpp"

namespace orderlab {

using boost::multiprecision::cpp_int;

struct BigCount::Integer {
  cpp_int value;
};

static_assert(sizeof(BigCount::Integer) == sizeof(BigCount) && alignof(BigCount::Integer) == alignof(BigCount));

BigCount::Integer& BigCount::integer() { return *std::launder(reinterpret_cast<Integer*>(storage_)); }
const BigCount::Integer& BigCount::integer() const { return *std::launder(reinterpret_cast<const Integer*>(storage_)); }

BigCount::BigCount(std::uint64_t value) { new (storage_) Integer{cpp_int(value)}; }
BigCount::BigCount(const std::string& digits) { new (storage_) Integer{cpp_int(digits)}; }
BigCount::BigCount(const BigCount& other) { new (storage_) Integer{other.integer().value}; }
BigCount::BigCount(BigCount&& other) noexcept { new (storage_) Integer{std::move(other.integer().value)}; }
BigCount& BigCount::operator=(const BigCount& other) {
  integer().value = other.integer().value;
  return *this;
}
BigCount& BigCount::operator=(BigCount&& other) noexcept {
  integer().value = std::move(other.integer().value);
  return *this;
}
BigCount::~BigCount() { integer().~Integer(); }

BigCount& BigCount::operator+=(const BigCount& other) {
  integer().value += other.integer().value;
  return *this;
}
BigCount& BigCount::operator-=(const BigCount& other) {
  integer().value -= other.integer().value;
  return *this;
}
BigCount& BigCount::operator*=(const BigCount& other) {
  integer().value *= other.integer().value;
  return *this;
}
BigCount& BigCount::operator/=(const BigCount& other) {
  integer().value /= other.integer().value;
  return *this;
}
BigCount& BigCount::operator<<=(unsigned bits) {
  integer().value <<= bits;
  return *this;
}
BigCount& BigCount::operator>>=(unsigned bits) {
  integer().value >>= bits;
  return *this;
}

BigCount operator*(const BigCount& a, const BigCount& b) {
  BigCount product;
  product.integer().value = a.integer().value * b.integer().value;
  return product;
}
void add_product(BigCount& sum, const BigCount& a, const BigCount& b) {
  sum.integer().value += a.integer().value * b.integer().value;
}

bool operator==(const BigCount& a, const BigCount& b) { return a.integer().value.compare(b.integer().value) == 0; }
std::strong_ordering operator<=>(const BigCount& a, const BigCount& b) {
  return a.integer().value.compare(b.integer().value) <=> 0;
}

std::string BigCount::str() const { return integer().value.str(); }

std::uint64_t BigCount::low_word() const { return static_cast<std::uint64_t>(integer().value & ~std::uint64_t{0}); }

unsigned BigCount::bits() const { return integer().value == 0 ? 1 : msb(integer().value) + 1; }

std::size_t BigCount::heap_bytes() const {
  const auto& limbs = integer().value.backend();
  using Limbs = std::decay_t<decltype(limbs)>;
  return limbs.size() > Limbs::internal_limb_count ? limbs.size() * sizeof(*limbs.limbs()) : 0;
}

double ratio(const BigCount& part, const BigCount& whole) {
  const FloatEnvironment environment;
  if (part == 0) return 0;
  // A quotient of 64 or 65 bits with a sticky bit below: rounding that to 53 bits is rounding the ratio.
  const int shift = 64 + static_cast<int>(whole.bits()) - static_cast<int>(part.bits());
  cpp_int rest;
  cpp_int quotient;
  divide_qr(cpp_int(part.integer().value << static_cast<unsigned>(shift)), whole.integer().value, quotient, rest);
  const unsigned bits = msb(quotient) + 1;
  const bool sticky = rest != 0 || (bits == 65 && bit_test(quotient, 0));
  if (bits == 65) quotient >>= 1;
  const auto word = static_cast<std::uint64_t>(quotient) | (sticky ? 1u : 0u);
  return std::ldexp(static_cast<double>(word), static_cast<int>(bits == 65) - shift);
}

}  // namespace orderlab
