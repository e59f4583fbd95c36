#include "box/answer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "box/one_line.hpp"
#include "doubles.hpp"
#include "orderlab/probe.hpp"

using namespace orderlab;

TEST_CASE("an answer is one number with blanks around it") {
  struct Case {
    const char* text;
    double number;
    std::size_t digits;
  };
  for (const Case& c : std::array<Case, 22>{{{"3", 3, 1},
                                             {" \t-0.5\r\n", -0.5, 1},
                                             {"+1.50", 1.5, 3},
                                             {"0.00120", 0.0012, 3},
                                             {"100", 100, 3},
                                             {"1.7014118346046923e+38", 0x1p127, 17},
                                             {"123456789012345678901", 123456789012345678901.0, 17},
                                             {"0", 0, 0},
                                             {"-0.00", -0.0, 0},
                                             {".5", 0.5, 1},
                                             {"5.", 5, 1},
                                             {"0x1.8p+3", 12, 17},
                                             {"-0X1P-2", -0.25, 17},
                                             {"0xA", 10, 17},
                                             {"inf", kInfinity, 0},
                                             {"-Infinity", -kInfinity, 0},
                                             {"1e999", kInfinity, 0},
                                             {"-1e9999", -kInfinity, 0},
                                             {"1e-9999", 0, 1},
                                             {"-1e-400", -0.0, 1},
                                             {"4.9406564584124654e-324", kSmallest, 17},
                                             {"1.7976931348623157e308", kLargest, 17}}}) {
    CAPTURE(c.text);
    const Answer answer = read_answer(c.text);
    REQUIRE(answer.number.has_value());
    CHECK(bits(*answer.number) == bits(c.number));
    CHECK(answer.digits == c.digits);
    CHECK(answer.problem.empty());
  }
  for (const char* text : {"nan", "-nan", "NaN", "nan(0x1)"}) CHECK(std::isnan(read_answer(text).number.value_or(0)));
}

TEST_CASE("what is not one number is quoted") {
  for (const char* text : {"abc", "3 apples", "3,5", "1e", "--3", "+-3", "0x", "0xinf", "1.2.3", "3;", "infinite"}) {
    CAPTURE(text);
    const Answer answer = read_answer(text);
    CHECK_FALSE(answer.number.has_value());
    CHECK(answer.problem == "answered '" + std::string(text) + "'; a number is needed");
  }
  CHECK(read_answer(" \n").problem == "answered nothing; a number is needed");
  CHECK(read_answer("1\n2\n").problem == "answered more than one number: '1 2'");
  CHECK(read_answer(std::string(300, 'x')).problem == "answered '" + std::string(40, 'x') + "...'; a number is needed");
}

TEST_CASE("what cannot be seen in an answer is named") {
  const auto problem = [](std::string_view text) { return read_answer(text).problem; };
  CHECK(problem({"1\0\0", 3}) == "answered '1\\0\\0', which has NUL bytes; a number is needed");
  CHECK(problem({"\0", 1}) == "answered '\\0', which has NUL bytes; a number is needed");
  CHECK(problem({"1\n\0", 3}) == "answered '1 \\0', which has NUL bytes; a number is needed");
  CHECK(problem("\033[1m5") == "answered '\\x1B[1m5', which has control characters; a number is needed");
  CHECK(problem("5\x7F") == "answered '5\\x7F', which has control characters; a number is needed");
  CHECK(problem("5\xFF") == "answered '5\\xFF', which is not UTF-8; a number is needed");
  CHECK(problem("\xEF\xBB\xBF"
                "5") == "answered '\\u{FEFF}5'; a number is needed");  // a byte order mark
  CHECK(problem("\xE2\x88\x92"
                "5") == "answered '\\u{2212}5'; a number is needed");
  CHECK(problem("\xF0\x9F\x98\x80") == "answered '\\u{1F600}'; a number is needed");
  CHECK(problem("\xC2\x9B") == "answered '\\u{009B}'; a number is needed");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = "1" + std::string(300, static_cast<char>(byte)) + "x";
    CHECK(problem(text).size() < 120);
    for (const char c : problem(text)) CHECK((c >= ' ' && c <= '~'));
  }
}

TEST_CASE("terms are written as the shortest decimals of their doubles") {
  std::string text;
  for (const double x : {0.1, static_cast<double>(0.1F), -0.0, 0x1p127, kSmallest}) {
    append_number(text, x);
    text += ' ';
  }
  CHECK(text == "0.1 0.10000000149011612 -0 1.7014118346046923e+38 5e-324 ");
}

TEST_CASE("a text of others becomes one short line") {
  CHECK(one_line(" a \n\t b\033[1m\r\n") == "a b [1m");
  CHECK(one_line("\xFF"
                 "a") ==
        "\xEF\xBF\xBD"
        "a");
  CHECK(one_line("a\xC2\x9B"
                 "b \xC2\xA0 \x7F") == "a b \xC2\xA0");
  CHECK(one_line("") == "");
  CHECK(one_line(std::string(200, 'x')) == std::string(160, 'x') + "...");
  CHECK(last_line("one\ntwo\n \n") == "two");
  CHECK(last_line("one\rtwo") == "two");
  CHECK(last_line(" \n") == "");
}
