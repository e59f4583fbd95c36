#include "vectors/philox_vectors.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("blocks made by vectors are those of the stream") {
  const RandomStream stream(0xFEDCBA9876543210, 0x8421, (std::uint64_t{1} << 47) + 12345);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    for (const std::size_t n : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 31u, 256u})
      for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 32) - 5, RandomStream::kIndexLimit - n})
        for (const std::uint16_t attempt : std::initializer_list<std::uint16_t>{0, 1, 0xFFFF}) {
          CAPTURE(hwy::TargetName(target));
          CAPTURE(n);
          CAPTURE(first);
          std::vector<std::uint64_t> low(n, 0xDEADBEEF), high(n, 0xDEADBEEF);
          philox_blocks(stream, first, attempt, low, high);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k < n; ++k) {
            const RandomStream::Block block = stream.block(first + k, attempt);
            wrong += low[k] != (block[0] | (std::uint64_t{block[1]} << 32));
            wrong += high[k] != (block[2] | (std::uint64_t{block[3]} << 32));
          }
          CHECK(wrong == 0);
        }
  }
}
