// Components of variance against published analyses, numbers of another program, and small cases by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "orderlab/error.hpp"
#include "orderlab/run_summary.hpp"

using namespace orderlab;

namespace {

using Seeds = std::vector<std::vector<double>>;

// Yield of dyestuff, 5 samples of each of 6 batches: O. L. Davies and P. L. Goldsmith, Statistical Methods in Research
// and Production, 4th ed. (1972), table 6.1. Published: mean squares 11271.5 and 2451.25, sd 42.00 and 49.51.
const Seeds kDyestuff{{1545, 1440, 1440, 1520, 1580}, {1540, 1555, 1490, 1560, 1495}, {1595, 1550, 1605, 1510, 1560},
                      {1445, 1440, 1595, 1465, 1545}, {1595, 1630, 1515, 1635, 1625}, {1520, 1455, 1450, 1480, 1445}};

/// Relative error of quantiles and of a few dozen roundings behind them.
bool close(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

}  // namespace

TEST_CASE("a published analysis of variance comes out, with the intervals of another program") {
  const VarianceComponents found = variance_components(kDyestuff);
  CHECK(found.seeds == 6);
  CHECK(found.runs == 30);
  CHECK(found.seed_degrees == 5);
  CHECK(found.order_degrees == 24);
  CHECK(close(found.mean, 1527.5));
  REQUIRE(found.order);
  REQUIRE(found.seed);
  REQUIRE(found.run);
  CHECK(close(found.order->sd, std::sqrt(2451.25)));
  CHECK(close(found.seed->sd, std::sqrt((11271.5 - 2451.25) / 5)));
  CHECK(close(found.run->sd, std::sqrt((11271.5 + 4 * 2451.25) / 5)));
  // By the same formulas written again in Python, with quantiles of its own.
  CHECK(close(*found.order->low, 38.6588906766));
  CHECK(close(*found.order->high, 68.8760829002));
  CHECK(close(*found.seed->low, 17.5048332425));
  CHECK(close(*found.seed->high, 114.218993214));
  CHECK(close(*found.run->low, 51.3887213164));
  CHECK(close(*found.run->high, 125.176400681));
  CHECK(close(*found.mean_low, 1477.67335281));
  CHECK(close(*found.mean_high, 1577.32664719));
  CHECK(close(*found.order_difference, 180.660131063));
  CHECK(close(*found.seed_difference, 302.825743618));
}

TEST_CASE("seeds with different numbers of runs") {
  // Means 2, 5, 9; squares within 2 + 0 + 2; harmonic mean of 3, 1, 2 is 18 / 11.
  const VarianceComponents found = variance_components(Seeds{{1, 2, 3}, {5}, {8, 10}});
  CHECK(found.order_degrees == 3);
  CHECK(close(found.mean, 16.0 / 3));
  CHECK(close(found.order->sd, std::sqrt(4.0 / 3)));
  const double h = 18.0 / 11;
  const double between = (100.0 + 1 + 121) / 9 / 2;  // variance of the means about 16/3
  CHECK(close(found.seed->sd, std::sqrt(between - 4.0 / 3 / h)));
  CHECK(close(found.run->sd, std::sqrt(found.seed->sd * found.seed->sd + 4.0 / 3)));
  CHECK(found.differing.pairs == 2);
  CHECK(found.differing.differing == 2);
  CHECK(found.differing.high_share == 1.0);
}

TEST_CASE("a negative seed component is 0") {
  const VarianceComponents found = variance_components(Seeds{{-1, 1}, {-2, 2}, {3, -3}});
  CHECK(found.seed->sd == 0);
  CHECK(found.seed->low == 0.0);
  CHECK(*found.seed->high >= 0);
  CHECK(found.order->sd > 0);
  CHECK(close(found.run->sd, std::sqrt(28.0 / 3 / 2)));  // (S1 + S2) / 2, S1 = 0
}

TEST_CASE("where all runs of every seed agree, order moves nothing, and how sure that is depends on their number") {
  const Seeds seeds{{0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}};
  const VarianceComponents found = variance_components(seeds);
  CHECK(found.order->sd == 0);
  CHECK(found.order->high == 0.0);
  CHECK(found.order_difference == 0.0);
  CHECK(found.differing.pairs == 3);  // a third run has no partner
  CHECK(found.differing.differing == 0);
  CHECK(close(*found.differing.high_share, 1 - std::pow(0.05, 1.0 / 3)));  // (1 - p)^3 = 0.05
  CHECK(close(found.seed->sd, std::sqrt(0.28 / 3)));
  const VarianceComponents one = variance_components(Seeds{{0.1, 0.1, 0.1, 0.1}, {0.3, 0.3, 0.4, 0.3}});
  CHECK(one.differing.pairs == 4);
  CHECK(one.differing.differing == 1);
  // P(at most 1 of 4) = (1-p)^4 + 4 p (1-p)^3 is 5 % there.
  const double p = *one.differing.high_share;
  CHECK(close(std::pow(1 - p, 4) + 4 * p * std::pow(1 - p, 3), 0.05));
}

TEST_CASE("what the runs do not say is empty") {
  const VarianceComponents single = variance_components(Seeds{{0.5}});
  CHECK(single.mean == 0.5);
  CHECK(!single.mean_low);
  CHECK(!single.sd);
  CHECK(!single.seed);
  CHECK(!single.order);
  CHECK(!single.differing.high_share);

  const VarianceComponents one_seed = variance_components(Seeds{{1, 2, 4}});
  CHECK(one_seed.order);
  CHECK(one_seed.order_difference);
  CHECK(!one_seed.seed);
  CHECK(!one_seed.run);
  CHECK(!one_seed.seed_difference);
  CHECK(!one_seed.mean_low);

  const VarianceComponents one_run = variance_components(Seeds{{1}, {2}, {4}});
  CHECK(one_run.order_degrees == 0);
  CHECK(!one_run.order);
  CHECK(!one_run.seed);
  CHECK(close(*one_run.sd, std::sqrt(7.0 / 3)));
  CHECK(one_run.mean_low);
  CHECK(one_run.differing.pairs == 0);

  const VarianceComponents equal = variance_components(Seeds{{0.1, 0.1}, {0.1, 0.1}});
  CHECK(bits(equal.mean) == bits(0.1));
  CHECK(equal.sd == 0.0);
  CHECK(equal.seed->high == 0.0);
}

TEST_CASE("a wider confidence has wider intervals") {
  const VarianceComponents narrow = variance_components(kDyestuff, 0.8);
  const VarianceComponents wide = variance_components(kDyestuff, 0.999);
  CHECK(*wide.order->low < *narrow.order->low);
  CHECK(*wide.order->high > *narrow.order->high);
  CHECK(*wide.seed->high > *narrow.seed->high);
  CHECK(wide.seed->low == 0.0);
  CHECK(*narrow.seed->low > 0);
  CHECK(*wide.mean_low < *narrow.mean_low);
  CHECK(*wide.order_difference > *narrow.order_difference);
}

TEST_CASE("components of variance refuse what they cannot judge") {
  const auto refused = [](const Seeds& seeds, double confidence, const std::string& part) {
    try {
      variance_components(seeds, confidence);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK(std::string(error.what()).find(part) != std::string::npos);
    }
  };
  refused({}, 0.95, "no seeds");
  refused({{1}, {}}, 0.95, "seed 1: has no runs");
  refused({{1}, {2, kNan}}, 0.95, "seed 1: has a run with nan");
  refused({{1, kInfinity}}, 0.95, "inf");
  refused({{1, 2}}, 1, "confidence 1: ");
  refused({{1, 2}}, kNan, "confidence nan: ");
}
