#include "core/text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "orderlab/error.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr const char* kMalformed = "is not a count such as 1000, 1e6, 1_000_000 or 2^20";
constexpr const char* kTooLarge = "is too large (the limit is 2^64 - 1)";
constexpr const char* kFraction = "is not a whole number";

}  // namespace

TEST_CASE("a count is a whole number in any of its spellings") {
  struct Case {
    std::string_view text;
    std::uint64_t value;
  };
  for (const auto& [text, value] : {
           Case{"0", 0},
           Case{"7", 7},
           Case{"007", 7},
           Case{"1000", 1000},
           Case{"1_000_000", 1000000},
           Case{"1e6", 1000000},
           Case{"1E6", 1000000},
           Case{"1e+6", 1000000},
           Case{"1_0e1", 100},
           Case{"2.5e3", 2500},
           Case{"2.50e1", 25},
           Case{"1.0", 1},
           Case{"1.", 1},
           Case{"1000e-3", 1},
           Case{"1500e-2", 15},
           Case{"0e-5", 0},
           Case{"0e400", 0},
           Case{"0.000", 0},
           Case{"2^20", 1048576},
           Case{"2^0", 1},
           Case{"0^0", 1},
           Case{"0^5", 0},
           Case{"1^1e18", 1},
           Case{"10^19", 10000000000000000000u},
           Case{"2^63", std::uint64_t{1} << 63},
           Case{"18446744073709551615", ~std::uint64_t{0}},
           Case{"1.8446744073709551615e19", ~std::uint64_t{0}},
       }) {
    CAPTURE(text);
    const CountResult result = read_count(text);
    CHECK(result.problem == "");
    REQUIRE(result.value);
    CHECK(*result.value == value);
  }
}

TEST_CASE("what is no count says why, and nothing is rounded away") {
  struct Case {
    std::string_view text;
    std::string_view problem;
  };
  for (const auto& [text, problem] : {
           Case{"", kMalformed},
           Case{" ", kMalformed},
           Case{"abc", kMalformed},
           Case{"1 000", kMalformed},
           Case{"1__0", kMalformed},
           Case{"_1", kMalformed},
           Case{"1_", kMalformed},
           Case{"1e", kMalformed},
           Case{"1e-", kMalformed},
           Case{"e6", kMalformed},
           Case{".", kMalformed},
           Case{"1.2.3", kMalformed},
           Case{"+5", kMalformed},
           Case{"0x10", kMalformed},
           Case{"inf", kMalformed},
           Case{"nan", kMalformed},
           Case{"2^", kMalformed},
           Case{"^2", kMalformed},
           Case{"2^-1", kMalformed},
           Case{"2^0.5", kMalformed},
           Case{"1e6x", kMalformed},
           Case{"1e6.5", kMalformed},
           Case{"-1", "is negative"},
           Case{"-0", "is negative"},
           Case{"-1e6", "is negative"},
           Case{"0.5", kFraction},
           Case{"2.5", kFraction},
           Case{"1.25e1", kFraction},
           Case{"1e-1", kFraction},
           Case{"15e-1", kFraction},
           Case{"1e-400", kFraction},
           Case{"1.0000000000000000000001", kFraction},
           Case{"1e400", kTooLarge},
           Case{"1e20", kTooLarge},
           Case{"18446744073709551616", kTooLarge},
           Case{"2^64", kTooLarge},
           Case{"3^1e9", kTooLarge},
           Case{"1e99999999999999999999", kTooLarge},
       }) {
    CAPTURE(text);
    const CountResult result = read_count(text);
    CHECK(!result.value);
    CHECK(result.problem == problem);
  }
}

