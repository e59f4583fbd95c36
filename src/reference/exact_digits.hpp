// What an ExactValue points to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/exact.hpp"

namespace orderlab {

/// Exponent of bit 0: the product of two smallest subnormals, 2^-1074 * 2^-1074.
inline constexpr int kLowestExponent = -2148;

/// (-1)^negative * magnitude * 2^-2148, or an infinity of that sign, or NaN.
struct ExactValue::Digits {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  static constexpr std::size_t kWords = 68;

  Kind kind = Kind::finite;
  bool negative = false;
  std::size_t size = 0;  ///< number of words up to the highest that is not 0
  std::array<std::uint64_t, kWords> words{};

  std::span<const std::uint64_t> magnitude() const { return {words.data(), size}; }
};

}  // namespace orderlab
