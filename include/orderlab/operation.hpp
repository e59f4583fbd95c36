// Operations with many outputs: which kernel runs, what arrives together, and how each output is added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/contributions.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// A GPU that launches are made for.
struct Gpu {
  std::string_view name;
  std::uint32_t multiprocessors;
  std::string_view source;
};

std::span<const Gpu> gpus();

/// What a launch depends on besides the operation. Arrivals never follow from it.
struct Device {
  std::string name = "h100";  ///< a name of gpus(), or "sms=K"
  std::uint32_t multiprocessors = 132;
};

/// "h100", "sms=108". Error(usage) with the nearest name.
Device parse_device(std::string_view text);

/// What an operation works on. Which of it an operation takes, it says itself.
struct OperationInputs {
  Tensor source;                     ///< what is added
  std::optional<Tensor> factor;      ///< what the source is multiplied with
  std::optional<IndexTensor> index;  ///< where it is added
  std::optional<Tensor> self;        ///< the accumulators' first values
  Formats formats;                   ///< formats.terms is that of all of them
};

/// Inputs to be drawn, as [Shanmugavelu2024] did.
struct GeneratedInputs {
  Shape shape;
  double ratio = 1;  ///< R: a generated index draws R A indices from R A bins; A is the first dimension
  std::string distribution = "normal(0,1)";
  Formats formats{Format::fp32, Format::fp32, Format::fp32};
  std::uint64_t seed = 1;
  std::uint64_t number = 0;  ///< which of the independent inputs of one seed
};

/// The kernel that runs for one shape on one device.
struct Launch {
  std::string kernel;
  std::string source;    ///< the file that launches it
  std::string reason;    ///< why this kernel
  std::string addition;  ///< how an output is added: "((self + a) + b) + ..., in arrival order"
  std::string unit;      ///< what arrives together
  std::uint64_t threads_per_block = 0;
  std::uint64_t grid = 0;
  std::uint64_t passes = 1;  ///< passes of the grid through the contributions
  Guarantee guarantee = Guarantee::not_guaranteed;
};

/// What an accumulator holds before the first contribution.
enum class AccumulatorStart : std::uint8_t {
  first,    ///< nothing: it begins with the first contribution
  zero,     ///< +0.0
  initial,  ///< the output's initial value
};

/// How the contributions of a row are combined.
struct OutputAddition {
  Combine combine = Combine::add;
  AccumulatorStart start = AccumulatorStart::initial;
  bool flush = false;                      ///< fp32 atomics: subnormal operands and results become signed zeros
  bool arrives = true;                     ///< sorted by the arrival of their units; else as they stand
  std::shared_ptr<const Order> tail = {};  ///< the order that adds them then; null: from left to right, as above
  bool initial_last = false;               ///< the initial value is added to the sum, in the accumulate format
  bool initial_after_rounding = false;     ///< with initial_last: in the result format, to the rounded sum
  bool initial_in_unit = false;            ///< a unit that adds the row's products starts from the initial value
};

/// Prefix sums along lines of numbers: output i of a line is the sum of terms 0 .. i, or 0 .. i - 1. The outputs of a
/// line share their additions, so they are no rows.
struct PrefixScan {
  enum class Form : std::uint8_t {
    tiles,    ///< one line in one pass: thread blocks scan tiles, whose sums they find by look-back
    network,  ///< `width` terms at a time by Sklansky's network, the total of those before added to the first
    in_turn,  ///< ((0 + a) + b) + ..., one thread a line
  };
  Form form = Form::tiles;
  bool exclusive = false;      ///< tiles only: begins with +0
  bool last_only = false;      ///< tiles only: makes just the last output of a line
  std::size_t threads = 0;     ///< tiles only: threads of a thread block
  std::size_t items = 0;       ///< tiles only: consecutive terms of a thread
  std::size_t width = 0;       ///< network only: terms at a time
  LookbackCall lookback = {};  ///< tiles only

  /// In the accumulate format: lines x extent x stride numbers, line (o, i) at o extent stride + i + k stride.
  Terms terms{Format::fp32, 1};
  std::size_t extent = 0;
  std::size_t stride = 1;  ///< 1 for tiles and the network

  /// Whether runs may differ in their look-back.
  bool drawn() const { return form == Form::tiles && (lookback.model->random || lookback.model->by_arrival); }

  std::size_t tile() const { return threads * items; }
  std::size_t tiles() const { return (extent + tile() - 1) / tile(); }

  /// Outputs of the line of tiles, from its first on, whose partial sums are all exact in any order.
  std::size_t exact_outputs = 0;
};

