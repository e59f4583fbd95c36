#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

// Columns are parted by two blanks or more.
Line cells_of(const std::string& row) {
  Line cells;
  for (std::size_t at = 0; at < row.size();) {
    const auto end = std::min(row.find("  ", at), row.size());
    cells.push_back(row.substr(at, end - at));
    at = row.find_first_not_of(' ', end);
  }
  return cells;
}

std::string plain_name(const std::string& signature) { return signature.substr(0, signature.find('(')); }

void lists(const std::string& what, const Line& names) {
  CAPTURE(what);
  const Outcome outcome = run({"list", what});
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  const Line rows = lines_of(outcome.out);
  REQUIRE(rows.size() == names.size() + 1);
  const Line header = cells_of(rows[0]);
  CHECK(header[0] == "name");
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(plain_name(cells_of(rows[i + 1])[0]) == names[i]);
    CHECK(cells_of(rows[i + 1]).size() == header.size());
  }
}

template <class List>
Line names_of(const List& list) {
  Line names;
  for (const auto& entry : list) {
    if constexpr (requires { entry->name; })
      names.emplace_back(entry->name);
    else
      names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

TEST_CASE("each listing has a header and a line for every entry, name first") {
  lists("orders", names_of(named_orders()));
  lists("stages", names_of(stages()));
  lists("arrivals", names_of(arrival_models()) + names_of(named_arrivals()));
  lists("distributions", names_of(distributions()));
  lists("metrics", names_of(metrics()));
}

TEST_CASE("a listed order pastes back") {
  const Line rows = lines_of(run({"list", "orders"}).out);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Line cells = cells_of(rows[i]);
    CAPTURE(rows[i]);
    auto pasted = json_of({"sample", "--n", "300", "--order", cells[1], "--samples", "2"});
    auto named = json_of({"sample", "--n", "300", "--order", plain_name(cells[0]), "--samples", "2"});
    REQUIRE(!pasted.is_null());
    REQUIRE(!named.is_null());
    CHECK(pasted["order"]["expression"] == cells[1]);
    CHECK(named["order"]["name"] == plain_name(cells[0]));
    named["order"]["name"] = nullptr;
    pasted["order"]["name"] = nullptr;  // pairwise and numpy are orders and stages
    CHECK(named.dump() == pasted.dump());
  }
}
