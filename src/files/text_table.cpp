#include "files/text_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBlankCharacters = " \t\r";

std::string_view trimmed(std::string_view text, std::string_view blanks = kBlankCharacters) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Whether a field looks like a number, in any spelling that is read: digits decide, and names of what is not finite.
bool looks_like_number(std::string_view field) {
  std::string text = lower_case(field);
  if (text.starts_with('+') || text.starts_with('-')) text.erase(0, 1);
  for (const std::string_view name : {"nan", "inf", "infinity"})
    if (text == name) return true;
  const std::size_t digit = text.starts_with('.') || text.starts_with(',') ? 1 : 0;
  return digit < text.size() && text[digit] >= '0' && text[digit] <= '9';
}

/// The number of the column, from 0, that digits say; nothing for anything else.
std::optional<std::size_t> column_number(std::string_view name, std::size_t columns) {
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (code != std::errc{} || end != name.data() + name.size() || number < 1 || number > columns) return std::nullopt;
  return number - 1;
}

/// Whether fields are quoted and separated in a text.
struct Separation {
  bool open = false;       ///< a quoted field does not end
  bool separated = false;  ///< a separator stands outside of quotes
};

/// A quote opens a field only where the field begins. ' ' among the separators stands for all blanks. `open`: the text
/// begins inside of quotes.
Separation separation_of(std::string_view text, std::string_view separators, bool open = false) {
  Separation found{.open = open};
  const bool blanks_separate = separators.find(' ') != std::string_view::npos;
  bool begins = !open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (found.open) {
      if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
        ++i;
      else if (text[i] == '"')
        found.open = false;
      continue;
    }
    if (text[i] == '"' && begins) found.open = true;
    const bool blank = kBlankCharacters.find(text[i]) != std::string_view::npos;
    const bool separates = separators.find(text[i]) != std::string_view::npos || (blank && blanks_separate);
    if (separates) found.separated = true;
    begins = separates || (begins && blank);
  }
  return found;
}

/// What a field may be in a row of titles, or of numbers.
enum class FieldKind { empty, missing, number, text };

FieldKind kind_of_field(std::string_view field) {
  if (field.empty()) return FieldKind::empty;
  if (is_missing(field)) return FieldKind::missing;
  return looks_like_number(field) ? FieldKind::number : FieldKind::text;
}

bool is_whole(std::string_view field) { return field.find_first_not_of("0123456789") == std::string_view::npos; }

/// Whether a line is a number in the usual spelling, with nothing around it.
bool is_plain_number(std::string_view line) {
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
  };
  return !line.empty() && std::ranges::all_of(line, belongs);
}

/// Takes "..." from the front of `rest`; "" in it is a quote.
void take_quoted(std::string_view& rest, std::string& field) {
  field.clear();
  std::size_t at = 1;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '"' && rest.substr(at + 1).starts_with('"'))
      ++at;
    else if (rest[at] == '"')
      break;
    field += rest[at];
  }
  field = std::string(trimmed(field));
  rest.remove_prefix(std::min(at + 1, rest.size()));
}

}  // namespace

bool is_missing(std::string_view field) {
  constexpr std::array<std::string_view, 7> kMissing{"", "na", "n/a", "#n/a", "null", "none", "nil"};
  return std::ranges::find(kMissing, lower_case(field)) != kMissing.end();
}

