// One setting of a black box: its verdict. Longer than most files: one flow, of which every step can end in a verdict.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/distinguishing_digits.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/probe.hpp"
#include "probe/accumulator.hpp"
#include "probe/candidates.hpp"
#include "probe/certificate.hpp"
#include "probe/few_term_sums.hpp"
#include "probe/fused_products.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/peel.hpp"
#include "probe/random_box.hpp"
#include "probe/random_places.hpp"
#include "probe/replay.hpp"
#include "probe/reveal.hpp"
#include "probe/sanity.hpp"
#include "probe/stable_clusters.hpp"
#include "probe/tree_shape.hpp"
#include "probe/value_evidence.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kRepeatedInputs = 4;   // that are asked again, whether calls differ
constexpr std::size_t kRepeatsInDoubt = 64;  // more calls where answers contradict each other: threads can vary rarely
constexpr const char* kNoTree =
    "no single tree fits its answers to large terms: values choose the order, or its additions are not plain ones";
constexpr std::size_t kPairsInDoubt = 128;  // whose sizes are asked again
constexpr std::size_t kExactSums = 24;      // of different inputs; one of them is asked as often again
constexpr std::size_t kExactInDoubt = 200;  // calls with one of them where calls differ
constexpr std::size_t kAskedLast = 16;      // inputs that are asked once more when all is known
constexpr int kFewestDigits = 7;            // that the answers of a command need to be any use

class SettingProbe {
 public:
  SettingProbe(const BoxMaker& maker, const BoxSetting& setting, const ProbeOptions& options, const ProbeWatch& watch)
      : options_(options), box_(maker, setting, watch), replay_(box_), candidates_(box_, replay_, result_) {
    result_.setting = setting;
    result_.formats = {setting.format, setting.format, setting.format};
  }

  SettingProbe(const SettingProbe&) = delete;
  SettingProbe& operator=(const SettingProbe&) = delete;

  ProbedOrder run() {
    if (options_.expected && options_.expected->order.random()) require_listable(*options_.expected);
    look();
    if (box_.n() > 1) look_again();
    if (options_.expected) compare_with(*options_.expected);
    look_at_specials();
    result_.changes_input = box_.box().changes_input();
    result_.calls = box_.calls();
    return std::move(result_);
  }

 private:
  Format terms() const { return box_.setting().format; }

  // What it adds in, as far as a format has the measured precision.
  Format additions() const {
    const std::vector<Format> known = candidates_.accumulate_formats();
    return known.empty() ? Format::fp64 : known.front();
  }

  void look() {
    box_.begin("sums of a few terms", 10);
    replay_.answer(0);  // before all else: the first calls can differ from later ones
    if (const std::string wrong = wrong_sum_of_few(box_); !wrong.empty()) return refuse_sum(wrong);
    if (const std::string changed = changed_term(box_); !changed.empty()) {
      if (box_.box().digits() == Box::kAllDigits) return refuse_sum(changed);
      throw Error(ErrorKind::input, changed + ": too few digits to compare bits; print 17, as printf \"%.17g\" does");
    }
    const std::size_t repeats = std::max<std::size_t>(options_.repeats, 2) - 1;
    const bool varies = replay_.varies(kRepeatedInputs, repeats);
    if (!varies) result_.compared += kRepeatedInputs * repeats;
    require_digits(kFewestDigits);
    if (box_.n() == 1 && varies) {
      result_.verdict = ProbeVerdict::random;
      result_.reason = "calls with the same term differ";
      return;
    }
    if (box_.n() > 1) {
      box_.begin("precision", 100);
      result_.accumulator = measure_accumulator(box_);
      if (!find_masks(varies)) return;
    }
    if (varies) return judge_random();
    candidates_.match(options_);
    if (box_.n() == 1 || !result_.accumulator->narrowest) return judge_by_replay();
    if (certify_candidates() || judge_sorted()) return;
    reveal_tree();
  }

  void refuse_sum(const std::string& wrong) {
    forget_orders();
    result_.verdict = ProbeVerdict::not_a_sum;
    result_.reason = wrong;
  }

  // What was found, but for the accumulator, since it turned out to be wrong.
  void forget_orders() {
    result_.reason.clear();
    result_.orders.clear();
    result_.tree.reset();
    result_.certified = false;
    result_.replayed = 0;
    result_.compared = 0;
    tree_by_masks_ = false;
  }

  // Bits of the additions, as far as these can be told.
  int precision() const { return result_.accumulator->narrowest.value_or(info(terms()).precision); }

