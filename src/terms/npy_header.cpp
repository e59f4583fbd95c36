#include "terms/npy_header.hpp"

#include <charconv>

#include "core/text.hpp"
#include "terms/files.hpp"

namespace orderlab {

namespace {

/// Reads the few forms of Python literals that a header has.
class Literals {
 public:
  Literals(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw file_error(file_, "the .npy header " + problem + "; write the file again with numpy.save");
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail("has no '" + std::string(token) + "' before " + in_quotes(rest_));
  }

  std::string text() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const auto end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("has no text in quotes at " + in_quotes(rest_));
    const std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }

  // "[...]" with everything in it, brackets balanced.
  std::string list() {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '[') ++depth;
      if (rest_[i] == ']' && --depth == 0) {
        const std::string value(rest_.substr(0, i + 1));
        rest_.remove_prefix(i + 1);
        return value;
      }
    }
    fail("has an open '['");
  }

  std::string type() {
    skip_blanks();
    return rest_.starts_with('[') ? list() : text();
  }

  bool truth() {
    if (take("True")) return true;
    if (take("False")) return false;
    fail("has neither True nor False at " + in_quotes(rest_));
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> counts;
    expect("(");
    while (!take(")")) {
      skip_blanks();
      std::uint64_t count = 0;
      const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), count);
      if (code != std::errc{}) fail("has no valid shape at " + in_quotes(rest_));
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);
      counts.push_back(count);
      if (!take(",")) {
        expect(")");
        break;
      }
    }
    return counts;
  }

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    const auto first = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }

  std::string_view rest_;
  const std::string& file_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  NpyHeader header;
  Literals literals(text, file);
  bool type = false;
  bool order = false;
  bool shape = false;
  literals.expect("{");
  while (!literals.take("}")) {
    const std::string key = literals.text();
    bool& seen = key == "descr" ? type : key == "fortran_order" ? order : shape;
    if (key != "descr" && key != "fortran_order" && key != "shape")
      literals.fail("has an unknown entry " + in_quotes(key));
    if (seen) literals.fail("has two entries " + in_quotes(key));
    seen = true;
    literals.expect(":");
    if (key == "descr") header.type = literals.type();
    if (key == "fortran_order") header.fortran_order = literals.truth();
    if (key == "shape") header.shape = literals.tuple();
    if (!literals.take(",")) {
      literals.expect("}");
      break;
    }
  }
  if (!literals.at_end()) literals.fail("has something after its dictionary");
  if (!type || !order || !shape) literals.fail("lacks one of descr, fortran_order and shape");
  return header;
}

}  // namespace orderlab
