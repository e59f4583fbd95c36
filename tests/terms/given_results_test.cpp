#include "terms/given_results.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "terms/nonfinite_terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::uint64_t bits_of_text(std::string_view text, Format format) {
  const ReadResult result = read_result(text, format);
  CAPTURE(result.problem);
  REQUIRE(result.bits.has_value());
  return *result.bits;
}

}  // namespace

TEST_CASE("a decimal result is rounded once, straight to its format") {
  CHECK(bits_of_text("0.1", Format::fp64) == 0x3fb999999999999a);
  CHECK(bits_of_text("0.1", Format::fp32) == 0x3dcccccd);
  CHECK(bits_of_text("0.1", Format::fp16) == 0x2e66);
  CHECK(bits_of_text("0.1", Format::bf16) == 0x3dcd);
  // 1 + 2^-24 and a little: through fp64 it would be a tie and round to 1
  CHECK(bits_of_text("1.00000005960464477539062500000000000000001", Format::fp32) == 0x3f800001);
  CHECK(read_result("0.1", Format::fp32).rounded);
  CHECK(!read_result("0.5", Format::fp32).rounded);
  CHECK(!read_result("0x1p-1", Format::fp32).rounded);
  CHECK(bits_of_text("1e39", Format::fp32) == 0x7f800000);
  CHECK(read_result("1e39", Format::fp32).rounded);
}

TEST_CASE("a hex float must be exact, a bit pattern has all digits of its format") {
  CHECK(bits_of_text("-0x1.000002p0", Format::fp32) == 0xbf800001);
  CHECK(!read_result("0x1.000001p0", Format::fp32).bits);
  CHECK(!read_result("0x1p-200", Format::fp32).bits);
  CHECK(bits_of_text("bits:0x3c00", Format::fp16) == 0x3c00);
  CHECK(bits_of_text("bits:0x8000", Format::bf16) == 0x8000);
  CHECK(bits_of_text("bits:0xFFF8000000000000", Format::fp64) == 0x7ff8000000000000);  // NaN is canonical
  for (const char* text : {"bits:", "bits:0x", "bits:0x3c0", "bits:0x03c00", "bits:3c00", "bits:0x3c0g", "bits:0x-c00",
                           "bits:0x3c00 ", "0x", "", "1,0", "--1", "1e", "bits:0X3c00"}) {
    CAPTURE(text);
    CHECK(!read_result(text, Format::fp16).bits);
    CHECK(!read_result(text, Format::fp16).problem.empty());
  }
}

TEST_CASE("special results keep their sign") {
  CHECK(bits_of_text("-0", Format::fp32) == 0x80000000);
  CHECK(bits_of_text("+0.0", Format::fp32) == 0);
  CHECK(bits_of_text("-inf", Format::fp16) == 0xfc00);
  CHECK(bits_of_text("-nan", Format::fp16) == 0x7e00);
}

TEST_CASE("a file of results is read in its order, with the line of what is none") {
  const TemporaryFile file("runs.log", "0.5 # first\r\n\n1,2;3\tbits:0x3f800000\n0.1");
  const GivenResults given = read_given_results(file.path(), Format::fp32);
  CHECK(given.bits ==
        std::vector<std::uint64_t>{0x3f000000, 0x3f800000, 0x40000000, 0x40400000, 0x3f800000, 0x3dcccccd});
  CHECK(given.rounded == 1);
  const TemporaryFile bad("runs.txt", "0.5\n\n0.25 oops\n");
  CHECK(contains(message_of(ErrorKind::input, [&] { read_given_results(bad.path(), Format::fp32); }),
                 "runs.txt:3: 'oops' is not a number"));
}

TEST_CASE("binary results are exact or refused") {
  const TemporaryFile file("runs.f32", std::string("\0\0\0\x3f\0\0\xc0\x7f", 8));
  CHECK(read_given_results(file.path(), Format::fp64).bits ==
        std::vector<std::uint64_t>{0x3fe0000000000000, 0x7ff8000000000000});
  const TemporaryFile wide("runs.f64", std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8));
  CHECK(contains(message_of(ErrorKind::input, [&] { read_given_results(wide.path(), Format::fp32); }),
                 "number 1 is not exact in fp32"));
}

TEST_CASE("infinities and NaNs among terms and products are named") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto named = [](const std::vector<double>& x, const std::vector<double>& y) {
    return nonfinite_terms(view_of(x.data(), x.size(), y.empty() ? nullptr : y.data()));
  };
  CHECK(named({1, 2}, {}).empty());
  CHECK(named({1, kInfinity}, {}) == "inf");
  CHECK(named({1, -kInfinity}, {}) == "-inf");
  CHECK(named({kInfinity, 1, -kInfinity}, {}) == "inf and -inf");
  CHECK(named({kInfinity, kNan}, {}) == "NaN");
  CHECK(named({kInfinity}, {0}) == "NaN");
  CHECK(named({kInfinity}, {-1}) == "-inf");
  CHECK(named({1e308}, {1e308}).empty());
}
