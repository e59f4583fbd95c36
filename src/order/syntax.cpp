#include "order/syntax.hpp"

#include "orderlab/error.hpp"

namespace orderlab {

void fail_at(std::string_view what, std::string_view text, std::size_t position, const std::string& problem) {
  throw Error(ErrorKind::usage, std::string(what) + " '" + std::string(text) + "': position " +
                                    std::to_string(position) + ": " + problem);
}

namespace {

class Reader {
 public:
  Reader(std::string_view what, std::string_view text) : what_(what), text_(text) {}

  std::vector<SyntaxCall> pipeline() {
    std::vector<SyntaxCall> calls;
    skip_spaces();
    if (at_end()) fail("empty; write a named order such as warp, or stages such as halving(32) | arrive | seq");
    for (;;) {
      calls.push_back(call());
      if (at_end()) return calls;
      if (!take('|')) fail(std::string("unexpected '") + text_[at_] + "'; stages are separated by '|'");
    }
  }

  SyntaxCall only_call() {
    SyntaxCall result = call();
    if (!at_end()) fail(std::string("unexpected '") + text_[at_] + "' after the end");
    return result;
  }

 private:
  static constexpr std::string_view kSpecial = ",()|='";
  static constexpr std::size_t kMaxDepth = 100;

  [[noreturn]] void fail(const std::string& problem) const { fail_at(what_, text_, at_ + 1, problem); }

  bool at_end() const { return at_ == text_.size(); }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  bool take(char c) {
    skip_spaces();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  std::string word(const std::string& article, const std::string& expected, const char* or_else = "") {
    skip_spaces();
    const std::size_t begin = at_;
    while (!at_end() && !is_space(text_[at_]) && kSpecial.find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == begin)
      fail(at_end() ? "missing " + expected + or_else
                    : std::string("unexpected '") + text_[at_] + "' instead of " + article + " " + expected);
    return std::string(text_.substr(begin, at_ - begin));
  }

  SyntaxCall call() {
    SyntaxCall result;
    skip_spaces();
    result.position = at_ + 1;
    result.name = word("a", "stage or named order");
    skip_spaces();
    arguments(result);
    return result;
  }

  void arguments(SyntaxCall& result) {
    const std::size_t open = at_ + 1;
    if (!take('(')) return;
    if (++depth_ > kMaxDepth) fail("parentheses nest too deeply");
    if (take(')')) {
      --depth_;
      return;
    }
    for (;;) {
      result.arguments.push_back(argument());
      if (take(')')) break;
      if (at_end()) fail("the '(' at position " + std::to_string(open) + " is never closed; add ')'");
      if (!take(',')) fail(std::string("unexpected '") + text_[at_] + "'; arguments are separated by ','");
    }
    --depth_;
  }

  SyntaxArgument argument() {
    SyntaxArgument result;
    skip_spaces();
    result.position = at_ + 1;
    if (quoted(result)) return result;
    result.text = word("an", "argument", " or ')'");
    if (take('=')) {
      result.key = result.text;
      if (quoted(result)) return result;
      result.text = word("a", "value of " + result.key);
    }
    skip_spaces();
    if (at_end() || (text_[at_] != '(' && text_[at_] != '|')) return result;
    SyntaxCall nested;
    nested.name = result.text;
    nested.position = result.position;
    arguments(nested);
    result.calls.push_back(std::move(nested));
    while (take('|')) result.calls.push_back(call());
    return result;
  }

  bool quoted(SyntaxArgument& result) {
    skip_spaces();
    const std::size_t open = at_;
    if (at_end() || text_[at_] != '\'') return false;
    const std::size_t close = text_.find('\'', open + 1);
    if (close == std::string_view::npos) fail("the quotation that starts here is never closed; add '");
    result.text = std::string(text_.substr(open + 1, close - open - 1));
    result.quoted = true;
    at_ = close + 1;
    skip_spaces();
    return true;
  }

  std::string_view what_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::vector<SyntaxCall> parse_pipeline(std::string_view text) { return Reader("order", text).pipeline(); }

SyntaxCall parse_call(std::string_view what, std::string_view text) { return Reader(what, text).only_call(); }

}  // namespace orderlab
