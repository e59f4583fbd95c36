#include "config/json_members.hpp"

#include <algorithm>
#include <cstddef>

#include "config/json.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Takes an object apart, from its first byte to its last.
class MemberScanner {
 public:
  explicit MemberScanner(std::string_view text) : text_(text) {}

  std::vector<JsonMember> members() {
    std::vector<JsonMember> all;
    expect('{');
    skip_blanks();
    if (peek() == '}') {
      ++place_;
    } else {
      do {
        skip_blanks();
        const std::string_view key = string();
        expect(':');
        all.push_back({Json::parse(key).text(), value()});
      } while (comma_or_end());
    }
    skip_blanks();
    if (place_ != text_.size()) fail("text after the object");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input, "JSON: " + what + " at byte " + std::to_string(place_));
  }

  /// 0 at the end.
  char peek() const { return place_ < text_.size() ? text_[place_] : '\0'; }

  void skip_blanks() { place_ = std::min(text_.find_first_not_of(" \t\r\n", place_), text_.size()); }

  void expect(char wanted) {
    skip_blanks();
    if (peek() != wanted) fail(std::string("no '") + wanted + "'");
    ++place_;
  }

  /// Whether another member follows.
  bool comma_or_end() {
    const char next = peek();
    if (next != ',' && next != '}') fail("the object does not end");
    ++place_;
    return next == ',';
  }

  /// With its quotes.
  std::string_view string() {
    const std::size_t begin = place_;
    if (peek() != '"') fail("no '\"'");
    for (++place_; place_ < text_.size() && text_[place_] != '"'; ++place_)
      if (text_[place_] == '\\') ++place_;
    if (place_ >= text_.size()) fail("a text does not end");
    ++place_;
    return text_.substr(begin, place_ - begin);
  }

  /// All up to the comma or the brace that ends it.
  std::string_view value() {
    skip_blanks();
    const std::size_t begin = place_;
    std::size_t open = 0;
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if (open == 0 && (c == ',' || c == '}' || c == ']')) break;
      if (c == '"') {
        string();
        continue;
      }
      if (c == '{' || c == '[') ++open;
      if (c == '}' || c == ']') --open;
      ++place_;
    }
    const std::string_view whole = text_.substr(begin, place_ - begin);
    return whole.substr(0, whole.find_last_not_of(" \t\r\n") + 1);
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

void require_unlike_keys(const std::vector<JsonMember>& members) {
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const JsonMember& member : members) keys.push_back(member.key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice != keys.end()) throw Error(ErrorKind::input, "JSON: the key " + in_quotes(*twice) + " is there twice");
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view text) {
  std::vector<JsonMember> members = MemberScanner(text).members();
  require_unlike_keys(members);
  return members;
}

}  // namespace orderlab