struct LoweredOperation;

/// What a check has to exclude before it calls a result impossible.
enum class OrderFreedom : std::uint8_t {
  every,  ///< every order and grouping of an output's numbers
  named,  ///< the orders that the user's order draws
};

/// What additions cost where they can be done at once.
struct AdditionCount {
  std::uint64_t additions = 0;
  std::uint64_t height = 0;  ///< additions on the longest path from a term to an output
};

/// A fixed way to do the operation, which samples are compared with.
struct FixedForm {
  std::string_view addition;  ///< how an output is added
  std::string_view source;

  /// All outputs, in the result format.
  Terms (*results)(const LoweredOperation& operation);

  AdditionCount (*additions)(const LoweredOperation& operation);
};

/// How the outputs of a row are made of its sum.
class RowFinish {
 public:
  virtual ~RowFinish() = default;

  /// Sets the outputs of a row from its sum, a number of the accumulate format. They are numbers of the result format;
  /// all are NaN if the sum is.
  virtual void make(std::size_t row, double sum, std::span<double> outputs) const = 0;

  /// Sets them from the exact sum high + low, without any rounding but those of doubles: each is off by at most
  /// 2^-48 of it.
  virtual void make_exact(std::size_t row, double high, double low, std::span<double> outputs) const = 0;

  /// The least and the greatest result of output i of a row whose sum is anywhere from `low` to `high`, numbers of the
  /// accumulate format, for all ways to make an output that the operation's `freedom` allows. NaN: any result.
  virtual std::array<double, 2> range(std::size_t row, std::size_t i, double low, double high) const = 0;

  /// Whether the sum of a row, where it is NaN or has no finite bound, is so in all those ways. Else `range` alone
  /// says which results are possible.
  virtual bool sum_decides(std::size_t) const { return true; }
};

/// Outputs in rows, each row made of one sum: those of an RMSNorm or a softmax.
struct FinishedRows {
  std::shared_ptr<const LoweredOperation> sums;  ///< one output for each row, in the accumulate format
  std::size_t elements = 0;                      ///< outputs of a row; those of row r are r * elements, ...
  std::shared_ptr<const RowFinish> finish;
};

/// One way to compute outputs, with all of them in the result format.
struct ComputedWay {
  std::string name;
  std::string addition;
  Terms results;
  AdditionCount count;
};

/// Computes outputs, in rows, that no order of one sum describes: those of sums that are scaled again while they grow,
/// or of a mean that moves from number to number.
class RowComputation {
 public:
  virtual ~RowComputation() = default;

  /// All outputs as the kernel makes them, in the result format.
  virtual Terms results() const = 0;
  virtual AdditionCount additions() const = 0;

  /// Sets the outputs of a row without any rounding but those of doubles: each is off by at most `exactness` of its
  /// magnitude, what it would be if all numbers of its sum were positive.
  virtual void make_exact(std::size_t row, std::span<double> outputs, std::span<double> magnitudes) const = 0;

  /// The least and the greatest result of output i of a row, given its exact value and magnitude, for all ways to
  /// compute it that the operation's `freedom` allows. NaN: any result.
  virtual std::array<double, 2> range(std::size_t row, std::size_t i, double exact, double magnitude) const = 0;

  /// Other ways, such as those of other libraries.
  virtual std::vector<ComputedWay> ways() const = 0;

  virtual double exactness(std::size_t) const { return 0x1p-48; }  ///< of a row's outputs by make_exact
};

/// Outputs in rows that a RowComputation makes: those of attention, and of layer_norm where a mean moves.
struct ComputedRows {
  std::size_t elements = 0;         ///< outputs of a row; those of row r are r * elements, ...
  std::size_t numbers = 0;          ///< that an output is made of
  std::uint64_t contributions = 0;  ///< of all outputs, each counted once
  std::shared_ptr<const RowComputation> computation;
};

/// An operation made into rows.
struct LoweredOperation {
  std::string text;  ///< canonical: "index_add"
  Contributions rows;
  OutputAddition addition;
  std::uint64_t height_before = 0;            ///< additions on the longest path to a contribution that is a partial sum
  std::optional<ArrivalCall> arrival = {};    ///< the model of the order's `arrive`; empty: the user's
  std::vector<std::uint32_t> divide_by = {};  ///< what each output is divided by at the end; empty: nothing
  Formats formats;
  std::optional<Format> made_in = {};  ///< what contributions were accumulated in, if not formats.accumulate
  Shape shape;                         ///< shape of the output
  Launch launch;
  std::optional<FixedForm> own = {};            ///< the operation itself, where it is fixed and none of the above
  std::optional<FixedForm> deterministic = {};  ///< a form with the same bits in every run: the library's, if any