std::string with_decimal_point(std::string_view field) {
  std::string text(field);
  if (text.find_first_of("xX") != std::string::npos) return text;
  if (text.find('.') != std::string::npos) return "";
  std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

TextTable::TextTable(InputStream& file, TableRules rules) : file_(file), rules_(std::move(rules)) {
  TableRow first;
  if (!read_row(first)) return;
  columns_ = first.fields.size();
  TableRow second;
  const bool more = read_row(second);
  if (titled(first, more ? &second : nullptr))
    titles_ = std::move(first.fields);
  else
    waiting_.push_back(std::move(first));
  if (more) waiting_.push_back(std::move(second));
}

void TextTable::refuse(std::uint64_t line, const std::string& problem) const {
  throw Error(ErrorKind::input, file_.name() + ":" + std::to_string(line) + ": " + problem);
}

bool TextTable::titled(const TableRow& first, const TableRow* second) const {
  const std::vector<std::string>& fields = first.fields;
  for (const std::string& name : rules_.asked)
    if (!column_number(name, columns_) && std::ranges::find(fields, name) != fields.end()) return true;
  if (columns_ == 1 && !rules_.csv && rules_.asked.empty()) return false;
  const auto is_over = [&](std::size_t c, FieldKind above, FieldKind below) {
    return kind_of_field(fields[c]) == above && kind_of_field(second->fields[c]) == below;
  };
  if (second != nullptr && second->fields.size() == columns_)
    for (std::size_t c = 0; c < columns_; ++c)
      if (is_over(c, FieldKind::text, FieldKind::number)) return true;
  const auto count = [&](FieldKind kind) { return std::ranges::count(fields, kind, kind_of_field); };
  if (count(FieldKind::missing) > 0) return false;
  if (count(FieldKind::number) == 0) return count(FieldKind::text) > 0;
  const bool whole = std::ranges::all_of(
      fields, [](const std::string& field) { return kind_of_field(field) != FieldKind::number || is_whole(field); });
  const bool index = fields.front().empty();  // of the rows, before columns without titles of their own
  if (!whole || (!index && count(FieldKind::text) == 0)) return false;
  bool counted = index;
  for (std::size_t c = 1; c < columns_; ++c) counted = counted && fields[c] == std::to_string(c - 1);
  if (counted) return true;
  refuse(first.line,
         "the first row may be titles or numbers; name a column by its title, if it has one, or write a "
         "row of titles above it");
}

std::string TextTable::column_names() const {
  std::string names;
  for (std::size_t i = 0; i < columns_; ++i)
    names += (i == 0 ? "" : ", ") + (titles_.empty() ? std::to_string(i + 1) : titles_[i]);
  return names;
}

std::size_t TextTable::column(const std::string& name) const {
  const auto refuse_name = [&](const std::string& problem) {
    throw Error(ErrorKind::input, file_.name() + ": " + problem);
  };
  const auto found = std::ranges::find(titles_, name);
  if (found != titles_.end()) {
    if (std::find(found + 1, titles_.end(), name) != titles_.end())
      refuse_name("two columns are called " + in_quotes(name) + "; name one by its number, from 1 to " +
                  std::to_string(columns_));
    return static_cast<std::size_t>(found - titles_.begin());
  }
  if (const auto number = column_number(name, columns_)) return *number;
  if (titles_.empty())
    refuse_name("no column " + in_quotes(name) +
                "; its first row has no titles, so name one by its number, from 1 to " + std::to_string(columns_));
  refuse_name(unknown_name("column", name, titles_));
  return 0;
}

void TextTable::choose_separator(std::string_view line) {
  const std::string_view content = trimmed(line);
  // A tab before a title is after an empty one; before a number that is alone it is a blank.
  line = rules_.csv || !looks_like_number(content) ? trimmed(line, " \r") : content;
  for (const char& separator : known_separators()) {
    if (!separation_of(line, {&separator, 1}).separated) continue;
    separator_ = separator;
    return;
  }
  if (!rules_.csv && content.find_first_of(kBlankCharacters) != std::string_view::npos) separator_ = ' ';
}

std::string_view TextTable::known_separators() const {
  return rules_.tabs ? "\t" : rules_.decimal_comma ? "\t;" : "\t;,";
}

bool TextTable::next(TableRow& row) {
  if (!waiting_.empty()) {
    row = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
  } else if (!read_row(row)) {
    return false;
  }
  if (row.fields.size() != columns_)
    refuse(row.line, "has " + std::to_string(row.fields.size()) + (row.fields.size() == 1 ? " field" : " fields") +
                         ", and the first row " + std::to_string(columns_) + "; all rows of a table have as many");
  return true;
}

bool TextTable::is_skipped(std::string_view line) const {
  const std::string_view content = trimmed(line, separator_ == '\t' ? " \r" : kBlankCharacters);
  return content.empty() || (content.starts_with('#') && (!begun_ || separator_ == '\0'));
}

bool TextTable::read_row(TableRow& row) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::string_view line;
  std::uint64_t blank = 0;
  for (;;) {
    if (!file_.next_line(line_)) return false;
    if (begun_ && separator_ == '\0' && blank == 0 && is_plain_number(line_)) {  // the many, at once
      row.line = file_.line_number();
      row.fields.resize(1);
      row.fields.front().swap(line_);
      return true;
    }
    line = line_;
    if (file_.line_number() == 1 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
    if (!is_skipped(line)) break;
    if (blank == 0 && trimmed(line).empty()) blank = file_.line_number();
  }
  if (blank > 0 && begun_ && rules_.csv && separator_ == '\0')
    refuse(blank, "a blank line among rows; is a number missing? Leave the line out, or write the number");
  row.line = file_.line_number();
  if (!begun_ && (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff")))
    throw Error(ErrorKind::input, file_.name() + ": is UTF-16; save it as UTF-8");
  std::string whole;
  if (line.find('"') != std::string_view::npos) {
    whole = line;
    const std::string_view separators = begun_ ? std::string_view(&separator_, 1) : known_separators();
    for (bool open = separation_of(whole, separators).open; open;) {
      if (whole.size() > kLongestLine || !file_.next_line(line_)) refuse(row.line, "a quote \" that does not end");
      open = separation_of(line_, separators, true).open;
      whole += "\n" + line_;
    }
    line = whole;
  }
  if (!begun_) choose_separator(line);
  begun_ = true;
  split(line, row);
  return true;
}

void TextTable::split(std::string_view line, TableRow& row) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\r') != std::string_view::npos && line.find('"') == std::string_view::npos)
    refuse(row.line, "lines end with carriage returns alone; convert them with tr '\\r' '\\n'");
  const std::string problem = split_fields(line, separator_, row.fields);
  if (!problem.empty()) refuse(row.line, problem);
}

std::string split_fields(std::string_view line, char separator, std::vector<std::string>& fields) {
  const std::string_view blanks = separator == '\t' ? " \r" : kBlankCharacters;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (fields.size() <= count) fields.emplace_back();
    line = trimmed(line, blanks);
    if (line.starts_with('"')) {
      take_quoted(line, fields[count]);
      line = trimmed(line, blanks);
      more = !line.empty();
      if (more && separator != ' ' && line.front() != separator) return "text after a quoted field: " + in_quotes(line);
      if (more && separator != ' ') line.remove_prefix(1);
      continue;
    }
    const auto end = separator == '\0'  ? std::string_view::npos
                     : separator == ' ' ? line.find_first_of(blanks)
                                        : line.find(separator);
    fields[count] = trimmed(line.substr(0, end), blanks);
    more = end != std::string_view::npos;
    if (more) line.remove_prefix(end + 1);
  }
  fields.resize(count);
  return "";
}

}  // namespace orderlab
