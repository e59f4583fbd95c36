#include "sweep/toml_guard.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace orderlab {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// A character of a key without quotes.
bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool begins_key(char c) { return is_bare(c) || c == '"' || c == '\''; }

/// Walks over a text as TOML nests it, up to the first fault.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  std::optional<TomlFault> fault() {
    check_characters();
    while (!fault_ && at_ < text_.size()) step();
    return std::move(fault_);
  }

 private:
  static constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  static constexpr std::string_view kAroundValues = " \t\r\n[]{},";
  static constexpr std::string_view kAfterWord = " \t\r\n]},#";
  static constexpr char kHeader = 'h';  // an open bracket of a table header

  char now(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void refuse(std::size_t at, const std::string& problem) {
    if (fault_) return;
    const std::string_view before = text_.substr(0, at);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto characters = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
    fault_ = {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
              static_cast<std::size_t>(characters) + 1, problem};
  }

  void check_characters() {
    for (std::size_t i = at_; i < text_.size() && !fault_;) {
      const char c = text_[i];
      const std::size_t length = utf8_length(text_.substr(i));
      const bool line_end = c == '\n' || (c == '\r' && text_.substr(i + 1).starts_with('\n'));
      if (length == 0)
        refuse(i, "is not UTF-8; save the file as UTF-8");
      else if ((c >= 0 && c < ' ' && c != '\t' && !line_end) || c == '\x7f')
        refuse(i, "is a control character (" + std::to_string(int{c}) + "); a config is text");
      i += std::max<std::size_t>(length, 1);
    }
  }

  bool expects_value() const { return after_equals_ || open_.ends_with('['); }

  // One character, word, string or comment that stands outside of the others.
  void step() {
    const char c = now();
    const bool begins_line = begins_line_;
    begins_line_ = c == '\n' || (begins_line_ && is_blank(c));
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_comment();
    if (begins_line && c == '[' && open_.empty()) return header();
    if (expects_value() && kAroundValues.find(c) == std::string_view::npos) return skip_word();
    if (!is_ascii(c)) return refuse_character();
    if (c == '.' && ++parts_ >= kMostNested)
      refuse(at_, "a key of more than " + std::to_string(kMostNested) + " parts");
    if (!is_blank(c) && c != '.' && !begins_key(c)) parts_ = 0;
    if (c == '=') after_equals_ = true;
    if (c == ',' || c == '{' || c == '\n') after_equals_ = false;
    if (c == '[' || c == '{') open(c);
    if (c == ']' || c == '}') close(c);
    ++at_;
  }

  // A number or true or false. In front of its type toml++ looks for its end, over quotes and brackets that are in it;
  // what may be a date has assertions of its own that text can break.
  void skip_word() {
    char before = 'e';
    for (; at_ < text_.size() && kAfterWord.find(now()) == std::string_view::npos; before = text_[at_++]) {
      const bool sign = now() == '+' || now() == '-';
      const bool sign_fits = before == 'e' || before == 'E';
      if (sign ? !sign_fits : !is_bare(now()) && now() != '.') return refuse_character();
    }
  }

  void refuse_character() {
    refuse(at_, "'" + std::string(text_.substr(at_, utf8_length(text_.substr(at_)))) +
                    "' stands outside of quotes; write texts in quotes, and no dates");
  }

  // "[" or "[[" and what is in front of the key.
  void header() {
    const std::size_t brackets = now(1) == '[' ? 2 : 1;
    open_.assign(brackets, kHeader);
    at_ += brackets;
    while (is_blank(now())) ++at_;
    if (at_ < text_.size() && !begins_key(now()))
      refuse(at_, "a table header needs a key, such as [exclude]; a list follows a key and =");
  }

  void open(char c) {
    open_ += c;
    if (open_.size() > kMostNested) refuse(at_, "values nest deeper than " + std::to_string(kMostNested) + " levels");
  }

  void close(char c) {
    const char opened = c == ']' ? '[' : '{';
    if (!open_.ends_with(opened) && !(c == ']' && open_.ends_with(kHeader)))
      return refuse(at_, std::string("'") + c + "' closes no '" + opened + "'");
    open_.pop_back();
  }

  void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_string(char quote) {
    const bool lines = now(1) == quote && now(2) == quote;
    at_ += lines ? 3 : 1;
    while (at_ < text_.size() && !fault_) {
      if (now() == '\n' && !lines) return;  // never closed: toml++ says so
      if (now() == '\\' && quote == '"') {
        escape(lines);
      } else if (now() == quote) {
        std::size_t quotes = 1;
        while (quotes < 5 && now(quotes) == quote) ++quotes;  // up to two belong to the text
        at_ += lines ? quotes : 1;
        if (!lines || quotes >= 3) return;
      } else {
        ++at_;
      }
    }
  }

  void escape(bool lines) {
    ++at_;
    if (!lines || !(is_blank(now()) || now() == '\r' || now() == '\n' || !is_ascii(now()))) {
      if (now() != '\n') ++at_;
      return;
    }
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    if (!is_ascii(now()))
      refuse(at_, "a backslash in front of this character; begin the next line with an ASCII character");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
  bool after_equals_ = false;
  std::size_t parts_ = 0;  // dots of the key so far
  std::string open_;       // brackets
  std::optional<TomlFault> fault_;
};

}  // namespace

std::optional<TomlFault> find_toml_fault(std::string_view text) { return Scan(text).fault(); }

}  // namespace orderlab
