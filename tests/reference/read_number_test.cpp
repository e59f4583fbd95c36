// Reading numbers: one rounding to every format, the inexact flag, and what is no number.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "doubles.hpp"
#include "orderlab/exact.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/mpfr_oracle.hpp"

namespace {

using namespace orderlab;
using namespace orderlab::testing;

constexpr std::uint64_t kReadNumberSeed = 20240817;

/// Whether `text` reads as `value`, bit for bit, with that flag.
bool reads(const std::string& text, Format format, double value, bool inexact) {
  CAPTURE(text);
  CAPTURE(info(format).name);
  const auto number = read_number(text, format);
  REQUIRE(number);
  CHECK(bits_of(number->value) == bits_of(value));
  CHECK(number->inexact == inexact);
  return bits_of(number->value) == bits_of(value) && number->inexact == inexact;
}

/// All decimal digits of an exact number.
std::string all_digits(const Mpfr& x) {
  char* text = nullptr;
  mpfr_asprintf(&text, "%.1200Rf", x.get());  // the last bit is 2^-1200 or above
  std::string digits(text);
  mpfr_free_str(text);
  return digits;
}

TEST_CASE("decimal ties of every format are rounded once, with or without a digit far behind") {
  INFO("seed " << kReadNumberSeed);
  const RandomStream stream(kReadNumberSeed, 1, 0);
  for (std::uint64_t trial = 0; trial < trials(3000); ++trial) {
    IndexGenerator draw(stream, trial);
    const Format format = kFormats[below(draw, kFormats.size())].format;
    const FormatInfo& f = info(format);
    double v = any_finite(draw, format);
    if (chance(draw, 3)) v = std::copysign(value_of_bits(format, draw() & 3), v);
    if (chance(draw, 8)) v = std::copysign(std::ldexp(2 - 2 * f.unit_roundoff(), f.e_max), v);
    const int e = v == 0 || std::ilogb(v) < f.e_min ? f.e_min : std::ilogb(v);
    Mpfr tie(v, Mpfr::kExact), half(std::signbit(v) ? -1.0 : 1.0, Mpfr::kExact);
    mpfr_mul_2si(half.get(), half.get(), e - f.precision, MPFR_RNDN);
    mpfr_add(tie.get(), tie.get(), half.get(), MPFR_RNDN);
    const std::string digits = all_digits(tie);

    CAPTURE(trial);
    REQUIRE(reads(digits, format, value_of_bits(format, rounded_bits(format, tie)), true));

    // Farther from 0 by a digit far behind all bits of the tie, and nearer to it by half a step.
    mpfr_add(half.get(), tie.get(), half.get(), MPFR_RNDN);
    REQUIRE(reads(digits + "0000000001", format, value_of_bits(format, rounded_bits(format, half)), true));
    REQUIRE(reads(all_digits(Mpfr(v, 53)), format, v, false));
  }
}

/// Whether the decimal of `digits`, with a point, reads as with many zeros behind them.
bool reads_as_written_out(const std::string& digits, const std::string& exponent, Format format) {
  const auto few = read_number(digits + exponent, format);
  const auto many = read_number(digits + std::string(20, '0') + exponent, format);
  REQUIRE(few);
  REQUIRE(many);
  return bits_of(few->value) == bits_of(many->value) && few->inexact == many->inexact;
}

TEST_CASE("decimals of few digits are read as with zeros behind them") {
  INFO("seed " << kReadNumberSeed);
  const RandomStream stream(kReadNumberSeed, 2, 0);
  for (std::uint64_t trial = 0; trial < trials(20000); ++trial) {
    IndexGenerator draw(stream, trial);
    std::string digits = std::to_string(draw()).substr(0, 1 + below(draw, 20));
    if (chance(draw, 4)) digits += std::string(below(draw, 8), '0');
    digits.insert(below(draw, digits.size() + 1), 1, '.');
    const int width = chance(draw, 3) ? 700 : chance(draw, 2) ? 80 : 10;
    const int e = static_cast<int>(below(draw, static_cast<std::uint64_t>(width))) - width / 2;
    const std::string exponent = chance(draw, 3) ? "" : "e" + std::to_string(e);
    for (const FormatInfo& f : kFormats) {
      CAPTURE(digits);
      CAPTURE(exponent);
      CAPTURE(f.name);
      REQUIRE(reads_as_written_out(digits, exponent, f.format));
    }
  }
}

TEST_CASE("decimals of few digits beside a tie are read as with zeros behind them") {
  INFO("seed " << kReadNumberSeed);
  const RandomStream stream(kReadNumberSeed, 3, 0);
  for (std::uint64_t trial = 0; trial < trials(5000); ++trial) {
    IndexGenerator draw(stream, trial);
    for (const FormatInfo& f : kFormats) {
      // An odd number of half steps above a power of two: a tie, as a whole number of units 10^-e.
      const int bits = f.precision - 1;
      const std::uint64_t odd = ((std::uint64_t{1} << bits) + below(draw, std::uint64_t{1} << bits)) * 2 + 1;
      std::uint64_t tie = odd;
      int places = 0;
      while (tie < 1'000'000'000'000'000'000 / 10 && (places < 1 || !chance(draw, 10))) tie *= 10, ++places;
      for (const std::uint64_t near : {tie - 1, tie, tie + 1}) {
        std::string digits = std::to_string(near);
        digits.insert(digits.size() - static_cast<std::size_t>(places), 1, '.');
        CAPTURE(digits);
        CAPTURE(f.name);
        REQUIRE(reads_as_written_out(digits, "", f.format));
      }
    }
  }
}

TEST_CASE("an exponent beyond 64 bits is as far away as one of them") {
  for (const char* far :
       {"9223372036854775807", "9223372036854775808", "99999999999999999999", "0000000000000000009999999"}) {
    const std::string exponent(far);
    for (const FormatInfo& f : kFormats) {
      for (const char* digits : {"1e", "0.01e", "100e", "0x1p", "0x0.01p", "0x100p"}) {
        CHECK(reads(digits + exponent, f.format, kInfinity, true));
        CHECK(reads("-" + (digits + ("+" + exponent)), f.format, -kInfinity, true));
        CHECK(reads(digits + ("-" + exponent), f.format, 0.0, true));
      }
      CHECK(reads("-0.00e" + exponent, f.format, -0.0, false));
    }
  }
  CHECK(reads("1e-0000000000000000000000002", Format::fp64, 0.01, true));
  CHECK(reads("0x1.8P+0000000000000000000000002", Format::fp64, 6, false));
}

TEST_CASE("a number just off a tie is not rounded twice") {
  // 2049 and 2051 are ties of fp16; nearest doubles of the texts are the ties themselves.
  CHECK(reads("2049", Format::fp16, 2048, true));
  CHECK(reads("2049.000000000000000000000000000001", Format::fp16, 2050, true));
  CHECK(reads("2051", Format::fp16, 2052, true));
  CHECK(reads("2050.999999999999999999999999999999", Format::fp16, 2050, true));
  CHECK(reads("-2049.000000000000000000000000000001", Format::fp16, -2050, true));
  CHECK(reads("257", Format::bf16, 256, true));
  CHECK(reads("257.000000000000000000000000000001", Format::bf16, 258, true));
  CHECK(reads("16777217", Format::fp32, 16777216, true));
  CHECK(reads("16777217.00000000000000000000000001", Format::fp32, 16777218, true));
  CHECK(reads("9007199254740993", Format::fp64, 9007199254740992, true));
  CHECK(reads("9007199254740993.0000000000000000000001", Format::fp64, 9007199254740994, true));
  CHECK(reads("0x1.00200000000000000000000000000000000001p0", Format::fp16, 0x1.004p0, true));
  CHECK(reads("0x1.002p0", Format::fp16, 1, true));
}

TEST_CASE("subnormals, underflow and overflow are rounded to the format") {
  CHECK(reads("0x1p-25", Format::fp16, 0.0, true));
  CHECK(reads("0x1.0000000000000000000001p-25", Format::fp16, 0x1p-24, true));
  CHECK(reads("-0x1p-25", Format::fp16, -0.0, true));
  CHECK(reads("0x1.8p-24", Format::fp16, 0x1p-23, true));
  CHECK(reads("65519.99999999999999999999999999", Format::fp16, 65504, true));
  CHECK(reads("65520", Format::fp16, kInfinity, true));
  CHECK(reads("1e400", Format::fp64, kInfinity, true));
  CHECK(reads("-1e400", Format::fp64, -kInfinity, true));
  CHECK(reads("1e-400", Format::fp64, 0.0, true));
  CHECK(reads("-1e-400", Format::fp64, -0.0, true));
  CHECK(reads("1e99999999999999999999999999", Format::fp32, kInfinity, true));
  CHECK(reads("1e-99999999999999999999999999", Format::fp32, 0.0, true));
  CHECK(reads("-0x1p-99999999999999999999999999", Format::bf16, -0.0, true));
  CHECK(reads("0e99999999999999999999999999", Format::fp64, 0.0, false));
  CHECK(reads("4.9406564584124654e-324", Format::fp64, 0x1p-1074, true));
  CHECK(reads("0x1p-1074", Format::fp64, 0x1p-1074, false));
}

TEST_CASE("decimals, hex floats, infinities and NaN are read") {
  for (const FormatInfo& f : kFormats) {
    CHECK(reads("1", f.format, 1, false));
    CHECK(reads("+1.5", f.format, 1.5, false));
    CHECK(reads("-.5", f.format, -0.5, false));
    CHECK(reads("2.", f.format, 2, false));
    CHECK(reads("25e-1", f.format, 2.5, false));
    CHECK(reads("1E+2", f.format, 100, false));
    CHECK(reads("00000000000000000000000000000000000000000000007", f.format, 7, false));
    CHECK(reads("0", f.format, 0.0, false));
    CHECK(reads("-0", f.format, -0.0, false));
    CHECK(reads("-0x0.0p5", f.format, -0.0, false));
    CHECK(reads("0x1.8p3", f.format, 12, false));
    CHECK(reads("-0XA.8P-1", f.format, -5.25, false));
    CHECK(reads("0x.8", f.format, 0.5, false));
    CHECK(reads("0x1e2", f.format, 482, false));
    CHECK(reads("0.1", f.format, value_of_bits(f.format, round_to_bits(f.format, 0.1)), true));
    CHECK(reads("inf", f.format, kInfinity, false));
    CHECK(reads("-Infinity", f.format, -kInfinity, false));
    CHECK(reads("+INF", f.format, kInfinity, false));
    CHECK(reads("nan", f.format, kNan, false));
    CHECK(reads("-NaN", f.format, kNan, false));
  }
}

TEST_CASE("what is no number is refused") {
  const std::string nul("1\0", 2);
  for (const std::string& text : std::vector<std::string>{
           "",        "+",       "-",         ".",     "e5",   "1e",    "1e+", "1e5.0", "1.2.3", " 1",     "1 ",
           "\t1",     "1\n",     nul,         "--1",   "+-1",  "1_000", "1,5", "0x",    "0x.",   "0xg",    "0x1p",
           "0x1p-",   "0x1.8q3", "1p3",       "0b101", "0b1",  "0b",    "1@5", "@nan@", "@inf@", "nan(1)", "nan()",
           "infinit", "in",      "infinityy", "1f",    "1.0L", "0x1pa", "x1",  "abc",   "1e5e5", "1d5"}) {
    CAPTURE(text);
    CHECK_FALSE(read_number(text, Format::fp64));
    CHECK_FALSE(read_number("-" + text, Format::fp16));
  }
}

TEST_CASE("threads may read and write numbers at the same time") {
  const auto work = [](bool& good) {
    for (int i = 0; i < 200; ++i) {
      const auto number = read_number("0.1000000000000000055511151231257827021181583404541015625", Format::fp64);
      const double value = number ? number->value : 0;
      good =
          good && number && !number->inexact && exact_sum(std::vector{value}).decimal(20) == "0.10000000000000000555";
    }
  };
  bool good[2] = {true, true};
  std::thread other(work, std::ref(good[1]));
  work(good[0]);
  other.join();
  CHECK(good[0]);
  CHECK(good[1]);
}

}  // namespace
