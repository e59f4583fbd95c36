// Numbers as integers in the order of their values: format.hpp's ordered_key for the inside of loops.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Keys of numbers of more than 64 bits.
__extension__ using Key128 = __int128;

/// Integer type of the keys of T; its least value is no key.
template <class T>
struct KeyTypeOf {
  using Type = std::conditional_t<std::is_same_v<T, double>, std::int64_t, std::int32_t>;
};
template <class T>
using KeyOf = typename KeyTypeOf<T>::Type;

template <class Key>
inline constexpr Key kGreatestKey = std::numeric_limits<Key>::max();
template <>
inline constexpr Key128 kGreatestKey<Key128> = (Key128{1} << 126) - 1 +
                                               (Key128{1} << 126);  // the library has no limits of it

template <class Key>
inline constexpr Key kNoKey = -kGreatestKey<Key> - 1;

/// high - low, or 2^63 where it is more.
template <class Key>
constexpr std::uint64_t key_distance(Key low, Key high) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  if constexpr (std::is_same_v<Key, Key128>)
    return high - low < static_cast<Key128>(kMost) ? static_cast<std::uint64_t>(high - low) : kMost;
  else
    return std::min(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low), kMost);
}

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
