#include "probe/tree_verdict.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "probe/certificate.hpp"
#include "probe/fused_products.hpp"
#include "probe/order_variants.hpp"
#include "probe/reveal.hpp"
#include "probe/unlike_bits.hpp"

namespace orderlab {

namespace {

// The orders, with another start where need be, that give the sign of a sum of zeros that are all negative.
std::vector<WrittenOrder> with_fitting_start(const ReplayedOrders& replayed, const KnownBox& known) {
  const bool from_zero = known.replay.starts_from_zero();
  const auto fits = [&](const WrittenOrder& order) {
    return starts_from_zero(order.order, known.box, replayed.formats) == from_zero;
  };
  ReplayedOrders fitting;
  for (const WrittenOrder& order : replayed.orders) {
    if (fits(order))
      fitting.add_if_new(order);
    else if (const auto other = with_start(order.order, from_zero); other && fits(*other))
      fitting.add_if_new(*other);
  }
  return fitting.orders;
}

Judgement judge_named(const KnownBox& known, const ReplayedOrders& replayed, bool certified) {
  Judgement found = judged(known, ProbeVerdict::named, replayed);
  found.certified = certified;
  found.compared += BoxReplay::kInputs;  // masks ask of one pair each: another order may answer alike
  if (known.masks_work)
    found.tree_masks = known.masks;
  else
    found.reason = "by its bits alone: its answers to large terms cannot be counted";
  if (std::vector<WrittenOrder> fitting = with_fitting_start(replayed, known); !fitting.empty())
    found.orders = std::move(fitting);
  else
    found.reason =
        std::string("but zeros that are all negative add up to ") + (known.replay.starts_from_zero() ? "+0.0" : "-0.0");
  found.tree = known.replay.tree(found.orders.front().order, found.formats);
  return found;
}

// A tree without a name. Empty where its additions do not give the bits.
std::optional<Judgement> judge_additions(const KnownBox& known, const TreeShape& shape,
                                         const TreeArithmetic& arithmetic) {
  const SummationTree tree = tree_of(shape, arithmetic);
  known.box.begin("replay", BoxReplay::kInputs);
  if (!known.replay.equal_all(tree, arithmetic.formats.result)) return std::nullopt;
  Judgement found = judged(known, ProbeVerdict::revealed, "no pipeline of stages gives this tree");
  found.formats = arithmetic.formats;
  found.replayed = BoxReplay::kInputs;
  found.compared += BoxReplay::kInputs;
  found.tree = tree;
  found.tree_masks = known.masks;
  return found;
}

std::optional<Judgement> judge_fused_products(const KnownBox& known, const TreeShape& shape) {
  const std::vector<Format> accumulate = known.accumulate_formats();
  const bool adds_in_terms = std::find(accumulate.begin(), accumulate.end(), known.terms()) != accumulate.end();
  if (!known.box.products() || !adds_in_terms) return std::nullopt;
  known.box.begin("fused products", known.box.n());
  const std::vector<bool> fused = fused_products(shape, known.box);
  std::optional<Judgement> found = judge_additions(known, shape, {known.replay.formats_in(known.terms()), fused});
  if (found)
    found->reason += "; " + std::to_string(std::count(fused.begin(), fused.end(), true)) + " of " +
                     std::to_string(known.box.n()) + " products are fused";
  return found;
}

// A tree that masks show: names for it, or else its own additions, have to give the bits.
Judgement judge_tree(const KnownBox& known, const Candidates& candidates, const TreeShape& shape) {
  if (shape.binary()) {
    const std::vector<Format> accumulate = known.accumulate_formats();
    if (const ReplayedOrders names = orders_with_shape(known.box, known.replay, shape, accumulate);
        !names.orders.empty())
      return judge_named(known, names, false);
    for (const Format format : accumulate)
      if (const auto found = judge_additions(known, shape, {known.replay.formats_in(format), {}})) return *found;
    if (const auto found = judge_fused_products(known, shape)) return *found;
  }
  return judge_unlike_bits(known, candidates, shape);
}

// Whether precisions differ by more than one bit, which the signs of a triple make.
bool adds_in_several(const AccumulatorPrecision& measured) { return *measured.widest > *measured.narrowest + 1; }

// Asks for trees of candidates, each once.
class Certifier {
 public:
  explicit Certifier(const KnownBox& known) : known_(known), sizes_(known.box, known.masks) {}

  // Whether the tree is proven.
  bool prove(const TreeShape& shape) {
    if (!proven_ && std::find(wrong_.begin(), wrong_.end(), shape) == wrong_.end()) {
      known_.box.begin("certificate", known_.box.n() - 1);
      if (certify(shape, sizes_))
        wrong_.push_back(shape);
      else
        proven_ = shape;
    }
    return proven_ && *proven_ == shape;
  }

  const std::optional<TreeShape>& proven() const { return proven_; }

 private:
  const KnownBox& known_;
  PairSizes sizes_;
  std::optional<TreeShape> proven_;
  std::vector<TreeShape> wrong_;
};

}  // namespace

std::optional<Judgement> judge_candidates(const KnownBox& known, const Candidates& candidates) {
  Certifier certifier(known);
  ReplayedOrders replayed;
  for (const Candidate& candidate : candidates.all()) {
    if (sorts(candidate.order.order)) continue;
    const TreeShape shape = TreeShape::of(known.replay.tree(candidate.order.order, candidate.formats));
    if (!shape.binary()) continue;  // compensated: masks do not show that
    const bool holds = known.masks_work ? certifier.prove(shape) : candidates.evident(candidate);
    if (certifier.proven() && adds_in_several(known.accumulator))
      return judge_unknown_precision(known, *certifier.proven(), true);
    if (holds && candidates.replays_all(candidate)) replayed.add(candidate);
  }
  if (!replayed.orders.empty()) return judge_named(known, replayed, known.masks_work);
  if (certifier.proven()) return judge_tree(known, candidates, *certifier.proven());
  return std::nullopt;
}

Judgement judge_revealed(const KnownBox& known, const Candidates& candidates) {
  if (!known.masks_work) return judge_contradiction(known, candidates);
  known.box.begin("revelation", revelation_calls(known.box.n()));
  PairSizes sizes(known.box, known.masks);
  const std::optional<TreeShape> shape = reveal(sizes);
  return shape ? judge_tree(known, candidates, *shape) : judge_contradiction(known, candidates);
}

}  // namespace orderlab
