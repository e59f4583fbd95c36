// What the formats along a plan mean for its bounds, and for what is known of sums in the accumulate format alone.
#include <algorithm>
#include <optional>
#include <variant>

#include "order/combinations.hpp"
#include "orderlab/plan.hpp"
#include "run/heights.hpp"

namespace orderlab {

bool Plan::draws_in_other_formats() const {
  const AddFormat all{formats_.accumulate, formats_.accumulate};
  const auto drawn = drawn_steps();
  return std::any_of(drawn.begin(), drawn.end(), [&](const PlannedStep& planned) {
    return orderlab::changes_format(planned.step) || planned.format != all;
  });
}

std::optional<Format> Plan::drawn_format() const {
  std::optional<Format> one;
  for (const PlannedStep& planned : drawn_steps()) {
    if (std::holds_alternative<steps::Round>(planned.step.is)) return std::nullopt;
    if (orderlab::changes_format(planned.step) || std::holds_alternative<steps::Move>(planned.step.is)) continue;
    const auto [add, store] = planned.format;
    if (add != store || one.value_or(add) != add) return std::nullopt;
    one = add;
  }
  return one;
}

Format Plan::coarsest() const {
  Format coarsest = formats_.accumulate;
  if (!changes_format()) return coarsest;
  const auto round_to = [&](Format format) {
    if (info(format).precision < info(coarsest).precision) coarsest = format;
  };
  for (const PlannedStep& planned : steps_) {
    if (const auto* round = std::get_if<steps::Round>(&planned.step.is)) {
      round_to(round->format);
    } else if (!orderlab::changes_format(planned.step)) {
      round_to(planned.format.add);
      round_to(planned.format.store);
    }
  }
  return coarsest;
}

namespace {

/// Additions that the step, one that adds, puts at most on one path.
std::uint64_t most_additions(const PlannedStep& planned) {
  if (is_random(planned.step)) return planned.in - 1;
  const std::vector<std::uint64_t> heights = heights_after(planned.step, HeightRuns(planned.in, 0)).one_by_one();
  return *std::max_element(heights.begin(), heights.end());
}

/// Accumulators of the step that could start from zero on one path, each of which is stored.
std::uint64_t most_starts(const Step& step) {
  std::uint64_t count = 1;
  visit_combinations(step, [&](const Combination&) { ++count; });
  return count;
}

bool adds(const Step& step) { return !std::holds_alternative<steps::Move>(step.is) && !orderlab::changes_format(step); }

}  // namespace

std::uint64_t Plan::path_roundings(std::uint64_t height) const {
  std::uint64_t most = height;
  if (!changes_format()) return most;
  for (const PlannedStep& planned : steps_) {
    if (std::holds_alternative<steps::Round>(planned.step.is)) ++most;
    if (adds(planned.step) && planned.format.store != planned.format.add) most += height + most_starts(planned.step);
  }
  return most;
}

std::optional<double> Plan::path_roundoff() const {
  double sum = 0;
  for (const PlannedStep& planned : steps_) {
    if (!adds_plainly(planned.step, {Accumulate::plain, Accumulate::atomic})) return std::nullopt;
    if (const auto* round = std::get_if<steps::Round>(&planned.step.is)) {
      sum += info(round->format).unit_roundoff();
    } else if (adds(planned.step)) {
      const std::uint64_t additions = most_additions(planned);
      const auto [add, store] = planned.format;
      sum += static_cast<double>(additions) * info(add).unit_roundoff();
      if (store != add) sum += static_cast<double>(additions + most_starts(planned.step)) * info(store).unit_roundoff();
    }
  }
  return sum;
}

}  // namespace orderlab
