#include "orderlab/study/check_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/stop.hpp"
#include "core/text.hpp"
#include "engine/rounds.hpp"
#include "engine/usual_arrivals.hpp"
#include "metrics/exceedances.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/plan.hpp"
#include "reference/lattice.hpp"
#include "study/bound_order.hpp"
#include "study/check_options.hpp"
#include "study/check_samples.hpp"
#include "study/compared_orders.hpp"
#include "study/flushed_sums.hpp"
#include "study/order_run.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// The results of one pair of samples.
struct ResultPair {
  double one;
  double other;

  bool finite() const { return std::isfinite(one) && std::isfinite(other); }
  double apart() const { return std::fabs(one - other); }
};

// Upper bound on the relative error of a difference that was rounded to the narrower of two result formats.
double roundoff_of_difference(const Formats& one, const Formats& other) {
  return std::max(info(one.result).unit_roundoff(), info(other.result).unit_roundoff());
}

class DifferenceCheck {
 public:
  DifferenceCheck(const Input& input, const DifferenceRequest& request, const Watch& watch)
      : input_(input),
        request_(request),
        watch_(watch),
        formats_of_other_(request.other.formats(input.facts.formats)),
        roundoff_(roundoff_of_difference(input.facts.formats, formats_of_other_)) {
    finding_.input = input.facts;
    finding_.asked = {request.order.expression(), arrival_of(request.order)};
    finding_.name = request.order.name();
    finding_.guarantee = name_of(request.order.guarantee());
    finding_.other = compared_order(request.other, input.facts);
    finding_.confidence = request.confidence;
    finding_.seed = request.seed;
    finding_.samples_asked = request.samples;
    finding_.arrivals_known = request.arrivals_known;
    finding_.warnings = request.order.warnings(input.facts.n, input.facts.formats.accumulate);
    finding_.fixed = !request.order.random() && !request.other.order.random();
  }

  std::optional<DifferenceFinding> run() {
    const std::uint64_t given = request_.differences.size();
    const std::uint64_t wanted =
        finding_.fixed ? 1 : samples_to_check(request_.samples, request_.confidence, given, input_.facts.n, false);
    const ComparedEvaluators evaluators =
        make_compared(input_, request_.order, &request_.other, request_.seed, request_.threads);
    allow_flushing(evaluators);
    bound(evaluators);
    draw(evaluators, wanted);
    if (finding_.samples == 0) return std::nullopt;
    finding_.arranged = arranged(*evaluators.judged) || arranged(*evaluators.other);
    if (!request_.arrivals_known && finding_.arranged) reach_further(evaluators);
    judge();
    return std::move(finding_);
  }

 private:
  // Machines may keep subnormal numbers of fp32 or flush them: what that changes at most, of both results.
  void allow_flushing(const ComparedEvaluators& evaluators) {
    std::vector<const Evaluator*> single;
    for (const Evaluator* one : {evaluators.judged.get(), evaluators.other.get()})
      if (one->formats().accumulate == Format::fp32 || one->plan().changes_format()) single.push_back(one);
    if (single.empty()) return;
    const Lattice lattice = in_stage(watch_, "lattice of the terms", [&] { return lattice_of(input_.terms.view()); });
    if (!lattice.may_be_subnormal(info(Format::fp32))) return;
    for (const Evaluator* one : single) {
      if (one->plan().changes_format()) refuse_rounding(one->order());
      flushed_ += flushed_bound(input_.facts.n);
    }
  }

  [[noreturn]] static void refuse_rounding(const Order& order) {
    throw Error(ErrorKind::unsupported,
                "order " + order.expression() +
                    ": sums may be subnormal, and what flushing does to them is not known for orders that round "
                    "between stages");
  }

  void bound(const ComparedEvaluators& evaluators) {
    const ExactValue& exact = input_.facts.exact;
    for (const Evaluator* one : {evaluators.judged.get(), evaluators.other.get()})
      require_memory(every_order_bound_memory_bytes(one->random_count()));
    const auto one = every_order_bound(*evaluators.judged, exact);
    const auto other = every_order_bound(*evaluators.other, exact);
    if (one && other) finding_.bound = std::nextafter(*one + *other, kUnbounded);
  }

