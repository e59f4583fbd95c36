// Results that a user gives, as numbers or as they were printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orderlab/format.hpp"

namespace orderlab {

/// Numbers of a format from one to another, both included, as their ordered_key.
struct KeyInterval {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool holds(std::int64_t key) const { return low <= key && key <= high; }
  bool overlaps(const KeyInterval& other) const { return low <= other.high && other.low <= high; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1; }

  friend bool operator==(const KeyInterval&, const KeyInterval&) = default;
};

/// A result to judge, and how often it was given. It can be read in two ways: exactly, and as what printed digits leave
/// open.
struct GivenResult {
  std::uint64_t bits = 0;  ///< in the result format, NaN canonical; for a mean, a sum that has it
  std::uint64_t count = 1;
  int digits = 0;                         ///< significant digits of a decimal with fewer than the format needs; else 0
  std::optional<KeyInterval> exact = {};  ///< sums that have exactly this mean; empty for a sum, which is `bits` alone
  std::optional<KeyInterval> printed = {};  ///< numbers within half a unit of the last digit; empty for exact results
  std::string text = {};                    ///< a number as it was given; empty for bits

  KeyInterval read_exactly(Format format) const;

  /// What `printed` leaves open, with what is read exactly.
  KeyInterval read_widely(Format format) const;
};

/// Key interval of the numbers of `format` that lie within half a unit of the last digit of a decimal text, the ends
/// included: 3.00 stands for 2.995 to 3.005, 3e2 for 250 to 350. Empty for hex floats, inf, NaN and for texts that are
/// no number, and where the format has no such number.
struct PrintedDecimal {
  int digits = 0;  ///< significant ones; 1 for a zero
  KeyInterval numbers;
};
std::optional<PrintedDecimal> read_printed(std::string_view text, Format format);

}  // namespace orderlab
