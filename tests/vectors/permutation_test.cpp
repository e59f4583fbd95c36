#include "vectors/permutation.hpp"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "orderlab/philox.hpp"
#include "reference/chi_square.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using orderlab::testing::chi_square_p;
using orderlab::testing::OnTarget;
using orderlab::testing::trials;

namespace {

__extension__ using Wide = unsigned __int128;

struct Bounded {
  std::uint64_t value;
  int rejected;
};

/// The definition: the first word w, attempt by attempt, with w * bound mod 2^bits >= 2^bits mod bound.
Bounded bounded_by_definition(const RandomStream& stream, std::uint64_t bound, std::uint64_t j, int bits) {
  const auto per_block = static_cast<std::uint64_t>(128 / bits);
  const Wide modulus = Wide{1} << bits;
  for (std::uint16_t attempt = 0;; ++attempt) {
    const auto block = stream.block(j / per_block, attempt);
    Wide word = 0;
    for (std::uint64_t i = 0; i < 4 / per_block; ++i)
      word |= Wide{block[j % per_block * (4 / per_block) + i]} << (32 * i);
    const Wide product = word * bound;
    if (product % modulus >= modulus % bound) return {static_cast<std::uint64_t>(product / modulus), attempt};
  }
}

/// Draws the bounds first_bound, first_bound + step, ... at once and one by one.
void check_draws(const RandomStream& stream, std::uint32_t first_bound, std::uint32_t step, std::uint64_t first_word,
                 std::size_t count) {
  CAPTURE(first_bound);
  CAPTURE(step);
  CAPTURE(first_word);
  CAPTURE(count);
  constexpr std::uint32_t kUntouched = 0xDEADBEEF;
  std::vector<std::uint32_t> drawn(count + 1, kUntouched);
  draw_below(stream, first_bound, step, first_word, std::span(drawn).first(count));
  std::vector<std::uint32_t> expected;
  WordReader words(stream);
  for (std::size_t i = 0; i < count; ++i)
    expected.push_back(words.below(first_bound + step * static_cast<std::uint32_t>(i), first_word + i));
  expected.push_back(kUntouched);
  REQUIRE(drawn == expected);
}

/// The shuffle with one draw after the other.
std::vector<int> shuffled_by_definition(std::size_t m, const RandomStream& stream) {
  std::vector<int> values(m);
  std::iota(values.begin(), values.end(), 0);
  WordReader words(stream);
  for (std::size_t j = 0; j + 1 < m; ++j)
    std::swap(values[m - 1 - j], values[words.below(static_cast<std::uint32_t>(m - j), j)]);
  return values;
}

std::vector<int> shuffled(std::size_t m, const RandomStream& stream) {
  std::vector<int> values(m);
  std::iota(values.begin(), values.end(), 0);
  shuffle_values(std::span(values), stream);
  return values;
}

}  // namespace

TEST_CASE("a bounded draw of 32 bits is the high part of a word that was not rejected") {
  const std::uint64_t seed = 5;
  CAPTURE(seed);
  const RandomStream stream(seed, 2, 9);
  for (const std::uint32_t bound :
       {1u, 2u, 3u, 7u, 1u << 16, (1u << 31) - 1, 1u << 31, (1u << 31) + 1, 3u << 30, ~0u}) {
    WordReader words(stream);
    CAPTURE(bound);
    int rejected = 0;
    for (std::uint64_t j = 0; j < trials(400); ++j) {
      CAPTURE(j);
      const Bounded expected = bounded_by_definition(stream, bound, j, 32);
      const std::uint32_t drawn = words.below(bound, j);
      CHECK(drawn < bound);
      CHECK(drawn == expected.value);
      rejected += expected.rejected;
    }
    // 2^32 mod (2^31 + 1) is 2^31 - 1: every second word is rejected. Powers of two never reject.
    if (bound == (1u << 31) + 1) CHECK(rejected > 0);
    if ((bound & (bound - 1)) == 0) CHECK(rejected == 0);
  }
}

TEST_CASE("a bounded draw of 64 bits is the high part of a word that was not rejected") {
  const std::uint64_t seed = 6;
  CAPTURE(seed);
  const RandomStream stream(seed, 2, 9);
  const WordReader words(stream);
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 32,
                                    (std::uint64_t{1} << 32) + 1, half, half + 1, ~std::uint64_t{0}}) {
    CAPTURE(bound);
    int rejected = 0;
    for (std::uint64_t j = 0; j < trials(400); ++j) {
      CAPTURE(j);
      const Bounded expected = bounded_by_definition(stream, bound, j, 64);
      const std::uint64_t drawn = words.below_wide(bound, j);
      CHECK(drawn < bound);
      CHECK(drawn == expected.value);
      rejected += expected.rejected;
    }
    if (bound == half + 1) CHECK(rejected > 0);
  }
}