  void draw(const ComparedEvaluators& evaluators, std::uint64_t wanted) {
    if (!finding_.fixed)
      call_back(watch_.announces, "drawing " + std::to_string(wanted) + " pairs of samples to judge at confidence " +
                                      shortest(request_.confidence));
    require_memory(static_cast<double>(wanted) * sizeof(ResultPair));
    const WatchedStage stage(watch_, "sampling");
    SampleOptions options;
    options.begin = kFirstCheckSample;
    options.end = kFirstCheckSample + wanted;
    options.threads = request_.threads;
    stage.follow(options);
    const Evaluator& judged = *evaluators.judged;
    const Evaluator& other = *evaluators.other;
    PerThread<Evaluator::Scratch> scratch([&] { return judged.make_scratch(); });
    PerThread<Evaluator::Scratch> scratch_of_other([&] { return other.make_scratch(); });
    pairs_ = list_in_rounds(options, [&](std::uint64_t i) {
      return ResultPair{judged.evaluate(i, scratch.local()).value, other.evaluate(i, scratch_of_other.local()).value};
    });
    finding_.samples = pairs_.size();
    finding_.partial = pairs_.size() < wanted;
    std::erase_if(pairs_, [](const ResultPair& pair) { return !pair.finite(); });
    finding_.nonfinite = finding_.samples - pairs_.size();
    if (pairs_.empty()) return;
    ExactSum squares;
    for (const ResultPair& pair : pairs_) {
      apart_.push_back(pair.apart());
      squares.add_product(pair.apart(), pair.apart());
    }
    std::sort(apart_.begin(), apart_.end());
    finding_.largest = apart_.back();
    finding_.rms = std::sqrt(squares.value().to_double() / static_cast<double>(apart_.size()));
  }

  // Where a difference is larger than those of all samples: sums of arrival orders that are not uniform.
  void reach_further(const ComparedEvaluators& evaluators) {
    if (pairs_.empty() || beyond(*finding_.largest) == 0) return;
    const WatchedStage stage(watch_, "other arrivals");
    const KeyInterval one = sums_of(*evaluators.judged, &ResultPair::one, stage);
    const KeyInterval other = sums_of(*evaluators.other, &ResultPair::other, stage);
    const auto value = [](const Evaluator& evaluator, std::int64_t key) {
      const Format format = evaluator.formats().result;
      return value_of_bits(format, bits_of_key(format, key));
    };
    const auto apart = [&](std::int64_t a, std::int64_t b) {
      return std::fabs(value(*evaluators.judged, a) - value(*evaluators.other, b));
    };
    finding_.reach = std::max(apart(one.low, other.high), apart(one.high, other.low));
    finding_.partial = finding_.partial || watch_.stop.stop_requested();
  }

  static bool arranged(const Evaluator& evaluator) { return evaluator.order().random() && arranges(evaluator); }

  // From the least to the greatest sum of the samples, and of the usual arrival orders where there are such.
  KeyInterval sums_of(const Evaluator& evaluator, double ResultPair::*result, const WatchedStage& stage) const {
    const Format format = evaluator.formats().result;
    const auto [least, greatest] = std::minmax_element(
        pairs_.begin(), pairs_.end(), [&](const ResultPair& a, const ResultPair& b) { return a.*result < b.*result; });
    KeyInterval sums{ordered_key(format, bits_of(format, (*least).*result)),
                     ordered_key(format, bits_of(format, (*greatest).*result))};
    if (!arranged(evaluator)) return sums;
    UsualArrivalsOptions options;
    options.threads = request_.threads;
    stage.follow(options);
    if (const auto usual = sums_of_usual_arrivals(evaluator, sums, {}, options).sums)
      sums = {std::min(sums.low, usual->low), std::max(sums.high, usual->high)};
    return sums;
  }

