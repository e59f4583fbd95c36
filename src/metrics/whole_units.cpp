#include "metrics/whole_units.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>

namespace orderlab {

namespace {

constexpr std::int64_t kMostUnits = std::int64_t{1} << 53;

/// digits * 10^exponent; no digit 0 at the end but that of 0.
struct Decimal10 {
  std::int64_t digits = 0;
  int exponent = 0;
};

Decimal10 shortest_decimal(double number) {
  char characters[32];
  const auto written =
      std::to_chars(std::begin(characters), std::end(characters), number, std::chars_format::scientific);
  const std::string text(std::begin(characters), written.ptr);
  const auto e = text.find('e');
  Decimal10 decimal{0, std::stoi(text.substr(e + 1))};
  std::string significand = text.substr(0, e);
  const auto point = significand.find('.');
  if (point != std::string::npos) {
    decimal.exponent -= static_cast<int>(significand.size() - point - 1);
    significand.erase(point, 1);
  }
  decimal.digits = std::stoll(significand);
  for (; decimal.digits != 0 && decimal.digits % 10 == 0; ++decimal.exponent) decimal.digits /= 10;
  return decimal;
}

}  // namespace

std::optional<std::vector<std::int64_t>> whole_units(std::span<const double> numbers) {
  std::vector<Decimal10> decimals;
  std::optional<int> least;
  for (const double number : numbers) {
    decimals.push_back(shortest_decimal(number));
    if (number < 0 || number > 0) least = std::min(least.value_or(decimals.back().exponent), decimals.back().exponent);
  }
  std::vector<std::int64_t> units;
  for (Decimal10& decimal : decimals) {
    for (; decimal.digits != 0 && decimal.exponent > *least; --decimal.exponent) {
      if (decimal.digits > kMostUnits / 10 || decimal.digits < -kMostUnits / 10) return std::nullopt;
      decimal.digits *= 10;
    }
    if (decimal.digits >= kMostUnits || decimal.digits <= -kMostUnits) return std::nullopt;
    units.push_back(decimal.digits);
  }
  return units;
}

void divide_by_common_divisor(std::span<std::int64_t> numbers) {
  std::int64_t divisor = 0;
  for (const std::int64_t number : numbers) divisor = std::gcd(divisor, number);
  if (divisor > 1)
    for (std::int64_t& number : numbers) number /= divisor;
}

}  // namespace orderlab
