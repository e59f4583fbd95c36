#include "cuda_source/tokens.hpp"

#include <array>
#include <string>
#include <utility>

namespace orderlab::cuda_source {

namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(std::string_view source, std::size_t begin, std::size_t end, bool directives)
      : source_(source.substr(0, end)), at_(begin), line_begins_(directives) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  /// Bytes of a backslash that continues the line, with the line's end; 0 where there is none. Compilers let blanks
  /// stand between.
  std::size_t continuation() const {
    if (peek() != '\\') return 0;
    std::size_t bytes = 1;
    while (is_blank(peek(bytes))) ++bytes;
    return at_ + bytes < source_.size() && peek(bytes) == '\n' ? bytes + 1 : 0;
  }

  void add(TokenKind kind, std::size_t begin) {
    tokens_.push_back({kind, begin, at_, source_.substr(begin, at_ - begin)});
    line_begins_ = false;
  }

  void step() {
    const char c = peek();
    if (const std::size_t joined = continuation(); joined != 0) {
      at_ += joined;
    } else if (c == '\n') {
      ++at_;
      line_begins_ = directives_at_line_begin_;
    } else if (is_blank(c)) {
      ++at_;
    } else if (starts("//")) {
      skip_line();
    } else if (starts("/*")) {
      skip_comment();
    } else if (c == '#' && line_begins_) {
      read_directive();
    } else if (begins_name(c)) {
      read_name();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (c == '"' || c == '\'') {
      const std::size_t begin = at_;
      read_quoted(c);
      add(TokenKind::literal, begin);
    } else {
      read_sign();
    }
  }

  /// To the end of the line, which stays; a continued one goes on.
  void skip_line() {
    while (at_ < source_.size() && peek() != '\n') {
      const std::size_t joined = continuation();
      at_ += joined != 0 ? joined : 1;
    }
  }

  void skip_comment() {
    const std::size_t end = source_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
  }

  /// A comment in it may cover several lines; a // comment ends it.
  void read_directive() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (at_ < source_.size() && peek() != '\n') {
      if (const std::size_t joined = continuation(); joined != 0) {
        at_ += joined;
      } else if (starts("//")) {
        skip_line();
        break;
      } else if (starts("/*")) {
        skip_comment();
      } else if (starts("R\"") && !(at_ > begin && begins_name(source_[at_ - 1]))) {
        ++at_;
        read_raw();
        end = at_;
      } else if (const char c = peek(); c == '"') {
        read_quoted(c);
        end = at_;
      } else {
        ++at_;
        if (c != ' ' && c != '\t' && c != '\r') end = at_;
      }
    }
    tokens_.push_back({TokenKind::directive, begin, end, source_.substr(begin, end - begin)});
  }

  void read_name() {
    const std::size_t begin = at_;
    while (begins_name(peek()) || is_digit(peek())) {
      if (at_ >= source_.size()) break;
      ++at_;
    }
    const std::string_view name = source_.substr(begin, at_ - begin);
    const bool prefix = name == "u8" || name == "u" || name == "U" || name == "L";
    const bool raw = name == "R" || name == "u8R" || name == "uR" || name == "UR" || name == "LR";
    if (peek() == '"' && raw) {
      read_raw();
      add(TokenKind::literal, begin);
    } else if ((peek() == '"' || peek() == '\'') && prefix) {
      read_quoted(peek());
      add(TokenKind::literal, begin);
    } else {
      add(TokenKind::name, begin);
    }
  }

  /// As the preprocessor: 1e+5, 0x1p-3, 1'000'000, 10.0f.
  void read_number() {
    const std::size_t begin = at_;
    while (at_ < source_.size()) {
      const char c = peek();
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (peek(1) == '+' || peek(1) == '-'))
        at_ += 2;
      else if (is_digit(c) || begins_name(c) || c == '.' || (c == '\'' && (is_digit(peek(1)) || begins_name(peek(1)))))
        ++at_;
      else
        break;
    }
    add(TokenKind::number, begin);
  }

  /// Up to the closing quote, or the end of the line where there is none.
  void read_quoted(char quote) {
    ++at_;
    while (at_ < source_.size() && peek() != quote && peek() != '\n') {
      const std::size_t joined = continuation();
      at_ += joined != 0 ? joined : peek() == '\\' && at_ + 1 < source_.size() && peek(1) != '\n' ? 2 : 1;
    }
    if (at_ < source_.size() && peek() == quote) ++at_;
  }

  /// From the quote on: "delimiter( ... )delimiter".
  void read_raw() {
    constexpr std::size_t kLongestDelimiter = 16;
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos || open - at_ - 1 > kLongestDelimiter) {
      read_quoted('"');
      return;
    }
    std::string close = ")";
    close += source_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const std::size_t end = source_.find(close, open);
    at_ = end == std::string_view::npos ? source_.size() : end + close.size();
  }

  void read_sign() {
    constexpr std::array<std::string_view, 4> kLong = {"::", "->", "##", "<<<"};
    const std::size_t begin = at_;
    std::size_t length = 1;
    for (const std::string_view sign : kLong)
      if (starts(sign)) length = sign.size();
    at_ += length;
    add(TokenKind::sign, begin);
  }

  std::string_view source_;
  std::size_t at_;
  bool line_begins_;
  bool directives_at_line_begin_ = line_begins_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source, 0, source.size(), true).run(); }

std::vector<Token> tokens_within(std::string_view source, std::size_t begin, std::size_t end) {
  return Lexer(source, begin, end, false).run();
}

Directive directive_of(std::string_view source, const Token& token) {
  const std::vector<Token> inner = tokens_within(source, token.begin + 1, token.end);
  if (inner.empty() || inner.front().kind != TokenKind::name) return {{}, token.begin + 1};
  return {inner.front().text, inner.front().end};
}

}  // namespace orderlab::cuda_source
