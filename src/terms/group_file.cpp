#include "terms/group_file.hpp"

#include <map>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "files/open_input.hpp"
#include "files/text_table.hpp"
#include "terms/array_files.hpp"
#include "terms/table_file.hpp"

namespace orderlab {

namespace {

/// The numbers of a group, which names their lines.
class GroupTexts : public NumberTexts {
 public:
  GroupTexts(const FieldGroup& group, const FileSource& source)
      : group_(group), decimal_comma_(source.decimal_comma), path_(file_address(source.text).path) {}

  bool next(std::string_view& text) override {
    if (at_ == group_.fields.size()) return false;
    text_ = number_text(group_.fields[at_++], decimal_comma_, [this] { return where(); });
    text = text_;
    return true;
  }
  std::string where() const override { return path_ + ":" + std::to_string(group_.lines[at_ - 1]); }
  std::string remedy() const override { return remedy_of(group_.fields[at_ - 1], decimal_comma_); }
  Shape shape(std::size_t count) const override { return {count}; }

 private:
  const FieldGroup& group_;
  bool decimal_comma_;
  std::string path_;
  std::string text_;
  std::size_t at_ = 0;
};

/// The column of the numbers.
std::size_t number_column(const TextTable& table, const FileAddress& address, std::size_t by) {
  if (!address.name.empty()) return table.column(address.name);
  if (table.columns() == 2) return 1 - by;
  if (table.columns() == 1)
    throw file_error(address.path, "has one column; sums by group take two, the one to add and the one that groups");
  throw file_error(address.path, "has the columns " + table.column_names() + "; name the one to add, such as " +
                                     address.path + "::NAME");
}

}  // namespace

std::vector<FieldGroup> read_groups(const FileSource& source, const std::string& by) {
  const FileAddress address = file_address(source.text);
  const auto content = open_input(address.path, "name a table, such as a CSV file");
  if (!is_text_file(address.path, content->next_bytes()))
    throw file_error(address.path, "is not a text table; --by groups the rows of one, so write it as CSV");
  TextTable table(*content, table_rules(address, source.decimal_comma, by));
  const std::size_t group_column = table.column(by);
  const std::size_t column = number_column(table, address, group_column);
  if (column == group_column)
    throw file_error(address.path, "column " + in_quotes(by) + " is to be added and to group; name two columns");
  InputMemory memory(address.path);
  std::vector<FieldGroup> groups;
  std::map<std::string, std::size_t, std::less<>> known;
  for (TableRow row; table.next(row);) {
    const auto [found, is_new] = known.try_emplace(row.fields[group_column], groups.size());
    if (is_new) groups.push_back({row.fields[group_column], {}, {}});
    FieldGroup& group = groups[found->second];
    memory.take(sizeof(std::string) + row.fields[column].size() + sizeof row.line);
    group.fields.push_back(row.fields[column]);
    group.lines.push_back(row.line);
  }
  if (groups.empty()) throw file_error(address.path, "has no rows; " + std::string(kNeedsNumber));
  return groups;
}

Terms terms_of_group(const FieldGroup& group, const FileSource& source, std::optional<Format> format) {
  const FloatEnvironment environment;
  return array_of_texts(std::make_unique<GroupTexts>(group, source), file_address(source.text).path)
      ->read(format)
      .terms;
}

}  // namespace orderlab
