// What to pass to a compare call of sums or of whole arrays, and the error bounds that stand beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

/// What somebody who does not know an order would call it, and its name here.
struct UsualOrder {
  std::string_view situation;
  std::string_view order;
};

/// Orders of usual code on CPUs, GPUs and clusters, the simplest first.
std::span<const UsualOrder> usual_orders();

/// Stands in for an order that is not known: random permutations added one at a time. A tree with fewer additions above
/// each term, as those of lanes, threads and GPUs, usually has smaller errors; not where terms are sorted or grouped.
inline constexpr std::string_view kOrderOfUnknown = "random";

struct ToleranceRequest {
  Order order;
  bool order_assumed = false;  ///< nobody named it: it is kOrderOfUnknown, and the finding says which orders there are
  double coverage = 0.999;     ///< fraction of runs that must pass
  double confidence = 0.95;    ///< probability that the coverage holds
  Against against = Against::exact;      ///< what results are compared with
  std::optional<OtherOrder> other = {};  ///< of Against::order
  std::uint64_t outputs = 1;  ///< independent ones of a comparison, each a sum of its own terms; the largest is covered
  bool new_inputs = false;    ///< every draw on an input of its own, drawn as the given one was
  std::optional<std::uint64_t> inputs = {};  ///< how many of these, one draw each; empty: auto, as many as needed
  /// Orders to draw on one input; empty: all if few, else as many as needed.
  std::optional<std::uint64_t> samples = {};
  std::uint64_t seed = 1;
  double memory_bytes = 0x1p30;  ///< for enumerating all orders
  int threads = 0;               ///< 0: all; findings never depend on it
};

/// A bound on what the tolerance limits.
struct BesideBound {
  std::string name;
  std::optional<double> value;  ///< empty where none is derived
  double probability = 1;       ///< with which it holds; 1: always
  bool proven = true;           ///< for all runs that the tolerance is for
  std::string note;
  BoundScope scope = BoundScope::additions;
};

/// How the limit was found.
enum class ToleranceMethod : std::uint8_t { one_order, enumerated, sampled };

/// The order that results were compared with.
struct ComparedOrder {
  std::string name;  ///< empty for an expression
  AskedOrder asked;
  Formats formats;
  std::vector<std::string> warnings;
};

/// Interrupted before enough draws for any limit: sampled, and `rank` 0; then `draws` is all it says. Interrupted after
/// fewer than the coverage takes: `reached` is below `coverage`.
struct ToleranceFinding {
  InputFacts input;  ///< the first one, where there are many
  AskedOrder asked;
  std::string name;  ///< name of the order; empty for an expression
  bool order_assumed = false;
  std::string guarantee;
  std::uint64_t random_count = 1;
  std::vector<std::string> warnings;
  Against against = Against::exact;
  std::optional<ComparedOrder> other;  ///< of Against::order
  double coverage = 0.999;             ///< asked for
  double reached = 0.999;              ///< coverage of the limit
  double confidence = 0.95;            ///< asked for; an exact limit is certain
  std::uint64_t outputs = 1;           ///< outputs of one comparison; the coverage is that of the largest error
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = 0;  ///< it decides between all orders and samples
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t inputs = 1;
  bool new_inputs = false;  ///< every draw on an input of its own

  ToleranceMethod method = ToleranceMethod::sampled;
  std::string orders;         ///< number of orders, or of pairs with one of the other order, enumerated, decimal
  std::uint64_t draws = 0;    ///< results, or pairs of them
  std::uint64_t planned = 0;  ///< draws, of which an interrupt may leave some out
  std::uint64_t rank = 0;     ///< rank of the draw that is the limit, from the largest
  Deviation limit;
  Deviation largest;
  std::optional<double> rms;             ///< each draw measured from the farthest of the exact sum and its roundings
  std::optional<double> rms_from_exact;  ///< from the exact sum alone; between results the same
  double largest_from_exact = 0;
  std::optional<double> mean_largest;  ///< of many outputs: mean over comparisons of the largest of their deviations
  double nonfinite = 0;                ///< fraction of draws, or probability
  double condition = 1;                ///< greatest of the inputs
  std::vector<BesideBound> bounds;
  bool partial = false;  ///< interrupted
};

