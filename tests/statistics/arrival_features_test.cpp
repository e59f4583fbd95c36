// Standard errors of features on recordings of known models: how often intervals hold the feature of the model.
#include "orderlab/arrival_features.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "fit/recordings.hpp"

using namespace orderlab;

namespace {

constexpr std::size_t kFeatureBlocks = 400;
constexpr std::size_t kFeatureRuns = 49;   // as many as the V100's
constexpr std::size_t kFeatureSets = 100;  // recordings
constexpr std::size_t kTrueRuns = 3000;    // an error of an eighth of that of 49 runs
constexpr std::uint64_t kTrueSeed = 999;
const FeatureOptions kFeatureGpu{.wave = {.sms = 16, .resident = 5}};

std::vector<const std::vector<std::uint32_t>*> feature_rows_of(const Rows& recording) {
  std::vector<const std::vector<std::uint32_t>*> rows;
  for (const auto& row : recording.rows) rows.push_back(&row);
  return rows;
}

/// How many of the 95 % intervals of each feature hold the truth, and of how many recordings the misfit of the truth is
/// at most the 95 % quantile of resampled ones.
void check_errors(const std::string& arrival) {
  const Rows many = test::record(arrival, kFeatureBlocks, kTrueRuns, kTrueSeed);
  const ArrivalFeatures truth = arrival_features(feature_rows_of(many), kFeatureGpu);
  const double n = static_cast<double>(kFeatureRuns);
  const double half_width = boost::math::quantile(boost::math::complement(boost::math::students_t(n - 1), 0.025));
  std::array<std::uint64_t, kArrivalFeatureCount> held{};
  std::array<std::uint64_t, kArrivalFeatureCount> given{};
  std::uint64_t within = 0;
  for (std::uint64_t s = 0; s < kFeatureSets; ++s) {
    const Rows recording = test::record(arrival, kFeatureBlocks, kFeatureRuns, s + 1);
    const RecordedArrivals recorded = recorded_arrivals(feature_rows_of(recording), s + 1, kFeatureGpu);
    const ArrivalFeatures differences = standardised(truth, recorded);
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
      if (!differences[f]) continue;
      ++given[f];
      if (std::fabs(*differences[f]) <= half_width) ++held[f];
    }
    if (*misfit(differences) <= recorded.floor[recorded.floor.size() * 95 / 100]) ++within;
  }
  std::uint64_t all_held = 0;
  std::uint64_t all_given = 0;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) {
    all_held += held[f];
    all_given += given[f];
    CAPTURE(arrival);
    CAPTURE(std::string(kArrivalFeatures[f].name));
    // A bootstrap of 13 blocks reaches 0.9; fewer than one in 10,000 binomial counts stay below.
    CHECK(static_cast<double>(held[f]) >=
          boost::math::quantile(boost::math::binomial(static_cast<double>(given[f]), 0.9), 1e-4));
  }
  MESSAGE(arrival, ": ", all_held, " of ", all_given,
          " intervals hold the truth; the misfit of the truth is within the ", "floor of ", within, " of ",
          kFeatureSets, " recordings");
  CHECK(static_cast<double>(all_held) >= 0.9 * static_cast<double>(all_given));
  CHECK(static_cast<double>(within) >=
        boost::math::quantile(boost::math::binomial(static_cast<double>(kFeatureSets), 0.9), 1e-4));
}

}  // namespace

TEST_CASE("errors of features of drift") { check_errors("drift(9,30)"); }
TEST_CASE("errors of features of batches") { check_errors("batches(9,30,16,0.5,0.3)"); }
TEST_CASE("errors of features of slots") { check_errors("slots(40,0.3,0.3)"); }
