// Numbers as integers in the order of their values: format.hpp's ordered_key for the inside of loops.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Integer type of the keys of T; its least value is no key.
template <class T>
using KeyOf = std::conditional_t<std::is_same_v<T, double>, std::int64_t, std::int32_t>;

template <class Key>
inline constexpr Key kNoKey = std::numeric_limits<Key>::min();

/// -inf ... -0, +0 ... inf; not for NaN.
template <class T>
KeyOf<T> number_key(T value) {
  if constexpr (std::is_same_v<T, double>) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
  } else if constexpr (std::is_same_v<T, float>) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits ^ ((bits >> 31) & std::numeric_limits<std::int32_t>::max());
  } else {
    const auto bits = static_cast<std::int16_t>(value.bits);
    return bits ^ ((bits >> 15) & std::numeric_limits<std::int16_t>::max());
  }
}

/// The number that has this key.
template <class T>
T number_of(KeyOf<T> key) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(key ^ ((key >> 63) & std::numeric_limits<std::int64_t>::max()));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(key ^ ((key >> 31) & std::numeric_limits<std::int32_t>::max()));
  } else {
    T value;
    value.bits = static_cast<std::uint16_t>(key ^ ((key >> 15) & std::numeric_limits<std::int16_t>::max()));
    return value;
  }
}

/// Also for NaN, which has one key above all others, whatever its bits.
template <class T>
KeyOf<T> any_key(T value) {
  const auto wide = static_cast<double>(value);
  return wide == wide ? number_key(value) : number_key(round_to<T>(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace orderlab
