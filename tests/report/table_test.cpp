#include "report/table.hpp"

#include <doctest/doctest.h>

#include "report/colors.hpp"

using namespace orderlab;

TEST_CASE("a table aligns its columns and leaves no trailing spaces") {
  Table table({{"order", Align::left}, {"spread"}, {"note", Align::left}});
  table.add({"warp", "31", "x"});
  table.add({"sequential", "0", ""});
  CHECK(table.text() ==
        "order       spread  note\n"
        "warp            31  x\n"
        "sequential       0\n");
}

TEST_CASE("a table counts code points, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("ulp") == 3);
  CHECK(display_width("±µ█→") == 4);
  Table table({{"±", Align::left}, {"σ"}});
  table.add({"αβγ", "1"});
  table.add({"a", "22"});
  CHECK(table.text() ==
        "±     σ\n"
        "αβγ   1\n"
        "a    22\n");
}

TEST_CASE("a table without rows is its titles") { CHECK(Table({{"a"}, {"b"}}).text() == "a  b\n"); }

TEST_CASE("emphasis is there only where color is on") {
  CHECK(bold("a", false) == "a");
  CHECK(bold("a", true) == "\x1b[1ma\x1b[0m");
  CHECK(dim("a", true) == "\x1b[2ma\x1b[0m");
  CHECK(dim("", true).empty());
  Table table({{"a", Align::left}, {"b"}});
  table.add({"1", "2"});
  CHECK(table.text(true) == "\x1b[1ma  b\x1b[0m\n1  2\n");
}
