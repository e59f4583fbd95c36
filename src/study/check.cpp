#include "orderlab/study/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "engine/usual_arrivals.hpp"
#include "engine/usual_queues.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "reference/lattice.hpp"
#include "run/arithmetic.hpp"
#include "run/plan_steps.hpp"
#include "study/bound_order.hpp"
#include "study/check_options.hpp"
#include "study/check_samples.hpp"
#include "study/check_suggestions.hpp"
#include "study/distinct_results.hpp"
#include "study/divided_draws.hpp"
#include "study/flushed_sums.hpp"
#include "study/order_run.hpp"
#include "study/quick_enumeration.hpp"
#include "study/watched_stage.hpp"
#include "terms/nonfinite_terms.hpp"

namespace orderlab::study {

namespace {

// Distinct samples kept before binning; binned samples give neither counts of single results nor a joint test.
constexpr std::uint64_t kMaxDistinctToCheck = std::uint64_t{1} << 24;

class Check {
 public:
  Check(const Input& input, const CheckRequest& request, const Watch& watch)
      : input_(input), request_(request), watch_(watch) {
    finding_.input = input.facts;
    finding_.asked = {request.order.expression(), arrival_of(request.order)};
    finding_.name = request.order.name();
    finding_.guarantee = name_of(request.order.guarantee());
    finding_.seed = request.seed;
    finding_.samples_asked = request.samples;
    finding_.memory_bytes = static_cast<std::uint64_t>(request.memory_bytes);
    finding_.result.confidence = request.confidence;
    finding_.means = request.means;
    finding_.flushing = request.flushing;
  }

  // Empty when interrupted before there was anything to say.
  std::optional<CheckFinding> run() {
    take_results();
    samples_wanted(false);  // refuses too few samples before any work is done
    if (!input_.facts.exact.finite()) finding_.nonfinite_terms = nonfinite_terms(input_.terms.view());
    const auto evaluator = make_evaluator(request_.order, input_, request_.seed, request_.threads);
    if (watch_.stop.stop_requested()) return std::nullopt;
    if (draws_a_part(watch_)) draw(*evaluator, 0);  // throws it
    finding_.warnings = request_.order.warnings(input_.facts.n, input_.facts.formats.accumulate);
    QuickEnumeration quick = enumerate_if_quick(*evaluator, request_.memory_bytes, request_.threads, watch_);
    finding_.all = std::move(quick.all);
    look_at_lattice(*evaluator);
    if (finding_.all && subnormals_) allow_flushing(*evaluator);
    if (!quick.note.empty()) finding_.notes.push_back(std::move(quick.note));
    if (watch_.stop.stop_requested()) return std::nullopt;
    if (finding_.all)
      judge(*evaluator);
    else if (!judge_by_samples(*evaluator))
      return std::nullopt;
    if (request_.suggests && !finding_.partial && !request_.order.changes_format()) suggest();
    return std::move(finding_);
  }

 private:
  Format format() const { return input_.facts.formats.result; }

  void take_results() {
    DistinctResults distinct = distinct_results(request_.results, request_.given, format());
    given_ = std::move(distinct.values);
    results_ = distinct.given;
    finding_.rounded = distinct.rounded;
  }

  // Whether no order rounds, so that all give one result, and whether flushing can matter.
  void look_at_lattice(const Evaluator& evaluator) {
    const FormatInfo& accumulate = info(input_.facts.formats.accumulate);
    const bool fp32 = accumulate.format == Format::fp32;
    if (request_.order.changes_format()) {
      require_normal_sums();
      return;
    }
    if (!fp32 && finding_.all) return;
    const TermView terms = input_.terms.view();
    const Lattice lattice = in_stage(watch_, "lattice of the terms", [&] { return lattice_of(terms); });
    subnormals_ = fp32 && lattice.may_be_subnormal(accumulate);
    if (some_unit_adds(evaluator.plan())) return;  // a unit cuts what needs no rounding
    if (finding_.all || !lattice.no_order_rounds(accumulate, subnormals_ && request_.flushing != Flushing::no)) return;
    if (input_.facts.exact.zero() && all_minus_zero(terms)) return;  // an order that starts from +0.0 gives +0.0
    Enumeration one;
    one.family = OrderFamily::sequences;
    one.format = format();
    one.m = terms.n;
    one.orders = 0;  // not counted
    one.always_exact = true;
    one.results.values.push_back({value_of_bits(one.format, input_.facts.exact.round_to(one.format)), 1});
    finding_.all = std::move(one);
  }