  // Whether it is certainly larger, or smaller: by more than printing and rounding may have changed.
  bool larger(const GivenDifference& given, double than) const {
    return given.least * (1 - roundoff_) > than + flushed_;
  }
  bool smaller(const GivenDifference& given, double than) const {
    return given.greatest * (1 + roundoff_) < than - flushed_;
  }

  std::uint64_t beyond(double than) const {
    return static_cast<std::uint64_t>(std::count_if(request_.differences.begin(), request_.differences.end(),
                                                    [&](const GivenDifference& d) { return larger(d, than); }));
  }

  void judge() {
    const double range = finding_.largest.value_or(0);
    const double reach = std::max(range, finding_.reach.value_or(0));
    const std::uint64_t outside = apart_.empty() ? request_.differences.size() : beyond(reach);
    if (!finding_.fixed && outside > 0)
      finding_.p = exceedances_p(request_.differences.size(), finding_.samples, outside);
    const bool unlikely = finding_.p < 1 - request_.confidence;
    const Verdict of_samples = finding_.partial ? Verdict::none : unlikely ? Verdict::unlikely : Verdict::explained;
    for (const GivenDifference& given : request_.differences) {
      DifferenceVerdict judged{given};
      const auto as_large =
          std::partition_point(apart_.begin(), apart_.end(), [&](double apart) { return larger(given, apart); });
      judged.as_large = static_cast<std::uint64_t>(apart_.end() - as_large);
      if (apart_.empty()) {  // all pairs have inf or NaN
        judged.verdict = finding_.fixed ? Verdict::impossible : of_samples;
        judged.reason = DifferenceReason::not_finite;
      } else if (finding_.fixed) {
        const bool another = larger(given, range) || smaller(given, range);
        judged.verdict = another ? Verdict::impossible : Verdict::explained;
        if (another) judged.reason = DifferenceReason::one_pair;
      } else if (finding_.bound && larger(given, *finding_.bound)) {
        judged.verdict = Verdict::impossible;
        judged.reason = DifferenceReason::outside_bound;
      } else if (larger(given, reach)) {
        judged.verdict = of_samples;
        judged.reason = finding_.bound ? DifferenceReason::beyond_range : DifferenceReason::not_bounded;
      } else if (larger(given, range)) {
        judged.reason = DifferenceReason::inside_reach;
      }
      finding_.differences.push_back(judged);
    }
  }

  const Input& input_;
  const DifferenceRequest& request_;
  const Watch& watch_;
  Formats formats_of_other_;
  double roundoff_;
  double flushed_ = 0;             // what flushing may change the difference by
  std::vector<ResultPair> pairs_;  // finite ones
  std::vector<double> apart_;      // their differences, ascending
  DifferenceFinding finding_;
};

}  // namespace

Verdict DifferenceFinding::verdict() const {
  Verdict worst = Verdict::explained;
  for (const DifferenceVerdict& difference : differences) worst = std::max(worst, difference.verdict);
  return worst;
}

std::optional<DifferenceFinding> check_difference(const Input& input, const DifferenceRequest& request,
                                                  const Watch& watch) {
  const FloatEnvironment environment;
  kCheckDifferenceOptions.check(request);
  if (request.differences.empty())
    throw RequestError(ErrorKind::usage, "no difference to check: give one or more in `differences`");
  for (const GivenDifference& given : request.differences)
    if (!std::isfinite(given.value) ||
        !(0 <= given.least && given.least <= std::fabs(given.value) && std::fabs(given.value) <= given.greatest))
      throw RequestError(ErrorKind::usage, "a difference of " + shortest(given.value) +
                                               ": must be a finite number, from `least` to `greatest` in magnitude");
  if (!input.facts.exact.finite())
    throw RequestError(ErrorKind::input, "terms that are inf or NaN: their sums have no differences to judge");
  return unless_stopped([&] { return DifferenceCheck(input, request, watch).run(); }).value_or(std::nullopt);
}

}  // namespace orderlab::study
