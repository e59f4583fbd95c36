// Which recorded rows take part in a fit, and which are outliers.
#pragma once

#include <cstddef>
#include <vector>

#include "orderlab/fit.hpp"

namespace orderlab {

/// Error(input) unless the rows are permutations of one length, long enough for a fit.
void check_recording(const Rows& recording);

/// The rows of a recording whose tau to launch is over 5 robust standard deviations off; none where over half of the
/// taus are equal.
std::vector<OutlierRow> outlier_rows(const Rows& recording);

/// The numbers of all other rows.
std::vector<std::size_t> rows_without(const std::vector<OutlierRow>& outliers, const Rows& recording);

/// Sets the outliers of `fit` and its rows, which are all others.
///
/// Error(input) where too few rows are no outliers.
void choose_rows(const Rows& recording, ArrivalFit& fit);

}  // namespace orderlab
