// Is a fitted model near enough to recorded runs?
#pragma once

#include <span>

#include "fit/family_search.hpp"
#include "fit/recorded_rows.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

/// Sets misfits and matches of `found.model`.
///
/// A feature's interval lies around the recorded value; the fitted values of a model that is right all lie in theirs
/// with probability 0.95. Its half width is the larger one of two: what resampled recordings leave open, and what
/// recordings of the model itself do. Each is the 95 % quantile of the largest residual, in units of its standard
/// error, the former made Student's; the noise of the simulation widens both.
void judge(FoundModel& found, const RecordedRows& rows);

/// Sets which candidates (the accepted models, or all if none is) are as near as the nearest: their mean square misfit
/// to runs held out is larger by no more than its differences over the folds leave open, one-sided 97.5 %.
void mark_as_near(std::span<FittedModel> models);

}  // namespace orderlab
