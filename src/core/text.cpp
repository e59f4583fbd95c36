#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kMaxCount = ~std::uint64_t{0};

std::optional<std::uint64_t> multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Digits with single underscores between them; empty if it is anything else.
std::string plain_digits(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' && i > 0 && i + 1 < text.size() && text[i - 1] != '_') continue;
    if (text[i] < '0' || text[i] > '9') return {};
    digits += text[i];
  }
  return digits;
}

CountResult from_digits(std::string_view digits, std::uint64_t exponent) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto scaled = multiply(value, 10);
    if (!scaled || *scaled > kMaxCount - static_cast<std::uint64_t>(c - '0'))
      return {{}, "is too large (the limit is 2^64 - 1)"};
    value = *scaled + static_cast<std::uint64_t>(c - '0');
  }
  for (std::uint64_t i = 0; i < exponent && value != 0; ++i) {
    const auto scaled = multiply(value, 10);
    if (!scaled) return {{}, "is too large (the limit is 2^64 - 1)"};
    value = *scaled;
  }
  return {value, {}};
}

}  // namespace

CountResult read_count(std::string_view text) {
  const CountResult malformed{{}, "is not a count such as 1000, 1e6, 1_000_000 or 2^20"};
  if (text.empty()) return malformed;
  if (text.front() == '-') return {{}, "is negative"};

  if (const auto caret = text.find('^'); caret != std::string_view::npos) {
    const CountResult base = read_count(text.substr(0, caret));
    const CountResult power = read_count(text.substr(caret + 1));
    if (!base.value || !power.value) return malformed;
    std::uint64_t value = 1;
    for (std::uint64_t i = 0; i < *power.value && (i < 64 || *base.value > 1); ++i) {
      const auto next = multiply(value, *base.value);
      if (!next) return {{}, "is too large (the limit is 2^64 - 1)"};
      value = *next;
    }
    return {value, {}};
  }

  const auto e = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, e);
  std::uint64_t exponent = 0;
  bool negative_exponent = false;
  if (e != std::string_view::npos) {
    std::string_view tail = text.substr(e + 1);
    if (!tail.empty() && (tail.front() == '+' || tail.front() == '-')) {
      negative_exponent = tail.front() == '-';
      tail.remove_prefix(1);
    }
    const auto [end, code] = std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
    if (code == std::errc::result_out_of_range) return {{}, "is too large (the limit is 2^64 - 1)"};
    if (code != std::errc{} || end != tail.data() + tail.size()) return malformed;
  }

  const auto point = mantissa.find('.');
  const std::string whole = plain_digits(mantissa.substr(0, point));
  std::string fraction = point == std::string_view::npos ? "" : plain_digits(mantissa.substr(point + 1));
  if (whole.empty() || (point != std::string_view::npos && fraction.empty() && point + 1 < mantissa.size()))
    return malformed;
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  std::string digits = whole + fraction;
  std::uint64_t scale = fraction.size();
  if (negative_exponent) {
    if (exponent > digits.size() + 64) return {{}, "is not a whole number"};
    scale += exponent;
    exponent = 0;
  }
  for (; scale > 0 && exponent == 0 && digits.size() > 1 && digits.back() == '0'; --scale) digits.pop_back();
  if (scale > exponent) {
    if (digits.find_first_not_of('0') == std::string::npos) return {0, {}};
    return {{}, "is not a whole number"};
  }
  return from_digits(digits, exponent - scale);
}

std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t low, std::uint64_t high) {
  const CountResult result = read_count(text);
  std::string problem = result.problem;
  if (result.value && *result.value < low) problem = "is too small (at least " + std::to_string(low) + ")";
  if (result.value && *result.value > high) problem = "is too large (at most " + std::to_string(high) + ")";
  if (!problem.empty()) throw Error(ErrorKind::usage, std::string(what) + " " + std::string(text) + ": " + problem);
  return *result.value;
}

std::optional<double> read_real(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double parse_fraction(std::string_view what, std::string_view text) {
  const auto value = read_real(text);
  if (!value || !(*value > 0 && *value < 1))
    throw Error(ErrorKind::usage, std::string(what) + " " + std::string(text) +
                                      ": must lie between 0 and 1, both excluded, such as 0.999");
  return *value;
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> best;
  for (const std::string& candidate : known) {
    const std::size_t rows = name.size() + 1;
    const std::size_t columns = candidate.size() + 1;
    std::vector<std::vector<std::size_t>> d(rows, std::vector<std::size_t>(columns));
    for (std::size_t i = 0; i < rows; ++i) d[i][0] = i;
    for (std::size_t j = 0; j < columns; ++j) d[0][j] = j;
    for (std::size_t i = 1; i < rows; ++i)
      for (std::size_t j = 1; j < columns; ++j) {
        const std::size_t change = name[i - 1] == candidate[j - 1] ? 0 : 1;
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
        if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] && name[i - 2] == candidate[j - 1])
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    if (d[rows - 1][columns - 1] < best_distance) {
      best_distance = d[rows - 1][columns - 1];
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  std::string message = std::string(name) + ": no such " + std::string(what);
  if (const auto near = nearest_name(name, known)) return message + "; did you mean " + *near + "?";
  message += "; known:";
  for (const std::string& k : known) message += " " + k;
  return message;
}

std::string bytes_in_words(double bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  std::array<char, 32> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), bytes, std::chars_format::fixed, unit == 0 ? 0 : 1);
  return std::string(buffer.data(), end) + " " + kUnits[unit];
}

}  // namespace orderlab
