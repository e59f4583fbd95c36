#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "doubles.hpp"
#include "orderlab/exact.hpp"
#include "reference/hard_inputs.hpp"
#include "wires.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::string wire_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.wire();
}

struct Product {
  double x;
  double y;
};

/// Any doubles and products, some subnormal, some huge, some that cancel, sometimes zeros only or with infinities.
std::vector<Product> any_products(IndexGenerator& draw) {
  const std::uint64_t kind = below(draw, 6);
  std::vector<Product> products(below(draw, 40));
  for (std::size_t i = 0; i < products.size(); ++i) {
    Product& p = products[i];
    p = {any_finite(draw, Format::fp64), chance(draw, 2) ? 1.0 : any_finite(draw, Format::fp64)};
    if (kind == 0) p = {-0.0, chance(draw, 20) ? 0.0 : 1.0};
    if (kind == 1) p.x = any_subnormal(draw);
    if (kind == 2) p = {with_random_sign(draw, kLargest), with_random_sign(draw, kLargest)};
    if (kind == 3 && i > 0 && chance(draw, 2)) p = {-products[i - 1].x, products[i - 1].y};
    if (kind == 4 && chance(draw, 8)) p.x = with_random_sign(draw, kInfinity);
    if (kind == 4 && chance(draw, 40)) p.x = kNan;
  }
  return products;
}

}  // namespace

TEST_CASE("a sum has one wire form, however it was collected, and nothing is lost in it") {
  for (std::uint64_t trial = 0; trial < trials(1000); ++trial) {
    CAPTURE(trial);
    IndexGenerator draw(RandomStream(5, 0, trial), 0);
    const std::vector<Product> products = any_products(draw);
    const auto add = [&](ExactSum& sum, std::size_t i) { sum.add_product(products[i].x, products[i].y); };
    ExactSum whole;
    for (std::size_t i = 0; i < products.size(); ++i) add(whole, i);
    const ExactSum merged = tallied_in_parts(
        draw, products.size(), [] { return ExactSum(); }, add);
    REQUIRE(merged.wire() == whole.wire());
    ExactSum read = ExactSum::from_wire(whole.wire());
    CHECK(read.value().decimal(60) == whole.value().decimal(60));
    CHECK(bits(read.value().to_double()) == bits(whole.value().to_double()));
    if (!whole.value().finite()) continue;
    for (const Product& p : products) read.add_product(-p.x, p.y);
    CHECK(read.value().zero());  // to the last bit
  }
}

TEST_CASE("sums have one wire form just where no further term can tell them apart") {
  CHECK(wire_of({2, 3}) == wire_of({1, 1, 3}));
  CHECK(wire_of({1, -1}) == wire_of({0.0}));
  CHECK(wire_of({0.0, -0.0}) == wire_of({0.0}));
  CHECK(wire_of({-0.0, -0.0}) == wire_of({-0.0}));
  CHECK(wire_of({1e300, 1, -1e300}) == wire_of({1}));
  CHECK(wire_of({kInfinity, 1}) == wire_of({kInfinity, -7, kInfinity}));
  CHECK(wire_of({kInfinity, -kInfinity}) == wire_of({kNan, 3}));
  const std::vector<std::vector<double>> different{{},   {0.0}, {-0.0},      {kSmallest},  {-kSmallest}, {1},
                                                   {-1}, {256}, {kInfinity}, {-kInfinity}, {kNan}};
  for (std::size_t i = 0; i < different.size(); ++i)
    for (std::size_t j = 0; j < different.size(); ++j)
      CHECK((wire_of(different[i]) == wire_of(different[j])) == (i == j));
}

TEST_CASE("an exact sum's bytes are those that its source describes") {
  CHECK(wire_of({}) == std::string("E\1\0", 3));
  CHECK(wire_of({-0.0}) == "E\1\2");
  CHECK(wire_of({1}) == "E\1\3\x8c\2\1\x10");  // 2^2148 units: bit 4 of byte 268
  CHECK(wire_of({-257}) == "E\1\4\x8c\2\2\x10\x10");
  CHECK(wire_of({kNan}) == "E\1\7");
  ExactSum huge;
  for (int i = 0; i < 3; ++i) huge.add_product(kLargest, -kLargest);
  for (int i = 0; i < 61; ++i) huge.merge(ExactSum(huge));
  huge.add_product(kSmallest, kSmallest);
  CHECK(huge.wire().size() <= 539);
  CHECK(ExactSum::from_wire(huge.wire()).wire() == huge.wire());
}

TEST_CASE("damaged sums are refused, or are sums") {
  for (std::uint64_t trial = 0; trial < trials(100); ++trial) {
    IndexGenerator draw(RandomStream(6, 0, trial), 0);
    ExactSum sum;
    for (const Product& p : any_products(draw)) sum.add_product(p.x, p.y);
    check_damaged(draw, sum, 100, [](const ExactSum& read) {
      ExactSum more = read;
      for (int i = 0; i < 3; ++i) more.merge(read);
      more.add_product(-kLargest, kLargest);
      CHECK(!more.value().decimal(10).empty());
    });
  }
  std::string far("E\1\3\x80\x80\x04\1\x01", 8);
  CHECK_FALSE(read_or_refused<ExactSum>(far));
  CHECK_FALSE(read_or_refused<ExactSum>(std::string("E\1\3\0\2\0\1", 7)));  // a zero byte below
  CHECK_FALSE(read_or_refused<ExactSum>(std::string("E\1\3\0\2\1\0", 7)));  // and above
  CHECK_FALSE(read_or_refused<ExactSum>(std::string("E\1\3\0\0", 5)));
  CHECK_FALSE(read_or_refused<ExactSum>("E\1\x08"));
}
