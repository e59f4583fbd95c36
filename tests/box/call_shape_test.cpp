#include "box/call_shape.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

using namespace orderlab;

namespace {

const std::vector<float> kFirst{1, 2, 3};
const std::vector<float> kSecond{4, 5, 6};

std::vector<float> laid(const CallShape& shape, std::span<const TermView> inputs) {
  std::vector<float> x(shape.array_bytes() / sizeof(float), -1);
  lay_inputs(shape, inputs, reinterpret_cast<std::byte*>(x.data()), nullptr);
  return x;
}

}  // namespace

TEST_CASE("one input is the array of a call") {
  const CallShape shape{3, Format::fp32, false, {}};
  const TermView input = view_of(kFirst.data(), 3);
  CHECK(laid(shape, {&input, 1}) == kFirst);
}

TEST_CASE("inputs along an axis are rows or columns, and ones where none are given") {
  const std::array<TermView, 2> inputs{view_of(kFirst.data(), 3), view_of(kSecond.data(), 3)};
  const std::vector<float> rows = laid({3, Format::fp32, false, 1}, inputs);
  const std::vector<float> columns = laid({3, Format::fp32, false, 0}, inputs);
  REQUIRE(rows.size() == 3 * CallShape::kTogether);
  REQUIRE(columns.size() == rows.size());
  for (std::size_t input = 0; input < CallShape::kTogether; ++input)
    for (std::size_t i = 0; i < 3; ++i) {
      const float expected = input == 0 ? kFirst[i] : input == 1 ? kSecond[i] : 1;
      CHECK(rows[input * 3 + i] == expected);
      CHECK(columns[i * CallShape::kTogether + input] == expected);
    }
}

TEST_CASE("a product has two arrays") {
  const CallShape shape{3, Format::fp32, true, {}};
  const TermView input = view_of(kFirst.data(), 3, kSecond.data());
  std::vector<float> x(3);
  std::vector<float> y(3);
  lay_inputs(shape, {&input, 1}, reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(y.data()));
  CHECK(x == kFirst);
  CHECK(y == kSecond);
}
