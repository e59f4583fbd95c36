// How often the intervals of seed and order hold the components that made the runs.
#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/run_summary.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

constexpr double kNominal = 0.95;
constexpr std::uint64_t kNestedExperiments = 2000;

struct NestedDesign {
  std::size_t seeds;
  std::vector<std::size_t> runs;  ///< runs of seed i: element i modulo the size
};

std::vector<std::vector<double>> draw_nested(const NestedDesign& design, double sd_seed, double sd_order,
                                             std::uint64_t experiment) {
  std::size_t total = design.seeds;
  for (std::size_t i = 0; i < design.seeds; ++i) total += design.runs[i % design.runs.size()];
  const Terms normal = generate_terms("normal(0,1)", total, Format::fp64, 5000 + experiment);
  std::size_t next = 0;
  std::vector<std::vector<double>> seeds(design.seeds);
  for (std::size_t i = 0; i < design.seeds; ++i) {
    const double seed = 0.9 + sd_seed * normal.view().left(next++);
    for (std::size_t j = 0; j < design.runs[i % design.runs.size()]; ++j)
      seeds[i].push_back(seed + sd_order * normal.view().left(next++));
  }
  return seeds;
}

struct NestedCoverage {
  std::uint64_t order = 0;
  std::uint64_t seed = 0;
  std::uint64_t run = 0;
  std::uint64_t mean = 0;
  std::uint64_t order_limit = 0;  ///< one-sided
  std::uint64_t seed_limit = 0;
};

bool holds(const SdEstimate& estimate, double sd) { return *estimate.low <= sd && sd <= *estimate.high; }

NestedCoverage coverage_of(const NestedDesign& design, double sd_seed, double sd_order) {
  NestedCoverage covered;
  const double sd_run = std::hypot(sd_seed, sd_order);
  const double pairs = 1.959963984540054 * std::sqrt(2.0);
  for (std::uint64_t e = 0; e < kNestedExperiments; ++e) {
    const VarianceComponents found = variance_components(draw_nested(design, sd_seed, sd_order, e), kNominal);
    covered.order += holds(*found.order, sd_order);
    covered.seed += holds(*found.seed, sd_seed);
    covered.run += holds(*found.run, sd_run);
    covered.mean += *found.mean_low <= 0.9 && 0.9 <= *found.mean_high;
    covered.order_limit += pairs * sd_order <= *found.order_difference;
    covered.seed_limit += pairs * sd_run <= *found.seed_difference;
  }
  return covered;
}

// All counts but one in 10^4 of an interval with this probability.
void check_coverage(const std::string& what, std::uint64_t count, double least, double most) {
  constexpr double kTail = 0.5e-4;
  using boost::math::binomial_distribution;
  const auto n = static_cast<double>(kNestedExperiments);
  const double low = quantile(binomial_distribution<double>(n, least), kTail);
  const double high = quantile(complement(binomial_distribution<double>(n, most), kTail));
  MESSAGE(what << ": " << 100.0 * static_cast<double>(count) / n << " %");
  CHECK(static_cast<double>(count) >= low);
  CHECK(static_cast<double>(count) <= high);
}

}  // namespace

TEST_CASE("intervals of the components hold them as often as they say, at any ratio") {
  for (const double sd_order : {0.1, 1.0, 3.0}) {
    CAPTURE(sd_order);
    MESSAGE("30 seeds x 5 orders, sd_order / sd_seed = " << sd_order);
    const NestedCoverage covered = coverage_of({30, {5}}, 1, sd_order);
    check_coverage("order", covered.order, kNominal, kNominal);  // exact
    check_coverage("mean", covered.mean, kNominal, kNominal);    // exact
    // [BurdickGraybill1992] found coverages of 94 to 97 % for nominal 95 %.
    check_coverage("seed", covered.seed, 0.94, 0.97);
    check_coverage("run", covered.run, 0.94, 0.97);
    check_coverage("limit of two runs of one seed", covered.order_limit, kNominal, kNominal);
    check_coverage("limit of two runs of two seeds", covered.seed_limit, 0.94, 0.97);
  }
}

TEST_CASE("few seeds and seeds with different numbers of runs keep the coverage") {
  for (const NestedDesign& design : {NestedDesign{5, {3}}, NestedDesign{12, {5, 5, 4, 2}}}) {
    for (const double sd_order : {0.1, 1.0, 3.0}) {
      CAPTURE(sd_order);
      MESSAGE(design.seeds << " seeds, " << design.runs.size() << " sizes, sd_order / sd_seed = " << sd_order);
      const NestedCoverage covered = coverage_of(design, 1, sd_order);
      check_coverage("order", covered.order, kNominal, kNominal);
      check_coverage("seed", covered.seed, 0.94, 0.97);
      check_coverage("run", covered.run, 0.94, 0.97);
      check_coverage("mean", covered.mean, 0.94, 0.97);
    }
  }
}

TEST_CASE("without an effect of the seed its interval holds 0") {
  std::uint64_t zero = 0;
  for (std::uint64_t e = 0; e < kNestedExperiments; ++e) {
    const VarianceComponents found = variance_components(draw_nested({30, {5}}, 0, 1, e), kNominal);
    zero += *found.seed->low <= 0;
  }
  check_coverage("0 in the interval of the seed", zero, 0.97, 0.98);  // only the lower limit can miss: 97.5 %
}

TEST_CASE("the limit of pairs that differ holds as often as it says, also where seeds differ in how often they do") {
  constexpr std::size_t kSeeds = 10, kRuns = 5;
  for (const double spread : {0.0, 1.0}) {
    std::uint64_t held = 0;
    for (std::uint64_t e = 0; e < kNestedExperiments; ++e) {
      const Terms uniform = generate_terms("uniform(0,1)", kSeeds * kRuns, Format::fp64, 9000 + e);
      std::vector<std::vector<double>> seeds(kSeeds);
      double mean = 0;  // probability that two runs of a seed differ
      for (std::size_t i = 0; i < kSeeds; ++i) {
        const double flip = 0.04 * (1 + (i % 2 == 0 ? spread : -spread));
        mean += 2 * flip * (1 - flip) / kSeeds;
        for (std::size_t j = 0; j < kRuns; ++j)
          seeds[i].push_back(uniform.view().left(i * kRuns + j) < flip ? 0.8 : 0.7);
      }
      held += mean <= *variance_components(seeds, kNominal).differing.high_share;
    }
    check_coverage("limit of differing pairs", held, kNominal, 1);
  }
}
