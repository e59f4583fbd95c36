// Cells of CSV: a spreadsheet takes a text for a text, and a number for a number.
#include "show/csv_cell.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace orderlab;

TEST_CASE("what begins as a formula and is no number has an apostrophe before it") {
  for (const char* text :
       {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", "-", "+", "--1", "+-1", "-0x", "-1.5 "})
    CHECK(csv_cell(std::string(text)) == "\"'" + std::string(text) + "\"");
  CHECK(csv_cell(std::string("\t=1")) == "\"'\t=1\"");
  CHECK(csv_cell(std::string("\n=1")) == "\"'\n=1\"");
  CHECK(csv_cell(std::string("=\"a\",b")) == "\"'=\"\"a\"\",b\"");
}

TEST_CASE("numbers stay as they are") {
  for (const char* text :
       {"-1.5", "+1.5", "-1e-300", "-1e999", "+0x1p3", "-0x1.8p-1074", "-inf", "+inf", "-nan", "-0", "-.5"})
    CHECK(csv_cell(std::string(text)) == text);
}

TEST_CASE("other texts are quoted where CSV needs it") {
  CHECK(csv_cell(std::string("a=b - @c")) == "a=b - @c");
  CHECK(csv_cell(std::string("a,b")) == "\"a,b\"");
  CHECK(csv_cell(std::string("a\"b")) == "\"a\"\"b\"");
  CHECK(csv_cell(std::string("a\x1b\xC2\x9B"
                             "b\r")) == "a\\u001b\\u009bb\\u000d");
}
