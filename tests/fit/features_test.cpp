#include "fit/features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;

namespace {

std::vector<const ArrivalOrder*> rows_of(const Rows& recording) {
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& row : recording.rows) rows.push_back(&row);
  return rows;
}

/// Two sums of the same numbers in other orders: at most as many roundings of values of magnitude `largest`.
double roundings(std::size_t additions, double largest) {
  return 4 * static_cast<double>(additions) * 0x1p-53 * static_cast<double>(additions) * largest;
}

}  // namespace

TEST_CASE("a displacement is the position of arrival minus the launch index") {
  // The last of 20 comes first, so 19 come one later than they were launched.
  ArrivalOrder order(20);
  std::iota(order.begin() + 1, order.end(), 0u);
  order[0] = 19;
  const auto quantiles = displacement_quantiles(order);
  CHECK(quantiles == std::array<double, 4>{-19, 1, 1, 1});
  ArrivalOrder reversed(100);
  std::iota(reversed.rbegin(), reversed.rend(), 0u);  // displacements -99, -97, ..., 99
  CHECK(displacement_quantiles(reversed) == std::array<double, 4>{-91, -51, 49, 89});
}

TEST_CASE("early and late displacements are those of the first and of the last quarter launched") {
  // Distances 2 0 2 of the first three, 1 1 2 of the last three.
  const ArrivalOrder order{2, 1, 0, 3, 4, 5, 6, 7, 8, 11, 9, 10};
  const Features features = RecordedFeatures({&order, &order}, {}).mean();
  CHECK(features[6] == 4 / 3.0);
  CHECK(features[7] == 4 / 3.0);
}

TEST_CASE("features of recorded rows are means over all rows and all pairs") {
  for (const std::size_t count : {2u, 3u, 10u, 49u}) {
    CAPTURE(count);
    const Rows recording = record("jitter(9)", 60, count);
    const Features mean = RecordedFeatures(rows_of(recording), {}).mean();
    double to_launch = 0;
    double between = 0;
    double quantile = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < count; ++i) {
      to_launch += kendall_tau(recording.rows[i]);
      quantile += displacement_quantiles(recording.rows[i])[3];
      for (std::size_t j = 0; j < i; ++j, ++pairs) between += kendall_tau(recording.rows[i], recording.rows[j]);
    }
    const auto of_rows = static_cast<double>(count);
    CHECK(std::fabs(mean[0] - to_launch / of_rows) <= roundings(count, 1));
    CHECK(std::fabs(mean[1] - between / static_cast<double>(pairs)) <= roundings(pairs, 1));
    CHECK(std::fabs(mean[5] - quantile / of_rows) <= roundings(count, 60));
  }
}

TEST_CASE("a weight of 2 counts a row as two rows do, and never as a pair with itself") {
  const Rows recording = record("jitter(9)", 60, 3);
  const RecordedFeatures features(rows_of(recording), {});
  const Features weighted = features.mean(std::vector<double>{2, 1, 0});
  CHECK(weighted[1] == kendall_tau(recording.rows[0], recording.rows[1]));
  const double tau = (2 * kendall_tau(recording.rows[0]) + kendall_tau(recording.rows[1])) / 3;
  CHECK(std::fabs(weighted[0] - tau) <= roundings(3, 1));
}

TEST_CASE("simulated units are the same for any number of threads and any split") {
  const ArrivalCall call = parse_arrival("slots(12,0.3,0.5)");
  SampleOptions one;
  one.threads = 1;
  SampleOptions two;
  two.threads = 2;
  const auto all = simulate_units(call, 100, 5, 0, 40, one);
  CHECK(all.size() == 40);
  CHECK(simulate_units(call, 100, 5, 0, 40, two) == all);
  const auto tail = simulate_units(call, 100, 5, 30, 10, two);
  CHECK(std::equal(tail.begin(), tail.end(), all.begin() + 30));
  CHECK(simulate_units(call, 100, 6, 0, 40, one) != all);
}
