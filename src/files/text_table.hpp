// Tables of text: CSV, TSV, columns between blanks, or one number a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.hpp"

namespace orderlab {

/// What a file's name and its user say of a table.
struct TableRules {
  bool csv = false;            ///< named .csv or .tsv: one column may have a title, and blanks separate nothing
  bool tabs = false;           ///< named .tsv
  bool decimal_comma = false;  ///< a comma is no separator

  /// The columns that are asked for. A first row with one of these is one of titles.
  std::vector<std::string> asked = {};
};

/// A row: its fields, without quotes and blanks around them, and the line that it begins in.
struct TableRow {
  std::vector<std::string> fields;
  std::uint64_t line = 0;
};

/// Rows of a text. Blank lines, lines that start with # before the first row or where there is one column, and a byte
/// order mark are skipped; lines end with LF or CR LF. Tabs separate fields where the first row has one, else
/// semicolons, else commas, else blanks. "..." may hold separators, ends of lines, and "" for a quote.
///
/// The first row has titles if it has text where the second has a number, or only text and empty fields, or an empty
/// field and 0, 1, 2 and so on; if it is the only column, only in .csv and .tsv or where a column is asked for by its
/// title. Text beside whole numbers may be either, and is refused.
class TextTable {
 public:
  /// Reads the first two rows. Errors: input as `next`, and for a first row that may be titles or numbers.
  TextTable(InputStream& file, TableRules rules);

  /// Of the first row; 0 for an empty text.
  std::size_t columns() const { return columns_; }

  /// One for each column; none where the first row is one of numbers.
  const std::vector<std::string>& titles() const { return titles_; }

  /// The number of the column that is called so, or has that number from 1. Error(input) names those that are there.
  std::size_t column(const std::string& name) const;

  /// "id, price"; "1, 2" where they have no titles.
  std::string column_names() const;

  /// The next row; false at the end.
  ///
  /// Errors: input, "FILE:LINE: ...": another number of fields, a quote that does not end, UTF-16, a blank line among
  /// the rows of a .csv of one column, where it may be a missing number.
  bool next(TableRow& row);

 private:
  bool read_row(TableRow& row);
  void split(std::string_view line, TableRow& row);
  void choose_separator(std::string_view line);
  std::string_view known_separators() const;
  bool is_skipped(std::string_view line) const;
  bool titled(const TableRow& first, const TableRow* second) const;
  [[noreturn]] void refuse(std::uint64_t line, const std::string& problem) const;

  InputStream& file_;
  TableRules rules_;
  char separator_ = '\0';  ///< as split_fields has it
  std::vector<std::string> titles_;
  std::size_t columns_ = 0;
  std::vector<TableRow> waiting_;  ///< read already, to tell titles from numbers
  bool begun_ = false;
  std::string line_;
};

/// Splits a line into `fields`, as rows have them. `separator`: '\0' for none, ' ' for blanks. Returns what is wrong;
/// empty where nothing is.
std::string split_fields(std::string_view line, char separator, std::vector<std::string>& fields);

/// Whether a field stands for a value that is not there: it is empty, or NA, null and the like.
bool is_missing(std::string_view field);

/// `field` with a decimal point in place of a comma, as numbers are read; a hex float as it is. Empty where a decimal
/// has a point already.
std::string with_decimal_point(std::string_view field);

}  // namespace orderlab