  // What flushing does to sums that are rounded to other formats is not worked out.
  void require_normal_sums() const {
    if (request_.flushing == Flushing::no || !lattice_of(input_.terms.view()).may_be_subnormal(info(Format::fp32)))
      return;
    throw Error(ErrorKind::unsupported,
                "order " + request_.order.expression() +
                    ": sums may be subnormal, and what flushing does to them is not known for orders that round "
                    "between stages; say that nothing flushes (--ftz no), or leave out `round` and `in`");
  }

  // Orders whose flushed sums are not known one by one are sampled.
  void allow_flushing(const Evaluator& evaluator) {
    if (finding_.all->family == OrderFamily::fixed)
      finding_.all->results = flushed_results(evaluator, input_, request_.flushing);
    else
      finding_.all = flushed_orders(evaluator, request_.flushing, request_.memory_bytes, request_.threads, watch_);
  }

  static bool all_minus_zero(const TermView& terms) {
    for (std::size_t i = 0; i < terms.n; ++i)
      if (const double term = terms.left(i) * terms.right(i); term != 0 || !std::signbit(term)) return false;
    return true;
  }

  std::uint64_t samples_wanted(bool nonfinite) const {
    return samples_to_check(request_.samples, request_.confidence, results_, input_.facts.n, nonfinite);
  }

  void require_modest(std::uint64_t samples) const {
    if (request_.samples || samples <= kMostSamples) return;
    throw RequestError(
        "confidence", shortest(request_.confidence),
        "needs " + std::to_string(samples) + " samples; ask for less confidence, or for them by `samples`");
  }

  // False when stopped before the first sample.
  bool judge_by_samples(const Evaluator& evaluator) {
    require_memory(every_order_bound_memory_bytes(evaluator.random_count()));
    finding_.bound = every_order_bound(evaluator, input_.facts.exact);
    if (finding_.bound && subnormals_ && request_.flushing != Flushing::no)
      *finding_.bound += flushed_bound(input_.facts.n);
    const std::uint64_t samples = samples_wanted(may_be_nonfinite(finding_.bound, input_.facts.exact, format()));
    require_modest(samples);
    finding_.planned = samples;
    const std::vector<std::uint64_t> looks = looks_at(samples);
    call_back(
        watch_.announces,
        "drawing " + std::to_string(looks.front()) + " samples" +
            (looks.size() > 1 ? ", and up to " + std::to_string(samples) + " where these leave a result open," : "") +
            " to judge at confidence " + shortest(request_.confidence));
    for (const std::uint64_t look : looks) {
      draw(evaluator, look);
      if (finding_.samples->samples() == 0) return false;
      judge(evaluator, 1 / static_cast<double>(looks.size()));
      if (finding_.partial || finding_.result.settled()) break;
    }
    if (finding_.samples->binned())
      finding_.notes.push_back("more than 2^24 different samples: no counts of single results and no joint test");
    else if (finding_.samples->samples() > kMostPooledResults)
      finding_.notes.push_back("more than 2^28 samples: no joint test");
    return true;
  }

  // Where frequencies decide, a second look would take from the part of 1 - confidence that their test has.
  std::vector<std::uint64_t> looks_at(std::uint64_t samples) const {
    if (request_.samples || request_.arrivals_known) return {samples};
    return check_looks(samples, request_.confidence, results_, input_.facts.n,
                       may_be_nonfinite(finding_.bound, input_.facts.exact, format()));
  }

  // Up to `samples` of them, those that there are among them.
  void draw(const Evaluator& evaluator, std::uint64_t samples) {
    const SampleRange wanted{kFirstCheckSample + (finding_.samples ? finding_.samples->samples() : 0),
                             kFirstCheckSample + samples};
    const InputFacts& input = input_.facts;
    ResultCounts drawn =
        divided_draws(watch_, {wanted, draws_of(input, request_.seed, request_.order.expression())},
                      ResultCounts(CountingFrame::make(input.exact, input.formats.result, kMaxDistinctToCheck)),
                      [&](const SampleRange& draws) {
                        const SampledRange range{.begin = draws.first,
                                                 .end = draws.second,
                                                 .max_distinct = kMaxDistinctToCheck,
                                                 .threads = request_.threads};
                        return sample_range(evaluator, input, range, watch_);
                      });
    if (finding_.samples)
      finding_.samples->merge(drawn);
    else
      finding_.samples = std::move(drawn);
    finding_.partial = finding_.samples->samples() < samples;
  }

