#include "probe/expectation.hpp"

#include <string>

#include "orderlab/error.hpp"
#include "probe/certificate.hpp"
#include "probe/random_box.hpp"

namespace orderlab {

void require_listable(const WrittenOrder& expected, const AskedBox& box, BoxReplay& replay) {
  const Format terms = box.setting().format;
  if (!expected.order.random() || sums_are_listed(expected.order, {terms, terms, terms}, replay)) return;
  throw Error(ErrorKind::usage, "an expected order of " + std::to_string(box.n()) + " terms: " + expected.text +
                                    " can give too many sums to list them all; give fewer terms, such as 8");
}

Comparison compare_with(const WrittenOrder& expected, const Judgement& found, AskedBox& box, BoxReplay& replay) {
  if (found.verdict == ProbeVerdict::not_a_sum) return {};
  if (expected.order.random()) return {gives_all(expected.order, found.formats, replay)};
  if (found.verdict == ProbeVerdict::random) return {};
  std::optional<TreeShape> shape;
  try {
    if (!sorts(expected.order)) shape = TreeShape::of(replay.tree(expected.order, found.formats));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return {};  // not an order of so many terms
  }
  const bool has_tree = found.verdict == ProbeVerdict::named || found.verdict == ProbeVerdict::revealed;
  if (shape && has_tree && found.tree_masks) {
    PairSizes sizes(box, *found.tree_masks);
    if (const auto differs = certify(*shape, sizes)) return {.differs = differs};
  }
  return {has_bits(replay, expected.order, found.formats, BoxReplay::kInputs)};
}

}  // namespace orderlab
