// Operations with many outputs: every result that each output can have, and whether a given array is explained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::study {

struct OperationEnumerateRequest {
  /// Not run; empty: deterministic where there is such a form, else launch.
  std::optional<AskedBaseline> baseline = {};
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// All results of the outputs where all arrival orders of the units are equally likely.
struct OperationEnumerateFinding {
  OperationFacts input;
  OutputBaseline baseline = OutputBaseline::launch;
  std::string baseline_text;  ///< "launch", or the expression of an order
  std::string baseline_addition;

  std::uint64_t varying = 0;         ///< outputs of which results were looked for
  std::uint64_t several = 0;         ///< outputs with more than one result
  std::uint64_t not_enumerated = 0;  ///< outputs with too many units
  std::uint64_t first_not_enumerated = 0;

  /// Mean of Vc over all arrival orders: exact where low == high, else what the outputs not enumerated leave open.
  double vc_low = 0;
  double vc_high = 0;
  double vc_order_low = 0;  ///< the same of differences from launch order
  double vc_order_high = 0;

  std::vector<OutputBin> by_results;  ///< outputs by their number of results
  std::uint64_t most_results = 1;
  std::uint64_t most_results_output = 0;
  double largest_movement = 0;  ///< greatest - least result, in ulps of the exact one
  std::uint64_t largest_movement_output = 0;
  double largest_error = 0;  ///< ulps
  std::uint64_t largest_error_output = 0;

  std::shared_ptr<const OutputSums> sums;
  std::shared_ptr<const ExactRows> exact;
  /// Results of each varying output, ascending; none where not enumerated.
  std::vector<std::vector<OutputResult>> results;
};

/// Every result and its probability; empty when interrupted.
///
/// Errors: usage for a baseline that the operation lacks; unsupported for an order that cannot be enumerated.
std::optional<OperationEnumerateFinding> enumerate_operation(const OperationInput& input,
                                                             const OperationEnumerateRequest& request,
                                                             const Watch& watch = {});

struct OperationCheckRequest {
  Tensor actual;                             ///< has the output's shape, in the result format
  std::optional<AskedArrival> arrival = {};  ///< model of the units; empty: any, and frequencies are not judged
  Flushing flushing = Flushing::either;      ///< what fp32 atomics and additions do with subnormal numbers
  double confidence = 0.999;                 ///< probability of not flagging a legitimate array
  /// Samples of outputs that cannot be enumerated; empty: from the confidence.
  std::optional<std::uint64_t> samples = {};
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Ascending: the worst is that of the array.
enum class OutputVerdict : std::uint8_t {
  explained,  ///< some arrival order of the units gives it, or it is inside the range of samples, or outside by chance
  outside_model,  ///< none does; some order of the output's numbers may, so it is excluded only by what is assumed
  unlikely,       ///< under an arrival model, or a random order, that was named
  impossible,     ///< excluded by proof for every order: see freedom in OperationFacts
};

constexpr std::string_view name_of(OutputVerdict verdict) {
  constexpr std::string_view kNames[] = {"explained", "outside the model", "unlikely", "impossible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// An output that is not explained.
struct SuspectOutput {
  std::uint64_t output = 0;
  OutputVerdict verdict = OutputVerdict::impossible;
  double value = 0;
  double nearest = 0;  ///< reachable result nearest to it; of one judged by samples or a bound, the end of the range
  double distance_ulp = 0;
  std::optional<double> p;
};

/// What a check cannot see, of outputs of one row length: changes of the launch order's result that give another result
/// which is explained, too. Of an output that is sampled, or of an unknown order: which is not excluded by proof.
struct BlindSpot {
  std::uint64_t contributions = 0;   ///< contributions of the output
  std::uint64_t changes = 0;         ///< tried
  std::uint64_t dropped_unseen = 0;  ///< changes not noticed with the contribution left out
  std::uint64_t doubled_unseen = 0;  ///< with the contribution added twice
};

struct OperationCheckFinding {
  OperationFacts input;
  std::string arrival;         ///< canonical; empty where nothing arrives
  bool arrival_named = false;  ///< else frequencies are not judged, and samples are of uniform arrivals
  Flushing flushing = Flushing::either;
  double confidence = 0.999;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t samples = 0;  ///< drawn; 0 where all outputs were enumerated
  std::string actual_hash;
  bool order_named = false;  ///< impossible is what this order does not give; others may

  std::uint64_t fixed = 0;       ///< outputs with one result
  std::uint64_t enumerated = 0;  ///< with several, all known
  std::uint64_t sampled = 0;     ///< judged by samples and a bound
  std::uint64_t bounded = 0;     ///< judged by a bound alone, as the order is unknown
  std::uint64_t outside_model = 0;
  /// Those of them judged by samples: orders that were not drawn may give them.
  std::uint64_t outside_model_sampled = 0;
  std::uint64_t unlikely = 0;
  std::uint64_t impossible = 0;
  std::uint64_t improbable = 0;         ///< explained outputs whose results uniform arrivals hardly ever give
  std::uint64_t outside = 0;            ///< sampled outputs outside their samples
  double outside_p = 1;                 ///< upper bound on the probability of so many
  std::vector<std::uint32_t> lookback;  ///< distances of the tiles of a scan, from 1 on, that give the array, or 0
  std::size_t lookback_tried = 0;       ///< the greatest distance that was tried for a scan
  bool lookback_replays = false;        ///< these distances of a scan together give the array
  bool equals_launch = false;
  bool equals_deterministic = false;
  bool equals_exact = false;
  std::vector<SuspectOutput> suspects;  ///< the worst first, at most kMostSuspects
  std::vector<BlindSpot> blind;         ///< by length

  static constexpr std::size_t kMostSuspects = 1000;

  OutputVerdict verdict() const;

  /// Outputs whose verdict is `explained`.
  std::uint64_t explained() const { return input.outputs - outside_model - unlikely - impossible; }

  /// How many outputs outside their samples are more than chance allows.
  std::uint64_t outside_needed() const;
};

/// Whether orders explain each output of a given array; empty when interrupted.
///
/// Errors: input for an array of another shape or format; usage as sample_operation.
std::optional<OperationCheckFinding> check_operation(const OperationInput& input, const OperationCheckRequest& request,
                                                     const Watch& watch = {});

}  // namespace orderlab::study
