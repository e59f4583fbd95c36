#include <algorithm>

#include "arrival/arguments.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("batches that share nothing are drift, bit for bit") {
  for (const std::size_t m : {1u, 2u, 257u, 1000u})
    CHECK(draw(model("batches"), batches(3, 40, 25, 0), m, 8, 4) == draw(model("drift"), drift(3, 40), m, 8, 4));
}

TEST_CASE("one batch that shares all of its delay arrives in launch order") {
  CHECK(draw(model("batches"), batches(40, 40, 1e300, 1), 1000) == launch_order(1000));
  CHECK(draw(model("batches"), batches(40, 40, 1, 1), 1000) != launch_order(1000));
}

TEST_CASE("neighbours are in one batch as often as the mean size says, and batches keep their order inside") {
  constexpr std::size_t m = 20000;
  constexpr double size = 10;
  const ArrivalOrder order = draw(model("batches"), batches(1e9, 1e9, size, 1), m);
  std::size_t together = 0;  // batches are far apart: the next to arrive is of the same batch or of another
  for (std::size_t k = 1; k < m; ++k) together += static_cast<std::size_t>(order[k] == order[k - 1] + 1);
  // Each neighbour with probability 0.9: a standard deviation of 42; and few batches come to lie next to each other.
  CHECK(static_cast<double>(together) > 0.9 * m - 5 * 42.5);
  CHECK(static_cast<double>(together) < 0.9 * m + 5 * 42.5);
}

TEST_CASE("what batches do not share carries over from unit to unit") {
  CHECK(draw(model("batches"), batches(40, 40, 10, 0, 1), 1000) == launch_order(1000));  // one delay for all
  CHECK(draw(model("batches"), batches(40, 40, 10, 0, 0.9), 1000) != draw(model("jitter"), jitter(40), 1000));
}
