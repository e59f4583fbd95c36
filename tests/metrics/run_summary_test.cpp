#include "orderlab/run_summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace orderlab;

TEST_CASE("a summary of runs: quantiles are the least values with so large a share at or below them") {
  std::vector<double> values(99);
  std::iota(values.rbegin(), values.rend(), 0.0);
  const RunSummary summary = summary_of_runs(values);
  CHECK(summary.min == 0);
  CHECK(summary.low == 4);  // 5 of 99 values are 5.1 %, 4 are 4.0 %
  CHECK(summary.median == 49);
  CHECK(summary.high == 94);  // 95 of 99 values are 96.0 %, 94 are 94.9 %
  CHECK(summary.max == 98);
  CHECK(summary.mean == 49);
  CHECK(summary.sd == std::sqrt(80850.0 / 98));  // twice the sum of the squares of 1 ... 49
  CHECK(summary.spread() == 2);
}

TEST_CASE("a summary of runs adds its mean in the order given") {
  CHECK(summary_of_runs({1, 0x1p53, 1}).mean == 0x1p53 / 3);
  CHECK(summary_of_runs({1, 1, 0x1p53}).mean == (0x1p53 + 2) / 3);
}

TEST_CASE("a summary of one run, of none, and of runs without a finite sd") {
  const RunSummary one = summary_of_runs({3});
  CHECK(one.mean == 3);
  CHECK(!one.sd.has_value());
  CHECK(one.low == 3);
  CHECK(one.high == 3);
  CHECK(one.spread() == 0);
  CHECK(summary_of_runs({}).max == 0);
  CHECK(!summary_of_runs({1, std::numeric_limits<double>::infinity()}).sd.has_value());
}
