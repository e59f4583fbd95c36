// Numbers drawn by vectors against their scalar twins, bit for bit, on every vector extension of this machine.
#include "arrival/random_number_vectors.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "arrival/random_numbers.hpp"
#include "arrival/service_time.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Blocks whose words are drawn, and blocks of all combinations of words at the edges of what the functions branch on.
struct Words {
  std::vector<std::uint64_t> low, high;

  static Words drawn_and_edges() {
    Words words;
    const std::vector<std::uint64_t> edges = {0,
                                              ~std::uint64_t{0},
                                              1,
                                              std::uint64_t{1} << 11,
                                              std::uint64_t{1} << 32,
                                              std::uint64_t{1} << 63,
                                              (std::uint64_t{1} << 63) - 1,
                                              0x40000000,
                                              0x80000000,
                                              0x7FFFFFFF,
                                              0xB504F333F9DE6484,  // near sqrt(1/2), where log changes exponent
                                              0xB504F333F9DE6800};
    for (const std::uint64_t low : edges)
      for (const std::uint64_t high : edges) words.push(low, high);
    IndexGenerator draw(RandomStream(4, 7, 1), 0);
    for (int i = 0; i < 60'000; ++i) words.push(draw(), draw());
    for (int zeros = 1; zeros < 64; ++zeros)  // numbers near 0 and 1
      for (int i = 0; i < 20; ++i) words.push(draw() >> zeros, ~(draw() >> zeros));
    for (int zeros = 1; zeros < 64; ++zeros)
      for (int i = 0; i < 20; ++i) words.push(~(draw() >> zeros), draw() << zeros);
    return words;
  }

  void push(std::uint64_t a, std::uint64_t b) {
    low.push_back(a);
    high.push_back(b);
  }

  RandomStream::Block block(std::size_t k) const {
    return {static_cast<std::uint32_t>(low[k]), static_cast<std::uint32_t>(low[k] >> 32),
            static_cast<std::uint32_t>(high[k]), static_cast<std::uint32_t>(high[k] >> 32)};
  }
};

/// How many of the numbers that `bulk` makes of the blocks, from 1, are not bit for bit what `one` makes of one.
template <class Bulk, class One>
std::size_t wrong_numbers(const Words& words, Bulk bulk, One one) {
  std::vector<double> numbers(words.low.size(), 1);
  bulk(BlockWords{words.low, words.high}, std::span(numbers));
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    wrong += std::bit_cast<std::uint64_t>(numbers[k]) != std::bit_cast<std::uint64_t>(one(words.block(k)));
  return wrong;
}

}  // namespace

TEST_CASE("numbers drawn by vectors have the bits of those drawn one by one") {
  const Words words = Words::drawn_and_edges();
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    CAPTURE(hwy::TargetName(target));
    CHECK(wrong_numbers(words, normals, normal) == 0);
    for (const double shape : {2.0 / 3, 1.0, 1.5, 25.0, 1e8}) {
      const double d = shape - 1.0 / 3;
      const double c = 1 / std::sqrt(9 * d);
      CAPTURE(shape);
      CHECK(wrong_numbers(
                words, [&](const BlockWords& blocks, std::span<double> v) { gamma_attempts(blocks, c, d, v); },
                [&](const RandomStream::Block& block) { return gamma_attempt(block, c, d); }) == 0);
    }
    for (const double power : {1.0, 2.25, 1e3, 1e6}) {
      CAPTURE(power);
      CHECK(wrong_numbers(
                words, [&](const BlockWords& blocks, std::span<double> x) { multiply_by_powers(blocks, power, x); },
                [&](const RandomStream::Block& block) {
                  return fixed::exp(power * fixed::log(open_uniform(block[0], block[1])));
                }) == 0);
    }
  }
}

TEST_CASE("service times in bulk are those of one index at a time") {
  const RandomStream stream(3, streams::kFirstStage, 9);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    for (const double cv : {0.0, 1e-4, 0.2, 1.0, 1.5, 30.0, 1000.0})
      for (const std::size_t n : {1u, 7u, 255u, 256u, 257u, 3000u}) {
        CAPTURE(hwy::TargetName(target));
        CAPTURE(cv);
        CAPTURE(n);
        const ServiceTime service(cv);
        std::vector<double> times(n);
        service.fill(stream, n, times);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < n; ++k)
          wrong += std::bit_cast<std::uint64_t>(times[k]) != std::bit_cast<std::uint64_t>(service(stream, n + k));
        CHECK(wrong == 0);
      }
  }
}
