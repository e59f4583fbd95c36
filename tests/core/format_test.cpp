// Formats: rounding, bits and names. Longer than most files: it computes every value from the definition of its format.
#include "orderlab/format.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include "orderlab/error.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Format kNarrow[] = {Format::fp16, Format::bf16};

/// Value of a 16-bit pattern straight from the definition of the format.
double value_by_definition(Format format, std::uint64_t bits) {
  const FormatInfo& f = info(format);
  const int fraction_bits = f.precision - 1;
  const auto fraction = static_cast<double>(bits & ((std::uint64_t{1} << fraction_bits) - 1));
  const int field = static_cast<int>((bits >> fraction_bits) & static_cast<std::uint64_t>(2 * f.e_max + 1));
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (field == 2 * f.e_max + 1) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  if (field == 0) return sign * std::ldexp(fraction, f.e_min - fraction_bits);
  return sign * std::ldexp(1 + std::ldexp(fraction, -fraction_bits), field - f.e_max);
}

/// Rounds s + rest (|rest| at most half an ulp of the double s) by searching all numbers of a 16-bit format.
class SlowRounding {
 public:
  explicit SlowRounding(Format format) {
    const std::uint64_t infinity = round_to_bits(format, std::numeric_limits<double>::infinity());
    for (std::uint64_t bits = 0; bits < infinity; ++bits) magnitudes_.push_back(value_by_definition(format, bits));
    magnitudes_.push_back(std::ldexp(1.0, info(format).e_max + 1));  // where infinity stands for rounding
  }

  std::uint64_t operator()(double s, double rest = 0) const {
    const std::uint64_t sign = std::signbit(s) ? 0x8000 : 0;
    const double magnitude = std::fabs(s);
    const double towards = std::signbit(s) ? -rest : rest;
    if (magnitude >= magnitudes_.back()) return sign | (magnitudes_.size() - 1);
    const auto above = std::upper_bound(magnitudes_.begin(), magnitudes_.end(), magnitude);
    auto index = static_cast<std::uint64_t>(above - magnitudes_.begin()) - 1;
    const double middle = (magnitudes_[index] + magnitudes_[index + 1]) / 2;  // exact: one bit more than the format
    const bool tie = magnitude == middle && towards == 0;
    if (magnitude > middle || (magnitude == middle && towards > 0) || (tie && index % 2 == 1)) ++index;
    return sign | index;
  }

  /// The number halfway between magnitudes i and i + 1.
  double middle(std::size_t i) const { return (magnitudes_[i] + magnitudes_[i + 1]) / 2; }
  std::size_t count() const { return magnitudes_.size(); }

 private:
  std::vector<double> magnitudes_;
};

/// a + b as a double and what was rounded off.
struct Sum {
  double value;
  double rest;
};

