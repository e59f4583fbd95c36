#include "orderlab/philox.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace orderlab;

namespace {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

/// The block by the documented layout: one number of 128 bits, cut into words.
RandomStream::Block block_by_layout(std::uint64_t seed, std::uint16_t stream, std::uint64_t sample, std::uint64_t index,
                                    std::uint16_t attempt) {
  __extension__ using Wide = unsigned __int128;
  const Wide counter = Wide{index} | (Wide{sample} << 48) | (Wide{stream} << 96) | (Wide{attempt} << 112);
  Counter words{};
  for (std::size_t i = 0; i < 4; ++i) words[i] = static_cast<std::uint32_t>(counter >> (32 * i));
  return philox(words, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

}  // namespace

TEST_CASE("philox gives the known answers of Random123") {
  // kat_vectors of Random123, lines "philox4x32 10": counter, key, answer.
  constexpr std::uint32_t ones = 0xFFFFFFFF;
  CHECK(philox(Counter{0, 0, 0, 0}, Key{0, 0}) == Counter{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
  CHECK(philox(Counter{ones, ones, ones, ones}, Key{ones, ones}) ==
        Counter{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
  CHECK(philox(Counter{0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, Key{0xA4093822, 0x299F31D0}) ==
        Counter{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
}

TEST_CASE("a counter holds index, sample, stream and attempt from the lowest bit up, the key is the seed") {
  constexpr std::uint64_t largest = (std::uint64_t{1} << 48) - 1;
  CHECK(RandomStream::kIndexLimit == largest + 1);
  CHECK(RandomStream::kSampleLimit == largest + 1);
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    for (const std::uint64_t sample : {std::uint64_t{0}, std::uint64_t{0xFFFF}, std::uint64_t{0x10000}, largest})
      for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, largest})
        for (const std::uint16_t attempt : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{0xFFFF}}) {
          CAPTURE(seed);
          CAPTURE(sample);
          CAPTURE(index);
          CAPTURE(attempt);
          const RandomStream stream(seed, 0xFEDC, sample);
          CHECK(stream.block(index, attempt) == block_by_layout(seed, 0xFEDC, sample, index, attempt));
        }
}

TEST_CASE("no two of seed, stream, sample, index and attempt share bits of the counter") {
  const std::uint64_t seed = 0x0123456789ABCDEF;
  const std::uint64_t sample = 0xBA9876543210;
  const std::uint64_t index = 0x112233445566;
  const auto block = RandomStream(seed, 0xFEDC, sample).block(index, 0x7788);
  CHECK(RandomStream(seed ^ 1, 0xFEDC, sample).block(index, 0x7788) != block);
  CHECK(RandomStream(seed, 0xFEDD, sample).block(index, 0x7788) != block);
  CHECK(RandomStream(seed, 0xFEDC, sample ^ 1).block(index, 0x7788) != block);
  CHECK(RandomStream(seed, 0xFEDC, sample).block(index ^ 1, 0x7788) != block);
  CHECK(RandomStream(seed, 0xFEDC, sample).block(index, 0x7789) != block);
}

TEST_CASE("the drawn bits are the ones of kBitsVersion 4") {
  // Computed by a Philox written in Python from the paper. Where they change, kBitsVersion has to.
  REQUIRE(kBitsVersion == 5);
  CHECK(streams::kTerms == 0);
  CHECK(streams::kTermOrder == 1);
  CHECK(streams::kFirstStage == 16);
  CHECK(RandomStream(1, streams::kFirstStage, 0).block(0) == Counter{0xAB5E9DDB, 0x85174586, 0x5FA82473, 0x8A397C84});
  CHECK(RandomStream(0x0123456789ABCDEF, 0xFEDC, 0xBA9876543210).block(0x112233445566, 0x7788) ==
        Counter{0x1DD29177, 0xD035F064, 0xE32A2A73, 0x418197BF});
}

TEST_CASE("an index generator gives the two halves of attempt 0, then those of attempt 1, and so on") {
  const RandomStream stream(7, 3, 5);
  IndexGenerator generator(stream, 11);
  CHECK(IndexGenerator::min() == 0);
  CHECK(IndexGenerator::max() == std::numeric_limits<std::uint64_t>::max());
  for (std::uint16_t attempt = 0; attempt < 4; ++attempt) {
    const auto block = stream.block(11, attempt);
    CHECK(generator() == (block[0] | (std::uint64_t{block[1]} << 32)));
    CHECK(generator() == (block[2] | (std::uint64_t{block[3]} << 32)));
  }
}
