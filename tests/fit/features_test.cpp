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

TEST_CASE("thread blocks that are delayed together correlate, and only up to how many are") {
  ArrivalOrder order;  // 800 in groups of 10 neighbours; every second group changes place with the one after the next
  for (std::uint32_t pair = 0; pair < 20; ++pair)
    for (const std::uint32_t group : {2U, 1U, 0U, 3U})
      for (std::uint32_t i = 0; i < 10; ++i) order.push_back(40 * pair + 10 * group + i);
  // Displacements +20 (ten), 0 (ten), -20 (ten), 0 (ten), again and again: lag 1 keeps 9 of 10 neighbours alike, lag 40
  // all of them, and at lag 20 the signs are opposite.
  CHECK(std::fabs(neighbour_correlation(order, 1) - 0.9) <= 0.01);  // 799 pairs are not whole periods
  CHECK(std::fabs(neighbour_correlation(order, 40) - 1) <= 0x1p-40);
  CHECK(std::fabs(neighbour_correlation(order, 20) + 1) <= 0.01);
  ArrivalOrder launch(800);
  std::iota(launch.begin(), launch.end(), 0u);
  CHECK(neighbour_correlation(launch, 1) == 0);
}

TEST_CASE("the same thread blocks delayed in two orders correlate") {
  const Rows recording = record("steady(jitter(20),1)", 400, 2);
  CHECK(std::fabs(between_correlation(recording.rows[0], recording.rows[1]) - 1) <= 0x1p-40);
  ArrivalOrder launch(400);
  std::iota(launch.begin(), launch.end(), 0u);
  CHECK(between_correlation(launch, recording.rows[0]) == 0);
  const Rows apart = record("jitter(20)", 400, 2);
  CHECK(RecordedFeatures(rows_of(apart), {}).mean()[9] == between_correlation(apart.rows[0], apart.rows[1]));
  CHECK(std::fabs(between_correlation(apart.rows[0], apart.rows[1])) < 0.25);  // 5 / sqrt(400)
}

TEST_CASE("the passes of a grid are read off orders that keep them apart") {
  const auto length = [](const std::string& arrival, std::size_t m) {
    const Rows recording = record(arrival, m, 10);
    return pass_length(rows_of(recording));
  };
  CHECK(length("passes(96,30,30)", 500) == 96);
  CHECK(length("passes(96,30,2)", 500) == 96);
  CHECK(length("passes(96,0,30)", 500) == 96);
  CHECK(length("passes(500,30,30)", 500) == 500);
  CHECK(length("jitter(30)", 500) == 500);
  CHECK(length("launch", 500) == 500);  // nothing tells passes from single thread blocks
}

TEST_CASE("units of a steady model have inputs of their own, and both orders of a unit the same one") {
  const std::vector<Features> units = simulate_units(parse_arrival("steady(jitter(9),1)"), 60, 1, 0, 3, {});
  for (const Features& unit : units) CHECK(unit[1] == 1);  // tau between the two
  CHECK(units[0][0] != units[1][0]);
  CHECK(units[1][0] != units[2][0]);
}

TEST_CASE("orders too short for a lag do not have its correlation") {
  CHECK(feature_count(16) == 11);
  CHECK(feature_count(31) == 11);
  CHECK(feature_count(32) == 12);
  CHECK(feature_count(320) == kFeatures);
  const Rows recording = record("jitter(9)", 60, 4);
  const Features mean = RecordedFeatures(rows_of(recording), {}).mean();
  CHECK(mean[10] != 0);
  for (std::size_t f = feature_count(60); f < kFeatures; ++f) CHECK(mean[f] == 0);
}

TEST_CASE("the standard deviation of tau is that of the rows, and simulated units estimate it without bias") {
  const Rows recording = record("jitter(9)", 60, 10);
  double sum = 0;
  double squares = 0;
  for (const ArrivalOrder& row : recording.rows) sum += kendall_tau(row);
  for (const ArrivalOrder& row : recording.rows) squares += std::pow(kendall_tau(row) - sum / 10, 2);
  CHECK(std::fabs(RecordedFeatures(rows_of(recording), {}).mean()[8] - std::sqrt(squares / 9)) <= 1e-12);
  // 2000 pairs: a variance of so many squares of normal differences is known to sqrt(2 / 2000); 5 of these, halved.
  const Features simulated = mean_of(simulate_units(parse_arrival("jitter(9)"), 60, 1, 0, 2000, {}));
  const Rows many = record("jitter(9)", 60, 400, 5);
  const Features recorded = RecordedFeatures(rows_of(many), {}).mean();
  CHECK(std::fabs(simulated[8] / recorded[8] - 1) <= 5 * std::sqrt(2.0 / 2000 + 2.0 / 400) / 2);
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
  CHECK(std::fabs(weighted[8] - std::fabs(kendall_tau(recording.rows[0]) - kendall_tau(recording.rows[1])) /
                                    std::sqrt(2.0)) <= roundings(8, 1));
  const double tau = (2 * kendall_tau(recording.rows[0]) + kendall_tau(recording.rows[1])) / 3;
  CHECK(std::fabs(weighted[0] - tau) <= roundings(3, 1));
}

TEST_CASE("simulated units are the same for any number of threads and any split") {
  const ArrivalCall call = parse_arrival("slots(12,0.3,0.5)");
  SampleOptions one;
  one.threads = 1;
  SampleOptions two;
  two.threads = 2;
  for (const std::size_t m : {100U, 2000U}) {  // threads share the work only where there is enough of it
    CAPTURE(m);
    const auto all = simulate_units(call, m, 5, 0, 40, one);
    CHECK(all.size() == 40);
    CHECK(simulate_units(call, m, 5, 0, 40, two) == all);
    const auto tail = simulate_units(call, m, 5, 30, 10, two);
    CHECK(std::equal(tail.begin(), tail.end(), all.begin() + 30));
    CHECK(simulate_units(call, m, 6, 0, 40, one) != all);
  }
}
