// Features of the V100's recorded arrival orders, against those found by another program.
#include <doctest/doctest.h>

#include <cmath>
#include <string_view>

#include "arrival/recording.hpp"
#include "fit/row_roles.hpp"
#include "orderlab/arrival_features.hpp"

using namespace orderlab;

TEST_CASE("features of the V100's recording are those that NumPy finds") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  REQUIRE(outlier_rows(*recording).size() == 1);
  CHECK(outlier_rows(*recording)[0].row == 0);
  std::vector<const std::vector<std::uint32_t>*> rows;
  for (std::size_t i = 1; i < recording->rows.size(); ++i) rows.push_back(&recording->rows[i]);
  const ArrivalFeatures features = arrival_features(rows);
  struct Found {
    std::string_view name;
    double value;
    double half_digit;  // of the value as it is written here
  };
  const Found found[] = {
      {"tau_to_launch", .9191, 5e-5}, {"tau_between", .8876, 5e-5},   {"tau_sd", .0038, 5e-5},
      {"displacement_sd_1", 164, .5}, {"displacement_sd_3", 211, .5}, {"displacement_sd_5", 302, .5},
      {"displacement_sd_7", 354, .5}, {"displacement_sd_9", 353, .5}, {"displacement_sd_10", 307, .5},
      {"displacement_q5", -476, .5},  {"displacement_q95", 505, .5},  {"neighbours_1", .23, 5e-3},
      {"neighbours_8", .14, 5e-3},    {"neighbours_40", .09, 5e-3},   {"same_sm_1", .19, 5e-3},
      {"same_sm_2", .12, 5e-3},       {"first_wave_1", .63, 5e-3},    {"adjacent_sm", .100, 5e-4},
      {"persistent", .028, 5e-4},
  };
  for (const Found& one : found)
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
      if (kArrivalFeatures[f].name == one.name) {
        CAPTURE(one.name);
        CHECK(std::fabs(features[f].value() - one.value) <= one.half_digit);
      }
}
