// Ways to do one operation, and what each costs and guarantees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/study/operation.hpp"

namespace orderlab::study {

struct AlternativesRequest {
  AskedArrival arrival = "uniform";  ///< model of the units
  std::uint64_t samples = 1000;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it

  /// Adders that work at once, and cycles from the operands of an addition to its result. Both or none.
  std::optional<std::uint64_t> adders = {};
  std::optional<std::uint64_t> latency = {};
};

/// One way to do the operation.
struct Alternative {
  std::string name;      ///< "as it runs", "static schedule", "left to right", ...
  std::string addition;  ///< how an output is added
  /// What a static schedule takes away: what is random in the operation as it runs; else empty.
  std::string removes = {};
  Guarantee guarantee = Guarantee::not_guaranteed;
  std::uint64_t results = 1;  ///< different arrays, in `samples` runs of the operation as it runs
  double error = 0;           ///< mean over the outputs of |result - exact| / sum|x|; of runs, their mean
  double largest_error = 0;   ///< ulps; of runs, that of all
  double better_runs = 0;     ///< share of runs of the operation with a smaller `error`
  /// Additions of two numbers, without those of +0; for exact sums, of integers of two words or more.
  std::uint64_t additions = 0;
  std::uint64_t height = 0;  ///< additions on the longest path from a term to an output
  std::uint64_t passes = 1;  ///< over the contributions in memory; with those of a radix sort by output, at most

  /// max(ceil(additions / adders), latency * height): so many adders cannot make these additions faster. A lower bound:
  /// memory, and what else takes time, is left out.
  std::optional<std::uint64_t> cycles = {};
};

struct AlternativesFinding {
  OperationFacts input;
  std::string arrival;  ///< canonical; empty where nothing arrives
  std::uint64_t seed = 1;
  std::uint64_t samples_asked = 0;
  std::uint64_t samples = 0;  ///< runs of the operation; 1 where it does not vary
  bool partial = false;
  bool varies = false;  ///< some order may change an output of the operation as it runs
  std::optional<std::uint64_t> adders;
  std::optional<std::uint64_t> latency;
  std::vector<double> run_errors;         ///< `error` of each run, ascending
  std::vector<Alternative> alternatives;  ///< the operation as it runs first
};

/// Error(usage) for a request that no operation could answer.
void validate(const AlternativesRequest& request);

/// The operation as it runs, and every other way. Empty when interrupted before the first sample.
///
/// Errors: usage for an arrival model that does not fit; unsupported for an operation that multiplies.
std::optional<AlternativesFinding> find_alternatives(const OperationInput& input, const AlternativesRequest& request,
                                                     const Watch& watch = {});

}  // namespace orderlab::study
