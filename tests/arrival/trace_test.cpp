#include <cstdlib>

#include "arrival/arguments.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::test;

TEST_CASE("trace draws each row equally often, as it is") {
  const std::vector<test::ArrivalOrder> rows{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  std::vector<int> counts(rows.size());
  constexpr int draws = 3000;
  for (std::uint64_t sample = 0; sample < draws; ++sample) {
    const test::ArrivalOrder order = draw(model("trace"), trace(rows), 3, 2, sample);
    std::size_t i = 0;
    while (i < rows.size() && rows[i] != order) ++i;
    REQUIRE(i < rows.size());
    ++counts[i];
  }
  // Binomial with sd sqrt(3000 * 2 / 9) = 25.8; 6 of them: P < 1e-8.
  for (const int count : counts) CHECK(std::abs(count - draws / 3) < 6 * 26);
}

TEST_CASE("trace names both lengths when a row has another one") {
  CHECK_THROWS_WITH_AS(model("trace").check(trace({{0, 1, 2}, {1, 0}}), 3),
                       "orders.csv: row 2: the arrival order of 2 partial sums, but 3 arrive here", Error);
}

TEST_CASE("trace refuses a row that is no permutation") {
  CHECK_THROWS_WITH_AS(model("trace").check(trace({{0, 1, 2}, {1, 0, 1}}), 3),
                       "orders.csv: row 2: 1 occurs twice; a row must have each of 0 to 2 once", Error);
  CHECK_THROWS_WITH_AS(model("trace").check(trace({{1, 2, 3}}), 3),
                       "orders.csv: row 1: 3 is out of range; a row of 3 numbers must have each of 0 to 2 once", Error);
  CHECK_THROWS_WITH_AS(model("trace").check(trace({}), 3), "orders.csv: no recorded arrival order in it", Error);
}
