// Simulated recordings: how many, with which random numbers, and how far the fit is with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fit/features.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

class Simulations {
 public:
  /// Of orders of m. Progress is of at most evaluations[i] calls of to_fit and fresh and one of to_judge for model i.
  Simulations(const FitOptions& options, std::size_t m, std::vector<std::uint64_t> evaluations);

  /// Features of units to fit by, with the same random numbers in every call. Empty when stopped.
  std::vector<Features> to_fit(const ArrivalCall& call);

  /// Their mean, with other random numbers in every call until finish(), so that no family's result depends on those
  /// before it. Empty when stopped.
  std::optional<Features> fresh(const ArrivalCall& call);

  /// Features of units to judge by, more and with other random numbers. Empty when stopped.
  std::vector<Features> to_judge(const ArrivalCall& call);

  /// The calls for model i are done, however many were planned.
  void finish(std::size_t model);

  const SampleOptions& how() const { return how_; }
  std::size_t length() const { return m_; }

 private:
  std::vector<Features> units(const ArrivalCall& call, std::uint64_t first, std::uint64_t count);
  std::uint64_t planned(std::size_t models) const;

  FitOptions options_;
  std::size_t m_;
  std::vector<std::uint64_t> evaluations_;
  SampleOptions how_;
  std::uint64_t done_ = 0;   ///< units, as in planned()
  std::uint64_t fresh_ = 0;  ///< units drawn by fresh()
};

}  // namespace orderlab