Sum exact_sum_of_two(double a, double b) {
  if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

template <class T>
std::uint64_t sum_bits(std::uint64_t a, std::uint64_t b) {
  constexpr Format format = kFormatOf<T>;
  return bits_of(round_to<T>(value_of_bits(format, a)) + round_to<T>(value_of_bits(format, b)));
}

template <class T>
void check_additions(std::uint64_t seed) {
  constexpr Format format = kFormatOf<T>;
  const SlowRounding slow(format);
  CAPTURE(info(format).name);
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  std::uint64_t wrong = 0;
  const auto check = [&](std::uint64_t a, std::uint64_t b) {
    const double x = value_of_bits(format, a);
    const double y = value_of_bits(format, b);
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    const Sum exact = exact_sum_of_two(x, y);
    const std::uint64_t expected = slow(exact.value, exact.rest);
    if (sum_bits<T>(a, b) != expected && wrong++ == 0) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK(sum_bits<T>(a, b) == expected);
    }
    if (bits_of(round_to<T>(x) - round_to<T>(-y)) != expected) ++wrong;
    T sum = round_to<T>(x);
    sum += round_to<T>(y);
    if (bits_of(sum) != expected) ++wrong;
    if (bits_of(round_to<T>(x) * round_to<T>(y)) != slow(x * y, 0.0)) ++wrong;  // x * y is exact
  };
  for (std::uint64_t i = 0; i < trials(20); ++i) {  // one number with every other
    const std::uint64_t a = draw() & 0xFFFF;
    for (std::uint64_t b = 0; b < 0x10000; ++b) check(a, b);
  }
  for (std::uint64_t i = 0; i < trials(200'000); ++i) {
    const std::uint64_t a = draw() & 0xFFFF;
    const std::uint64_t near = (a ^ (draw() & 0x8FFF)) & 0xFFFF;  // of about the same magnitude
    check(a, chance(draw, 2) ? near : draw() & 0xFFFF);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the parameters of fp64 and fp32 are those of double and float, the others those of their standards") {
  CHECK(info(Format::fp64).precision == std::numeric_limits<double>::digits);
  CHECK(info(Format::fp64).e_min == std::numeric_limits<double>::min_exponent - 1);
  CHECK(info(Format::fp64).e_max == std::numeric_limits<double>::max_exponent - 1);
  CHECK(info(Format::fp32).precision == std::numeric_limits<float>::digits);
  CHECK(info(Format::fp32).e_min == std::numeric_limits<float>::min_exponent - 1);
  CHECK(info(Format::fp32).e_max == std::numeric_limits<float>::max_exponent - 1);
  const double units[] = {0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8};
  const double smallest[] = {0x1p-1074, 0x1p-149, 0x1p-24, 0x1p-133};
  for (const FormatInfo& f : kFormats) {
    CAPTURE(f.name);
    const auto i = static_cast<std::size_t>(f.format);
    CHECK(&info(f.format) == &f);
    CHECK(bits_of(f.unit_roundoff()) == bits_of(units[i]));
    CHECK(bits_of(f.smallest_subnormal()) == bits_of(smallest[i]));
    CHECK(bits_of(f.underflow_unit()) == bits_of(f.format == Format::fp64 ? smallest[i] : smallest[i] / 2));
    CHECK(round_to_bits(f.format, smallest[i]) == 1);
    CHECK(find_format(f.name) == f.format);
  }
  CHECK(!find_format("fp8"));
}

TEST_CASE("every bit pattern of fp16 and bf16 has the value of its definition and rounds to itself") {
  for (const Format format : kNarrow) {
    CAPTURE(info(format).name);
    std::uint64_t wrong = 0;
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const double expected = value_by_definition(format, bits);
      const double value = value_of_bits(format, bits);
      if (bits_of(value) != bits_of(expected)) ++wrong;
      const std::uint64_t back = std::isnan(expected) ? round_to_bits(format, std::nan("")) : bits;
      if (round_to_bits(format, value) != back) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a NaN of any sign and payload becomes the canonical one") {
  const std::uint64_t canonical[] = {0x7FF8000000000000, 0x7FC00000, 0x7E00, 0x7FC0};
  for (const FormatInfo& f : kFormats)
    for (const std::uint64_t nan :
         {0x7FF8000000000000u, 0xFFF8000000000000u, 0x7FF0000000000001u, 0xFFFFFFFFFFFFFFFFu}) {
      CAPTURE(f.name);
      CHECK(round_to_bits(f.format, std::bit_cast<double>(nan)) == canonical[static_cast<std::size_t>(f.format)]);
    }
}

TEST_CASE("rounding a double to fp16 and bf16 agrees with a search through all numbers") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  for (const Format format : kNarrow) {
    CAPTURE(info(format).name);
    const SlowRounding slow(format);
    std::uint64_t wrong = 0;
    const auto check = [&](double x) {
      for (const double v : {x, -x})
        if (round_to_bits(format, v) != slow(v)) ++wrong;
    };
    for (std::size_t i = 0; i + 1 < slow.count(); ++i) {  // every tie, also the one with infinity, and its neighbours
      const double tie = slow.middle(i);
      for (const double x : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, HUGE_VAL)}) check(x);
    }
    for (std::uint64_t i = 0; i < trials(100'000); ++i) {
      check(any_finite(draw, Format::fp64));
      check(any_finite(draw, Format::fp32));
      check(std::ldexp(near_one(draw), static_cast<int>(below(draw, 60)) - 40));
    }
    check(HUGE_VAL);
    check(0.0);
    CHECK(wrong == 0);
  }
}

TEST_CASE("rounding a double to fp32 agrees with the conversion of the machine") {
  const std::uint64_t seed = 12;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  std::uint64_t wrong = 0;
  const auto check = [&](double x) {
    for (const double v : {x, -x})
      if (round_to_bits(Format::fp32, v) != std::bit_cast<std::uint32_t>(static_cast<float>(v))) ++wrong;
  };
  for (std::uint64_t i = 0; i < trials(200'000); ++i) {
    check(any_finite(draw, Format::fp64));
    const double low = std::fabs(any_finite(draw, Format::fp32));
    const double high = value_of_bits(Format::fp32, round_to_bits(Format::fp32, low) + 1);
    if (!std::isfinite(high)) continue;
    const double tie = low + (high - low) / 2;
    for (const double x : {low, tie, std::nextafter(tie, 0.0), std::nextafter(tie, HUGE_VAL)}) check(x);
  }
  // Below the smallest subnormal, about the normal range's lower end, and where infinity begins.
  for (const double x : {0x1p-150, 0x1p-149, 0x1.8p-149, 0x1p-126, 0x1.fffffep127, 0x1.ffffffp127, 0x1p128, 0x1p-1074})
    for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, HUGE_VAL)}) check(y);
  check(HUGE_VAL);
  check(0.0);
  CHECK(wrong == 0);
}

TEST_CASE("fp64 bits are the double's own") {
  IndexGenerator draw(RandomStream(13, 0, 0), 0);
  for (std::uint64_t i = 0; i < trials(1000); ++i) {
    const double x = any_finite(draw, Format::fp64);
    CHECK(round_to_bits(Format::fp64, x) == std::bit_cast<std::uint64_t>(x));
    CHECK(std::bit_cast<std::uint64_t>(value_of_bits(Format::fp64, std::bit_cast<std::uint64_t>(x))) ==
          std::bit_cast<std::uint64_t>(x));
  }
}

