#include "files/json_scanner.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr int kMostDepth = 100;  // as Json has it

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Appends a code point as UTF-8.
void append_utf8(std::string& text, unsigned code) {
  const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    add(0xE0 | (code >> 12));
    add(0x80 | ((code >> 6) & 0x3F));
  } else {
    add(0xF0 | (code >> 18));
    add(0x80 | ((code >> 12) & 0x3F));
    add(0x80 | ((code >> 6) & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

}  // namespace

void JsonScanner::fail(const std::string& what) const {
  throw Error(ErrorKind::input, "JSON: " + what + " at byte " + std::to_string(place_));
}

char JsonScanner::next() {
  place_ = std::min(text_.find_first_not_of(" \t\r\n", place_), text_.size());
  return place_ < text_.size() ? text_[place_] : '\0';
}

bool JsonScanner::take(char wanted) {
  if (next() != wanted || place_ == text_.size()) return false;
  ++place_;
  return true;
}

void JsonScanner::expect(char wanted) {
  if (!take(wanted)) fail(std::string("no '") + wanted + "'");
}

void JsonScanner::require_end() {
  next();
  if (place_ != text_.size()) fail("text after the end");
}

unsigned JsonScanner::hexadecimal() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = place_ < text_.size() ? lower_case(text_.substr(place_, 1)).front() : '\0';
    const auto digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) fail("no four hexadecimal digits after '\\u'");
    code = code * 16 + static_cast<unsigned>(digit);
    ++place_;
  }
  return code;
}

std::string JsonScanner::escaped() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (++place_ >= text_.size()) fail("a text does not end");
  const char letter = text_[place_++];
  if (const auto at = kLetters.find(letter); at != std::string_view::npos) return std::string(1, kMeanings[at]);
  if (letter != 'u') fail("an unknown escape");
  unsigned code = hexadecimal();
  if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair
    if (!text_.substr(place_).starts_with("\\u")) fail("half a surrogate pair");
    place_ += 2;
    const unsigned low = hexadecimal();
    if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code < 0xE000) {
    fail("half a surrogate pair");
  }
  std::string text;
  append_utf8(text, code);
  return text;
}

std::string JsonScanner::string() {
  expect('"');
  std::string text;
  for (;;) {
    if (place_ >= text_.size()) fail("a text does not end");
    const char c = text_[place_];
    if (c == '"') break;
    if (c == '\\') {
      text += escaped();
      continue;
    }
    if (static_cast<unsigned char>(c) < ' ') fail("a control character in a text");
    const std::size_t length = utf8_length(text_.substr(place_));
    if (length == 0) fail("no UTF-8");
    text += text_.substr(place_, length);
    place_ += length;
  }
  ++place_;
  return text;
}

std::string_view JsonScanner::number() {
  const auto is = [&](char c) { return place_ < text_.size() && text_[place_] == c; };
  const auto digits = [&] {
    if (place_ >= text_.size() || !is_digit(text_[place_])) fail("no number");
    while (place_ < text_.size() && is_digit(text_[place_])) ++place_;
  };
  next();
  const std::size_t begin = place_;
  if (is('-')) ++place_;
  if (is('0'))
    ++place_;
  else
    digits();
  if (is('.')) {
    ++place_;
    digits();
  }
  if (is('e') || is('E')) {
    ++place_;
    if (is('+') || is('-')) ++place_;
    digits();
  }
  return text_.substr(begin, place_ - begin);
}

void JsonScanner::skip_value(int depth) {
  if (depth > kMostDepth) fail("more than 100 arrays and objects inside each other");
  const char first = next();
  if (first == '"') {
    string();
  } else if (first == '{' || first == '[') {
    const char end = first == '{' ? '}' : ']';
    ++place_;
    if (take(end)) return;
    do {
      if (first == '{') {
        string();
        expect(':');
      }
      skip_value(depth + 1);
    } while (take(','));
    if (!take(end)) fail(first == '{' ? "the object does not end" : "the array does not end");
  } else if (first == '-' || is_digit(first)) {
    number();
  } else {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!text_.substr(place_).starts_with(word)) continue;
      place_ += word.size();
      return;
    }
    fail("no value");
  }
}

std::string_view JsonScanner::value() {
  next();
  const std::size_t begin = place_;
  skip_value(0);
  return text_.substr(begin, place_ - begin);
}

}  // namespace orderlab
