// The verdict on a black box in one setting: the steps, one after the other.
#include <string>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"
#include "probe/accumulate_formats.hpp"
#include "probe/candidates.hpp"
#include "probe/expectation.hpp"
#include "probe/first_answers.hpp"
#include "probe/judgement.hpp"
#include "probe/known_box.hpp"
#include "probe/lossless_verdict.hpp"
#include "probe/one_sided_verdict.hpp"
#include "probe/sanity.hpp"
#include "probe/tree_verdict.hpp"
#include "probe/value_verdict.hpp"
#include "probe/varying_verdict.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kAskedLast = 16;  // inputs that are asked once more when all is known

// Any order of one term has its bits, or none has.
Judgement judge_one_term(AskedBox& box, BoxReplay& replay, const FirstAnswers& first, const ProbeOptions& options) {
  const BoxSetting& setting = box.setting();
  if (first.vary) return judged(setting, ProbeVerdict::random, "calls with the same term differ");
  const Candidates candidates(box, replay, accumulate_formats(setting.format, {}), options);
  ReplayedOrders replayed;
  for (const Candidate& candidate : candidates.all())
    if (candidates.replays_all(candidate)) replayed.add(candidate);
  Judgement found = judged(setting, replayed.orders.empty() ? ProbeVerdict::not_a_sum : ProbeVerdict::named);
  found.compared = first.agreed;
  if (replayed.orders.empty()) return found;
  found.orders = replayed.orders;
  found.formats = replayed.formats;
  found.replayed = BoxReplay::kInputs;
  found.tree = replay.tree(found.orders.front().order, found.formats);
  return found;
}

// Calls with the same terms agree.
Judgement judge_steady(const KnownBox& known, const ProbeOptions& options) {
  const Candidates candidates(known.box, known.replay, known.accumulate_formats(), options);
  if (!known.accumulator.narrowest) return judge_lossless(known, candidates);
  if (const auto found = judge_candidates(known, candidates)) return *found;
  if (const auto found = judge_sorted(known, candidates)) return *found;
  return judge_revealed(known, candidates);
}

// What the judgement rests on, asked once more.
Judgement asked_again(const KnownBox& known, Judgement found) {
  if (found.verdict == ProbeVerdict::random || found.verdict == ProbeVerdict::not_a_sum) return found;
  KnownBox now = known;
  now.accumulator = *found.accumulator;
  now.formats = found.formats;
  if (const std::string wrong = known.replay.impossible_answer(now.precision()); !wrong.empty())
    return judged_no_sum(now, wrong);
  if (known.replay.varies(kAskedLast, 1)) return judge_varying(now);
  found.compared = found.verdict == ProbeVerdict::data_dependent ? 0 : found.compared + kAskedLast;
  return found;
}

Judgement judge(AskedBox& box, BoxReplay& replay, const ProbeOptions& options) {
  if (box.summands() != Summands::terms) return judge_one_sided(box, replay, options);
  const FirstAnswers first = first_answers(box, replay, options.repeats);
  if (!first.wrong.empty()) return judged(box.setting(), ProbeVerdict::not_a_sum, first.wrong);
  if (box.n() == 1) return judge_one_term(box, replay, first, options);
  const auto [known, wrong] = measure_box(box, replay, first);
  if (!wrong.empty()) return judged_no_sum(known, wrong);
  return asked_again(known, first.vary ? judge_varying(known) : judge_steady(known, options));
}

// NaN and infinities come last: a box may be of no use afterwards.
ProbedOrder after_specials(AskedBox& box, ProbedOrder found) {
  if (found.verdict == ProbeVerdict::not_a_sum || found.verdict == ProbeVerdict::data_dependent) return found;
  if (box.box().reads_text()) return found;
  const std::string wrong = ignored_special(box);
  if (wrong.empty()) return found;
  const std::string order = found.orders.empty() ? "" : "; finite terms: " + found.orders.front().text;
  found.reason = wrong + "; of finite terms it is " + std::string(name_of(found.verdict)) + order;
  found.verdict = ProbeVerdict::data_dependent;
  found.orders.clear();
  found.tree.reset();
  found.certified = false;
  found.replayed = 0;
  found.compared = 0;
  return found;
}

ProbedOrder probe(AskedBox& box, const ProbeOptions& options) {
  BoxReplay replay(box);
  if (options.expected && options.expected->order.random() && box.summands() != Summands::terms)
    throw Error(ErrorKind::unsupported, "expected order " + options.expected->text +
                                            ": is random, and summands of one sign do not show the tree of a single "
                                            "call; give a fixed order");
  if (options.expected) require_listable(*options.expected, box, replay);
  Judgement judgement = judge(box, replay, options);
  if (options.expected) {
    const Comparison comparison = compare_with(*options.expected, judgement, box, replay);
    judgement.as_expected = comparison.as_expected;
    judgement.differs = comparison.differs;
  }
  ProbedOrder found = after_specials(box, std::move(judgement));
  found.changes_input = box.box().changes_input();
  found.calls = box.calls();
  return found;
}

}  // namespace

std::optional<ProbedOrder> probe_setting(const BoxMaker& maker, const BoxSetting& setting, const ProbeOptions& options,
                                         const ProbeWatch& watch) {
  const FloatEnvironment environment;
  if (setting.n == 0 || setting.n > kMostProbedTerms)
    throw Error(ErrorKind::usage, "a probe with " + std::to_string(setting.n) + " terms: must be from 1 to " +
                                      std::to_string(kMostProbedTerms));
  const StopScope scope(watch.stop);
  return unless_stopped([&] {
    AskedBox box(maker, setting, watch);
    return probe(box, options);
  });
}

}  // namespace orderlab
