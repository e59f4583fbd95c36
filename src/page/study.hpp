// What a page is about: points with what was measured, from a store or from one experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/provenance.hpp"
#include "experiment/store.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/format.hpp"
#include "report/experiment_report.hpp"

namespace orderlab {

/// One order on one input. Numbers are empty where there are none: no ulp, a sum of 0, an overflow.
struct StudyPoint {
  std::uint64_t position = 0;  ///< in the plan
  std::string order;           ///< as it was written
  std::string arrival;         ///< as it was written; empty where the order takes none
  std::string expression;      ///< canonical
  std::string terms;           ///< distribution, or the hash of given terms
  std::string baseline;        ///< canonical; empty: the order's own fixed form
  Formats formats;
  std::uint64_t n = 0;
  std::uint64_t input = 0;
  std::uint64_t input_seed = 0;
  std::uint64_t seed = 0;
  std::uint64_t samples = 0;
  std::uint64_t asked = 0;  ///< samples; a fixed order gives one whatever was asked for
  bool all_orders = false;  ///< asked for, and `samples` is how many there are
  std::uint64_t max_distinct = 0;
  bool random = false;
  std::optional<double> condition;
  std::optional<double> distinct;
  std::optional<double> error_sd;       ///< ulp
  std::optional<double> error_max_abs;  ///< ulp
  std::optional<double> error_rms;      ///< ulp, over the samples
  std::optional<double> error_range;    ///< ulp, from the least result to the greatest
  std::optional<double> relative_max_abs;
  std::optional<double> vs_offset;
  std::optional<double> vs_spread;
  std::optional<double> vs_max_abs;
  std::optional<double> running_bound;        ///< ulp
  std::optional<double> probabilistic_bound;  ///< ulp
  double unit_roundoff = 0;                   ///< of the accumulate format
  std::vector<Weighted> errors;               ///< of the finite results, ulp, ascending; at most kKeptErrors
  double bin_width = 0;                       ///< ulp; `errors` are middles of bins as wide; 0 where they are results
  std::uint64_t not_finite = 0;               ///< results
};

/// Neighbouring errors of a point are joined, in equal counts, until so many are left: what a page can show.
inline constexpr std::size_t kKeptErrors = 1024;

struct Study {
  std::string title;
  std::string question;
  std::uint64_t planned = 0;        ///< points
  std::string hash;                 ///< of all points in their order
  bool swept = false;               ///< by a config; else by one command line
  std::string how_to_repeat;        ///< command line
  std::vector<Provenance> made_by;  ///< distinct ones
  std::vector<StudyPoint> points;   ///< finished, in the order of the plan
};

/// The study that a store holds. Error(input) where it has no finished point, or where a row is damaged.
Study study_of(const Store& store);

/// The study of one experiment.
Study study_of(const ExperimentReport& report);

}  // namespace orderlab
