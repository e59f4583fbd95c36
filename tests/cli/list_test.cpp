#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/listing.hpp"
#include "cli/program.hpp"
#include "crosscheck/known_kernels.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/format.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "show/table.hpp"

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

Outcome run_on_terminal(const Line& arguments, int width) {
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err, .out_is_terminal = true, .width = width};
  const int status = run_program(arguments, session);
  return {status, out.str(), err.str()};
}

constexpr int kWideEnough = 100'000;

std::string plain_name(const std::string& signature) { return signature.substr(0, signature.find('(')); }

void lists(const std::string& what, const Line& names) {
  CAPTURE(what);
  const Outcome outcome = run_on_terminal({"list", what}, kWideEnough);
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
  lists("kernels", names_of(known_kernels()));
  lists("formats", names_of(kAllFormats));
  lists("units", names_of(fused_units()));
}

namespace {

/// The titles of a table, without the space between them.
std::string titles_of(const std::string& table) {
  std::string titles = lines_of(table)[0];
  std::erase(titles, ' ');
  return titles;
}

/// Names of a table that have parameters.
std::ptrdiff_t calls_in(const std::string& table) {
  const std::vector<std::string> lines = lines_of(table);
  return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.substr(0, line.find(' ')).find('(') != std::string::npos;
  });
}

}  // namespace

TEST_CASE("on a terminal a listing fits its width and has every name") {
  for (const Listing& listing : listings())
    for (const int width : {60, 80, 100, 132, 400}) {
      CAPTURE(listing.name);
      CAPTURE(width);
      const std::string what(listing.name);
      const Outcome outcome = run_on_terminal({"list", what}, width);
      CHECK(outcome.status == kDone);
      CHECK(outcome.err.empty());
      std::vector<std::string> first_cells;
      for (const std::string& line : lines_of(outcome.out)) {
        CAPTURE(line);
        CHECK(display_width(line) <= static_cast<std::size_t>(width));
        first_cells.push_back(plain_name(line.substr(0, line.find(' '))));
      }
      for (const std::string& name : names_in(what))
        CHECK(std::count(first_cells.begin(), first_cells.end(), name) == 1);
      const std::string full = run_on_terminal({"list", what}, kWideEnough).out;
      const bool fewer_columns = titles_of(outcome.out) != titles_of(full);
      const bool no_parameters = calls_in(outcome.out) < calls_in(full);
      CHECK(has(outcome.out, "`orderlab list " + what + " NAME`") == (fewer_columns || no_parameters));
    }
}

TEST_CASE("a listing on a narrow terminal names what it leaves out, and how to see it") {
  const std::string narrow = run_on_terminal({"list", "orders"}, 80).out;
  CHECK(has(narrow, "\nLeft out for lack of width: expression"));
  CHECK(has(narrow, "`orderlab list orders NAME` shows one entry"));
  CHECK(!has(run_on_terminal({"list", "orders"}, 1000).out, "Left out"));
}

TEST_CASE("one entry is listed whole, on a terminal in lines that fit") {
  for (const Listing& listing : listings())
    for (const ListEntry& entry : listing.entries()) {
      CAPTURE(entry.name);
      const Line line{"list", std::string(listing.name), entry.name};
      const Outcome outcome = run(line);
      CHECK(outcome.status == kDone);
      CHECK(outcome.out.starts_with("name "));
      for (std::size_t c = 0; c < entry.cells.size(); ++c)
        if (!entry.cells[c].is_null()) CHECK(has(outcome.out, cell_text(listing.columns[c], entry.cells[c]) + "\n"));
      for (const std::string& shown : lines_of(run_on_terminal(line, 60).out)) CHECK(display_width(shown) <= 60);
    }
}

TEST_CASE("a listing as JSON has every entry with every column") {
  for (const Listing& listing : listings()) {
    CAPTURE(listing.name);
    const Json json = json_of({"list", std::string(listing.name)});
    REQUIRE(!json.is_null());
    CHECK(json["command"] == "list");
    CHECK(json["list"] == listing.name);
    const std::vector<ListEntry> entries = listing.entries();
    REQUIRE(json["entries"].size() == entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      CHECK(json["entries"][i]["name"] == entries[i].name);
      for (std::size_t c = 0; c < listing.columns.size(); ++c)
        CHECK(json["entries"][i][listing.columns[c].key] == entries[i].cells[c]);
    }
    const Json one = json_of({"list", std::string(listing.name), entries.back().name});
    REQUIRE(one["entries"].size() == 1);
    CHECK(one["entries"][0] == json["entries"].back());
  }
  CHECK(json_of({"list", "kernels", "ao"})["entries"][0]["runs_on"] == Json::array({"host", "cuda"}));
  const TemporaryFolder folder;
  CHECK(run({"list", "formats", "--json", "formats.json"}).out == run({"list", "formats"}).out);
  CHECK(TemporaryFolder::read("formats.json") == run({"list", "formats", "--json", "-"}).out);
}

TEST_CASE("a listed order pastes back") {
  const Json listed = json_of({"list", "orders"});
  for (const Json& entry : listed["entries"]) {
    const std::string name = entry["name"].text();
    const std::string expression = entry["expression"].text();
    CAPTURE(name);
    auto pasted = json_of({"sample", "--n", "300", "--order", expression, "--samples", "2"});
    auto named = json_of({"sample", "--n", "300", "--order", name, "--samples", "2"});
    REQUIRE(!pasted.is_null());
    REQUIRE(!named.is_null());
    CHECK(pasted["order"]["expression"] == expression);
    CHECK(named["order"]["name"] == name);
    named["order"]["name"] = nullptr;
    pasted["order"]["name"] = nullptr;  // pairwise and numpy are orders and stages
    CHECK(named.dump() == pasted.dump());
  }
}

TEST_CASE("without a name the lists are listed, each with its number of entries") {
  CHECK(run({"list"}).out == run({"list", "lists"}).out);
  const Json json = json_of({"list"});
  REQUIRE(json["entries"].size() == listings().size());
  for (std::size_t i = 0; i < listings().size(); ++i) {
    CHECK(json["entries"][i]["name"] == listings()[i].name);
    CHECK(json["entries"][i]["entries"] == std::to_string(listings()[i].entries().size()));
  }
}

TEST_CASE("what is no terminal gets tables of 100 columns") {
  for (const Listing& listing : listings()) {
    CAPTURE(listing.name);
    CHECK(run({"list", std::string(listing.name)}).out ==
          run_on_terminal({"list", std::string(listing.name)}, 100).out);
  }
}
