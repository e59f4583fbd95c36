// Stages: the steps of a pipeline, as they describe themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "orderlab/format.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

/// What may vary without changing the bits.
enum class Guarantee : std::uint8_t {
  any_device,      ///< the order is fixed by the pipeline alone
  run_to_run,      ///< fixed on one machine: device or thread count enter the order
  not_guaranteed,  ///< a run may differ from the next
};

std::string_view name_of(Guarantee guarantee);

struct Stage;
struct StageCode;

/// A stage with its arguments.
struct StageCall {
  const Stage* stage = nullptr;
  Arguments arguments;
};

/// One step: it arranges the partial sums (moves them) or reduces them (replaces groups by their sums).
struct Stage {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::span<const Parameter> parameters;
  bool reduces;
  Guarantee guarantee;

  /// Whether samples differ. Null: never.
  bool (*random)(const Arguments& arguments) = nullptr;

  /// Whether a random stage draws uniformly: an arranging one from all permutations, a reducing one from all plane
  /// binary trees over the partial sums as they stand. Orders drawn so can be counted. Null: never.
  bool (*uniform)(const Arguments& arguments) = nullptr;

  /// Whether it looks at the values of the partial sums, so that the tree depends on the terms.
  bool by_value = false;

  /// The stage that replaces it in a baseline; empty: none does, it is dropped. Null: itself.
  std::optional<StageCall> (*fixed_form)() = nullptr;

  /// Checks arguments against each other; Error(usage). Null: nothing to check.
  void (*check)(const Arguments& arguments) = nullptr;

  /// Checks arguments against m partial sums; Error(usage). Null: any m is allowed.
  void (*check_count)(const Arguments& arguments, std::size_t m) = nullptr;

  /// Number of partial sums after the stage, of m before it, added in `accumulate`. Null: m (an arranging stage).
  std::size_t (*count)(const Arguments& arguments, std::size_t m, Format accumulate) = nullptr;

  /// Its implementation.
  const StageCode* code = nullptr;
};

/// Number of partial sums after the call, of m before it.
inline std::size_t count_left(const StageCall& call, std::size_t m, Format accumulate) {
  return call.stage->count == nullptr ? m : call.stage->count(call.arguments, m, accumulate);
}

/// Whether samples differ by this stage; whether it draws uniformly.
inline bool is_random(const StageCall& call) {
  return call.stage->random != nullptr && call.stage->random(call.arguments);
}
inline bool is_uniform(const StageCall& call) {
  return call.stage->uniform != nullptr && call.stage->uniform(call.arguments);
}

/// The built-in stages.
std::span<const Stage* const> stages();

}  // namespace orderlab
