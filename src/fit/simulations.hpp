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
  /// Model i takes at most `units[i]` simulated units.
  FitProgress(const FitOptions& options, std::vector<std::uint64_t> units);

  void add(std::size_t model, std::uint64_t units);

  /// Model i is done, however many units were planned.
  void finish(std::size_t model);

 private:
  const FitOptions& options_;
  std::mutex mutex_;
  std::vector<std::uint64_t> planned_;
  std::vector<std::uint64_t> done_;
};

/// The simulated recordings of one model's fit.
class Simulations {
 public:
  /// Units of a fit that calls to_fit and fresh at most `evaluations` times together, and to_judge once.
  static std::uint64_t planned(std::uint64_t evaluations, std::size_t m);

  /// Simulates arrival orders of m on `threads` threads.
  Simulations(const FitOptions& options, std::size_t m, int threads, FitProgress& progress, std::size_t model);

  /// Features of units to fit by, with the same random numbers in every call. Empty when stopped.
  std::vector<Features> to_fit(const ArrivalCall& call);

  /// Their mean, with other random numbers in every call. Empty when stopped.
  std::optional<Features> fresh(const ArrivalCall& call);

  /// Features of units to judge by, more and with other random numbers. Empty when stopped.
  std::vector<Features> to_judge(const ArrivalCall& call);

  std::size_t length() const { return m_; }

 private:
  std::vector<Features> units(const ArrivalCall& call, std::uint64_t first, std::uint64_t count);

  std::uint64_t seed_;
  std::size_t m_;
  SampleOptions how_;
  FitProgress& progress_;
  std::size_t model_;
  std::uint64_t fresh_ = 0;  ///< units drawn by fresh()
};

}  // namespace orderlab
