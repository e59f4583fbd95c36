#include "probe/unlike_bits.hpp"

#include <optional>
#include <string>
#include <vector>

#include "core/distinguishing_digits.hpp"
#include "order/formats_along.hpp"
#include "probe/accumulate_formats.hpp"
#include "probe/accumulator.hpp"
#include "probe/few_term_sums.hpp"
#include "probe/order_variants.hpp"
#include "probe/peel.hpp"
#include "probe/random_places.hpp"
#include "probe/value_verdict.hpp"
#include "probe/varying_verdict.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kPairsInDoubt = 128;  // whose sizes are asked again

// Orders with a compensated stage: it keeps the units that masks swallow elsewhere, so these show no tree.
std::optional<Judgement> judge_compensated_stage(const KnownBox& known, const Candidates& candidates) {
  const ReplayedOrders replayed = candidates.evident_ones(compensates);
  if (replayed.orders.empty()) return std::nullopt;
  Judgement found = judged(known, ProbeVerdict::named, replayed,
                           "by its bits alone: a compensated stage keeps what masks swallow elsewhere");
  found.compared += BoxReplay::kInputs;
  found.tree = known.replay.tree(found.orders.front().order, found.formats);
  return found;
}

// Orders of these stages that round partial sums, or store them, in a narrower format than `accumulate`. `mixed`: only
// those of which not all additions are alike.
std::vector<std::string> rounding_orders(const std::vector<StageCall>& stages, Format accumulate, bool mixed) {
  const std::string wide(info(accumulate).name);
  std::vector<std::string> texts;
  for (std::size_t place = mixed ? 1 : 0; place < stages.size(); ++place) {
    const auto middle = stages.begin() + static_cast<std::ptrdiff_t>(place);
    const std::string before = place == 0 ? "" : Order({}, {stages.begin(), middle}).expression() + " | ";
    const std::string after = " | " + Order({}, {middle, stages.end()}).expression();
    for (const FormatInfo& format : kFormats) {
      if (format.format == accumulate || !holds_all_of(accumulate, format.format)) continue;
      const std::string narrow(format.name);
      texts.push_back(before + "round(" + narrow + ") | in(" + narrow + ")" + after);
      texts.push_back(before + "round(" + narrow + ")" + after);
      texts.push_back(before + "in(" + wide + ",store=" + narrow + ")" + after);
    }
  }
  return texts;
}

// Its tree is that of stages between which partial sums are rounded. `mixed`: not all additions are alike.
std::optional<Judgement> judge_rounding(const KnownBox& known, const TreeShape& shape, bool mixed) {
  ReplayedOrders replayed;
  known.box.begin("replay", BoxReplay::kInputs);
  for (const Format accumulate : accumulate_formats(known.terms(), {}))
    for (std::vector<StageCall>& stages : peel(shape, accumulate, 4))
      for (const Order& plain : variants(Order({}, std::move(stages)), known.box.products()))
        for (const std::string& text : rounding_orders(plain.stages(), accumulate, mixed)) {
          known.box.obey_stop();
          const Order order = parse_order(text);
          const Candidate candidate{{text, order}, known.replay.formats_in(accumulate), {}};
          if (has_bits(known.replay, order, candidate.formats, BoxReplay::kInputs)) replayed.add(candidate);
        }
  if (replayed.orders.empty()) return std::nullopt;
  Judgement found =
      judged(known, ProbeVerdict::named, replayed, "by its tree, and by the bits of additions in several formats");
  found.compared += BoxReplay::kInputs;
  found.tree = known.replay.tree(found.orders.front().order, found.formats);
  return found;
}

// Whether masks at random places, or beside negative units, show another tree.
bool tree_changes(const KnownBox& known, const TreeShape& shape) {
  Masks other_sign = known.masks;
  other_sign.negative = true;
  PairSizes positive(known.box, known.masks);
  PairSizes negative(known.box, other_sign);
  RandomPlaces places(known.box.n(), 10);
  for (std::size_t i = 0; i < kPairsInDoubt; ++i) {
    const auto pair = places.some(2);
    const std::size_t size =
        shape.smallest_subtree(static_cast<TreeShape::Node>(pair[0]), static_cast<TreeShape::Node>(pair[1]));
    for (PairSizes* sizes : {&positive, &negative})
      if (sizes->measure({pair[0], pair[1]}) != size) return true;
  }
  return false;
}

