// Operations with many outputs: what an operation is done with, which kernel runs for it, and how far its outputs move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orderlab/operation.hpp"
#include "orderlab/output_differences.hpp"
#include "orderlab/run_summary.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// What an operation works on, as findings say it.
struct OperationFacts {
  std::string operation;   ///< canonical
  std::string documented;  ///< what the library's documentation says of equal bits; empty: nothing
  std::string freedom;     ///< see TensorOperation
  std::string assumes;
  Device device;
  Formats formats;

  /// What generated inputs are made of; else left empty.
  Shape input_shape;
  double ratio = 1;
  std::string distribution;
  std::uint64_t input_seed = 1;
  std::uint64_t input_number = 0;

  /// Hashes of given inputs, "xxh3:...", else empty: source, factor, index, self.
  std::string source_hash, factor_hash, index_hash, self_hash;
  std::uint64_t inexact_conversions = 0;

  std::string order;  ///< given for its rows; empty for an operation with one of its own
  Shape shape;        ///< shape of the output
  std::uint64_t outputs = 0;
  std::uint64_t contributions = 0;
  std::uint64_t units = 0;
  Launch launch;
};

/// The same operation on the same inputs in a batch of a size that chooses its kernel.
struct BatchOperation {
  std::uint64_t batch = 1;
  std::shared_ptr<const LoweredOperation> operation;
};

/// An operation with its inputs, made into rows.
struct OperationInput {
  std::shared_ptr<const LoweredOperation> operation;
  OperationFacts facts;
  std::vector<BatchOperation> batches = {};  ///< the sizes that are compared, as asked for
};

/// Reads "1,8,64": one size or more, of at least 1. Error(usage).
std::vector<std::uint64_t> parse_batches(std::string_view text, std::string_view named = "batch");

/// Inputs drawn for the operation, which are those of the same requests in `batches` of these sizes.
///
/// Errors: as generated_inputs and lower; usage for batches of an operation of which no kernel depends on them;
/// Stopped.
OperationInput operation_input(const OperationCall& call, const GeneratedInputs& what, const Device& device = {},
                               const Order* order = nullptr, const Watch& watch = {},
                               const std::vector<std::uint64_t>& batches = {});

/// Inputs of the caller. Errors: as lower, and for batches as above; Stopped.
OperationInput operation_input(const OperationCall& call, OperationInputs inputs, const Device& device = {},
                               const Order* order = nullptr, const Watch& watch = {},
                               const std::vector<std::uint64_t>& batches = {});

/// The kernel that runs for one size of a batch, and what it changes for the same requests.
struct BatchSize {
  std::uint64_t batch = 1;
  Launch launch;
  std::uint64_t outputs_different = 0;  ///< outputs with other bits than in the first size
  std::uint64_t rows_different = 0;     ///< rows, along the last dimension, that have one
  double largest_difference = 0;        ///< of an output from that in the first size; inf if one is not finite
};

/// What the sizes of input.batches change; units arrive in launch order. Errors: Stopped.
std::vector<BatchSize> compare_batches(const OperationInput& input, const Watch& watch = {});

/// XXH3-128 of the indices: "xxh3:" and 32 hex digits.
std::string hash_of(const IndexTensor& index);

/// What samples are compared with.
enum class OutputBaseline : std::uint8_t {
  deterministic,  ///< the library's deterministic form
  launch,         ///< the operation with units in launch order
  exact,          ///< exact results, rounded once
  run,            ///< another run
  order,          ///< each output's numbers, added by an order of the user's
};

constexpr std::string_view name_of(OutputBaseline baseline) {
  constexpr std::string_view kNames[] = {"deterministic", "launch", "exact", "run", "order"};
  return kNames[static_cast<std::size_t>(baseline)];
}

/// A baseline that was asked for.
struct AskedBaseline {
  AskedBaseline(OutputBaseline what) : is(what) {}  // NOLINT(google-explicit-constructor): most have no order
  explicit AskedBaseline(Order by) : is(OutputBaseline::order), order(std::move(by)) {}

  OutputBaseline is;
  std::optional<Order> order = {};  ///< fixed; of OutputBaseline::order
};

/// Reads "launch", "exact", ..., or a fixed order. Error(usage) for any other text.
AskedBaseline output_baseline_of(std::string_view text);

/// An arrival model that was asked for: its text, or the model itself, whose files were read.
using AskedArrival = std::variant<std::string, ArrivalCall>;

struct OperationSampleRequest {
  AskedArrival arrival = "uniform";            ///< model of the units
  std::optional<AskedBaseline> baseline = {};  ///< empty: deterministic where there is such a form, else launch
  std::uint64_t samples = 1000;
  std::uint64_t seed = 1;
  int threads = 0;            ///< 0: all; findings never depend on it
  bool keep_results = false;  ///< all samples of all outputs, for files
};

