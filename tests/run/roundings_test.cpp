// Many numbers rounded at once against one after the other, and codes against their numbers, on every vector extension
// of this machine.
#include "run/roundings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "order/trouble.hpp"
#include "reference/vector_targets.hpp"
#include "run/rounded_numbers.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::vector<std::uint64_t> patterns_of(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(bits_of(number));
  return bits;
}

void check_rounded_as_one_by_one(Format format, const std::vector<double>& numbers, double scale) {
  const RunningError before{
      .linear = 0.3, .square = 0.7, .scale = scale, .extra = 0.1, .roundings = 5, .allowances = 3, .plain = true};
  std::vector<double> expected = numbers;
  RoundedNumbers arith(before);
  for (double& number : expected) number = arith.rounded_to({number, 0}, format).number;

  std::vector<double> found = numbers;
  RunningError error = before;
  round_all(format, found, error);
  CHECK(patterns_of(found) == patterns_of(expected));
  CHECK(bits_of(error.linear) == bits_of(arith.error().linear));
  CHECK(bits_of(error.square) == bits_of(arith.error().square));
  CHECK(bits_of(error.extra) == bits_of(arith.error().extra));
  CHECK(error.roundings == arith.error().roundings);
  CHECK(error.allowances == arith.error().allowances);
  CHECK(error.plain == arith.error().plain);
}

/// Midpoints of two neighbours in the format, and their neighbours in fp64.
std::vector<double> numbers_about_midpoints(Format format, std::size_t count) {
  const FormatInfo& f = info(format);
  IndexGenerator draw(RandomStream(21, 0, static_cast<std::uint64_t>(format)), 0);
  std::vector<double> numbers;
  while (numbers.size() < count) {
    const double low = std::fabs(any_finite(draw, format));
    const double midpoint = low + std::ldexp(1.0, ulp_exponent(format, low == 0 ? f.e_min : std::ilogb(low)) - 1);
    for (const double near : {midpoint, std::nextafter(midpoint, 0.0), std::nextafter(midpoint, HUGE_VAL)})
      numbers.push_back(with_random_sign(draw, near));
  }
  return numbers;
}

}  // namespace

TEST_CASE("numbers rounded in vectors are those rounded one by one, and so is what is noted of them") {
  on_each_target([] {
    for (const FormatInfo& f : kFormats) {
      CAPTURE(f.name);
      for (const FormatInfo& from : kFormats)
        for (const Trouble trouble : kTroubles)
          for (const std::size_t n : {1U, 63U, 64U, 65U, 200U})
            check_rounded_as_one_by_one(f.format, troublesome_numbers(n, from.format, trouble, n), 1);
      if (f.format == Format::fp64) continue;
      check_rounded_as_one_by_one(f.format, numbers_about_midpoints(f.format, 3000), 1);
      check_rounded_as_one_by_one(f.format, numbers_about_midpoints(f.format, 3000), 0x1p-70);
    }
  });
}

TEST_CASE("every code of 16 bits is the number of it, and its number has it") {
  constexpr std::size_t kCodes = std::size_t{1} << 16;
  on_each_target([] {
    for (const Format format : {Format::fp16, Format::bf16}) {
      CAPTURE(info(format).name);
      std::vector<std::uint16_t> codes(kCodes);
      for (std::size_t code = 0; code < kCodes; ++code) codes[code] = static_cast<std::uint16_t>(code);
      std::vector<double> numbers(kCodes - 3);  // not a whole number of vectors
      load_codes(format, codes.data(), numbers);
      std::uint64_t wrong = 0;
      for (std::size_t code = 0; code < numbers.size(); ++code)
        if (round_to_bits(Format::fp64, numbers[code]) != round_to_bits(Format::fp64, value_of_bits(format, code)))
          ++wrong;
      std::vector<std::uint16_t> again(numbers.size());
      store_codes(format, numbers, again.data());
      for (std::size_t code = 0; code < numbers.size(); ++code)
        if (again[code] != round_to_bits(format, value_of_bits(format, code))) ++wrong;
      CHECK(wrong == 0);
    }
  });
}
