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

/// Whether a quoted field is still open at the end of `text`.
bool quote_is_open(std::string_view text, char separator) {
  bool open = false;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (open) {
      if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
        ++i;
      else if (text[i] == '"')
        open = false;
      continue;
    }
    if (text[i] == '"' && begins) open = true;
    const bool blank = kBlankCharacters.find(text[i]) != std::string_view::npos;
    if (!blank) begins = false;
    if (text[i] == separator || (blank && separator == ' ')) begins = true;
  }
  return open;
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
  if (text.find('.') != std::string::npos) return "";
  std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

TextTable::TextTable(InputStream& file, TableRules rules) : file_(file), rules_(std::move(rules)) {
  if (!read_row(first_)) return;
  columns_ = first_.fields.size();
  if (titled())
    titles_ = first_.fields;
  else
    first_waits_ = true;
}

void TextTable::refuse(std::uint64_t line, const std::string& problem) const {
  throw Error(ErrorKind::input, file_.name() + ":" + std::to_string(line) + ": " + problem);
}

bool TextTable::titled() const {
  const std::vector<std::string>& fields = first_.fields;
  const bool asked = !rules_.column.empty() && !column_number(rules_.column, columns_) &&
                     std::ranges::find(fields, rules_.column) != fields.end();
  if (asked) return true;
  if (columns_ == 1 && !rules_.csv && rules_.column.empty()) return false;
  return std::ranges::none_of(fields, [](const std::string& f) { return looks_like_number(f); }) &&
         !std::ranges::all_of(fields, [](const std::string& f) { return is_missing(f); });
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
  constexpr std::string_view kUtf16 = "\xff\xfe";
  if (line.starts_with(kUtf16) || line.starts_with("\xfe\xff"))
    throw Error(ErrorKind::input, file_.name() + ": is UTF-16; save it as UTF-8");
  bool quoted = false;
  std::array<bool, 256> has{};
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted) has[static_cast<unsigned char>(c)] = true;
  }
  const std::string_view known = rules_.tabs ? "\t" : rules_.decimal_comma ? "\t;" : "\t;,";
  for (const char separator : known) {
    if (!has[static_cast<unsigned char>(separator)]) continue;
    separator_ = separator;
    return;
  }
  if (!rules_.csv && trimmed(line).find_first_of(kBlankCharacters) != std::string_view::npos) separator_ = ' ';
}

bool TextTable::next(TableRow& row) {
  if (first_waits_) {
    first_waits_ = false;
    row = std::move(first_);
    return true;
  }
  if (!read_row(row)) return false;
  if (row.fields.size() != columns_)
    refuse(row.line, "has " + std::to_string(row.fields.size()) + (row.fields.size() == 1 ? " field" : " fields") +
                         ", and the first row " + std::to_string(columns_) + "; all rows of a table have as many");
  return true;
}

bool TextTable::read_row(TableRow& row) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::string_view line;
  do {
    if (!file_.next_line(line_)) return false;
    line = line_;
    if (file_.line_number() == 1 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
  } while (trimmed(line).empty() || trimmed(line).starts_with('#'));
  row.line = file_.line_number();
  if (!begun_) choose_separator(trimmed(line));
  begun_ = true;
  if (line.find('"') == std::string_view::npos || !quote_is_open(line, separator_)) {
    split(line, row);
    return true;
  }
  std::string whole(line);
  while (quote_is_open(whole, separator_)) {
    if (whole.size() > kLongestLine || !file_.next_line(line_)) refuse(row.line, "a quote \" that does not end");
    whole += "\n" + line_;
  }
  split(whole, row);
  return true;
}

void TextTable::split(std::string_view line, TableRow& row) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\r') != std::string_view::npos && line.find('"') == std::string_view::npos)
    refuse(row.line, "lines end with carriage returns alone; convert them with tr '\\r' '\\n'");
  const std::string_view blanks = separator_ == '\t' ? " \r" : kBlankCharacters;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (row.fields.size() <= count) row.fields.emplace_back();
    line = trimmed(line, blanks);
    if (line.starts_with('"')) {
      take_quoted(line, row.fields[count]);
      line = trimmed(line, blanks);
      more = !line.empty();
      if (more && separator_ != ' ' && line.front() != separator_)
        refuse(row.line, "text after a quoted field: " + in_quotes(line));
      if (more && separator_ != ' ') line.remove_prefix(1);
      continue;
    }
    const auto end = separator_ == '\0'  ? std::string_view::npos
                     : separator_ == ' ' ? line.find_first_of(blanks)
                                         : line.find(separator_);
    row.fields[count] = trimmed(line.substr(0, end), blanks);
    more = end != std::string_view::npos;
    if (more) line.remove_prefix(end + 1);
  }
  row.fields.resize(count);
}

}  // namespace orderlab
