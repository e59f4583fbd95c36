// The golden sums of 3e7 terms, where a thread block has two tiles: here because they take code that is optimised.
#include "order/cub_golden.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("CUB and Thrust give the golden sums of 3e7 terms") {
  CHECK(check_golden<float>(30'000'000, 30'000'000) == 3);
  CHECK(check_golden<double>(30'000'000, 30'000'000) == 2);
}
