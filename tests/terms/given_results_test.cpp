#include "terms/given_results.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/format.hpp"
#include "terms/nonfinite_terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::vector<std::uint64_t> bits_of_file(const std::string& path, Format format) {
  std::vector<std::uint64_t> bits;
  for (const GivenResult& result : read_given_results({path}, {format, format, format}, 1).results)
    bits.push_back(result.bits);
  return bits;
}

ReadResult read(std::string_view text, Format format) { return read_result(text, {format, format, format}, 1); }

std::uint64_t bits_of_text(std::string_view text, Format format) {
  const ReadResult result = read(text, format);
  CAPTURE(result.problem);
  REQUIRE(result.result.has_value());
  return result.result->bits;
}

}  // namespace

TEST_CASE("a decimal result is rounded once, straight to its format") {
  CHECK(bits_of_text("0.1", Format::fp64) == 0x3fb999999999999a);
  CHECK(bits_of_text("0.1", Format::fp32) == 0x3dcccccd);
  CHECK(bits_of_text("0.1", Format::fp16) == 0x2e66);
  CHECK(bits_of_text("0.1", Format::bf16) == 0x3dcd);
  // 1 + 2^-24 and a little: through fp64 it would be a tie and round to 1
  CHECK(bits_of_text("1.00000005960464477539062500000000000000001", Format::fp32) == 0x3f800001);
  CHECK(read("0.1", Format::fp32).rounded);
  CHECK(!read("0.5", Format::fp32).rounded);
  CHECK(!read("0x1p-1", Format::fp32).rounded);
  CHECK(bits_of_text("1e39", Format::fp32) == 0x7f800000);
  CHECK(read("1e39", Format::fp32).rounded);
}

