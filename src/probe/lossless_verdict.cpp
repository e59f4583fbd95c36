#include "probe/lossless_verdict.hpp"

#include <optional>
#include <string>

#include "probe/accumulator.hpp"
#include "probe/value_verdict.hpp"

namespace orderlab {

namespace {

std::string name_of_results(const KnownBox& known) { return std::string(info(known.replay.result_format()).name); }

Judgement judge_exact(const KnownBox& known) {
  const std::string format = name_of_results(known);
  const std::optional<bool> always = keeps_three_levels(known.box);
  std::string reason = always == true ? "every sum is the exact sum, rounded to "
                                      : "sums of random inputs are the exact sums, rounded to ";
  reason += format;
  if (!always) reason += "; " + format + " terms cannot tell that from additions with more bits";
  if (always == false) reason += "; terms farther apart lose bits";
  Judgement found = judged(known, ProbeVerdict::compensated, reason);
  found.compared += BoxReplay::kInputs;
  return found;
}

}  // namespace

Judgement judge_lossless(const KnownBox& known, const Candidates& candidates) {
  BoxReplay& replay = known.replay;
  const std::size_t exact = replay.exact_answers(replay.result_format());
  if (exact == BoxReplay::kInputs) return judge_exact(known);
  if (const auto sorted = judge_sorted(known, candidates)) return *sorted;
  if (const ReplayedOrders replayed = candidates.evident_ones(compensates); !replayed.orders.empty()) {
    Judgement found = judged(known, ProbeVerdict::compensated, replayed);
    found.tree = replay.tree(replayed.orders.front().order, replayed.formats);
    return found;
  }
  if (replay.compensated())
    return judged(
        known, ProbeVerdict::compensated,
        "its sums are as near to the exact ones as compensated sums are, and have the bits of no order known here");
  if (!keeps_three_levels(known.box) && replay.near_exact(info(Format::fp32).precision))
    return judged(known, ProbeVerdict::compensated,
                  std::to_string(exact) + " of " + std::to_string(BoxReplay::kInputs) +
                      " sums of random inputs are the exact ones, rounded to " + name_of_results(known) +
                      "; its terms cannot tell that from additions with more bits");
  if (const auto by_value = judge_values(known)) return *by_value;
  return judged(
      known, ProbeVerdict::data_dependent,
      "no unit is lost beside a mask, and yet its sums are not as near to the exact ones as those of compensation");
}

}  // namespace orderlab