/// Error(usage) for a request that no input could answer. tolerance() begins with it.
void validate(const ToleranceRequest& request);

/// A limit of the deviations: from all orders of one input where that is quick, else from independent draws, which
/// several processes can share (Watch::divided; it then throws DrawnPart or DrawsMissing too).
///
/// Announces how many draws it takes. Errors: usage for fewer draws than any limit takes, more than 10^9 where their
/// number is not given, new inputs or several outputs where the terms were not generated, or an order that cannot add
/// the terms; input where the exact sum overflows; unsupported for more memory than is free.
ToleranceFinding tolerance(const Input& input, const ToleranceRequest& request, const Watch& watch = {});

/// Whether the limit is a number; it is not where inf or NaN is more frequent than the coverage allows.
bool has_limit(const ToleranceFinding& finding);

/// The confidence with which the limit holds: 1 where it was not sampled.
double stated_confidence(const ToleranceFinding& finding);

/// Whether a proven bound of the finding makes this probabilistic one say no more (no_better); text leaves it out.
bool says_no_more(const ToleranceFinding& finding, const BesideBound& bound);

struct OperationToleranceRequest {
  AskedArrival arrival = "uniform";           ///< model of the units
  double coverage = 0.999;                    ///< fraction of runs of which all outputs must pass
  double confidence = 0.95;                   ///< probability that the coverage holds
  Against against = Against::exact;           ///< what outputs are compared with
  std::optional<std::uint64_t> samples = {};  ///< runs to draw; empty: as many as needed
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// The largest deviation of all outputs, by each measure.
struct OutputLimit {
  double absolute = 0;     ///< atol that suffices alone
  double relative = 0;     ///< rtol that suffices alone; infinite where an output of 0 moves
  double ulp = 0;          ///< ulps of the exact result
  double magnitude = 0;    ///< relative to sum|x| of the output
  double beside_rtol = 0;  ///< atol that suffices beside `rtol`
};

struct OperationToleranceFinding {
  OperationFacts input;
  std::string arrival;
  double coverage = 0.999;  ///< asked for
  double reached = 0.999;   ///< coverage of the limit; lower where an interrupt left too few draws
  double confidence = 0.95;
  Against against = Against::exact;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t varying = 0;
  std::uint64_t draws = 0;    ///< runs, or pairs of them
  std::uint64_t planned = 0;  ///< draws that were planned; an interrupt may leave some out
  std::uint64_t rank = 0;     ///< rank of the draw that is the limit, from the largest; 0: too few for any
  double rtol = 0;            ///< the rtol of beside_rtol: the default of torch.testing.assert_close
  OutputLimit limit;
  OutputLimit largest;
  double nonfinite = 0;  ///< fraction of draws with inf or NaN
  bool partial = false;
  std::vector<BatchSize> batches;  ///< a draw is a run in each of these sizes; empty: one run of the operation
};

/// Error(usage) for a request that no input could answer.
void validate(const OperationToleranceRequest& request);

/// A limit of the largest deviation of all outputs on this input, from independent runs; of an operation that no
/// arrival order changes, from its one result. With batches a draw is a run in each size, or two runs, whose deviations
/// are the largest of all sizes, or of all pairs of runs.
///
/// Errors: usage for fewer samples than any limit takes, or an arrival model that does not fit.
OperationToleranceFinding tolerance_of_operation(const OperationInput& input, const OperationToleranceRequest& request,
                                                 const Watch& watch = {});

/// Whether the limit is a number.
bool has_limit(const OperationToleranceFinding& finding);

}  // namespace orderlab::study
