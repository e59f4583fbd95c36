#include "orderlab/run_summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace orderlab;

TEST_CASE("a summary of runs: quantiles are the least values with so large a share at or below them") {
  std::vector<double> values(21);
  std::iota(values.rbegin(), values.rend(), 0.0);
  const RunSummary summary = summary_of_runs(values);
  CHECK(summary.min == 0);
  CHECK(summary.low == 1);  // 2 of 21 values are 9.5 %, 1 of 21 is 4.8 %
  CHECK(summary.median == 10);
  CHECK(summary.high == 19);
  CHECK(summary.max == 20);
  CHECK(summary.mean == 10);
  CHECK(summary.sd == std::sqrt(770.0 / 20));  // twice the sum of the squares of 1 ... 10
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
