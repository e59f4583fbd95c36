#include "files/market_entries.hpp"

#include <array>
#include <optional>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kMarketHeader = "%%MatrixMarket matrix coordinate real general";
constexpr std::uint64_t kMostMarketIndex = 0x7FFFFFFF;

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

std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return read_count(text).value;
}

}  // namespace

MarketEntries::MarketEntries(InputStream& file) : file_(file) {
  read_header();
  read_sizes();
  if (symmetry_ != MarketSymmetry::general && rows_ != columns_)
    fail("the sizes are " + std::to_string(rows_) + " x " + std::to_string(columns_) + "; a " +
         (symmetry_ == MarketSymmetry::symmetric ? "symmetric" : "skew-symmetric") + " matrix is square");
}

void MarketEntries::fail(const std::string& problem) const {
  throw Error(ErrorKind::input, file_.name() + ":" + std::to_string(file_.line_number()) + ": " + problem);
}

// Skips lines that are blank or comments.
bool MarketEntries::next_line() {
  while (file_.next_line(line_))
    if (const auto first = line_.find_first_not_of(" \t\r"); first != std::string::npos && line_[first] != '%')
      return true;
  return false;
}

void MarketEntries::read_header() {
  if (!file_.next_line(line_))
    throw Error(ErrorKind::input,
                file_.name() + ": is empty; a Matrix Market file begins with " + std::string(kMarketHeader));
  const std::string lower = lower_case(line_);
  const std::vector<std::string_view> words = words_of(lower);
  if (words.empty() || words[0] != "%%matrixmarket")
    fail(in_quotes(line_) + " is not the first line of a Matrix Market file, such as " + std::string(kMarketHeader));
  if (words.size() != 5)
    fail("the header has " + std::to_string(words.size()) + " words; it must have 5, such as " +
         std::string(kMarketHeader));
  const auto refuse = [&](std::size_t word, const char* right) {
    fail("the header says " + in_quotes(words[word]) + "; " + right);
  };
  if (words[1] != "matrix") refuse(1, "only a matrix can be read");
  if (words[2] == "array") refuse(2, "a dense matrix cannot be read; write it in coordinate format");
  if (words[2] != "coordinate") refuse(2, "the format must be coordinate");
  pattern_ = words[3] == "pattern";
  if (!pattern_ && words[3] != "real" && words[3] != "integer") refuse(3, "entries must be real, integer or pattern");
  if (words[4] == "symmetric")
    symmetry_ = MarketSymmetry::symmetric;
  else if (words[4] == "skew-symmetric")
    symmetry_ = MarketSymmetry::skew_symmetric;
  else if (words[4] != "general")
    refuse(4, "the symmetry must be general, symmetric or skew-symmetric");
  if (pattern_ && symmetry_ == MarketSymmetry::skew_symmetric)
    refuse(4, "the entries of a pattern, all 1, are general or symmetric");
}

void MarketEntries::read_sizes() {
  if (!next_line()) throw Error(ErrorKind::input, file_.name() + ": ends before the sizes: ROWS COLUMNS ENTRIES");
  const std::vector<std::string_view> words = words_of(line_);
  std::array<std::uint64_t, 3> sizes{};
  if (words.size() != sizes.size()) fail(in_quotes(line_) + " are not the sizes; write ROWS COLUMNS ENTRIES");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto size = whole_number(words[i]);
    if (!size || *size > kMostMarketIndex)
      fail(in_quotes(words[i]) + " is not a size; write a whole number below 2^31");
    sizes[i] = *size;
  }
  rows_ = sizes[0];
  columns_ = sizes[1];
  count_ = sizes[2];
}

std::uint32_t MarketEntries::index(std::string_view text, const char* what, std::uint64_t most) const {
  const auto number = whole_number(text);
  if (!number || *number < 1 || *number > most)
    fail(std::string(what) + " " + in_quotes(text) + ": must be a whole number from 1 to " + std::to_string(most));
  return static_cast<std::uint32_t>(*number - 1);
}

bool MarketEntries::next(MarketEntry& entry) {
  const bool there = next_line();
  if (done_ == count_) {
    if (there) fail("more entries than the " + std::to_string(count_) + " that the sizes announce");
    return false;
  }
  if (!there)
    throw Error(ErrorKind::input,
                file_.name() + ": ends after " + std::to_string(done_) + " of " + std::to_string(count_) + " entries");
  ++done_;
  const std::vector<std::string_view> words = words_of(line_);
  if (words.size() != (pattern_ ? 2U : 3U))
    fail(in_quotes(line_) + " is not an entry; write " + (pattern_ ? "ROW COLUMN" : "ROW COLUMN VALUE"));
  entry = {index(words[0], "row", rows_), index(words[1], "column", columns_),
           pattern_ ? std::string_view() : words[2]};
  if (symmetry_ == MarketSymmetry::symmetric && entry.row < entry.column)
    fail("the entry is above the diagonal; a symmetric matrix is written as its lower triangle");
  if (symmetry_ == MarketSymmetry::skew_symmetric && entry.row <= entry.column)
    fail("the entry is not below the diagonal, as all of a skew-symmetric matrix are");
  return true;
}

}  // namespace orderlab
