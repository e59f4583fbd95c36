#include "crosscheck/reachability.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "orderlab/bounds.hpp"
#include "orderlab/check.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

namespace {

RunVerdict verdict_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::explained:
      return RunVerdict::explained;
    case Verdict::unlikely:
      return RunVerdict::unlikely;
    default:
      return RunVerdict::impossible;
  }
}

// All results, where they are quickly had.
std::optional<Enumeration> enumerated(const Evaluator& evaluator, const VerifyOptions& options) {
  if (!countable(evaluator)) return std::nullopt;
  const RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space || !quickly_enumerable(*recognized.space)) return std::nullopt;
  WalkOptions how;
  how.threads = options.threads;
  how.stop = options.stop;
  try {
    return enumerate(*recognized.space, how);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    return std::nullopt;
  }
}

/// Judges sums one by one; their frequencies say nothing here, as a GPU's arrivals are not uniform.
class Judge {
 public:
  Judge(const Evaluator& evaluator, const TermView& terms, std::uint64_t distinct, const VerifyOptions& options)
      : format_(evaluator.formats().result), exact_(exact_sum(terms)) {
    check_.confidence = options.confidence;
    all_ = enumerated(evaluator, options);
    if (all_ || options.stop.stop_requested()) return;
    bound_ = every_order_bound(evaluator, exact_);
    const std::uint64_t least =
        check_samples(options.confidence, 1, evaluator.term_count(), may_be_nonfinite(bound_, exact_, format_));
    const std::uint64_t affordable = std::max<std::uint64_t>(least, options.most_additions / evaluator.random_count());
    enough_ = distinct <= affordable / least;  // each sum on its own, so one is wrong with 1 - confidence at most
    const std::uint64_t samples = enough_ ? least * distinct : affordable;
    samples_ = sample(evaluator, CountingFrame::make(exact_, format_, CountingFrame{}.max_distinct),
                      {kFirstCheckSample, kFirstCheckSample + samples, options.threads, options.stop, {}});
  }

  void operator()(std::uint64_t bits, VerifiedRun& run) const {
    const GivenResult given{bits, 1};
    const CheckResult result = all_ ? check(*all_, exact_, format_, {&given, 1}, check_)
                                    : check(*samples_, bound_, exact_, {&given, 1}, check_);
    const ValueVerdict& v = result.values[0];
    run.verdict = verdict_of(v.verdict);
    if (v.verdict == Verdict::unlikely) run.p = v.p;
    run.mismatch = v.verdict == Verdict::impossible || (v.verdict == Verdict::unlikely && enough_);
    if (v.verdict != Verdict::explained) run.problem = problem(v);
  }

 private:
  std::string problem(const ValueVerdict& v) const {
    if (v.reason == Reason::unreachable) return "none of the " + all_->orders.str() + " orders gives it";
    if (v.reason == Reason::outside_bound) return "outside the bound over all orders";
    if (v.reason == Reason::no_overflow) return "not finite, though all terms are and no order overflows";
    if (v.reason == Reason::terms_not_finite)
      return "the sum of these terms is inf or NaN in every order, and not this";
    return "outside the range of " + std::to_string(samples_->samples()) + " sampled orders" +
           (enough_ ? "" : ", which are too few to call it wrong");
  }

  Format format_;
  ExactValue exact_;
  CheckOptions check_;
  std::optional<Enumeration> all_;
  std::optional<ResultCounts> samples_;
  std::optional<double> bound_;
  bool enough_ = true;
};

}  // namespace

void judge_reachability(const Evaluator& evaluator, const TermView& terms, std::span<const std::uint64_t> bits,
                        std::uint64_t distinct, const VerifyOptions& options, std::span<VerifiedRun* const> runs) {
  const Judge judge(evaluator, terms, distinct, options);
  if (options.stop.stop_requested()) return;
  for (std::size_t i = 0; i < runs.size(); ++i) judge(bits[i], *runs[i]);
}

}  // namespace orderlab
