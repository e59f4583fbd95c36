#include "core/shard.hpp"

#include <doctest/doctest.h>

using namespace orderlab;

TEST_CASE("ranges of shards hold every item once, and differ by one at most") {
  for (const std::uint64_t total : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1000}, std::uint64_t{1} << 48})
    for (const std::uint64_t count : {1U, 2U, 3U, 7U, 1000U}) {
      std::uint64_t next = 0;
      for (std::uint64_t number = 1; number <= count; ++number) {
        const auto [begin, end] = range_of({number, count}, total);
        CHECK(begin == next);
        CHECK(end - begin >= total / count);
        CHECK(end - begin <= total / count + 1);
        next = end;
      }
      CHECK(next == total);
    }
}