TEST_CASE("sums, differences and products of fp16 and bf16 are the exact ones rounded once") {
  check_additions<Half>(21);
  check_additions<Bfloat16>(22);
}

TEST_CASE("sums of special values follow IEEE 754 in 16 bits") {
  const std::uint64_t plus = 0x0000;
  const std::uint64_t minus = 0x8000;
  const auto check = [&]<class T>(T*, std::uint64_t infinity, std::uint64_t nan, std::uint64_t largest) {
    const std::uint64_t negative = infinity | 0x8000;
    CHECK(sum_bits<T>(plus, minus) == plus);
    CHECK(sum_bits<T>(minus, minus) == minus);
    CHECK(sum_bits<T>(1, 0x8001) == plus);
    CHECK(sum_bits<T>(infinity, infinity) == infinity);
    CHECK(sum_bits<T>(infinity, negative) == nan);
    CHECK(sum_bits<T>(nan, plus) == nan);
    CHECK(sum_bits<T>(largest, largest) == infinity);
  };
  check(static_cast<Half*>(nullptr), 0x7C00, 0x7E00, 0x7BFF);
  check(static_cast<Bfloat16*>(nullptr), 0x7F80, 0x7FC0, 0x7F7F);
}

TEST_CASE("a format is switched to the type that holds it") {
  for (const FormatInfo& f : kFormats)
    CHECK(with_type_of(f.format, [](auto* type) { return kFormatOf<std::remove_pointer_t<decltype(type)>>; }) ==
          f.format);
}

TEST_CASE("formats are read with the parts left out taken from the part before") {
  const Formats all{Format::fp32, Format::fp32, Format::fp32};
  CHECK(parse_formats("fp32") == all);
  CHECK(parse_formats("fp16:fp32") == Formats{Format::fp16, Format::fp32, Format::fp32});
  CHECK(parse_formats("fp16:fp32:bf16") == Formats{Format::fp16, Format::fp32, Format::bf16});
}

TEST_CASE("formats have other names, in any case, and are written by their own") {
  struct Case {
    const char* text;
    const char* written;
  };
  for (const auto& [text, written] :
       {Case{"float64", "fp64"}, Case{"double", "fp64"}, Case{"float32", "fp32"}, Case{"single", "fp32"},
        Case{"float", "fp32"}, Case{"float16", "fp16"}, Case{"half", "fp16"}, Case{"bfloat16", "bf16"},
        Case{"FP32", "fp32"}, Case{"BFloat16", "bf16"}, Case{"half:FLOAT:Half", "fp16:fp32:fp16"}}) {
    CAPTURE(text);
    CHECK(to_string(parse_formats(text)) == written);
  }
  std::set<std::string_view> names;
  for (const FormatInfo& f : kFormats) {
    CHECK(names.insert(f.name).second);
    for (const std::string_view alias : f.aliases) {
      if (alias.empty()) continue;
      CHECK(names.insert(alias).second);
      CHECK(find_format(alias) == f.format);
    }
  }
  CHECK(!find_format(""));
}

TEST_CASE("formats are written in the shortest text that reads back") {
  for (const FormatInfo& t : kFormats)
    for (const FormatInfo& a : kFormats)
      for (const FormatInfo& r : kFormats) {
        const Formats formats{t.format, a.format, r.format};
        CHECK(parse_formats(to_string(formats)) == formats);
      }
  CHECK(to_string(parse_formats("fp16:fp16:fp16")) == "fp16");
  CHECK(to_string(parse_formats("fp16:fp32:fp32")) == "fp16:fp32");
  CHECK(to_string(parse_formats("fp16:fp16:fp32")) == "fp16:fp16:fp32");
}

TEST_CASE("a wrong format is answered with the nearest name, or with all") {
  CHECK_THROWS_WITH_AS(parse_formats("fp23"), "fp23: no such format; did you mean fp32?", Error);
  CHECK_THROWS_WITH_AS(parse_formats("fp8"), "fp8: no such format; did you mean fp8_e4m3 or fp8_e5m2?", Error);
  CHECK_THROWS_WITH_AS(parse_formats("int"), "int: no such format; known: fp64 fp32 fp16 bf16 tf32 e4m3 e5m2", Error);
  CHECK_THROWS_WITH_AS(parse_formats("fp64:doble"), "format 'fp64:doble': doble: no such format; did you mean double?",
                       Error);
  CHECK_THROWS_WITH_AS(parse_formats("fp16:"),
                       "format 'fp16:': has an empty part; write TERMS[:ACCUMULATE[:RESULT]], such as fp32", Error);
  CHECK_THROWS_AS(parse_formats(""), Error);
  CHECK_THROWS_WITH_AS(parse_formats("fp16:fp16:fp16:fp16"),
                       "format 'fp16:fp16:fp16:fp16': has more than three parts; write TERMS[:ACCUMULATE[:RESULT]]",
                       Error);
}
