#include <algorithm>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

// The kinds of its steps are the same for every number of partial sums and every format.
Steps any_steps(const StageCall& call) { return describe(call, 1, Format::fp64); }

}  // namespace

bool is_random(const StageCall& call) {
  const Steps steps = any_steps(call);
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return is_random(step); });
}

bool is_uniform(const StageCall& call) { return is_uniform(any_steps(call)); }

bool is_queue(const StageCall& call) {
  const Steps steps = any_steps(call);
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return queue_of(step) != nullptr; });
}

bool is_by_value(const StageCall& call) {
  const Steps steps = any_steps(call);
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return is_by_value(step); });
}

bool changes_format(const StageCall& call) {
  const Steps steps = any_steps(call);
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) { return changes_format(step); });
}

}  // namespace orderlab
