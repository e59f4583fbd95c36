// Terms in the caller's memory, and in another format.
#include "terms/conversion.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Terms that lie in `numbers`, which must outlive them.
template <class T>
Terms borrowed_terms(const std::vector<T>& numbers) {
  const auto* const first = reinterpret_cast<const std::byte*>(numbers.data());
  return {kFormatOf<T>, numbers.size(), std::shared_ptr<const std::byte>(first, [](const std::byte*) {})};
}

}  // namespace

TEST_CASE("borrowed terms lie where the caller has them, until they are written") {
  std::vector<float> numbers{1, 2, 3};
  Terms terms = borrowed_terms(numbers);
  CHECK(terms.view().x == numbers.data());
  CHECK(terms.size() == 3);
  const Terms copy = terms;
  terms.set(1, 5);
  CHECK(terms.view().left(1) == 5);
  CHECK(numbers[1] == 2);
  CHECK(copy.view().left(1) == 2);
  CHECK(copy.view().x == numbers.data());
  CHECK_THROWS_AS(borrowed_terms(std::vector<float>{}), Error);
}

TEST_CASE("borrowed terms have the hash of owned ones, products too") {
  const std::vector<double> x{0.1, -2, 1e300};
  const std::vector<double> y{3, 0.5, -0.0};
  Terms owned(Format::fp64, 3);
  Terms factors(Format::fp64, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    owned.set(i, x[i]);
    factors.set(i, y[i]);
  }
  Terms borrowed = borrowed_terms(x);
  CHECK(borrowed.hash() == owned.hash());
  borrowed.multiply_by(borrowed_terms(y));
  owned.multiply_by(factors);
  CHECK(borrowed.hash() == owned.hash());
  CHECK(borrowed.view().y == y.data());
}

TEST_CASE("terms of the format that is asked for stay where they are") {
  const std::vector<float> numbers{1, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()};
  CHECK(converted(borrowed_terms(numbers), Format::fp32).view().x == numbers.data());
}

TEST_CASE("a NaN with another payload or sign becomes the canonical one") {
  for (const std::uint32_t bits : {0x7FC00001U, 0xFFC00000U, 0x7F800001U}) {
    const std::vector<float> numbers{1, std::bit_cast<float>(bits)};
    const Terms terms = converted(borrowed_terms(numbers), Format::fp32);
    CHECK(terms.view().x != numbers.data());
    const std::vector<float> canonical{1, std::numeric_limits<float>::quiet_NaN()};
    CHECK(terms.hash() == borrowed_terms(canonical).hash());
    CHECK(terms.inexact_conversions() == 0);
  }
}

TEST_CASE("conversions round once, as set does, and count what changes") {
  std::vector<double> numbers{0.1, 0.5, 65520, -1e-9, std::numeric_limits<double>::quiet_NaN()};
  const Terms drawn = generate_terms("normal(0,1000)", 100, Format::fp64, 3);
  for (std::size_t i = 0; i < drawn.size(); ++i) numbers.push_back(drawn.view().left(i));
  for (const Format format : {Format::fp32, Format::fp16, Format::bf16, Format::fp64}) {
    const Terms terms = converted(borrowed_terms(numbers), format);
    Terms expected(format, numbers.size());
    std::uint64_t changed = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      expected.set(i, numbers[i]);
      changed += expected.view().left(i) < numbers[i] || expected.view().left(i) > numbers[i] ? 1U : 0U;
    }
    CHECK(terms.hash() == expected.hash());
    CHECK(terms.inexact_conversions() == changed);
  }
}

}  // namespace orderlab
