// Arrival models from recorded arrival orders, or from how many outputs of an operation differ, and the sums that they
// predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/fit.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

struct FitRequest {
  std::uint64_t folds = 5;                     ///< groups of successive runs, each held out once
  std::optional<std::uint64_t> sms = {};       ///< multiprocessors; empty: of FirstWave{}
  std::optional<std::uint64_t> resident = {};  ///< thread blocks that each of them runs at first; likewise
  bool predict = false;                        ///< also compare the sums that recorded and fitted orders give
  std::string distribution = "uniform(0,10)";  ///< distribution of their terms
  std::uint64_t inputs = 20;                   ///< summed
  std::uint64_t samples = 400;                 ///< drawn orders of each input
  std::uint64_t seed = 1;                      ///< seed of simulations, resampling, terms and orders
  int threads = 0;                             ///< 0: all; findings never depend on it
};

/// Interrupted before the first model was fitted: fit.models is empty.
struct FitFinding {
  std::string path;  ///< path of the recording
  std::string hash;  ///< hash of the recording
  std::uint64_t seed = 1;
  FirstWave wave;
  bool predict = false;
  PredictOptions predicted;  ///< how, where `predict`
  ArrivalFit fit;
  std::vector<Prediction> predictions;  ///< predictions of the first models of the fit

  bool partial() const {
    return fit.partial || (predict && (predictions.size() < fit.models.size() || predictions.back().partial));
  }
};

/// Fits every model to the rows, and predicts with each.
///
/// Errors: usage for an unknown distribution; input as fit_arrivals and predict_sums; unsupported for more memory than
/// is free.
FitFinding fit(const Rows& recording, const FitRequest& request = {}, const Watch& watch = {});

/// A row of the table: a square input n x n, its index of R n draws, and Vc against the deterministic form.
struct VcPoint {
  std::uint64_t n = 0;
  double ratio = 1;
  double vc = 0;             ///< mean over runs of one input
  std::optional<double> sd;  ///< over these runs
};

/// Reads CSV with columns n, R (or ratio), vc_mean (or vc) and, where there is one, vc_sd; others are ignored.
///
/// Errors: input, with file and line.
std::vector<VcPoint> read_vc_table(const std::string& path);

struct OperationFitRequest {
  std::string operation = "index_add";
  Device device;
  std::vector<VcPoint> table;
  std::uint64_t split = 500;   ///< fitted to n up to it and judged above, and the other way round
  std::uint64_t inputs = 4;    ///< drawn for each row of the table
  std::uint64_t samples = 16;  ///< drawn orders of each input
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// Predicted and measured Vc of all rows of one size.
struct VcBySize {
  std::uint64_t n = 0;
  double measured = 0;   ///< mean over the rows of that size
  double predicted = 0;  ///< the same
  double measured_sd = 0;
  double predicted_sd = 0;
};

/// One model, fitted to one half of the table.
struct FittedOperationArrival {
  std::string arrival;         ///< canonical, for the grid of the largest size
  double rms_fitted = 0;       ///< root mean square of ln(predicted / measured) over the rows of the fit
  double rms_held_out = 0;     ///< over the others
  double rms_sd_held_out = 0;  ///< the same of the sd over runs, of the rows held out that have one
  std::vector<VcBySize> sizes;
};

struct OperationFitFinding {
  std::string operation;
  Device device;
  std::uint64_t split = 0;
  std::uint64_t seed = 1;
  std::uint64_t rows = 0;  ///< rows of the table that were used: measured Vc above 0, and units arrive
  std::uint64_t unused = 0;
  std::uint64_t inputs = 0;
  std::uint64_t samples = 0;
  std::vector<FittedOperationArrival> small;  ///< fitted to n up to the split
  std::vector<FittedOperationArrival> large;  ///< fitted to n above
  bool partial = false;
};

/// Fits each model that a launch has parameters for. Error(usage) for a table without rows on one side of the split.
OperationFitFinding fit_operation(const OperationFitRequest& request, const Watch& watch = {});

}  // namespace orderlab::study
