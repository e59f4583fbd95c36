// The formats that terms or results alone can have: tf32, e4m3, e5m2 and e8m13. Every value is computed from the
// definition of its format, written down here once more.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// A format as its definition has it: fields of `exponent_bits` and `fraction_bits`.
struct Definition {
  Format format;
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool infinite;   ///< the last exponent is that of infinities and NaNs; else the last pattern of it alone is NaN
  double largest;  ///< finite number

  std::uint64_t patterns() const { return std::uint64_t{1} << (1 + exponent_bits + fraction_bits); }

  double value(std::uint64_t bits) const {
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    const std::uint64_t last_field = (std::uint64_t{1} << exponent_bits) - 1;
    const std::uint64_t field = bits >> fraction_bits & last_field;
    const double sign = bits >> (exponent_bits + fraction_bits) != 0 ? -1 : 1;
    const bool ones = fraction == (std::uint64_t{1} << fraction_bits) - 1;
    if (field == last_field && (infinite ? fraction != 0 : ones)) return std::nan("");
    if (field == last_field && infinite) return sign * std::numeric_limits<double>::infinity();
    const double hidden = field == 0 ? 0 : std::ldexp(1, fraction_bits);
    const int exponent = std::max(static_cast<int>(field), 1) - bias - fraction_bits;
    return sign * std::ldexp(hidden + static_cast<double>(fraction), exponent);
  }

  /// The nearest number, the even one of two.
  double nearest(double x) const {
    if (std::isnan(x)) return x;
    const double beyond = infinite ? std::numeric_limits<double>::infinity() : std::nan("");
    if (std::isinf(x)) return std::copysign(beyond, x);
    const int unit = std::max(x == 0 ? 0 : std::ilogb(x), 1 - bias) - fraction_bits;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(std::fabs(x), -unit)), unit);
    return std::copysign(rounded > largest ? beyond : rounded, x);
  }
};

constexpr Definition kTf32{Format::tf32, 8, 10, 127, true, 0x1.ffcp127};
constexpr Definition kE4m3{Format::e4m3, 4, 3, 7, false, 448};
constexpr Definition kE5m2{Format::e5m2, 5, 2, 15, true, 57344};
constexpr Definition kE8m13{Format::e8m13, 8, 13, 127, true, 0x1.fff8p127};
constexpr Definition kDefinitions[] = {kTf32, kE4m3, kE5m2, kE8m13};

std::uint64_t bits_or_nan(double value) { return std::isnan(value) ? ~std::uint64_t{0} : bits_of(value); }