  void judge(const Evaluator& evaluator, double part = 1) {
    CheckOptions how;
    how.part = part;
    how.planned = finding_.planned;
    how.confidence = request_.confidence;
    how.seed = request_.seed;
    how.cut_short = finding_.partial;
    how.frequencies_decide = request_.arrivals_known;
    if (finding_.samples) reach_further(evaluator, how);
    const WatchedStage stage(watch_, "joint test");
    stage.follow(how);
    finding_.result = verdicts(how);
    finding_.partial = finding_.result.cut_short;
  }

  CheckResult verdicts(const CheckOptions& how) const {
    const ExactValue& exact = input_.facts.exact;
    return finding_.all ? orderlab::check(*finding_.all, exact, format(), given_, how)
                        : orderlab::check(*finding_.samples, finding_.bound, exact, given_, how);
  }

  // Makes suggestions for the first result that is not explained.
  void suggest() {
    for (const ValueVerdict& verdict : finding_.result.values) {
      if (verdict.verdict != Verdict::unlikely && verdict.verdict != Verdict::impossible) continue;
      const auto given = std::find_if(given_.begin(), given_.end(), [&](const GivenResult& result) {
        return result.bits == verdict.bits && result.digits == verdict.digits_given;
      });
      if (given == given_.end() || !std::isfinite(verdict.value)) continue;
      finding_.suggestions = unless_stopped([&] {
                               return suggestions(input_, request_, finding_, *given, watch_);
                             }).value_or(std::vector<Suggestion>());
      return;
    }
  }

  // Where a finite result lies outside the samples: sums of arrival orders that are not uniform, and with subnormal
  // numbers kept or flushed.
  void reach_further(const Evaluator& evaluator, CheckOptions& how) {
    const auto extremes = finding_.samples->extremes();
    std::optional<KeyInterval> sampled;
    if (extremes)
      sampled = KeyInterval{ordered_key(format(), bits_of(format(), extremes->min)),
                            ordered_key(format(), bits_of(format(), extremes->max))};
    std::vector<KeyInterval> beyond;
    for (const GivenResult& result : given_) {
      const KeyInterval read = result.read_widely(format());
      if (std::isfinite(value_of_bits(format(), result.bits)) && !(sampled && read.overlaps(*sampled)))
        beyond.push_back(read);
    }
    if (beyond.empty()) return;
    const WatchedStage stage(watch_, "other arrivals");
    if (finding_.others) {  // of the first look
      how.reached = finding_.others->sums;
    } else if (!request_.arrivals_known && arranges(evaluator)) {
      UsualArrivalsOptions options;
      options.threads = request_.threads;
      stage.follow(options);
      finding_.others = sums_of_usual_arrivals(evaluator, sampled, beyond, options);
      how.reached = finding_.others->sums;
    } else if (!request_.arrivals_known) {
      UsualArrivalsOptions options;
      options.threads = request_.threads;
      stage.follow(options);
      finding_.others = sums_of_usual_queues(evaluator, input_.terms.view(), sampled, beyond, options);
      how.reached = finding_.others->sums;
    }
    if (subnormals_) {
      const auto flushed = flushed_samples(evaluator, input_, request_.flushing);
      if (flushed && how.reached)
        how.reached = KeyInterval{std::min(flushed->low, how.reached->low), std::max(flushed->high, how.reached->high)};
      else if (flushed)
        how.reached = flushed;
    }
    how.cut_short = how.cut_short || watch_.stop.stop_requested();
  }

  const Input& input_;
  const CheckRequest& request_;
  const Watch& watch_;
  std::vector<GivenResult> given_;  // distinct
  std::uint64_t results_ = 0;       // repeated ones each counted
  bool subnormals_ = false;         // some sum may be subnormal, in fp32
  CheckFinding finding_;
};

}  // namespace

std::optional<CheckFinding> check(const Input& input, const CheckRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  kCheckOptions.check(request);
  return unless_stopped([&] { return Check(input, request, watch).run(); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