  // Exponents that terms and sums can have: a narrower accumulator may have fewer.
  ExponentRange exponents(const Masks& masks) const {
    ExponentRange range = exponents_of_terms(box_);
    range.most = std::min(range.most, masks.exponent);
    if (precision() >= info(terms()).precision) return range;
    const std::vector<Format> known = candidates_.accumulate_formats();
    const FormatInfo& narrow = info(known.empty() ? Format::fp16 : known.front());
    return {std::max(range.least, narrow.e_min), std::min(range.most, narrow.e_max - 1)};
  }

  // Sums that no order changes, exact in as many bits as box and text have.
  std::string wrong_exact_sums(std::size_t varied, std::size_t repeated) {
    const double digits = static_cast<double>(box_.box().digits()) * std::log2(10.0);
    const int bits = std::min({precision(), info(terms()).precision, static_cast<int>(digits)});
    return wrong_exact_sum(box_, bits, exponents(sizes_->masks()), varied, repeated);
  }

  // What a verdict rests on, asked once more.
  void look_again() {
    if (result_.verdict == ProbeVerdict::random || result_.verdict == ProbeVerdict::not_a_sum) return;
    if (const std::string wrong = replay_.impossible_answer(precision()); !wrong.empty()) return refuse_sum(wrong);
    if (replay_.varies(kAskedLast, 1)) return judge_random();
    result_.compared += kAskedLast;
    if (result_.verdict == ProbeVerdict::data_dependent) result_.compared = 0;
  }

  void look_at_specials() {
    const bool sums = result_.verdict != ProbeVerdict::not_a_sum && result_.verdict != ProbeVerdict::data_dependent;
    if (!sums || box_.box().reads_text()) return;
    const std::string wrong = ignored_special(box_);
    if (wrong.empty()) return;
    const std::string order = result_.orders.empty() ? "" : "; finite terms: " + result_.orders.front().text;
    const std::string before = std::string(name_of(result_.verdict)) + order;
    forget_orders();
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = wrong + "; of finite terms it is " + before;
  }

  // Answers with fewer decimal digits cannot be compared bit by bit.
  void require_digits(int digits) const {
    if (box_.box().digits() >= static_cast<std::size_t>(digits)) return;
    throw Error(ErrorKind::input,
                "the box prints " + std::to_string(box_.box().digits()) +
                    " significant digits: too few to compare bits; print 17, as printf \"%.17g\" does");
  }

  // Makes sizes_. False where the verdict is found.
  bool find_masks(bool varies) {
    replay_.answer(Candidates::kMatchedInputs);
    const Format widest = Format::fp64;
    Masks masks = masks_for(terms(), *result_.accumulator, info(replay_.result_format(widest)).precision);
    if (const std::string wrong = miscounted_term(box_, masks); !wrong.empty()) {
      refuse_sum(wrong);
      return false;
    }
    masks_work_ = orderlab::find_masks(box_, masks) || varies;
    sizes_.emplace(box_, masks);
    if (const std::string wrong = wrong_exact_sums(kExactSums, kExactSums); !wrong.empty()) {
      refuse_sum(wrong);
      return false;
    }
    return true;
  }

  void judge_random() {
    forget_orders();
    if (const std::string wrong = wrong_exact_sums(1, kExactInDoubt); !wrong.empty()) return refuse_sum(wrong);
    if (const std::string wrong = replay_.impossible_answer(precision()); !wrong.empty()) return refuse_sum(wrong);
    if (rounds_at_random(box_, std::min(precision(), info(terms()).precision))) return judge_random_rounding();
    result_.formats = candidates_.formats_in(additions());
    probe_random(*sizes_, replay_, result_);
  }

  // Two terms have several sums. Masks show the tree all the same: what they swallow is far below one rounding.
  void judge_random_rounding() {
    const std::string how = "two terms gave different sums in different calls: additions are rounded at random";
    box_.begin("revelation", revelation_calls(box_.n()));
    const std::optional<TreeShape> shape = sizes_vary(*sizes_) ? std::nullopt : reveal(*sizes_);
    result_.verdict = shape ? ProbeVerdict::revealed : ProbeVerdict::random;
    result_.reason = how;
    if (!shape) return;
    tree_by_masks_ = true;
    show_tree(*shape);
  }

  // A tree whose additions are not known, and what makes it.
  void show_tree(const TreeShape& shape) {
    result_.tree = tree_of(shape, {candidates_.formats_in(terms()), {}});
    if (const auto names = peel(shape, terms(), 1); !names.empty())
      result_.reason += "; its tree is that of " + Order({}, names.front()).expression();
  }

