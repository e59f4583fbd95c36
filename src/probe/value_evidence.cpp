#include "probe/value_evidence.hpp"

#include "probe/candidates.hpp"

namespace orderlab {

namespace {

// That these inputs are added in an order, and others are not; "" where these have none. Their additions may have
// another precision than those of masks.
std::string order_of(AskedBox& box, BoxReplay& replay, const std::string& these, const std::string& others) {
  ProbedOrder found;
  Candidates candidates(box, replay, found);
  candidates.match({});
  const auto plain = [](const Order& order) { return !sorts(order) && !compensates(order); };
  if (!candidates.take_by_bits(plain)) return "";
  return these + " are added in the order " + found.orders.front().text + ", " + others + " are not";
}

}  // namespace

std::string evidence_of_values(AskedBox& box, BoxReplay& replay, Format accumulate) {
  if (replay.same_when_permuted(accumulate))
    return "its sums do not change when the terms are permuted: it sorts them, or bins them by size";
  std::string evidence = order_of(box, replay, "random terms", "much larger terms");
  BoxReplay positive(box, InputSet::positive);
  if (evidence.empty()) evidence = order_of(box, positive, "positive terms", "terms of both signs");
  BoxReplay normal(box, InputSet::normal);
  if (evidence.empty()) evidence = order_of(box, normal, "normal(0,1) terms", "terms of other magnitudes");
  return evidence;
}

}  // namespace orderlab
