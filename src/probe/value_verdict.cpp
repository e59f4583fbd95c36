#include "probe/value_verdict.hpp"

#include <string>

#include "probe/value_evidence.hpp"

namespace orderlab {

std::optional<Judgement> judge_sorted(const KnownBox& known, const Candidates& candidates) {
  const ReplayedOrders replayed = candidates.evident_ones(sorts);
  if (replayed.orders.empty()) return std::nullopt;
  return judged(known, ProbeVerdict::data_dependent, replayed, "the terms are sorted before they are added");
}

std::optional<Judgement> judge_values(const KnownBox& known) {
  const std::string evidence = evidence_of_values(known.box, known.replay, known.additions());
  if (evidence.empty()) return std::nullopt;
  return judged(known, ProbeVerdict::data_dependent, evidence);
}

Judgement judge_no_tree(const KnownBox& known) {
  if (const auto by_value = judge_values(known)) return *by_value;
  return judged(
      known, ProbeVerdict::data_dependent,
      "no single tree fits its answers to large terms: values choose the order, or its additions are not plain ones");
}

}  // namespace orderlab
