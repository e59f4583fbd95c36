// orderlab list: everything that has a name.
#include <algorithm>
#include <array>

#include "cli/command.hpp"
#include "cli/listing.hpp"
#include "cli/output_options.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab::cli {

namespace {

using Entries = std::vector<ListEntry>;

Table::Row cells_of(const Listing& listing, const ListEntry& entry) {
  Table::Row cells;
  for (std::size_t c = 0; c < listing.columns.size(); ++c)
    cells.push_back(cell_text(listing.columns[c], entry.cells[c]));
  return cells;
}

// A table of a width: the summary continues in further lines. If it gets too narrow, the widest other column is
// left out; the names stay, without their parameters.
class FittedTable {
 public:
  FittedTable(const Listing& listing, const Entries& entries, int width) : summary_(listing.summary()) {
    for (const ListColumn& column : listing.columns) titles_.push_back({std::string(column.title), Align::left});
    for (const ListEntry& entry : entries) {
      rows_.push_back(cells_of(listing, entry));
      names_.push_back(entry.name);
    }
    const auto all = static_cast<std::size_t>(width);
    while (others() + kLeastSummary > all && give_way()) continue;
    summary_width_ = std::max(all, others() + kLeastSummary / 2) - others();
  }

  /// What was left out for lack of width: titles of columns, and "parameters" of the names.
  const std::vector<std::string>& left_out() const { return left_out_; }

  std::string text() const {
    Table table(titles_);
    for (const Table::Row& cells : rows_)
      for (Table::Row& row : broken_row(cells, summary_, summary_width_)) table.add(std::move(row));
    return table.text();
  }

 private:
  static constexpr std::size_t kLeastSummary = 32;

  std::size_t width_of(std::size_t column) const {
    std::size_t width = display_width(titles_[column].title);
    for (const Table::Row& row : rows_) width = std::max(width, display_width(row[column]));
    return width;
  }

  // The width of all columns but that of the words, with the gaps between.
  std::size_t others() const {
    std::size_t width = 0;
    for (std::size_t c = 0; c < titles_.size(); ++c)
      if (c != summary_) width += width_of(c) + 2;
    return width;
  }

  // False where nothing is left that could.
  bool give_way() {
    std::size_t widest = titles_.size();
    for (std::size_t c = named_ ? 1 : 0; c < titles_.size(); ++c)
      if (c != summary_ && (widest == titles_.size() || width_of(c) > width_of(widest))) widest = c;
    if (widest == titles_.size()) return false;
    if (widest == 0) {
      for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i][0] = names_[i];
      named_ = true;
      left_out_.emplace_back("parameters");
      return true;
    }
    const auto at = static_cast<std::ptrdiff_t>(widest);
    left_out_.push_back(titles_[widest].title);
    titles_.erase(titles_.begin() + at);
    for (Table::Row& row : rows_) row.erase(row.begin() + at);
    if (summary_ > widest) --summary_;
    return true;
  }

  std::size_t summary_;
  std::size_t summary_width_ = 0;
  bool named_ = false;  // without parameters
  std::vector<std::string> left_out_;
  std::vector<Column> titles_;
  std::vector<Table::Row> rows_;
  std::vector<std::string> names_;
};

// One entry in full, a line for each column; on a terminal long lines are wrapped.
std::string record_of(const Listing& listing, const ListEntry& entry, const Session& session) {
  std::size_t title_width = 0;
  for (const ListColumn& column : listing.columns) title_width = std::max(title_width, column.title.size() + 2);
  const std::size_t width = session.out_is_terminal ? static_cast<std::size_t>(session.width) : std::string::npos;
  std::string text;
  for (std::size_t c = 0; c < listing.columns.size(); ++c) {
    std::string title(listing.columns[c].title);
    if (entry.cells[c].is_null()) continue;
    for (const std::string& line : broken(cell_text(listing.columns[c], entry.cells[c]), width - title_width)) {
      title.resize(title_width, ' ');
      text += title + line + "\n";
      title.clear();
    }
  }
  return text;
}

constexpr Flag kWhat{.key = "what", .positional = true, .help = "one of these lists; default: lists", .list = "lists"};
constexpr Flag kEntry{.key = "name", .positional = true, .help = "show only this one, in full"};
constexpr std::array kListFlags{&kWhat, &kEntry, &kJson};

const Listing& listing_called(const std::string& what) {
  const std::vector<std::string> known = names_in(kWhat.list);
  for (const Listing& listing : listings())
    if (listing.name == what) return listing;
  throw Error(ErrorKind::usage, unknown_name("list", what, known));
}

Entries entries_called(const Listing& listing, const std::string& name) {
  std::vector<std::string> known;
  for (ListEntry& entry : listing.entries()) {
    if (entry.name == name) return {std::move(entry)};
    known.push_back(entry.name);
  }
  throw Error(ErrorKind::usage, unknown_name(listing.one, name, known));
}

int run_list(const CommandLine& line, Session& session) {
  const Listing& listing = listing_called(line.has(kWhat) ? line.text(kWhat) : std::string(kWhat.list));
  const bool one = line.has(kEntry);
  const Entries entries = one ? entries_called(listing, line.text(kEntry)) : listing.entries();
  const OutputTarget json(line, kJson);
  json.write(session, json_document(to_json(kListDocument, {listing, entries})));
  if (json.to_stdout()) return kDone;
  constexpr int kWidthOfPipes = 100;
  const int width = session.out_is_terminal ? session.width : kWidthOfPipes;
  if (one) {
    session.out << record_of(listing, entries[0], session);
  } else {
    const FittedTable table(listing, entries, width);
    session.out << table.text();
    std::string hint = "Left out for lack of width:";
    for (const std::string& title : table.left_out()) hint += (hint.ends_with(':') ? " " : ", ") + title;
    hint += ".\n`orderlab list " + std::string(listing.name) + " NAME` shows one entry in full.\n";
    if (!table.left_out().empty()) session.out << "\n" << wrapped(hint, width);
  }
  return kDone;
}

}  // namespace

extern const Command kList;
const Command kList{
    .name = "list",
    .summary = "everything that has a name: orders, stages, arrival models, distributions, formats and others",
    .example = "orderlab list orders",
    .flags = kListFlags,
    .run = run_list,
};

}  // namespace orderlab::cli
