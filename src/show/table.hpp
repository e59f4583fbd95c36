// A table of aligned columns for a terminal.
#pragma once

#include <cstddef>
#include <span>
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
  using Row = std::vector<std::string>;

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Appends a row: one cell a column, each one line.
  void add(Row cells);

  /// The titles (bold where `color`) and the rows, two spaces between columns, no trailing spaces, every line ended.
  std::string text(bool color = false) const;

  /// Columns of its longest line.
  std::size_t width() const;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// What stands between tables that are beside each other.
inline constexpr std::string_view kBetweenTables = "   ";

/// Two tables side by side, as two columns of lines.
std::string beside_each_other(const Table& left, const Table& right, bool color);

/// The rows that show `cells` with the cell of `column` broken to `width` columns: it continues below.
std::vector<Table::Row> broken_row(const Table::Row& cells, std::size_t column, std::size_t width);

/// The text of a table without as many of its `dispensable` columns, first to last, as do not fit into `width`.
std::string fitting_table(std::vector<Column> columns, std::vector<Table::Row> rows,
                          std::span<const std::string_view> dispensable, int width, bool color);

}  // namespace orderlab