TEST_CASE("a power has one caret, however many are written") {
  for (const std::size_t carets : {std::size_t{2}, std::size_t{40'000}, std::size_t{1'000'000}}) {
    std::string text = "2";
    for (std::size_t i = 0; i < carets; ++i) text += "^2";
    CHECK(read_count(text).problem == kMalformed);
  }
}

TEST_CASE("a count of a million characters is read or refused as a short one is") {
  const std::string zeros(1'000'000, '0');
  CHECK(read_count(zeros + "7").value == 7);
  CHECK(read_count("0." + zeros + "7e1000001").value == 7);
  CHECK(read_count("1" + zeros).problem == kTooLarge);
  CHECK(read_count("1e" + zeros + "3").value == 1000);
  CHECK(read_count("1e1" + zeros).problem == kTooLarge);
  CHECK(read_count("1" + zeros + "e-1000000").value == 1);
}

TEST_CASE("a message shows the beginning of a long text") {
  const std::string text(1'000'000, 'x');
  CHECK_THROWS_WITH_AS(parse_count("--n", text), ("--n " + text.substr(0, 200) + "...: " + kMalformed).c_str(), Error);
  CHECK(unknown_name("order", text, {"warp", text + "y"}).size() < 1000);
  CHECK(in_quotes(text) == "'" + text.substr(0, 40) + "...'");
  CHECK(in_quotes("a\n\xff") == "'a?\?'");
}

TEST_CASE("bytes that are no UTF-8 become U+FFFD, all others stay") {
  for (const std::string_view text : {"", "abc", "\u00e9", "\u20ac", "\U0001F600", "\U0010FFFF", "\u0800"})
    CHECK(valid_utf8(text) == text);
  const std::string bad(kReplacement);
  CHECK(valid_utf8("a\xff"
                   "b") == "a" + bad + "b");
  CHECK(valid_utf8("\xc3") == bad);
  CHECK(valid_utf8("\xc3(") == bad + "(");
  CHECK(valid_utf8("\xc0\x80") == bad + bad);                      // overlong
  CHECK(valid_utf8("\xe0\x9f\xbf") == bad + bad + bad);            // overlong
  CHECK(valid_utf8("\xed\xa0\x80") == bad + bad + bad);            // a surrogate
  CHECK(valid_utf8("\xf4\x90\x80\x80") == bad + bad + bad + bad);  // beyond U+10FFFF
  CHECK(valid_utf8("\xe2\x82") == bad + bad);
}

TEST_CASE("parse_count names what it reads and the range") {
  CHECK(parse_count("--n", "1e3", 1) == 1000);
  CHECK(parse_count("--n", "1", 1, 1) == 1);
  CHECK_THROWS_WITH_AS(parse_count("--n", "0", 1), "--n 0: must be at least 1", Error);
  CHECK_THROWS_WITH_AS(parse_count("--n", "8", 1, 7), "--n 8: must be at most 7", Error);
  CHECK_THROWS_WITH_AS(parse_count("--n", "1.5", 1), "--n 1.5: is not a whole number", Error);
  CHECK_THROWS_WITH_AS(parse_count("--n", "-3", 1), "--n -3: is negative", Error);
}

TEST_CASE("a real is a finite decimal and nothing else") {
  CHECK(read_real("0.2") == 0.2);
  CHECK(read_real("+1e3") == 1000.0);
  CHECK(read_real("-2.5E-1") == -0.25);
  for (const std::string_view text :
       {"", "x", "1x", " 1", "1 ", "inf", "nan", "-inf", "1e999", "++1", "+-1", "-+1", "1,5"}) {
    CAPTURE(text);
    CHECK(!read_real(text));
  }
}

TEST_CASE("a fraction lies between 0 and 1, both excluded") {
  CHECK(parse_fraction("--confidence", "0.999") == 0.999);
  CHECK(parse_fraction("--confidence", "1e-300") == 1e-300);
  for (const std::string text : {"0", "1", "-0.5", "1.5", "nan", "x", ""}) {
    CAPTURE(text);
    const std::string message = "--confidence " + text + ": must lie between 0 and 1, both excluded, such as 0.999";
    CHECK_THROWS_WITH_AS(parse_fraction("--confidence", text), message.c_str(), Error);
  }
}

TEST_CASE("the shortest text of a real reads back to the same bits") {
  const std::uint64_t seed = 1;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  for (std::uint64_t i = 0; i < trials(2000); ++i) {
    const double x = any_finite(draw, Format::fp64);
    const auto back = read_real(shortest(x));
    REQUIRE(back);
    CHECK(bits_of(*back) == bits_of(x));
  }
  CHECK(shortest(0.2) == "0.2");
  CHECK(shortest(1280) == "1280");
}

TEST_CASE("the nearest name is within half of the letters, a swap of neighbours counting once") {
  const std::vector<std::string> known{"halving", "shuffle", "seq", "tile", "tree"};
  CHECK(nearest_name("halvin", known) == "halving");
  CHECK(nearest_name("ahlving", known) == "halving");
  CHECK(nearest_name("shufle", known) == "shuffle");
  CHECK(nearest_name("sqe", known) == "seq");
  CHECK(nearest_name("tiel", known) == "tile");
  CHECK(nearest_name("tre", known) == "tree");
  CHECK(!nearest_name("xyzzy", known));
  CHECK(!nearest_name("", known));
  CHECK(!nearest_name("seq", {}));
}

TEST_CASE("similar names are those that a name begins, and the nearest one") {
  using Names = std::vector<std::string>;
  const Names known{"seq", "sequential", "v100_b64", "cub", "cub_warp", "nccl_ring", "ompi_ring", "--samples", "--n"};
  CHECK(similar_names("v100", known) == Names{"v100_b64"});
  CHECK(similar_names("--samp", known) == Names{"--samples"});
  CHECK(similar_names("sequ", known) == Names{"sequential", "seq"});
  CHECK(similar_names("CUB", known) == Names{"cub"});
  CHECK(similar_names("V100", known) == Names{"v100_b64"});
  CHECK(similar_names("sqe", known) == Names{"seq"});
  for (const char* nothing : {"", "-", "ring", "xyzzy"}) CHECK(similar_names(nothing, known).empty());
  CHECK(similar_names("a", Names{"a1", "a2", "a3", "a4", "a5"}).size() == 5);
  CHECK(similar_names("ab", Names{"ab01", "ab02", "ab03", "ab04", "ab05", "ab06"}).empty());
}

TEST_CASE("an unknown name is answered with similar ones, with related ones, or with all") {
  CHECK(unknown_name("stage", "sqe", {"seq", "tile"}) == "sqe: no such stage; did you mean seq?");
  CHECK(unknown_name("stage", "xyzzy", {"seq", "tile"}) == "xyzzy: no such stage; known: seq tile");
  CHECK(unknown_name("stage", "xyzzy", {"seq", "tile", "seq"}) == "xyzzy: no such stage; known: seq tile");
  CHECK(unknown_name("stage", "sqe", {"seq", "tile", "seq"}) == "sqe: no such stage; did you mean seq?");
  CHECK(unknown_name("stage", "Seq", {"seq", "tile", "seq"}) == "Seq: no such stage; did you mean seq?");
  CHECK(unknown_name("stage", "zz", {"seq"}, {"a", "b", "a"}) == "zz: no such stage; did you mean a or b?");
  CHECK(unknown_name("stage", "t", {"seq", "tile", "tree"}) == "t: no such stage; did you mean tile or tree?");
  CHECK(unknown_name("stage", "tt", {"seq"}, {"a", "b", "c"}) == "tt: no such stage; did you mean a, b or c?");
  CHECK(unknown_name("stage", "se", {"seq"}, {"a"}) == "se: no such stage; did you mean seq?");
  CHECK(unknown_name("order", "Ring", {"cub", "nccl_ring", "ompi_ring"}) ==
        "Ring: no such order; did you mean nccl_ring or ompi_ring?");
  CHECK(unknown_name("order", "ring", {"nccl_ring"}, {"a"}) == "ring: no such order; did you mean a?");
  CHECK(unknown_name("order", "ng", {"nccl_ring"}) == "ng: no such order; known: nccl_ring");
}

TEST_CASE("bytes are written in the largest unit that leaves at least one") {
  CHECK(bytes_in_words(0) == "0 B");
  CHECK(bytes_in_words(1023) == "1023 B");
  CHECK(bytes_in_words(1024) == "1.0 KiB");
  CHECK(bytes_in_words(7.5 * 1024 * 1024 * 1024) == "7.5 GiB");
  CHECK(bytes_in_words(0x1p60) == "1.0 EiB");
}