// Sums of three terms are plain, though those of all terms are not those of the tree, or depend on values.
std::optional<Judgement> judge_few_terms(const KnownBox& known, const TreeShape& shape, bool mixed) {
  const std::vector<Format> accumulate = known.accumulate_formats();
  if (known.box.n() < 3 || accumulate.empty()) return std::nullopt;
  const FewTermSums few = few_term_sums(known.box, shape, accumulate, known.replay.result_format());
  // Products can be rounded in more ways than one; those of ones are not.
  if (few == FewTermSums::other || (few == FewTermSums::plain && (mixed || known.box.products()))) return std::nullopt;
  return judged(known, ProbeVerdict::data_dependent,
                few == FewTermSums::by_value
                    ? "how three terms are added depends on their values"
                    : "sums of three terms are plain additions, and those of all terms are not those of one tree");
}

std::optional<Judgement> judge_precision(const KnownBox& known) {
  const AccumulatorPrecision& measured = known.accumulator;
  if (!keeps_more_bits(known.box, *measured.widest) && !precision_depends_on_magnitude(known.box, measured))
    return std::nullopt;
  return judged(known, ProbeVerdict::data_dependent,
                "beside some terms more bits are lost than beside others: values choose the precision");
}

}  // namespace

Judgement judge_unlike_bits(const KnownBox& known, const Candidates& candidates, const TreeShape& shape) {
  const std::vector<Format> accumulate = known.accumulate_formats();
  require_digits(known.box, distinguishing_digits(accumulate.empty() ? Format::fp64 : accumulate.back()));
  if (varies_in_doubt(known)) return judge_varying(known);
  if (!shape.binary())
    if (const auto compensated = judge_compensated_stage(known, candidates)) return *compensated;
  if (tree_changes(known, shape)) return judge_no_tree(known);
  KnownBox inside = known;
  if (shape.binary() && !accumulate.empty()) measure_inside(known.box, shape, inside.accumulator);
  const bool mixed = inside.accumulator.narrowest != inside.accumulator.widest;
  if (shape.binary() && (accumulate.empty() || mixed)) return judge_unknown_precision(inside, shape, mixed);
  if (shape.binary())
    if (const auto rounding = judge_rounding(inside, shape, false)) return *rounding;
  if (const auto by_value = judge_values(inside)) return *by_value;
  if (const auto few = judge_few_terms(inside, shape, false)) return *few;
  if (const auto precision = judge_precision(inside)) return *precision;
  Judgement found = judged(inside, ProbeVerdict::revealed,
                           shape.binary() ? "its additions do not have the bits of plain ones in a format known here"
                                          : "some additions take more than two terms at once");
  found.tree = tree_of(shape, {known.replay.formats_in(known.terms()), {}});
  found.tree_masks = known.masks;
  return found;
}

Judgement judge_unknown_precision(const KnownBox& known, const TreeShape& shape, bool mixed) {
  if (const auto rounding = judge_rounding(known, shape, mixed)) return *rounding;
  if (mixed)
    if (const auto few = judge_few_terms(known, shape, true)) return *few;
  if (const auto precision = judge_precision(known)) return *precision;
  Judgement found = judged(known, ProbeVerdict::revealed);
  if (mixed) {
    found.reason = "it adds in several precisions, so its bits cannot be checked";
  } else {
    const int bits = *known.accumulator.narrowest;
    found.reason = "it adds with " + std::to_string(bits) + " bits, which no format here has";
    known.box.begin("replay", BoxReplay::kInputs);
    const SummationTree tree = tree_of(shape, {known.replay.formats_in(known.terms()), {}});
    if (known.replay.equal_all_with(bits, tree))
      found.replayed = BoxReplay::kInputs;
    else
      found.reason += ", and has other bits than its tree with so many";
  }
  return with_shape(std::move(found), known, shape);
}

Judgement judge_contradiction(const KnownBox& known, const Candidates& candidates) {
  if (varies_in_doubt(known)) return judge_varying(known);
  if (const auto compensated = judge_compensated_stage(known, candidates)) return *compensated;
  return judge_no_tree(known);
}

}  // namespace orderlab
