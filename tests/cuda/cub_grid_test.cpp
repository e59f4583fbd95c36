// The grid of cub::DeviceReduce from the temporary storage that it asks for.
#include "cuda/cub_grid.hpp"

#include <doctest/doctest.h>

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

// AliasTemporaries of CUB 3.0.1, the other way round.
std::uint64_t storage_for(std::uint64_t blocks, std::size_t sum_bytes) {
  return (blocks * sum_bytes + 255) / 256 * 256 + 255;
}

}  // namespace

TEST_CASE("the storage of an H200 tells 5280 thread blocks in every format") {
  constexpr unsigned kMultiprocessors = 132;
  CHECK(cub_grid(21503, sizeof(float), kMultiprocessors) == 5280U);
  CHECK(cub_grid(42495, sizeof(double), kMultiprocessors) == 5280U);
  CHECK(cub_grid(11007, sizeof(std::uint16_t), kMultiprocessors) == 5280U);
}

TEST_CASE("a single tile asks for one byte and takes one thread block") { CHECK(cub_grid(1, 4, 132) == 1U); }

TEST_CASE("the grid is found on every GPU of more than 25 multiprocessors") {
  for (unsigned multiprocessors = 26; multiprocessors <= 200; ++multiprocessors)
    for (unsigned resident = 1; resident <= 8; ++resident)
      for (const std::size_t bytes : {2U, 4U, 8U}) {
        CAPTURE(multiprocessors);
        CAPTURE(resident);
        CAPTURE(bytes);
        const unsigned blocks = 5 * multiprocessors * resident;
        CHECK(cub_grid(storage_for(blocks, bytes), bytes, multiprocessors) == blocks);
      }
}

TEST_CASE("storage that no grid or two explain tells nothing") {
  CHECK(!cub_grid(0, 4, 132));
  CHECK(!cub_grid(255, 4, 132));
  CHECK(!cub_grid(21502, 4, 132));                 // not rounded
  CHECK(!cub_grid(storage_for(4000, 4), 4, 132));  // no multiple of 5 * 132
  CHECK(!cub_grid(storage_for(100, 2), 2, 10));    // 100 and 50 thread blocks of fp16 round to the same storage
  CHECK(cub_grid(storage_for(50, 8), 8, 10) == 50U);
}
