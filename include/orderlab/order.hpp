// Orders: stages, the words of an order, each described by the steps that it stands for; pipelines of stages that end
// with one partial sum, their grammar and their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/parameters.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// What may vary without changing the bits.
enum class Guarantee : std::uint8_t {
  any_device,      ///< the order is fixed by the pipeline alone
  run_to_run,      ///< fixed on one machine: device or thread count enter the order
  not_guaranteed,  ///< a run may differ from the next
};

constexpr std::string_view name_of(Guarantee guarantee) {
  constexpr std::string_view kNames[] = {"any_device", "run_to_run", "not_guaranteed"};
  return kNames[static_cast<std::size_t>(guarantee)];
}

struct Stage;

/// A stage with its arguments.
struct StageCall {
  const Stage* stage = nullptr;
  Arguments arguments;
};

/// One word of an order: it arranges the partial sums (moves them) or reduces them (replaces groups by their sums).
struct Stage {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::span<const Parameter> parameters;
  bool reduces;
  Guarantee guarantee;

  /// The stage that replaces it in a baseline, given its arguments; empty: none does, it is dropped. Null: itself, as
  /// it is never random.
  std::optional<StageCall> (*fixed_form)(const Arguments& arguments) = nullptr;

  /// Checks arguments against each other; Error(usage). Null: nothing to check.
  void (*check)(const Arguments& arguments) = nullptr;

  /// Checks arguments against m partial sums; Error(usage). Null: any m is allowed.
  void (*check_count)(const Arguments& arguments, std::size_t m) = nullptr;

  /// What it does with m >= 1 partial sums that are added in `accumulate`, which an In step before it may have chosen.
  /// Which kinds of steps there are must not depend on m, nor may it fail where check_count does. For products, a step
  /// that fuses them comes before all that add.
  Steps (*describe)(const Arguments& arguments, std::size_t m, Format accumulate);
};

/// The steps of the call.
inline Steps describe(const StageCall& call, std::size_t m, Format accumulate) {
  return call.stage->describe(call.arguments, m, accumulate);
}

/// Number of partial sums after the call, of m before it.
inline std::size_t count_left(const StageCall& call, std::size_t m, Format accumulate) {
  return count_left(describe(call, m, accumulate), m);
}

/// Whether samples differ by this stage; whether it draws uniformly (is_uniform of a step); whether it looks at values;
/// whether workers take what it adds from a queue.
bool is_random(const StageCall& call);
bool is_uniform(const StageCall& call);
bool is_by_value(const StageCall& call);
bool is_queue(const StageCall& call);

/// Whether the stage rounds partial sums, or says what format the stages after it add in.
bool changes_format(const StageCall& call);

/// The built-in stages.
std::span<const Stage* const> stages();

struct ArrivalModel;
struct NamedArrival;
struct NamedOrder;

/// All that the text of an order can name. A program adds to the built-in one:
///
///     Vocabulary vocabulary = built_in_vocabulary();
///     vocabulary.named_orders.push_back(&kBlocks);
///     const Order order = parse_order("blocks(128)", {}, vocabulary);
///
/// Lifetime: what it points to must outlive every order read with it; the vocabulary itself need not.
/// Names:    each occurs once among stages and named orders, and once among arrival models and named arrivals, else
///           Error(usage) from whatever reads with it. Only a named order whose expression is one stage may have the
///           name of that stage.
struct Vocabulary {
  std::vector<const Stage*> stages;
  std::vector<const NamedOrder*> named_orders;
  std::vector<const ArrivalModel*> arrival_models;
  std::vector<const NamedArrival*> named_arrivals;
};

/// stages(), named_orders(), arrival_models() and named_arrivals().
const Vocabulary& built_in_vocabulary();

/// A name for an expression. Its parameters may stand in the expression as words.
struct NamedOrder {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view expression;
  std::string_view summary;
  std::string_view source;
};

/// The built-in named orders.
std::span<const NamedOrder> named_orders();

/// A parsed pipeline. Whether it ends with one partial sum can depend on n: see check.
class Order {
 public:
  Order(std::string name, std::vector<StageCall> stages) : name_(std::move(name)), stages_(std::move(stages)) {}

  /// The named order it was written as ("warp"); empty for an expression.
  const std::string& name() const { return name_; }

  /// Canonical text; parse_order reads it back with the same vocabulary to the same order, except that files stand as
  /// hashes of their content.
  std::string expression() const;

  const std::vector<StageCall>& stages() const { return stages_; }

  bool random() const;

  /// Position of the first random stage; stages().size() for a fixed order.
  std::size_t first_random() const;

  /// Whether some stage changes formats: not every addition may be rounded to the accumulate format then.
  bool changes_format() const;

  /// The weakest guarantee of its stages.
  Guarantee guarantee() const;

  /// The fixed order that Vs compares with by default: arrivals in launch order, no shuffles, trees pairwise.
  Order fixed_form() const;

  /// Warnings to print about a sum of n terms: a named arrival that was fitted to other thread blocks or
  /// to a grid of another size.
  std::vector<std::string> warnings(std::size_t n, Format accumulate) const;

  /// The steps of each stage for n terms (`products`: x*y), added in the format `accumulate`.
  ///
  /// Errors: usage unless the pipeline is valid for them and ends with one partial sum; also for a stage that is not
  ///         built in and describes itself wrongly, of which all is checked.
  std::vector<Steps> describe(std::size_t n, bool products, Format accumulate) const;
  void check(std::size_t n, bool products, Format accumulate) const { describe(n, products, accumulate); }

 private:
  std::string name_;
  std::vector<StageCall> stages_;
};

/// Reads an order: a named order or an expression. `arrival` is the model of every bare `arrive` (empty: uniform) and
/// of any other stage whose first parameter is an arrival model, where it stands without arguments.
///
/// Errors: usage, with the position in the text and the nearest name of the vocabulary; also when `arrival` is given
/// and no bare `arrive` is there to take it, or a name occurs twice in the vocabulary.
Order parse_order(std::string_view text, std::string_view arrival = {},
                  const Vocabulary& vocabulary = built_in_vocabulary());

/// Whether the order has a bare `arrive` that parse_order's `arrival` would go to. Error(usage) as parse_order.
bool takes_arrival(std::string_view text, const Vocabulary& vocabulary = built_in_vocabulary());

/// "slots(1280,0.2)" in canonical form.
std::string to_string(const ArrivalCall& call);

/// Default expression of a named order of the vocabulary, its parameters replaced by their defaults: pastes back as
/// --order. Error(usage) as parse_order.
std::string default_expression(const NamedOrder& order, const Vocabulary& vocabulary = built_in_vocabulary());

/// A stage, arrival model or named order with its parameters, those that may be left out
/// in brackets: "tile(b,items,[grid],[acc=plain|...])".
std::string signature(std::string_view name, std::span<const Parameter> parameters);

/// The kind of device whose programs add in a named order.
enum class OrderDevice : std::uint8_t {
  any,  ///< both
  cpu,
  gpu,
};

constexpr std::string_view name_of(OrderDevice device) {
  constexpr std::string_view kNames[] = {"any", "cpu", "gpu"};
  return kNames[static_cast<std::size_t>(device)];
}

/// The device of a built-in named order; any for other names.
OrderDevice device_of_order(std::string_view name);

/// Whether an order of the first is among those of the second.
constexpr bool among(OrderDevice device, OrderDevice asked) {
  return device == OrderDevice::any || asked == OrderDevice::any || device == asked;
}

}  // namespace orderlab