TEST_CASE("words may be asked for in any order") {
  const RandomStream stream(3, 1, 0);
  WordReader forward(stream);
  WordReader backward(stream);
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (std::uint64_t j = 0; j < 40; ++j) a.push_back(forward.below(1000, j));
  for (std::uint64_t j = 40; j-- > 0;) b.push_back(backward.below(1000, j));
  std::reverse(b.begin(), b.end());
  CHECK(a == b);
}

TEST_CASE("a shuffle is a permutation and takes step j from word j") {
  for (const std::size_t m : {0u, 1u, 2u, 3u, 31u, 32u, 33u, 1000u}) {
    CAPTURE(m);
    const RandomStream stream(1, streams::kFirstStage, m);
    const std::vector<int> drawn = shuffled(m, stream);
    std::vector<int> sorted = drawn;
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> expected(m);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(sorted == expected);
    for (std::size_t j = 0; j + 1 < m; ++j)
      std::swap(expected[m - 1 - j], expected[bounded_by_definition(stream, m - j, j, 32).value]);
    CHECK(drawn == expected);
  }
}

TEST_CASE("draws made at once are those made one by one, on every vector extension") {
  const std::uint64_t seed = 0xFEDCBA9876543210;
  CAPTURE(seed);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (std::size_t count = 0; count <= 130; ++count) {
      const RandomStream stream(seed, 0x8123, 0xABCDEF012345 + count);
      const auto steps = static_cast<std::uint32_t>(count);
      check_draws(stream, steps + 1, ~0u, 0, count);           // a shuffle to its end
      check_draws(stream, 1000000 + steps, ~0u, 4096, count);  // in the middle of one
      check_draws(stream, 2, 4, 0, count);                     // a tree
      check_draws(stream, (1u << 31) + 1, 2, 8, count);        // every second word is rejected, some again and again
      check_draws(stream, ~0u, ~0u, 12, count);                // next to no word is rejected, all are doubtful
      check_draws(stream, 77, 3, (std::uint64_t{1} << 34) - 16, count);  // the index passes 2^32
    }
  }
}

TEST_CASE("a shuffle is the one with one draw after the other, at every size and on every vector extension") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (std::size_t m = 0; m <= 3000; m += m < 600 ? 1 : 37) {
      CAPTURE(m);
      const RandomStream stream(7, streams::kFirstStage, m);
      REQUIRE(shuffled(m, stream) == shuffled_by_definition(m, stream));
    }
    const RandomStream stream(7, streams::kFirstStage, 5);
    CHECK(shuffled(1234567, stream) == shuffled_by_definition(1234567, stream));
  }
}

TEST_CASE("the permutations of 8 with seed 1 are the ones of kBitsVersion 4") {
  // Computed by a Fisher-Yates in Python from design.md. Where they change, kBitsVersion has to.
  REQUIRE(kBitsVersion == 5);
  CHECK(shuffled(8, RandomStream(1, streams::kFirstStage, 0)) == std::vector{0, 1, 6, 4, 7, 2, 3, 5});
  CHECK(shuffled(8, RandomStream(1, streams::kFirstStage, 1)) == std::vector{6, 1, 7, 4, 0, 5, 3, 2});
}

TEST_CASE("permutations under neighbouring paths are uniform jointly") {
  // Pairs of permutations of 4: 576 cells that expect 20 counts or more. False alarm: once in 1e9 for each of the
  // parts.
  const std::uint64_t count = std::max<std::uint64_t>(576 * 20, trials(576 * 100));
  const auto number_of = [](const DrawPath& path) {
    const std::vector<int> values = shuffled(4, RandomStream(path.key(), streams::kFirstStage, 0));
    std::size_t number = 0;  // by the factorial digits: how many later ones are less
    for (std::size_t i = 0; i < 4; ++i)
      number = number * (4 - i) +
               static_cast<std::size_t>(std::count_if(values.begin() + static_cast<std::ptrdiff_t>(i), values.end(),
                                                      [&](int v) { return v < values[i]; }));
    return number;
  };
  std::array<std::vector<std::uint64_t>, 3> cells;
  cells.fill(std::vector<std::uint64_t>(576));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t seed = 1 + i / 30'000;  // sites are few
    const std::uint64_t first = 2 * (i % 30'000);
    ++cells[0][number_of({.seed = seed, .site = first}) * 24 + number_of({.seed = seed, .site = first + 1})];
    ++cells[1][number_of({.seed = seed, .step = first}) * 24 + number_of({.seed = seed, .step = first + 1})];
    ++cells[2][number_of({.seed = seed, .output = first}) * 24 + number_of({.seed = seed, .output = first + 1})];
  }
  for (const auto& of_part : cells) CHECK(chi_square_p(of_part) > 1e-9);
}
