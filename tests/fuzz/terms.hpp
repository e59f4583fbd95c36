// Terms that bytes choose: any bit pattern, the special numbers, and what cancels.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace orderlab::fuzz {

inline double special_number(Choices& choices, const FormatInfo& f) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double largest = std::ldexp(2 - 2 * f.unit_roundoff(), f.e_max);
  const double numbers[] = {0.0,
                            1.0,
                            1 + 2 * f.unit_roundoff(),
                            f.unit_roundoff(),
                            f.smallest_subnormal(),
                            std::ldexp(1.0, f.e_min),
                            largest,
                            largest / 2,
                            kInfinity,
                            std::numeric_limits<double>::quiet_NaN()};
  return choices.pick(numbers);
}

/// A number for a format; `before` are those chosen already.
inline double any_number(Choices& choices, const FormatInfo& f, const std::vector<double>& before) {
  const std::uint64_t kind = choices.below(16);
  const double sign = kind % 2 == 0 ? 1 : -1;
  switch (kind / 2) {
    case 0:
      return sign * special_number(choices, f);
    case 1:
      return sign * static_cast<double>(choices.byte());
    case 2:
      return before.empty() ? sign : sign * choices.pick(before);
    case 3:
      return before.empty() ? sign : sign * choices.pick(before) * (1 + 2 * f.unit_roundoff());
    case 4:
      return sign * std::ldexp(1 + static_cast<double>(choices.byte()) / 256, choices.byte() % 32 - f.precision);
    case 5:
      return sign * static_cast<double>(choices.byte()) * f.smallest_subnormal();
    default:
      return value_of_bits(f.format, choices.word(f.bits / 8));
  }
}

/// n numbers; when the bytes are spent, those so far come again.
inline std::vector<double> any_numbers(Choices& choices, Format format, std::size_t n) {
  std::vector<double> numbers;
  while (numbers.size() < n && (numbers.empty() || !choices.done()))
    numbers.push_back(any_number(choices, info(format), numbers));
  for (std::size_t i = 0; numbers.size() < n; ++i) numbers.push_back(numbers[i]);
  return numbers;
}

}  // namespace orderlab::fuzz
