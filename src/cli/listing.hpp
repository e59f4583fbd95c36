// Everything that has a name, as data: what `orderlab list` prints and shells complete.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "describe/field.hpp"

namespace orderlab::cli {

struct ListColumn {
  std::string_view key;    ///< in JSON
  std::string_view title;  ///< in a table
  std::string_view separator = ",";
};

/// One thing that has a name. A cell is a text, a list of texts, or null; the first one is the name with its
/// parameters.
struct ListEntry {
  std::string name;
  std::vector<Json> cells;
};

struct Listing {
  std::string_view name;  ///< "orders"
  std::string_view one;   ///< "order"
  std::string_view what;  ///< is listed
  std::span<const ListColumn> columns;
  std::vector<ListEntry> (*entries)();

  /// Place of the column that says in words what an entry is: "summary".
  std::size_t summary() const;
};

std::span<const Listing> listings();

/// Names in one listing; also of "commands", and of "devices" of the cross-check.
std::vector<std::string> names_in(std::string_view listing);

/// What `orderlab list` shows of one listing.
struct Listed {
  const Listing& listing;
  const std::vector<ListEntry>& entries;
};

extern const described::TableOf<Listed> kListDocument;

/// Text of a cell: "-" for null.
std::string cell_text(const ListColumn& column, const Json& cell);

}  // namespace orderlab::cli
