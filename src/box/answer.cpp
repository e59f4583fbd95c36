#include "box/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "core/text.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Digits from the first that is not 0, those after the point included.
std::size_t significant_digits(std::string_view decimal) {
  std::size_t count = 0;
  for (const char c : decimal) {
    if (c == 'e' || c == 'E') break;
    if (c >= '0' && c <= '9' && (count > 0 || c != '0')) ++count;
  }
  return std::min(count, Box::kAllDigits);
}

// A magnitude that from_chars finds beyond the doubles: infinite, or 0 where it is small.
double out_of_range(std::string_view magnitude, std::chars_format form) {
  long double wide = 0;
  if (std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), wide, form).ec == std::errc())
    return static_cast<double>(wide);
  const std::size_t exponent = magnitude.find_first_of(form == std::chars_format::hex ? "pP" : "eE");
  const bool small = exponent == std::string_view::npos ? magnitude.find_first_not_of('0') == magnitude.find('.')
                                                        : magnitude.substr(exponent + 1).starts_with('-');
  return small ? 0.0 : std::numeric_limits<double>::infinity();
}

Answer read_token(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view magnitude = text;
  if (negative || text.starts_with('+')) magnitude.remove_prefix(1);
  const bool hexadecimal = magnitude.starts_with("0x") || magnitude.starts_with("0X");
  if (hexadecimal) magnitude.remove_prefix(2);
  if (magnitude.starts_with('-')) return {};
  const auto form = hexadecimal ? std::chars_format::hex : std::chars_format::general;
  double number = 0;
  const char* const last = magnitude.data() + magnitude.size();
  const auto [end, code] = std::from_chars(magnitude.data(), last, number, form);
  if (end != last || code == std::errc::invalid_argument) return {};
  if (code == std::errc::result_out_of_range) number = out_of_range(magnitude, form);
  if (hexadecimal && !std::isfinite(number) && code == std::errc()) return {};  // 0xinf
  const std::size_t digits = hexadecimal ? Box::kAllDigits : std::isfinite(number) ? significant_digits(magnitude) : 0;
  return {negative ? -number : number, digits, {}};
}

bool only_numbers(std::string_view text) {
  while (!text.empty()) {
    const std::string_view token = text.substr(0, text.find_first_of(kBlanks));
    if (!read_token(token).number) return false;
    text = trimmed(text.substr(token.size()));
  }
  return true;
}

unsigned code_point(std::string_view character) {
  constexpr unsigned kBitsOfOthers = 6;
  unsigned code = static_cast<unsigned char>(character[0]);
  if (character.size() > 1) code &= 0x7FU >> character.size();
  for (const char c : character.substr(1)) code = code << kBitsOfOthers | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

// What a reader would not see, or not tell from something else, as C++ writes it.
std::string escape(std::string_view character, bool valid) {
  const unsigned code = valid ? code_point(character) : static_cast<unsigned char>(character[0]);
  if (code == 0) return "\\0";
  return valid && code >= 0x80 ? fmt::format("\\u{{{:04X}}}", code) : fmt::format("\\x{:02X}", code);
}

}  // namespace

std::string quoted_answer(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  bool zeros = false;
  bool controls = false;
  bool invalid = false;
  bool blank = false;
  std::string shown;
  for (text = trimmed(text); !text.empty() && shown.size() < kLongest;) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    const bool is_blank = kBlanks.find(character) != std::string_view::npos;
    if (is_blank && !blank) shown += ' ';
    blank = is_blank;
    if (is_blank) continue;
    const bool printable = character[0] > ' ' && character[0] <= '~';
    shown += printable ? std::string(character) : escape(character, length > 0);
    zeros = zeros || character[0] == '\0';
    invalid = invalid || length == 0;
    controls = controls || (!printable && length == 1);
  }
  if (shown.empty()) return "";
  return "'" + shown + (text.empty() ? "'" : "...'") +
         (zeros      ? ", which has NUL bytes"
          : invalid  ? ", which is not UTF-8"
          : controls ? ", which has control characters"
                     : "");
}

Answer read_answer(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {{}, 0, "answered nothing; a number is needed"};
  Answer answer = read_token(text);
  if (answer.number) return answer;
  const bool several = text.find_first_of(kBlanks) != std::string_view::npos && only_numbers(text);
  answer.problem = several ? "answered more than one number: " + quoted_answer(text)
                           : "answered " + quoted_answer(text) + "; a number is needed";
  return answer;
}

void append_number(std::string& text, double number) {
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  text.append(buffer.data(), end);
}

}  // namespace orderlab
