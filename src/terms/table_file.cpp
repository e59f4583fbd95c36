// Tables of text: one number a line, or a column of a table; all columns are an array of two dimensions.
#include "terms/table_file.hpp"

#include <utility>

#include "core/text.hpp"
#include "files/open_input.hpp"
#include "orderlab/exact.hpp"
#include "terms/array_files.hpp"

namespace orderlab {

namespace {

bool begins_with_digit(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  return !field.empty() && field.front() >= '0' && field.front() <= '9';
}

/// The fields of one column, or of all, row by row.
class ColumnTexts : public NumberTexts {
 public:
  ColumnTexts(std::unique_ptr<InputStream> content, TextTable table, std::optional<std::size_t> column, bool comma)
      : content_(std::move(content)), table_(std::move(table)), column_(column), comma_(comma) {}

  bool next(std::string_view& text) override {
    if (at_ == end_) {
      if (!table_.next(row_)) return false;
      ++rows_;
      at_ = column_.value_or(0);
      end_ = column_ ? *column_ + 1 : table_.columns();
    }
    const std::string& field = row_.fields[at_++];
    if (!comma_ && begins_with_digit(field)) {  // the many, at once
      text = field;
      return true;
    }
    text_ = number_text(field, comma_, [this] { return where(); });
    text = text_;
    return true;
  }

  std::string where() const override {
    std::string place = content_->name() + ":" + std::to_string(row_.line);
    if (table_.columns() == 1) return place;
    return place + ", column " + (table_.titles().empty() ? std::to_string(at_) : table_.titles()[at_ - 1]);
  }

  std::string remedy() const override { return remedy_of(row_.fields[at_ - 1], comma_); }

  Shape shape(std::size_t count) const override {
    return column_ || table_.columns() == 1 ? Shape{count} : Shape{rows_, table_.columns()};
  }

 private:
  std::unique_ptr<InputStream> content_;
  TextTable table_;
  std::optional<std::size_t> column_;
  bool comma_;
  TableRow row_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t rows_ = 0;
};

std::vector<ArrayEntry> columns_of(const TextTable& table, const std::string& type) {
  std::vector<ArrayEntry> columns;
  for (std::size_t c = 0; c < table.columns(); ++c)
    columns.push_back({table.titles().empty() ? std::to_string(c + 1) : table.titles()[c], type, {}});
  return columns;
}

class TableFile : public ArrayFile {
 public:
  explicit TableFile(OpenFile file) : file_(std::move(file)) {}

  std::vector<ArrayEntry> list() override {
    TextTable table(*file_.content, table_rules(file_.address, file_.source.decimal_comma));
    std::vector<ArrayEntry> entries = columns_of(table, "numbers");
    std::size_t rows = 0;
    for (TableRow row; table.next(row); ++rows)
      for (std::size_t c = 0; c < entries.size(); ++c)
        if (entries[c].type == "numbers" && !is_number(row.fields[c]))
          entries[c].type =
              (is_missing(row.fields[c]) ? "missing in line " : "text in line ") + std::to_string(row.line);
    for (ArrayEntry& entry : entries) entry.shape = Shape{rows};
    return entries;
  }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format>) override {
    return array_of_texts(texts(name), file_.address.path);
  }

  bool each_text(const std::string& name,
                 const std::function<void(const std::string&, std::string_view)>& use) override {
    const auto column = texts(name);
    for (std::string_view text; column->next(text);) use(column->where(), text);
    return true;
  }

 private:
  bool is_number(const std::string& field) const {
    return read_number(file_.source.decimal_comma ? with_decimal_point(field) : field, Format::fp64).has_value();
  }

  std::unique_ptr<NumberTexts> texts(const std::string& name) {
    if (file_.content->size() == 0U) throw file_error(file_.content->name(), "is empty; " + std::string(kNeedsNumber));
    TextTable table(*file_.content, table_rules(file_.address, file_.source.decimal_comma));
    std::optional<std::size_t> column;
    if (!name.empty()) column = table.column(name);
    if (name.empty() && (file_.source.one_column || file_.source.one_dimension) && table.columns() > 1)
      require_array(file_.address.path, "column", name, columns_of(table, ""));
    return std::make_unique<ColumnTexts>(std::move(file_.content), std::move(table), column,
                                         file_.source.decimal_comma);
  }

  OpenFile file_;
};

}  // namespace

TableRules table_rules(const FileAddress& address, bool decimal_comma, const std::string& by) {
  std::vector<std::string> asked;
  for (const std::string& name : {address.name, by})
    if (!name.empty()) asked.push_back(name);
  const std::string extension = extension_of(address.path);
  return {.csv = extension == ".csv" || extension == ".tsv",
          .tabs = extension == ".tsv",
          .decimal_comma = decimal_comma,
          .asked = std::move(asked)};
}

std::string number_text(const std::string& field, bool decimal_comma, const std::function<std::string()>& where) {
  if (is_missing(field))
    throw file_error(where(), (field.empty() ? "the number is missing" : in_quotes(field) + " is a missing value") +
                                  "; leave the row out, or write the number that it counts as");
  if (!decimal_comma) return field;
  std::string text = with_decimal_point(field);
  if (text.empty())
    throw file_error(where(), in_quotes(field) +
                                  " has a point, and --decimal , makes the comma the decimal point; write "
                                  "it without points between thousands, or leave --decimal out");
  return text;
}

std::string remedy_of(const std::string& field, bool decimal_comma) {
  const auto comma = field.rfind(',');
  const bool thousands = comma != std::string::npos && field.size() - comma == 4 &&
                         field.find_first_not_of("0123456789", comma + 1) == std::string::npos;
  if (thousands) return "the comma may separate thousands; write the number without it, or with a decimal point";
  if (!decimal_comma && comma != std::string::npos && read_number(with_decimal_point(field), Format::fp64))
    return "if the comma is a decimal point, add --decimal ,";
  return "write one number a line, or in a field, such as 0.1, -2e3 or 0x1.8p-1";
}

std::unique_ptr<ArrayFile> open_table(OpenFile file) { return std::make_unique<TableFile>(std::move(file)); }

}  // namespace orderlab
