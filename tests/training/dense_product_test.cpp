// Dense products by vectors against Eigen's, bit for bit.
#include "training/dense_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "orderlab/philox.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Numbers of both signs and of 16 binary exponents, and some zeros of both signs: sums in other orders differ.
template <class T>
std::vector<T> drawn_matrix(std::size_t count, std::uint64_t key) {
  const RandomStream stream(key, streams::kTerms, 0);
  std::vector<T> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const RandomStream::Block words = stream.block(i);
    const double size = words[0] % 32 == 0 ? 0 : static_cast<double>(1u << words[1] % 16) * (1 + words[0] * 0x1p-32);
    numbers[i] = static_cast<T>(words[2] % 2 == 0 ? size : -size);
  }
  return numbers;
}

template <class T>
void check_products(std::size_t m, std::size_t k, std::size_t n) {
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  const auto a = drawn_matrix<T>(m * k, 1), b = drawn_matrix<T>(k * n, 2);
  std::vector<T> plain(m * n), c(m * n);
  dense_product_by_eigen(m, k, n, a.data(), b.data(), plain.data());
  on_each_target([&] {
    std::fill(c.begin(), c.end(), T{7});
    dense_product(m, k, n, a.data(), b.data(), c.data());
    CHECK(std::memcmp(c.data(), plain.data(), m * n * sizeof(T)) == 0);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("a dense product has the bits of Eigen's", T, float, double) {
  for (const std::size_t m : {1u, 2u, 3u, 4u, 5u, 11u, 50u})
    for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 17u})
      for (const std::size_t k : {1u, 7u, 8u, 9u, 31u, 64u}) check_products<T>(m, k, n);
  for (const std::size_t k :
       {519u, 520u, 521u, 680u, 688u, 1024u, 1360u, 1361u, 3000u})  // blocks of a sum end about there
    check_products<T>(9, k, 7);
  check_products<T>(2708, 100, 7);  // blocks of rows
  check_products<T>(61, 1024, 300);
}
