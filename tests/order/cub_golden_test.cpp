// The golden sums of CUB, Thrust and the paper's kernels; those of the most terms are in tests/statistics.
#include "order/cub_golden.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("CUB, Thrust and the paper's kernels give the golden sums of up to 1e6 terms") {
  CHECK(check_golden<float>(1, 1'000'000) == 18);
  CHECK(check_golden<double>(1, 1'000'000) == 14);
}
