// Stages: the words of an order. A stage describes itself by the steps that it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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

  /// The stage that replaces it in a baseline; empty: none does, it is dropped. Null: itself, as it is never random.
  std::optional<StageCall> (*fixed_form)() = nullptr;

  /// Checks arguments against each other; Error(usage). Null: nothing to check.
  void (*check)(const Arguments& arguments) = nullptr;

  /// Checks arguments against m partial sums; Error(usage). Null: any m is allowed.
  void (*check_count)(const Arguments& arguments, std::size_t m) = nullptr;

  /// What it does with m >= 1 partial sums that are added in `accumulate`. Which kinds of steps there are must not
  /// depend on m, nor may it fail where check_count does. For products, a step that fuses them comes before all that
  /// add.
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

/// Whether samples differ by this stage; whether it draws uniformly (is_uniform of a step); whether it looks at values.
bool is_random(const StageCall& call);
bool is_uniform(const StageCall& call);
bool is_by_value(const StageCall& call);

/// The built-in stages.
std::span<const Stage* const> stages();

}  // namespace orderlab
