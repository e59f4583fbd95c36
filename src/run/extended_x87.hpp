// fp80 by x87's additions, which are rounded to 64 bits as FloatEnvironment sets them.
#pragma once

#if defined(__x86_64__)

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/ordered_number.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// As SoftExtended.
class X87Extended {
 public:
  constexpr X87Extended() = default;
  constexpr explicit X87Extended(double value) : value_(value) {}

  static constexpr X87Extended product(double x, double y) {
    return of(static_cast<long double>(x) * static_cast<long double>(y));
  }

  constexpr explicit operator double() const { return static_cast<double>(value_); }

  /// As SoftExtended::key.
  Key128 key() const {
    std::uint64_t significand = 0;
    std::uint16_t field = 0;
    std::memcpy(&significand, &value_, sizeof significand);
    std::memcpy(&field, reinterpret_cast<const char*>(&value_) + sizeof significand, sizeof field);
    const Key128 magnitude = Key128{field & 0x7FFF} << 64 | significand;
    return field >> 15 != 0 ? ~magnitude : magnitude;
  }
  static X87Extended of_key(Key128 key) {
    const Key128 magnitude = key < 0 ? ~key : key;
    const auto significand = static_cast<std::uint64_t>(magnitude);
    const auto field = static_cast<std::uint16_t>(static_cast<int>(magnitude >> 64) | (key < 0 ? 0x8000 : 0));
    X87Extended result;
    std::memcpy(&result.value_, &significand, sizeof significand);
    std::memcpy(reinterpret_cast<char*>(&result.value_) + sizeof significand, &field, sizeof field);
    return result;
  }

  /// The number times 2^e, |e| <= 1022.
  constexpr X87Extended scaled(int e) const { return of(value_ * static_cast<long double>(power_of_two(e))); }

  constexpr X87Extended operator-() const { return of(-value_); }
  friend constexpr X87Extended operator+(X87Extended a, X87Extended b) { return of(a.value_ + b.value_); }
  friend constexpr X87Extended operator-(X87Extended a, X87Extended b) { return of(a.value_ - b.value_); }
  friend constexpr bool operator<(X87Extended a, X87Extended b) { return a.value_ < b.value_; }
  friend constexpr bool operator==(X87Extended a, X87Extended b) { return a.value_ == b.value_; }

 private:
  static_assert(std::numeric_limits<long double>::digits == 64);

  static constexpr X87Extended of(long double value) {
    X87Extended result;
    result.value_ = value;
    return result;
  }

  long double value_ = 0;
};

}  // namespace orderlab

#endif
