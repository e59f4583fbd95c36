// Matrix Market files: their header, sizes and entries, as they are written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.hpp"

namespace orderlab {

enum class MarketSymmetry : std::uint8_t { general, symmetric, skew_symmetric };

/// An entry, counted from 0, with the text of its value; empty where all are 1.
struct MarketEntry {
  std::uint32_t row;
  std::uint32_t column;
  std::string_view value;
};

/// The entries of a file in coordinate format, those that are written: of a symmetric matrix one triangle. Whatever is
/// wrong is an Error(input) with its line; values are not read.
class MarketEntries {
 public:
  explicit MarketEntries(InputStream& file);

  bool pattern() const { return pattern_; }
  MarketSymmetry symmetry() const { return symmetry_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t count() const { return count_; }

  /// The next entry, whose value lies here until another is read; false after the last.
  bool next(MarketEntry& entry);

  /// Error(input) at the line of the last entry.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  bool next_line();
  void read_header();
  void read_sizes();
  std::uint32_t index(std::string_view text, const char* what, std::uint64_t most) const;

  InputStream& file_;
  std::string line_;
  bool pattern_ = false;
  MarketSymmetry symmetry_ = MarketSymmetry::general;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace orderlab
