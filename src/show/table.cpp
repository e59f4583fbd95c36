#include "show/table.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "core/printable.hpp"
#include "show/colors.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

/// Lines of a text whose every line ends. Views of `text`.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (; !text.empty(); text.remove_prefix(lines.back().size() + 1)) lines.push_back(text.substr(0, text.find('\n')));
  return lines;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  // Every code point has one byte that is no continuation byte 10xxxxxx.
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void Table::add(Row cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(bool color) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back(columns_[c].title);
    widths.push_back(display_width(titles[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - display_width(cells[c]), ' ');
      if (c > 0) line += "  ";
      line += columns_[c].align == Align::right ? padding + cells[c] : cells[c] + padding;
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  };
  std::string text = bold(line_of(titles), color) + "\n";
  for (const auto& row : rows_) text += line_of(row) + "\n";
  return text;
}

std::size_t Table::width() const {
  const std::string plain = text();
  std::size_t longest = 0;
  for (const std::string_view line : lines_of(plain)) longest = std::max(longest, display_width(line));
  return longest;
}

std::string beside_each_other(const Table& left, const Table& right, bool color) {
  const std::string shown[] = {left.text(color), right.text(color)};
  const std::string plain = left.text();
  const auto [lefts, rights, plains] = std::tuple(lines_of(shown[0]), lines_of(shown[1]), lines_of(plain));
  const std::size_t width = left.width();
  std::string text;
  for (std::size_t i = 0; i < std::max(lefts.size(), rights.size()); ++i) {
    if (i < lefts.size()) text += lefts[i];
    if (i < rights.size())
      text += std::string(width - (i < plains.size() ? display_width(plains[i]) : 0), ' ') +
              std::string(kBetweenTables) + std::string(rights[i]);
    text += "\n";
  }
  return text;
}

std::vector<Table::Row> broken_row(const Table::Row& cells, std::size_t column, std::size_t width) {
  std::vector<Table::Row> rows;
  for (std::string& line : broken(cells[column], width)) {
    rows.push_back(rows.empty() ? cells : Table::Row(cells.size()));
    rows.back()[column] = std::move(line);
  }
  return rows;
}

std::string fitting_table(std::vector<Column> columns, std::vector<Table::Row> rows,
                          std::span<const std::string_view> dispensable, int width, bool color) {
  for (;; dispensable = dispensable.subspan(1)) {
    Table table(columns);
    for (const Table::Row& row : rows) table.add(row);
    const std::string text = table.text();
    if (dispensable.empty() || display_width(text.substr(0, text.find('\n'))) <= static_cast<std::size_t>(width))
      return table.text(color);
    const auto out = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.title == dispensable[0]; });
    for (Table::Row& row : rows) row.erase(row.begin() + (out - columns.begin()));
    columns.erase(out);
  }
}

}  // namespace orderlab
