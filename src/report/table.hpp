// A table of aligned columns for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orderlab {

/// Columns that UTF-8 text takes on a terminal: its code points. Wide and combining characters are not known.
std::size_t display_width(std::string_view text);

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Appends a row: one cell a column, each one line.
  void add(std::vector<std::string> cells);

  /// The titles (bold where `color`) and the rows, two spaces between columns, no trailing spaces, every line ended.
  std::string text(bool color = false) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace orderlab