  // Where masks say nothing: one term, exact sums.
  void judge_by_replay() {
    if (box_.n() == 1) {
      candidates_.take_all();
      result_.verdict = result_.orders.empty() ? ProbeVerdict::not_a_sum : ProbeVerdict::named;
      if (!result_.orders.empty()) set_tree(result_.orders.front().order);
      return;
    }
    result_.verdict = ProbeVerdict::compensated;
    const Format result = replay_.result_format();
    if (replay_.exact_answers(result) == BoxReplay::kInputs) return judge_exact();
    if (judge_sorted()) return;
    if (candidates_.take_by_bits(compensates)) return set_tree(result_.orders.front().order);
    if (replay_.compensated()) {
      result_.reason =
          "its sums are as near to the exact ones as compensated sums are, and have the bits of no order known here";
    } else if (!keeps_three_levels(box_) && replay_.near_exact(info(Format::fp32).precision)) {
      result_.reason = std::to_string(replay_.exact_answers(result)) + " of " + std::to_string(BoxReplay::kInputs) +
                       " sums of random inputs are the exact ones, rounded to " + std::string(info(result).name) +
                       "; its terms cannot tell that from additions with more bits";
    } else if (!judge_values()) {
      result_.verdict = ProbeVerdict::data_dependent;
      result_.reason =
          "no unit is lost beside a mask, and yet its sums are not as near to the exact ones as those of compensation";
    }
  }

  void judge_exact() {
    result_.compared += BoxReplay::kInputs;
    const std::string format(info(replay_.result_format()).name);
    const std::optional<bool> always = keeps_three_levels(box_);
    result_.reason = (always == true ? "every sum is" : "sums of random inputs are") +
                     std::string(always == true ? " the exact sum" : " the exact sums") + ", rounded to " + format;
    if (!always) result_.reason += "; " + format + " terms cannot tell that from additions with more bits";
    if (always == false) result_.reason += "; terms farther apart lose bits";
  }

  bool judge_sorted() {
    const bool some = std::any_of(candidates_.all().begin(), candidates_.all().end(),
                                  [](const Candidate& candidate) { return sorts(candidate.order.order); });
    if (!some || !candidates_.take_by_bits(sorts)) return false;
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = "the terms are sorted before they are added";
    return true;
  }

  // The trees of the candidates, until one is proven.
  bool certify_candidates() {
    std::optional<TreeShape> proven;
    std::vector<TreeShape> wrong;
    for (const Candidate& candidate : candidates_.all()) {
      if (sorts(candidate.order.order)) continue;
      const TreeShape shape = shape_of(candidate.order.order, candidate.formats);
      if (!shape.binary()) continue;  // compensated: masks do not show that
      if (!proven && masks_work_ && std::find(wrong.begin(), wrong.end(), shape) == wrong.end()) {
        box_.begin("certificate", box_.n() - 1);
        const auto differs = certify(shape, *sizes_);
        if (differs) wrong.push_back(shape);
        if (!differs) proven = shape;
        if (proven && adds_in_several()) break;
      }
      if (masks_work_ && (!proven || !(*proven == shape))) continue;
      if (!masks_work_ && !candidates_.evident(candidate)) continue;
      candidates_.take(candidate);
    }
    if (!result_.orders.empty()) return name();
    if (!proven) return false;
    tree_by_masks_ = true;
    if (adds_in_several())
      judge_unknown_precision(*proven, true);
    else
      judge_tree(*proven);
    return true;
  }

  // Whether precisions differ by more than one bit, which the signs of a triple make.
  bool adds_in_several() const { return *result_.accumulator->widest > *result_.accumulator->narrowest + 1; }

  TreeShape shape_of(const Order& order, const Formats& formats) {
    return TreeShape::of(tree_of_order(order, formats));
  }

  SummationTree tree_of_order(const Order& order, const Formats& formats) {
    return Evaluator::make(order, replay_.input(0).view(), formats, 1)->tree(0);
  }

  void set_tree(const Order& order) { result_.tree = tree_of_order(order, result_.formats); }

  bool name() {
    result_.verdict = ProbeVerdict::named;
    result_.certified = masks_work_;
    tree_by_masks_ = masks_work_;
    result_.compared += BoxReplay::kInputs;  // masks ask of one pair each: another order may answer alike
    if (!masks_work_) result_.reason = "by its bits alone: its answers to large terms cannot be counted";
    candidates_.fit_start();
    set_tree(result_.orders.front().order);
    return true;
  }

