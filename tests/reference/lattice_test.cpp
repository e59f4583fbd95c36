#include "reference/lattice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

bool holds(const std::vector<double>& numbers, Format format, bool flushes = false) {
  Lattice lattice;
  for (const double x : numbers) lattice.add(x);
  return lattice.no_order_rounds(info(format), flushes);
}

/// Whether the sum of every subset is a number of the format; those that are subnormal are none where sums flush.
bool all_subsets_are_numbers(const std::vector<double>& numbers, Format format, bool flushes) {
  for (std::size_t subset = 1; subset < std::size_t{1} << numbers.size(); ++subset) {
    double sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if ((subset >> i & 1) != 0) sum += numbers[i];
    if (value_of_bits(format, round_to_bits(format, sum)) != sum) return false;
    if (flushes && sum != 0 && std::fabs(sum) < power_of_two(info(format).e_min)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a lattice knows of subnormal sums whatever else it holds") {
  const auto subnormal = [](std::vector<double> numbers) {
    Lattice lattice;
    for (const double x : numbers) lattice.add(x);
    return lattice.may_be_subnormal(info(Format::fp32));
  };
  CHECK(subnormal({0x1p-130}));
  CHECK(subnormal({1e30, 1, -1e30, 0x1p-130}));
  CHECK(subnormal({0x1p-130, 1e30, 1}));
  CHECK(!subnormal({1e30, 1, 0x1p-126, 0}));
  Lattice products;
  products.add_product(1e30, 1e30);
  products.add_product(1 + 0x1p-52, 1 + 0x1p-52);
  products.add_product(0x1p-70, 0x1p-70);
  CHECK(products.may_be_subnormal(info(Format::fp32)));
}

TEST_CASE("a lattice holds up to 2^p units, and not one more") {
  for (const FormatInfo& f : kFormats) {
    const double most = std::ldexp(1.0, f.precision);
    CHECK(holds({most - 1, 1}, f.format));
    CHECK(!holds({most, 1}, f.format));
    CHECK(!holds({most, 1, 1}, f.format));
    CHECK(!holds({most - 2, 1, 1, 1}, f.format));
  }
}

TEST_CASE("a lattice is no finer than the least subnormal number, or the least normal one where sums flush") {
  for (const FormatInfo& f : kFormats) {
    const double least = f.smallest_subnormal();
    CHECK(holds({least, 3 * least}, f.format));
    CHECK(!holds({least, 3 * least}, f.format, true));
    const double normal = power_of_two(f.e_min);
    CHECK(holds({normal, -3 * normal}, f.format, true));
    if (f.format != Format::fp64) CHECK(!holds({least / 2}, f.format));
  }
}

TEST_CASE("sums that may overflow are not held") {
  for (const FormatInfo& f : kFormats) {
    const double large = power_of_two(f.e_max);
    CHECK(holds({large}, f.format));
    CHECK(!holds({large, large}, f.format));
    CHECK(!holds({large, -large}, f.format));
    CHECK(!holds({std::numeric_limits<double>::infinity()}, f.format));
    CHECK(!holds({std::numeric_limits<double>::quiet_NaN(), 1}, f.format));
  }
}

TEST_CASE("no numbers, zeros and numbers added later") {
  CHECK(holds({}, Format::bf16));
  CHECK(holds({0.0, -0.0}, Format::bf16, true));
  CHECK(!holds({1.0, 1e-9, 5.0}, Format::fp32));
  CHECK(!holds({std::ldexp(1.0, 53), 1.0, 1.0, -1.0}, Format::fp64));
}

TEST_CASE("products count with all their bits") {
  const double x = 1 + 0x1p-23;
  Lattice lattice;
  lattice.add_product(x, 1);
  CHECK(lattice.no_order_rounds(info(Format::fp32), false));
  lattice.add_product(x, x);
  CHECK(!lattice.no_order_rounds(info(Format::fp32), false));
  CHECK(lattice.no_order_rounds(info(Format::fp64), false));
  lattice.add_product(1 + 0x1p-52, 1 + 0x1p-52);
  CHECK(!lattice.no_order_rounds(info(Format::fp64), false));
  Lattice tiny;
  tiny.add_product(0x1p-1000, 0x1p-1000);
  CHECK(!tiny.no_order_rounds(info(Format::fp64), false));
}

TEST_CASE("where a lattice holds, the sum of every subset is a number") {
  const RandomStream random(1, 0, 0);
  std::uint64_t drawn = 0;
  std::uint64_t held = 0;
  for (int trial = 0; trial < 4000; ++trial)
    for (const Format format : {Format::fp16, Format::bf16}) {
      const bool flushes = trial % 2 == 0;
      std::vector<double> numbers(static_cast<std::size_t>(2 + trial % 5));
      for (double& x : numbers) {
        const auto words = random.block(drawn++);
        x = std::ldexp(static_cast<double>(words[0] % 31) - 15,
                       static_cast<int>(words[1] % 4) + info(format).e_min - 3);
      }
      if (!holds(numbers, format, flushes)) continue;
      ++held;
      CHECK(all_subsets_are_numbers(numbers, format, flushes));
    }
  CHECK(held > 1000);
}

}  // namespace orderlab
