#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "core/printed_number.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kMaxCount = ~std::uint64_t{0};
constexpr const char* kMalformed = "is not a count such as 1000, 1e6, 1_000_000 or 2^20";
constexpr const char* kBeyondCount = "is too large (the limit is 2^64 - 1)";

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
    if (!scaled || *scaled > kMaxCount - static_cast<std::uint64_t>(c - '0')) return {{}, kBeyondCount};
    value = *scaled + static_cast<std::uint64_t>(c - '0');
  }
  for (std::uint64_t i = 0; i < exponent && value != 0; ++i) {
    const auto scaled = multiply(value, 10);
    if (!scaled) return {{}, kBeyondCount};
    value = *scaled;
  }
  return {value, {}};
}

// The exponent behind an 'e', its sign apart.
struct Exponent {
  std::uint64_t value = 0;
  bool negative = false;
  std::string problem = {};
};

Exponent read_exponent(std::string_view text) {
  Exponent exponent;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    exponent.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), exponent.value);
  if (code == std::errc::result_out_of_range)
    exponent.problem = kBeyondCount;
  else if (code != std::errc{} || end != text.data() + text.size())
    exponent.problem = kMalformed;
  return exponent;
}

// A count without '^'.
CountResult read_decimal(std::string_view text) {
  const auto e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  Exponent exponent;
  if (e != std::string_view::npos) exponent = read_exponent(text.substr(e + 1));
  if (!exponent.problem.empty()) return {{}, exponent.problem};

  const auto point = mantissa.find('.');
  const std::string whole = plain_digits(mantissa.substr(0, point));
  std::string fraction = point == std::string_view::npos ? "" : plain_digits(mantissa.substr(point + 1));
  if (whole.empty() || (point != std::string_view::npos && fraction.empty() && point + 1 < mantissa.size()))
    return {{}, kMalformed};
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  std::string digits = whole + fraction;
  std::uint64_t scale = fraction.size();
  if (exponent.negative) {
    if (exponent.value > digits.size() + 64) return {{}, "is not a whole number"};
    scale += exponent.value;
    exponent.value = 0;
  }
  for (; scale > 0 && exponent.value == 0 && digits.size() > 1 && digits.back() == '0'; --scale) digits.pop_back();
  if (scale > exponent.value) {
    if (digits.find_first_not_of('0') == std::string::npos) return {0, {}};
    return {{}, "is not a whole number"};
  }
  return from_digits(digits, exponent.value - scale);
}

}  // namespace

CountResult read_count(std::string_view text) {
  if (text.starts_with('-')) return {{}, "is negative"};
  const auto caret = text.find('^');
  if (caret == std::string_view::npos) return read_decimal(text);
  const CountResult base = read_decimal(text.substr(0, caret));
  const CountResult power = read_decimal(text.substr(caret + 1));
  if (!base.value || !power.value) return {{}, kMalformed};
  std::uint64_t value = 1;
  for (std::uint64_t i = 0; i < *power.value && (i < 64 || *base.value > 1); ++i) {
    const auto next = multiply(value, *base.value);
    if (!next) return {{}, kBeyondCount};
    value = *next;
  }
  return {value, {}};
}

std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t low, std::uint64_t high) {
  const CountResult result = read_count(text);
  std::string problem = result.problem;
  if (result.value && *result.value < low) problem = "must be at least " + std::to_string(low);
  if (result.value && *result.value > high) problem = "must be at most " + std::to_string(high);
  if (!problem.empty()) throw Error(ErrorKind::usage, std::string(what) + " " + shortened(text) + ": " + problem);
  return *result.value;
}

std::optional<double> read_real(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);  // from_chars takes a '-' itself
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double parse_fraction(std::string_view what, std::string_view text) {
  const auto value = read_real(text);
  if (!value || !(*value > 0 && *value < 1))
    throw Error(ErrorKind::usage,
                std::string(what) + " " + shortened(text) + ": must lie between 0 and 1, both excluded, such as 0.999");
  return *value;
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), printed(value));
  return {buffer.data(), end};
}

namespace {

constexpr std::size_t kLongestName = 200;  // a table of distances has as many cells as the product of two lengths

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() > kLongestName) return std::nullopt;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> best;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestName) continue;
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

namespace {

// Known names that match, in lower case; none if there are too many to help.
template <class Matches>
std::vector<std::string> matching(std::span<const std::string> known, Matches matches) {
  constexpr std::size_t kMostOffered = 5;
  std::vector<std::string> found;
  for (const std::string& candidate : known)
    if (candidate.size() <= kLongestName && matches(lower_case(candidate))) found.push_back(candidate);
  if (found.size() > kMostOffered) found.clear();
  return found;
}

std::vector<std::string> names_containing(std::string_view part, std::span<const std::string> known) {
  constexpr std::size_t kShortestPart = 3;  // shorter ones are part of any name
  if (part.size() < kShortestPart) return {};
  return matching(known, [&](const std::string& name) { return name.find(lower_case(part)) != std::string::npos; });
}

}  // namespace

std::vector<std::string> similar_names(std::string_view name, std::span<const std::string> known) {
  const std::string asked = lower_case(name);
  std::vector<std::string> found = matching(known, [&](const std::string& candidate) { return candidate == asked; });
  if (!found.empty()) return found;
  if (asked.find_first_not_of('-') != std::string::npos)
    found = matching(known, [&](const std::string& candidate) { return candidate.starts_with(asked); });
  if (const auto near = nearest_name(asked, known); near && std::ranges::find(found, *near) == found.end())
    found.push_back(*near);
  return found;
}

std::string alternatives(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

namespace {

// One name may stand for two things, as pairwise does for a stage and for an order.
std::vector<std::string> each_once(const std::vector<std::string>& names) {
  std::vector<std::string> different;
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (seen.insert(name).second) different.push_back(name);
  return different;
}

}  // namespace

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& all_known,
                         const std::vector<std::string>& related) {
  const std::vector<std::string> known = each_once(all_known);
  constexpr std::size_t kMostListed = 100;
  std::string message = shortened(name) + ": no such " + std::string(what);
  std::vector<std::string> offered = similar_names(name, known);
  if (offered.empty()) offered = each_once(related);
  if (offered.empty()) offered = names_containing(name, known);
  if (!offered.empty()) return message + "; did you mean " + alternatives(offered) + "?";
  message += "; known:";
  for (std::size_t i = 0; i < std::min(known.size(), kMostListed); ++i) message += " " + shortened(known[i]);
  return message + (known.size() > kMostListed ? " ..." : "");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  return std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "");
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kLongest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kLongest ? "...'" : "'");
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length > 1) {
    // The second byte tells overlong forms, surrogates and what is beyond U+10FFFF apart.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
  }
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  return text.empty() ? 0 : length;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    valid += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
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