  void reveal_tree() {
    if (!masks_work_) return contradict();
    box_.begin("revelation", revelation_calls(box_.n()));
    const std::optional<TreeShape> shape = reveal(*sizes_);
    if (!shape) return contradict();
    tree_by_masks_ = true;
    judge_tree(*shape);
  }

  bool name_tree(const TreeShape& shape) {
    if (!candidates_.take_names(shape)) return false;
    name();
    result_.certified = false;
    return true;
  }

  // A tree that masks show: names for it, or else its own additions, have to give the bits.
  void judge_tree(const TreeShape& shape) {
    if (shape.binary()) {
      if (name_tree(shape)) return;
      for (const Format accumulate : candidates_.accumulate_formats())
        if (take_tree(shape, {candidates_.formats_in(accumulate), {}})) return;
      if (box_.products() && adds_in(terms())) {
        box_.begin("fused products", box_.n());
        const std::vector<bool> fused = fused_products(shape, box_);
        const auto count = std::count(fused.begin(), fused.end(), true);
        if (take_tree(shape, {candidates_.formats_in(terms()), fused})) {
          result_.reason += "; " + std::to_string(count) + " of " + std::to_string(box_.n()) + " products are fused";
          return;
        }
      }
    }
    judge_unlike_bits(shape);
  }

  // Whether calls differ after all: few bits can hide it from sums of random inputs, sizes of subtrees show it.
  bool varies_in_doubt() {
    return replay_.varies(kRepeatedInputs, kRepeatsInDoubt) || (masks_work_ && sizes_vary(*sizes_));
  }

  // Orders with a compensated stage: it keeps the units that masks swallow elsewhere, so these show no tree.
  bool judge_compensated_stage() {
    if (!candidates_.take_by_bits(compensates)) return false;
    result_.compared += BoxReplay::kInputs;
    tree_by_masks_ = false;
    result_.verdict = ProbeVerdict::named;
    result_.reason = "by its bits alone: a compensated stage keeps what masks swallow elsewhere";
    set_tree(result_.orders.front().order);
    return true;
  }

  bool adds_in(Format format) const {
    const std::vector<Format> formats = candidates_.accumulate_formats();
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  }

  // Whether the additions of the tree give the bits.
  bool take_tree(const TreeShape& shape, const TreeArithmetic& arithmetic) {
    const SummationTree tree = tree_of(shape, arithmetic);
    box_.begin("replay", BoxReplay::kInputs);
    if (!replay_.equal_all(tree, arithmetic.formats.result)) return false;
    result_.verdict = ProbeVerdict::revealed;
    result_.reason = "no pipeline of stages gives this tree";
    result_.formats = arithmetic.formats;
    result_.replayed = BoxReplay::kInputs;
    result_.compared += BoxReplay::kInputs;
    result_.tree = tree;
    return true;
  }

  // The masks show a tree, and random inputs have other bits.
  void judge_unlike_bits(const TreeShape& shape) {
    const std::vector<Format> known = candidates_.accumulate_formats();
    require_digits(distinguishing_digits(known.empty() ? Format::fp64 : known.back()));
    if (varies_in_doubt()) return judge_random();
    if (!shape.binary() && judge_compensated_stage()) return;
    if (tree_changes(shape)) return judge_without_tree();
    if (shape.binary() && !known.empty()) measure_inside(box_, shape, *result_.accumulator);
    const bool mixed = result_.accumulator->narrowest != result_.accumulator->widest;
    if (shape.binary() && (known.empty() || mixed)) return judge_unknown_precision(shape, mixed);
    if (judge_values() || judge_few_terms(shape, false) || judge_precision()) return;
    result_.verdict = ProbeVerdict::revealed;
    result_.tree = tree_of(shape, {candidates_.formats_in(terms()), {}});
    result_.reason = shape.binary() ? "its additions do not have the bits of plain ones in a format known here"
                                    : "some additions take more than two terms at once";
  }

  // Whether sums of three terms are plain, though those of all terms are not those of the tree, or depend on values.
  bool judge_few_terms(const TreeShape& shape, bool mixed) {
    const std::vector<Format> known = candidates_.accumulate_formats();
    if (box_.n() < 3 || known.empty()) return false;
    const FewTermSums few = few_term_sums(box_, shape, known, replay_.result_format());
    // Products can be rounded in more ways than one; those of ones are not.
    if (few == FewTermSums::other || (few == FewTermSums::plain && (mixed || box_.products()))) return false;
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = few == FewTermSums::by_value
                         ? "how three terms are added depends on their values"
                         : "sums of three terms are plain additions, and those of all terms are not those of one tree";
    return true;
  }