std::string refusal_of_format(const char* text) {
  try {
    (void)parse_formats(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every bit pattern of tf32, e4m3, e5m2 and e8m13 has the value of its definition and rounds to itself") {
  for (const Definition& d : kDefinitions) {
    CAPTURE(info(d.format).name);
    CHECK(info(d.format).bits == 1 + d.exponent_bits + d.fraction_bits);
    std::uint64_t wrong = 0;
    for (std::uint64_t bits = 0; bits < d.patterns(); ++bits) {
      const double expected = d.value(bits);
      const double value = value_of_bits(d.format, bits);
      if (bits_or_nan(value) != bits_or_nan(expected)) ++wrong;
      const std::uint64_t back = std::isnan(expected) ? info(d.format).nan_bits() : bits;
      if (round_to_bits(d.format, value) != back) ++wrong;
      if (!std::isnan(expected) && bits_of_key(d.format, ordered_key(d.format, bits)) != bits) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the ends of the ranges of e4m3 and e5m2 are those of the OCP's table") {
  struct Known {
    Format format;
    std::uint64_t bits;
    double value;
  };
  for (const auto& [format, bits, value] :
       {Known{Format::e4m3, 0x7E, 448}, Known{Format::e4m3, 0x08, 0x1p-6}, Known{Format::e4m3, 0x07, 0.875 * 0x1p-6},
        Known{Format::e4m3, 0x01, 0x1p-9}, Known{Format::e4m3, 0x38, 1}, Known{Format::e4m3, 0xFE, -448},
        Known{Format::e5m2, 0x7B, 57344}, Known{Format::e5m2, 0x04, 0x1p-14}, Known{Format::e5m2, 0x03, 0.75 * 0x1p-14},
        Known{Format::e5m2, 0x01, 0x1p-16}, Known{Format::e5m2, 0x3C, 1}, Known{Format::e5m2, 0x7C, HUGE_VAL}}) {
    CAPTURE(bits);
    CHECK(bits_of(value_of_bits(format, bits)) == bits_of(value));
    CHECK(round_to_bits(format, value) == bits);
  }
  CHECK(round_to_bits(Format::e4m3, std::nan("")) == 0x7F);
  CHECK(round_to_bits(Format::e5m2, std::nan("")) == 0x7E);
}

TEST_CASE("rounding to them goes to the nearest number, beyond the last one to infinity or NaN") {
  const std::uint64_t seed = 43;
  CAPTURE(seed);
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  for (const Definition& d : kDefinitions) {
    CAPTURE(info(d.format).name);
    std::uint64_t wrong = 0;
    const auto check = [&](double x) {
      for (const double v : {x, -x}) {
        const std::uint64_t bits = round_to_bits(d.format, v);
        if (bits_or_nan(d.value(bits)) != bits_or_nan(d.nearest(v))) ++wrong;
      }
    };
    const std::uint64_t stride = std::max<std::uint64_t>(1, d.patterns() >> 16);
    for (std::uint64_t bits = 0; bits < d.patterns() / 2; bits += stride) {  // ties and their neighbours
      const double low = d.value(bits);
      const double high = d.value(bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double tie = low + (high - low) / 2;
      for (const double x : {low, tie, std::nextafter(tie, 0.0), std::nextafter(tie, HUGE_VAL)}) check(x);
    }
    for (std::uint64_t i = 0; i < trials(20'000); ++i) {
      check(any_finite(draw, Format::fp64));
      check(any_finite(draw, Format::fp32));
      check(std::ldexp(near_one(draw), static_cast<int>(below(draw, 40)) - 20));
    }
    const double unit = d.largest - d.value(round_to_bits(d.format, d.largest) - 1);
    const double last_tie = d.largest + unit / 2;
    for (const double x : {d.largest, last_tie, std::nextafter(last_tie, 0.0), std::nextafter(last_tie, HUGE_VAL),
                           d.largest + unit, 2 * d.largest, HUGE_VAL})
      check(x);
    CHECK(wrong == 0);
  }
  CHECK(round_to_bits(Format::e4m3, 464.0) == 0x7E);  // a tie, to the even 448
  CHECK(round_to_bits(Format::e4m3, 465.0) == 0x7F);
  CHECK(round_to_bits(Format::e4m3, -500.0) == 0x7F);
}

TEST_CASE("terms alone are tf32, e4m3 and e5m2, whose sums are fp32 unless said, and results alone e8m13") {
  CHECK(parse_formats("e4m3") == Formats{Format::e4m3, Format::fp32, Format::fp32});
  CHECK(parse_formats("TF32:fp16") == Formats{Format::tf32, Format::fp16, Format::fp16});
  CHECK(parse_formats("float8_e5m2:fp32:e8m13") == Formats{Format::e5m2, Format::fp32, Format::e8m13});
  for (const FormatInfo& t : kAllFormats) {
    if (!t.uses.terms) continue;
    const Formats formats = formats_of_terms(t.format);
    CHECK(parse_formats(to_string(formats)) == formats);
    CHECK(parse_formats(t.name) == formats);
  }
  CHECK(refusal_of_format("e4m3:e4m3") == "format 'e4m3:e4m3': e4m3 is a format of terms alone; write e4m3:fp32");
  CHECK(refusal_of_format("tf32:fp32:tf32") ==
        "format 'tf32:fp32:tf32': tf32 is a format of terms alone; write tf32:fp32");
  CHECK(refusal_of_format("e8m13") == "format 'e8m13': e8m13 is a format of results alone; write fp32:fp32:e8m13");
  CHECK(refusal_of_format("fp32:e8m13") ==
        "format 'fp32:e8m13': e8m13 is a format of results alone; write fp32:fp32:e8m13");
}

TEST_CASE("a bit pattern has all digits of its format") {
  CHECK(bits_text(Format::e4m3, 0x7E) == "0x7e");
  CHECK(bits_text(Format::tf32, 0x1FC00) == "0x1fc00");
  CHECK(bits_text(Format::e8m13, 0x1FC000) == "0x1fc000");
}
