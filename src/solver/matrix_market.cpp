// Reads Matrix Market files. Eigen's reader, loadMarket, is lenient: it ignores the header, so it returns one triangle
// of a symmetric matrix, writes to std::cerr what it cannot read, and goes on. Here whatever is wrong is an error.
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/solver.hpp"
#include "terms/files.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kHeader = "%%MatrixMarket matrix coordinate real general";
constexpr std::uint64_t kMostIndex = 0x7FFFFFFF;

enum class Symmetry : std::uint8_t { general, symmetric, skew_symmetric };

struct MarketKind {
  bool pattern = false;
  Symmetry symmetry = Symmetry::general;
};

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(kBlanks, at);
    words.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(kBlanks, end);
  }
  return words;
}

class MarketReader {
 public:
  explicit MarketReader(const std::string& path) : file_(path, "name a Matrix Market file"), memory_(path) {}

  CoordinateMatrix read() {
    const MarketKind kind = read_header();
    read_sizes();
    if (kind.symmetry != Symmetry::general && matrix_.rows != matrix_.columns)
      fail("the sizes are " + shape() + "; a " +
           (kind.symmetry == Symmetry::symmetric ? "symmetric" : "skew-symmetric") + " matrix is square");
    for (std::uint64_t e = 0; e < entries_; ++e) read_entry(kind, e);
    std::string line;
    if (next_line(line)) fail("more entries than the " + std::to_string(entries_) + " that the sizes announce");
    return std::move(matrix_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw file_error(file_.name() + ":" + std::to_string(file_.line_number()), problem);
  }

  std::string shape() const { return std::to_string(matrix_.rows) + " x " + std::to_string(matrix_.columns); }

  /// The next line that is neither blank nor a comment.
  bool next_line(std::string& line) {
    while (file_.next_line(line))
      if (const auto text = without_blanks(line); !text.empty() && text.front() != '%') return true;
    return false;
  }

  MarketKind read_header() {
    std::string line;
    if (!file_.next_line(line))
      throw file_error(file_.name(), "is empty; a Matrix Market file begins with " + std::string(kHeader));
    const std::string lower = lower_case(line);
    const std::vector<std::string_view> words = words_of(lower);
    if (words.empty() || words[0] != "%%matrixmarket")
      fail(in_quotes(line) + " is not the first line of a Matrix Market file, such as " + std::string(kHeader));
    if (words.size() != 5)
      fail("the header has " + std::to_string(words.size()) + " words; it must have 5, such as " +
           std::string(kHeader));
    const auto refuse = [&](std::size_t word, const char* right) {
      fail("the header says " + in_quotes(words[word]) + "; " + right);
    };
    if (words[1] != "matrix") refuse(1, "only a matrix can be read");
    if (words[2] == "array") refuse(2, "a dense matrix cannot be read; write it in coordinate format");
    if (words[2] != "coordinate") refuse(2, "the format must be coordinate");
    MarketKind kind;
    kind.pattern = words[3] == "pattern";
    if (!kind.pattern && words[3] != "real" && words[3] != "integer")
      refuse(3, "entries must be real, integer or pattern");
    if (words[4] == "symmetric")
      kind.symmetry = Symmetry::symmetric;
    else if (words[4] == "skew-symmetric")
      kind.symmetry = Symmetry::skew_symmetric;
    else if (words[4] != "general")
      refuse(4, "the symmetry must be general, symmetric or skew-symmetric");
    if (kind.pattern && kind.symmetry == Symmetry::skew_symmetric)
      refuse(4, "the entries of a pattern, all 1, are general or symmetric");
    return kind;
  }

  void read_sizes() {
    std::string line;
    if (!next_line(line)) throw file_error(file_.name(), "ends before the sizes: ROWS COLUMNS ENTRIES");
    const std::vector<std::string_view> words = words_of(line);
    std::array<std::uint64_t, 3> sizes{};
    if (words.size() != sizes.size()) fail(in_quotes(line) + " are not the sizes; write ROWS COLUMNS ENTRIES");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto size = whole_number(words[i]);
      if (!size || *size > kMostIndex) fail(in_quotes(words[i]) + " is not a size; write a whole number below 2^31");
      sizes[i] = *size;
    }
    matrix_.rows = sizes[0];
    matrix_.columns = sizes[1];
    entries_ = sizes[2];
  }

  static std::optional<std::uint64_t> whole_number(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return read_count(text).value;
  }

  std::uint32_t index(std::string_view text, const char* what, std::size_t most) const {
    const auto number = whole_number(text);
    if (!number || *number < 1 || *number > most)
      fail(std::string(what) + " " + in_quotes(text) + ": must be a whole number from 1 to " + std::to_string(most));
    return static_cast<std::uint32_t>(*number - 1);
  }

  void read_entry(const MarketKind& kind, std::uint64_t number) {
    std::string line;
    if (!next_line(line))
      throw file_error(file_.name(),
                       "ends after " + std::to_string(number) + " of " + std::to_string(entries_) + " entries");
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != (kind.pattern ? 2U : 3U))
      fail(in_quotes(line) + " is not an entry; write " + (kind.pattern ? "ROW COLUMN" : "ROW COLUMN VALUE"));
    Triplet entry{index(words[0], "row", matrix_.rows), index(words[1], "column", matrix_.columns), 1};
    if (!kind.pattern) {
      const auto value = read_number(words[2], Format::fp64);
      if (!value || !std::isfinite(value->value)) fail(in_quotes(words[2]) + " is not a finite number, such as -2.5e3");
      entry.value = value->value;
    }
    if (kind.symmetry == Symmetry::symmetric && entry.row < entry.column)
      fail("the entry is above the diagonal; a symmetric matrix is written as its lower triangle");
    if (kind.symmetry == Symmetry::skew_symmetric && entry.row <= entry.column)
      fail("the entry is not below the diagonal, as all of a skew-symmetric matrix are");
    add(entry);
    if (kind.symmetry == Symmetry::general || entry.row == entry.column) return;
    add({entry.column, entry.row, kind.symmetry == Symmetry::symmetric ? entry.value : -entry.value});
  }

  void add(const Triplet& entry) {
    memory_.take(sizeof(Triplet));
    matrix_.entries.push_back(entry);
  }

  InputFile file_;
  InputMemory memory_;
  std::uint64_t entries_ = 0;
  CoordinateMatrix matrix_;
};

}  // namespace

CoordinateMatrix read_matrix_market(const std::string& path) {
  const FloatEnvironment environment;
  return MarketReader(path).read();
}

}  // namespace orderlab
