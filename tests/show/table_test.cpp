#include "show/table.hpp"

#include <doctest/doctest.h>

#include "show/colors.hpp"
#include "show/wrapped.hpp"

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

TEST_CASE("two tables stand beside each other, whichever is longer") {
  Table one({{"±", Align::left}, {"σ"}});
  one.add({"αβγ", "1"});
  Table two({{"b"}});
  for (const char* cell : {"1", "22"}) two.add({cell});
  CHECK(one.width() == 6);
  CHECK(beside_each_other(one, two, false) ==
        "±    σ    b\n"
        "αβγ  1    1\n"
        "         22\n");
  CHECK(beside_each_other(two, one, false) ==
        " b   ±    σ\n"
        " 1   αβγ  1\n"
        "22\n");
  CHECK(beside_each_other(two, one, true).starts_with(bold(" b", true) + "   " + bold("±    σ", true) + "\n"));
}

TEST_CASE("a long text is broken at blanks, behind marks, or anywhere") {
  using Lines = std::vector<std::string>;
  CHECK(broken("", 5) == Lines{""});
  CHECK(broken("a b c", 5) == Lines{"a b c"});
  CHECK(broken("one two three", 7) == Lines{"one two", "three"});
  CHECK(broken("one two  three", 8) == Lines{"one two", "three"});
  CHECK(broken("tile(64,2)|halving(64)|seq", 12) == Lines{"tile(64,2)|", "halving(64)|", "seq"});
  CHECK(broken("tile(64,2)", 8) == Lines{"tile(64,", "2)"});
  CHECK(broken("nccl_ring(chunk=3)", 12) == Lines{"nccl_ring(", "chunk=3)"});
  CHECK(broken("abcdef", 2) == Lines{"ab", "cd", "ef"});
  CHECK(broken("αβγδ", 3) == Lines{"αβγ", "δ"});
}

TEST_CASE("a row with a long cell goes on below") {
  using Row = Table::Row;
  CHECK(broken_row({"warp", "1"}, 0, 10) == std::vector<Row>{{"warp", "1"}});
  CHECK(broken_row({"1", "a b"}, 1, 1) == std::vector<Row>{{"1", "a"}, {"", "b"}});
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