/// Elements with a property in common.
struct OutputBin {
  double low = 0;  ///< lower end of the half-open interval (low, high]; [0, 0] comes first
  double high = 0;
  std::uint64_t outputs = 0;
};

/// Neighbouring outputs, in C order.
struct OutputPart {
  std::uint64_t first = 0;
  std::uint64_t outputs = 0;
  double vc = 0;        ///< mean share that differs from the baseline
  double movement = 0;  ///< median of greatest - least result, in ulps
};

/// The numbers of a finding.
struct OperationMeasures {
  std::uint64_t samples = 0;
  OutputBaseline baseline = OutputBaseline::launch;
  double can_vary = 0;                ///< share of outputs that some arrival order may change
  RunSummary vc;                      ///< share of outputs with other bits than the baseline
  std::optional<double> vc_expected;  ///< exact mean of vc where all arrival orders are equally likely
  RunSummary vc_values;               ///< with other values
  RunSummary vc_order;                ///< with other bits than in launch order
  double offset_vc = 0;
  OutputDifferences offset;  ///< differences of launch order from the baseline
  RunSummary vermv_paper;
  RunSummary vermv_code;
  RunSummary vermv_robust;
  RunSummary largest_difference;  ///< ulps
  RunSummary largest_error;       ///< ulps
  std::uint64_t distinct = 0;     ///< whole outputs
  double unseen_mass = 0;
  std::uint64_t nonfinite_exact = 0;  ///< outputs of which the exact result is not finite
};

struct OperationSampleFinding : OperationMeasures {
  explicit OperationSampleFinding(const OutputSums& of) : tally(of) {}

  OperationFacts input;
  std::string arrival;            ///< canonical; empty where nothing arrives
  std::string baseline_text;      ///< "launch", or the expression of an order
  std::string baseline_addition;  ///< how an output of the baseline is added
  std::uint64_t seed = 1;
  std::uint64_t samples_asked = 0;
  bool partial = false;

  std::uint64_t varying = 0;  ///< outputs that some arrival order may change

  std::vector<OutputBin> by_frequency;  ///< outputs by the share of samples in which they differ from the baseline
  std::vector<OutputBin> by_movement;   ///< by greatest - least result, in ulps
  std::vector<OutputPart> by_place;     ///< ten parts of the array, or one output each of a shorter one

  /// The first output that differs from the baseline: over the samples with one. Empty if no sample has.
  std::optional<RunSummary> first_different;

  /// For one row per output.
  std::shared_ptr<const OutputSums> sums;
  std::shared_ptr<const ExactRows> exact;
  Terms baseline_results{Format::fp32, 1};
  OutputTally tally;
  std::vector<std::vector<std::byte>> results;  ///< kept ones: the varying outputs of each sample

  std::vector<BatchSize> batches;  ///< as asked for; empty without such a question
};

/// Error(usage) for a request that no input could answer.
void validate(const OperationSampleRequest& request);

/// Draws arrival orders and measures all outputs. Empty when interrupted before the first sample.
///
/// Errors: usage for an arrival model that does not fit, or a baseline that the operation lacks.
std::optional<OperationSampleFinding> sample_operation(const OperationInput& input,
                                                       const OperationSampleRequest& request, const Watch& watch = {});

/// All outputs by one fixed order.
struct OperationSumFinding {
  OperationFacts input;
  std::string arrival;             ///< canonical; empty where nothing arrives
  Terms results{Format::fp32, 1};  ///< in C order
  std::shared_ptr<const ExactRows> exact;
  std::uint64_t not_nearest = 0;             ///< outputs that are not the exact result rounded to nearest
  std::uint64_t nonfinite = 0;               ///< outputs that are infinite or NaN
  double largest_error = 0;                  ///< ulps of the exact result
  std::optional<std::size_t> farthest = {};  ///< the output that has it; empty where every result is exact
};

/// The operation's outputs, each added by its fixed order.
///
/// Errors: usage where the order, or the arrival of units, is drawn; Stopped.
OperationSumFinding sum_operation(const OperationInput& input, const AskedArrival& arrival = "uniform", int threads = 0,
                                  const Watch& watch = {});

/// Outputs that have one reason in common.
struct OutputReason {
  std::string reason;  ///< "no contributions", "their units arrive in any order", ...
  bool varies = false;
  std::uint64_t outputs = 0;
};

/// Outputs of one row length.
struct OutputLength {
  std::uint64_t contributions = 0;
  std::uint64_t outputs = 0;
};

struct ExplainFinding {
  OperationFacts input;
  std::string deterministic;  ///< how the library's deterministic form adds; empty where there is none
  std::string deterministic_source;
  std::vector<OutputReason> reasons;  ///< every output once
  std::vector<OutputLength> lengths;  ///< ascending
  std::vector<BatchSize> batches;     ///< as asked for; empty without such a question
};

/// Errors: Stopped, while batches are compared.
ExplainFinding explain(const OperationInput& input, const Watch& watch = {});

}  // namespace orderlab::study