  // Whether masks at random places, or beside negative units, show another tree.
  bool tree_changes(const TreeShape& shape) {
    Masks other_sign = sizes_->masks();
    other_sign.negative = true;
    PairSizes negative(box_, other_sign);
    RandomPlaces places(box_.n(), 10);
    for (std::size_t i = 0; i < kPairsInDoubt; ++i) {
      const auto pair = places.some(2);
      const std::size_t size =
          shape.smallest_subtree(static_cast<TreeShape::Node>(pair[0]), static_cast<TreeShape::Node>(pair[1]));
      for (PairSizes* sizes : {&*sizes_, &negative})
        if (sizes->measure({pair[0], pair[1]}) != size) return true;
    }
    return false;
  }

  bool judge_values() {
    const std::string evidence = evidence_of_values(box_, replay_, additions());
    if (evidence.empty()) return false;
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = evidence;
    return true;
  }

  bool judge_precision() {
    const AccumulatorPrecision& measured = *result_.accumulator;
    if (!keeps_more_bits(box_, *measured.widest) && !precision_depends_on_magnitude(box_, measured)) return false;
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = "beside some terms more bits are lost than beside others: values choose the precision";
    return true;
  }

  void judge_unknown_precision(const TreeShape& shape, bool mixed) {
    if (mixed && judge_few_terms(shape, true)) return;
    if (judge_precision()) return;
    result_.verdict = ProbeVerdict::revealed;
    if (mixed) {
      result_.reason = "it adds in several precisions, so its bits cannot be checked";
    } else {
      const int bits = *result_.accumulator->narrowest;
      result_.reason = "it adds with " + std::to_string(bits) + " bits, which no format here has";
      box_.begin("replay", BoxReplay::kInputs);
      if (replay_.equal_all_with(bits, tree_of(shape, {candidates_.formats_in(terms()), {}})))
        result_.replayed = BoxReplay::kInputs;
      else
        result_.reason += ", and has other bits than its tree with so many";
    }
    show_tree(shape);
  }

  // No tree explains the answers to masks.
  void contradict() {
    if (varies_in_doubt()) return judge_random();
    if (judge_compensated_stage()) return;
    judge_without_tree();
  }

  void judge_without_tree() {
    if (judge_values()) return;
    result_.verdict = ProbeVerdict::data_dependent;
    result_.reason = kNoTree;
  }

  // An order that draws is compared by all sums that it can give.
  void require_listable(const WrittenOrder& expected) {
    if (sums_are_listed(expected.order, result_.formats, replay_)) return;
    throw Error(ErrorKind::usage, "an expected order of " + std::to_string(box_.n()) + " terms: " + expected.text +
                                      " can give too many sums to list them all; give fewer terms, such as 8");
  }

  void compare_with(const WrittenOrder& expected) {
    result_.as_expected = false;
    if (result_.verdict == ProbeVerdict::not_a_sum) return;
    if (expected.order.random()) {
      result_.as_expected = gives_all(expected.order, result_.formats, replay_);
      return;
    }
    if (result_.verdict == ProbeVerdict::random) return;
    const Formats formats = result_.formats;
    std::optional<TreeShape> shape;
    try {
      if (!sorts(expected.order)) shape = shape_of(expected.order, formats);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      return;  // not an order of so many terms
    }
    const bool has_tree = result_.verdict == ProbeVerdict::named || result_.verdict == ProbeVerdict::revealed;
    if (shape && has_tree && tree_by_masks_) result_.differs = certify(*shape, *sizes_);
    result_.as_expected = !result_.differs && candidates_.has_bits({expected, formats, {}}, BoxReplay::kInputs);
  }

  const ProbeOptions& options_;
  AskedBox box_;
  BoxReplay replay_;
  ProbedOrder result_;
  bool masks_work_ = true;
  bool tree_by_masks_ = false;
  std::optional<PairSizes> sizes_;
  Candidates candidates_;
};

}  // namespace

std::optional<ProbedOrder> probe_setting(const BoxMaker& maker, const BoxSetting& setting, const ProbeOptions& options,
                                         const ProbeWatch& watch) {
  const FloatEnvironment environment;
  if (setting.n == 0 || setting.n > kMostProbedTerms)
    throw Error(ErrorKind::usage, "a probe with " + std::to_string(setting.n) + " terms: must be from 1 to " +
                                      std::to_string(kMostProbedTerms));
  const StopScope scope(watch.stop);
  return unless_stopped([&] { return SettingProbe(maker, setting, options, watch).run(); });
}

}  // namespace orderlab