TEST_CASE("a hex float must be exact, a bit pattern has all digits of its format") {
  CHECK(bits_of_text("-0x1.000002p0", Format::fp32) == 0xbf800001);
  CHECK(!read("0x1.000001p0", Format::fp32).result);
  CHECK(!read("0x1p-200", Format::fp32).result);
  CHECK(bits_of_text("bits:0x3c00", Format::fp16) == 0x3c00);
  CHECK(bits_of_text("bits:0x8000", Format::bf16) == 0x8000);
  CHECK(bits_of_text("bits:0xFFF8000000000000", Format::fp64) == 0x7ff8000000000000);  // NaN is canonical
  for (const char* text : {"bits:", "bits:0x", "bits:0x3c0", "bits:0x03c00", "bits:3c00", "bits:0x3c0g", "bits:0x-c00",
                           "bits:0x3c00 ", "0x", "", "1,0", "--1", "1e", "bits:0X3c00"}) {
    CAPTURE(text);
    CHECK(!read(text, Format::fp16).result);
    CHECK(!read(text, Format::fp16).problem.empty());
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
  const GivenResults given = read_given_results({file.path()}, {Format::fp32, Format::fp32, Format::fp32}, 1);
  CHECK(bits_of_file(file.path(), Format::fp32) ==
        std::vector<std::uint64_t>{0x3f000000, 0x3f800000, 0x40000000, 0x40400000, 0x3f800000, 0x3dcccccd});
  CHECK(given.rounded == 1);
  const TemporaryFile bad("runs.txt", "0.5\n\n0.25 oops\n");
  CHECK(contains(message_of(ErrorKind::input, [&] { bits_of_file(bad.path(), Format::fp32); }),
                 "runs.txt:3: 'oops' is not a number"));
}

TEST_CASE("binary results are exact or refused") {
  const TemporaryFile file("runs.f32", std::string("\0\0\0\x3f\0\0\xc0\x7f", 8));
  CHECK(bits_of_file(file.path(), Format::fp64) == std::vector<std::uint64_t>{0x3fe0000000000000, 0x7ff8000000000000});
  const TemporaryFile wide("runs.f64", std::string("\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8));
  CHECK(contains(message_of(ErrorKind::input, [&] { bits_of_file(wide.path(), Format::fp32); }),
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

TEST_CASE("the digits of a decimal leave all numbers within half a unit of the last one") {
  const auto interval = [](const char* text) {
    const auto printed = read_printed(text, Format::fp32);
    REQUIRE(printed);
    const auto value = [](std::int64_t key) { return value_of_bits(Format::fp32, bits_of_key(Format::fp32, key)); };
    return std::pair(value(printed->numbers.low), value(printed->numbers.high));
  };
  // Neighbours of the ends: 2.99995 and 3.00005 are not numbers of fp32, 499998.5 and 499999.5 are
  CHECK(interval("3.0000") == std::pair(2.999950170516967773, 3.000049829483032227));
  CHECK(interval("499999") == std::pair(499998.5, 499999.5));
  CHECK(interval("-499999") == std::pair(-499999.5, -499998.5));
  CHECK(interval("5e2") == std::pair(450.0, 550.0));
  CHECK(interval("0.0") ==
        std::pair(-0.0500000007450580596923828125 + 0x1p-28, 0.0500000007450580596923828125 - 0x1p-28));
  CHECK(read_printed("3.0000", Format::fp32)->digits == 5);
  CHECK(read_printed("0.00120", Format::fp32)->digits == 3);
  CHECK(read_printed("500", Format::fp32)->digits == 3);
  CHECK(read_printed("0.000", Format::fp32)->digits == 1);
  for (const char* text : {"inf", "nan", "0x1p0", "bits:0x3f800000", "1e", "1.00000001"}) {
    CAPTURE(text);
    const auto printed = read_printed(text, Format::fp32);
    CHECK((!printed || printed->numbers.size() == 1));
  }
  // Largest finite number, least subnormal, zeros of either sign
  CHECK(interval("3.4028235e38").second == 0x1.fffffep127);
  CHECK(interval("1e-45").first == 0x1p-149);
  CHECK(read("4984.31", Format::fp32).result->digits == 6);
  CHECK(read("4984.31", Format::fp32).result->read_widely(Format::fp32).size() == 21);
  CHECK(!read("4984.31201", Format::fp32).result->printed);  // nine digits are all that fp32 needs
  CHECK(read("4984.31201", Format::fp64).result->printed);
}

TEST_CASE("digits leave what a printf of as many gives") {
  for (const Format format : {Format::fp32, Format::fp64, Format::fp16, Format::bf16})
    for (std::uint64_t i = 0; i < 400; ++i) {
      const std::uint64_t mask = (std::uint64_t{2} << (info(format).bits - 1)) - 1;
      const std::uint64_t bits = (i * 0x9e3779b97f4a7c15u) >> 7 & mask;
      const double value = value_of_bits(format, bits);
      if (!std::isfinite(value)) continue;
      for (const char* style : {"%.4g", "%.6g", "%.5e", "%.3f", "%.0f"}) {
        char text[400];
        std::snprintf(text, sizeof text, style, value);
        CAPTURE(text);
        const auto printed = read_printed(text, format);
        if (printed)
          CHECK(printed->numbers.holds(ordered_key(format, bits)));
        else
          CHECK(std::string_view(text).size() > 17);
      }
    }
}

TEST_CASE("a mean stands for the sums that have it") {
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  for (const std::uint64_t n : {1U, 3U, 7U, 1000U, 1U << 20})
    for (std::uint32_t i = 0; i < 200; ++i) {
      const float sum = std::bit_cast<float>(0x3f000000u + i * 7919u * 31u);
      const float inverse = 1.0f / static_cast<float>(n);
      for (const float mean : {sum / static_cast<float>(n), sum * inverse}) {
        char text[64];
        std::snprintf(text, sizeof text, "mean:%.5g", static_cast<double>(mean));
        const ReadResult read = read_result(text, fp32, n);
        REQUIRE(read.result);
        CHECK(read.mean);
        CHECK(
            read.result->read_widely(Format::fp32).holds(ordered_key(Format::fp32, std::bit_cast<std::uint32_t>(sum))));
        const ReadResult exact =
            read_result("mean:bits:" + bits_text(Format::fp32, std::bit_cast<std::uint32_t>(mean)), fp32, n);
        REQUIRE(exact.result);
        CHECK(exact.result->read_exactly(Format::fp32)
                  .holds(ordered_key(Format::fp32, std::bit_cast<std::uint32_t>(sum))));
        CHECK(exact.result->read_exactly(Format::fp32).size() <= 6);
      }
    }
  const Formats fp64{};
  const double sum = 4984.30710481574;
  for (const double mean : {sum / 10000, sum * (1 / 10000.0)}) {
    const ReadResult exact =
        read_result("mean:bits:" + bits_text(Format::fp64, std::bit_cast<std::uint64_t>(mean)), fp64, 10000);
    CHECK(exact.result->read_exactly(Format::fp64).holds(ordered_key(Format::fp64, std::bit_cast<std::uint64_t>(sum))));
    CHECK(exact.result->read_exactly(Format::fp64).size() <= 6);
  }
  CHECK(!read_result("mean:4984.312", fp64, 10000)
             .result->read_widely(Format::fp64)
             .holds(ordered_key(Format::fp64, std::bit_cast<std::uint64_t>(sum))));
  // A mean of bf16 from sums of fp32: about 2^16 of them have it
  const ReadResult bf16 = read_result("mean:1.5", {Format::bf16, Format::fp32, Format::bf16}, 4);
  CHECK(value_of_bits(Format::fp32, bf16.result->bits) == 6.0);
  CHECK(bf16.result->read_exactly(Format::fp32).size() == 65537);
  CHECK(!read_result("mean:", fp32, 4).result);
  CHECK(!read_result("mean:mean:1", fp32, 4).result);
}
