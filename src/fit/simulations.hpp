// Simulated recordings: how many, with which random numbers, and how far the fit is with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "fit/features.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

/// How far a fit of several models is, each of which may be fitted on a thread of its own.
class FitProgress {
 public:
  /// Model i takes at most `runs[i]` simulated runs.
  FitProgress(const FitOptions& options, std::vector<std::uint64_t> runs);

  void add(std::size_t model, std::uint64_t runs);

  /// Model i is done, however many runs were planned.
  void finish(std::size_t model);

 private:
  const FitOptions& options_;
  std::mutex mutex_;
  std::vector<std::uint64_t> planned_;
  std::vector<std::uint64_t> done_;
};

/// The simulated recordings of one model's fit to recorded runs.
class Simulations {
 public:
  /// Runs of a fit that calls to_fit and fresh at most `evaluations` times together, and to_judge once.
  static std::uint64_t planned(std::uint64_t evaluations, std::size_t m, std::uint64_t runs);

  /// Simulates orders of m thread blocks, as many as `runs` recorded ones, on `threads` threads.
  Simulations(const FitOptions& options, std::size_t m, std::uint64_t runs, int threads, FitProgress& progress,
              std::size_t model);

  /// Features of a recording to fit by, of `runs` or more, with the same random numbers in every call. Empty when
  /// stopped.
  std::optional<Features> to_fit(const ArrivalCall& call);

  /// Features of a recording of `runs`, with other random numbers in every call. Empty when stopped.
  std::optional<Features> fresh(const ArrivalCall& call);

  /// Recordings of `runs` that a model is judged by.
  static constexpr std::uint64_t kJudging = 8;

  /// The mean of their features, with random numbers that no fit has. Empty when stopped.
  std::optional<Features> to_judge(const ArrivalCall& call);

 private:
  std::optional<Features> recording(const ArrivalCall& call, std::uint64_t first, std::uint64_t count);

  std::uint64_t seed_;
  FirstWave wave_;
  std::size_t m_;
  std::uint64_t runs_;
  SampleOptions how_;
  FitProgress& progress_;
  std::size_t model_;
  std::uint64_t fresh_ = 0;  ///< runs drawn by fresh()
};

}  // namespace orderlab
