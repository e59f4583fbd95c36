#include "fit/row_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arrival/recording.hpp"
#include "core/pass.hpp"
#include "orderlab/arrival_features.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLeastRows = 8;  // fewer have no spread to speak of
constexpr double kOutlierZ = 5;        // one in 1.7 million normal taus is beyond

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// How far each value is from the middle, in standard deviations that outliers do not widen; 0 where most are equal.
std::vector<double> robust_z(const std::vector<double>& values) {
  constexpr double kNormal = 1.4826;  // standard deviation over median absolute deviation, of normal numbers
  const double middle = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::fabs(value - middle));
  const double deviation = kNormal * median(std::move(distances));
  std::vector<double> z;
  for (const double value : values) z.push_back(deviation > 0 ? (value - middle) / deviation : 0);
  return z;
}

}  // namespace

void check_recording(const Rows& recording) {
  if (recording.rows.empty()) throw Error(ErrorKind::input, recording.path + ": no recorded arrival order in it");
  const std::size_t length = recording.rows.front().size();
  for (std::size_t i = 0; i < recording.rows.size(); ++i) {
    const std::string where = place_of_row(recording, i);
    if (recording.rows[i].size() != length)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: {} numbers in a row, {} in the first: every row must be an arrival order of the same "
                      "partial sums",
                      where, recording.rows[i].size(), length));
    check_permutation_row(where, recording.rows[i]);
  }
  if (length < kLeastFeatureBlocks)
    throw Error(ErrorKind::input, fmt::format("{}: {} numbers in a row; a fit takes arrival orders of {} or more",
                                              place_of_row(recording, 0), length, kLeastFeatureBlocks));
}

std::vector<OutlierRow> outlier_rows(const Rows& recording) {
  std::vector<double> taus;
  each_in_pass(recording.rows.size(), [&](std::size_t i) {
    stop_point();
    taus.push_back(kendall_tau(recording.rows[i]));
  });
  const std::vector<double> z = robust_z(taus);
  std::vector<OutlierRow> outliers;
  for (std::size_t i = 0; i < taus.size(); ++i)
    if (std::fabs(z[i]) > kOutlierZ) outliers.push_back({i, taus[i], z[i]});
  return outliers;
}

std::vector<std::size_t> rows_without(const std::vector<OutlierRow>& outliers, const Rows& recording) {
  std::vector<std::size_t> others;
  auto outlier = outliers.begin();  // in the order of the rows
  for (std::size_t i = 0; i < recording.rows.size(); ++i) {
    if (outlier != outliers.end() && outlier->row == i)
      ++outlier;
    else
      others.push_back(i);
  }
  return others;
}

void choose_rows(const Rows& recording, ArrivalFit& fit) {
  fit.outliers = outlier_rows(recording);
  fit.rows = rows_without(fit.outliers, recording);
  if (fit.rows.size() < kLeastRows)
    throw Error(ErrorKind::input, fmt::format("{}: {} rows, {} of them outliers; a fit takes {} others or more",
                                              recording.path, recording.rows.size(), fit.outliers.size(), kLeastRows));
}

}  // namespace orderlab