  std::optional<PrefixScan> scan = {};  ///< instead of rows, whose units are then its tiles

  std::optional<FinishedRows> finished = {};  ///< instead of rows, of which `rows.units` alone is set
  std::optional<ComputedRows> computed = {};  ///< instead of rows

  /// The inputs of each output, where contributions are partial sums of them: as contributions, or as rows of terms.
  std::optional<Contributions> raw = {};
  OutputTerms terms = {};
  std::vector<Terms> kept = {};  ///< memory of `terms`

  /// What adds the rows of `terms`, by their length; of an empty row, which is +0, nothing does. Without plans, `rows`
  /// and `addition` say how.
  std::map<std::size_t, std::shared_ptr<const Plan>> plans = {};
  bool draws_alike = false;  ///< rows of one length share what plans draw; else each row draws by itself
  OrderFreedom freedom = OrderFreedom::every;
  bool order_unknown = false;  ///< plans are a model of an order that is not known: they refute no result

  std::size_t outputs() const { return element_count(shape); }

  /// What sums of `terms` are accumulated in: holds all numbers of formats.accumulate.
  Format accumulates_terms_in() const { return made_in.value_or(formats.accumulate); }

  /// Whether each output is the sum, or product, of numbers of its own: of a row.
  bool has_rows() const { return !scan && !finished && !computed; }

  bool adds_by_plans() const { return !plans.empty() && !addition.arrives; }

  /// What adds the row of output r; null for an empty row. For an operation with plans.
  const Plan* plan_of(std::size_t r) const;

  /// Numbers that are added, each counted once.
  std::size_t contributions() const;

  /// Whether an arrival order of the units is drawn.
  bool arrives() const;
};

struct OperationCall;

/// An operation as it describes itself.
struct TensorOperation {
  std::string_view name;
  std::string_view summary;
  std::string_view adds;  ///< what adds, and in which form
  std::string_view source;
  std::string_view documented = {};  ///< what the library's documentation says of equal bits; empty: nothing
  std::string_view freedom = {};     ///< the orders of an output that a check allows, and by what source
  std::string_view assumes = {};     ///< what the model assumes beyond that; empty: nothing
  std::span<const Parameter> parameters = {};
  bool takes_index = false;
  bool takes_factor = false;
  bool takes_order = false;  ///< its rows are added by an order of the user's
  bool needs_order = false;  ///< which must be given
  bool needs_shape = true;   ///< to generate inputs
  bool self_is_sum = false;  ///< self is of the accumulate format; else, as the other inputs, of the terms'
  std::string_view default_order = {};

  Format format_of_self(const Formats& formats) const {
    return self_is_sum && info(formats.accumulate).uses.terms ? formats.accumulate : formats.terms;
  }

  std::string_view (*default_order_of)(const Arguments& arguments) = nullptr;  ///< where it depends on them

  /// Draws inputs. Error(usage) for a shape that does not fit.
  OperationInputs (*generate)(const Arguments& arguments, const GeneratedInputs& what);

  /// Error(usage) or Error(input) for inputs that do not fit. `order` is null where none was given.
  LoweredOperation (*lower)(const OperationCall& call, OperationInputs inputs, const Device& device,
                            const Order* order);
};

std::span<const TensorOperation* const> operations();

/// An operation with its arguments.
struct OperationCall {
  const TensorOperation* operation = nullptr;
  Arguments arguments;
};

/// Reads "index_add", "sum(axis=1)". Error(usage) with the nearest name.
OperationCall parse_operation(std::string_view text);

/// Canonical text; parse_operation reads it back.
std::string to_string(const OperationCall& call);

/// The order that adds its rows where none is given; empty where it has none of its own.
std::string_view default_order(const OperationCall& call);

/// Inputs as the operation draws them. Errors: usage for a shape, ratio or distribution that does not fit.
OperationInputs generated_inputs(const OperationCall& call, const GeneratedInputs& what);

/// Rows of an operation.
///
/// Errors: usage for an input that the operation does not take or lacks, for shapes that do not fit each other or the
///         order, and for arguments out of range; input for an index out of range, naming its place; unsupported for
///         2^31 outputs or contributions and more.
LoweredOperation lower(const OperationCall& call, OperationInputs inputs, const Device& device = {},
                       const Order* order = nullptr);

}  // namespace orderlab
