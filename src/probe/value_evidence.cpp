#include "probe/value_evidence.hpp"

#include "probe/accumulate_formats.hpp"
#include "probe/candidates.hpp"

namespace orderlab {

namespace {

// That these inputs are added in an order, and others are not; "" where these have none. Their additions may have
// another precision than those of masks.
std::string order_of(AskedBox& box, BoxReplay& replay, const std::string& these, const std::string& others) {
  const Candidates candidates(box, replay, accumulate_formats(box.setting().format, {}), {});
  const auto plain = [](const Order& order) { return !sorts(order) && !compensates(order); };
  const std::vector<WrittenOrder> orders = candidates.evident_ones(plain).orders;
  if (orders.empty()) return "";
  return these + " are added in the order " + orders.front().text + ", " + others + " are not";
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
