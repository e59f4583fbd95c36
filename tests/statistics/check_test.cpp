// Does `check` call correct sums explained, and wrong ones not? Fixed beforehand: seeds, trials and what may fail.
#include "orderlab/check.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <boost/math/distributions/binomial.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/terms.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Numbers = std::vector<float>;
constexpr Formats kSingle{Format::fp32, Format::fp32, Format::fp32};
constexpr std::uint64_t kBugSeed = 4711;  // of orders that the sums under test are added in

Numbers terms_of(std::uint64_t trial) {
  const Terms terms = generate_terms("uniform(0,1)", 10'000, Format::fp32, 1000 + trial);
  Numbers numbers;
  for (std::size_t i = 0; i < terms.size(); ++i) numbers.push_back(static_cast<float>(terms.view().left(i)));
  return numbers;
}

// What a program that adds these terms in a random order returns.
std::uint64_t sum_of(const Numbers& terms, const Formats& formats, std::uint64_t trial) {
  const auto evaluator = Evaluator::make(parse_order("random"), view_of(terms.data(), terms.size()), formats, kBugSeed);
  return evaluator->evaluate(trial, *evaluator->make_scratch()).bits;
}

// What may have been returned for the terms `right`.
class Judge {
 public:
  Judge(const Numbers& right, double confidence)
      : evaluator_(Evaluator::make(parse_order("random"), view_of(right.data(), right.size()), kSingle, 1)),
        exact_(exact_sum(view_of(right.data(), right.size()))),
        confidence_(confidence),
        samples_(sample(
            *evaluator_, CountingFrame::make(exact_, Format::fp32, 1 << 20),
            {.begin = kFirstCheckSample, .end = kFirstCheckSample + check_samples(confidence, 1, right.size())})) {}

  Verdict operator()(std::uint64_t bits) const {
    const std::vector<GivenResult> given{{bits, 1}};
    CheckOptions options;
    options.confidence = confidence_;
    return check(samples_, every_order_bound(*evaluator_, exact_), exact_, given, options).verdict();
  }

 private:
  std::unique_ptr<const Evaluator> evaluator_;
  ExactValue exact_;
  double confidence_;
  ResultCounts samples_;
};

// The first term from `start` on that is above 0.1.
std::size_t large_term(const Numbers& terms, std::size_t start) {
  while (terms[start] <= 0.1F) ++start;
  return start;
}

}  // namespace

TEST_CASE("of 1000 sums in random order as many are called unexplained as the confidence allows") {
  // Each with probability at most 2 / 201, at confidence 0.99: 29 or more of 1000 with at most 5.8e-7.
  int alarms = 0;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    const Numbers terms = terms_of(trial);
    const Verdict verdict = Judge(terms, 0.99)(sum_of(terms, kSingle, trial));
    CHECK(verdict != Verdict::impossible);
    if (verdict != Verdict::explained) ++alarms;
  }
  MESSAGE("false alarms: " << alarms << " of 1000");
  CHECK(alarms <= 28);
}

TEST_CASE("honest runs, however many, are called unexplained as seldom as the confidence says") {
  struct Setting {
    const char* order;
    Format format;
    const char* distribution;
  };
  constexpr Setting kSettings[] = {{"random", Format::fp32, "normal(0,1)"},
                                   {"random_tree", Format::fp64, "uniform(0,1)"},
                                   {"warp", Format::fp16, "uniform(0,1)"},
                                   {"ao", Format::bf16, "normal(0,1)"}};
  for (const double confidence : {0.95, 0.999})
    for (const std::uint64_t runs : {1U, 30U, 200U, 5000U}) {
      if ((runs == 5000 || confidence > 0.95) && test_scale() <= 1) continue;  // minutes
      std::uint64_t checks = 0;
      std::uint64_t alarms = 0;
      for (const Setting& setting : kSettings)
        for (std::uint64_t trial = 0; trial < trials(50); ++trial) {
          const Terms terms = generate_terms(setting.distribution, setting.order == std::string("warp") ? 1280 : 40,
                                             setting.format, 1 + trial);
          const auto evaluator = Evaluator::make(parse_order(setting.order), terms.view(),
                                                 {setting.format, setting.format, setting.format}, 1000 + trial);
          const ExactValue exact = exact_sum(terms.view());
          const CountingFrame frame = CountingFrame::make(exact, setting.format, 1 << 20);
          std::vector<GivenResult> given;
          for (const ResultCounts::Result& r : sample(*evaluator, frame, {.begin = 0, .end = runs}).results())
            given.push_back({r.bits, r.count});
          const ResultCounts samples = sample(
              *evaluator, frame,
              {.begin = kFirstCheckSample, .end = kFirstCheckSample + check_samples(confidence, runs, terms.size())});
          CheckOptions options;
          options.confidence = confidence;
          options.seed = 1 + trial;
          const CheckResult result = check(samples, every_order_bound(*evaluator, exact), exact, given, options);
          CHECK(result.verdict() != Verdict::impossible);
          CHECK((result.p() < 1 - confidence) == (result.verdict() != Verdict::explained));
          ++checks;
          if (result.verdict() != Verdict::explained) ++alarms;
        }
      MESSAGE("confidence " << confidence << ", " << runs << " runs: " << alarms << " false alarms in " << checks);
      // So many with probability below 1e-6, where each check has at most 1 - confidence.
      const boost::math::binomial alarms_allowed(static_cast<double>(checks), 1 - confidence);
      CHECK(static_cast<double>(alarms) <= boost::math::quantile(boost::math::complement(alarms_allowed, 1e-6)));
    }
}

TEST_CASE("a shift of 8 ulp of 10000 terms is found in most sets of 100 runs") {
  const Numbers terms = terms_of(0);
  const auto evaluator = Evaluator::make(parse_order("random"), view_of(terms.data(), terms.size()), kSingle, 1);
  const ExactValue exact = exact_sum(view_of(terms.data(), terms.size()));
  const CountingFrame frame = CountingFrame::make(exact, Format::fp32, 1 << 20);
  const ResultCounts samples =
      sample(*evaluator, frame,
             {.begin = kFirstCheckSample, .end = kFirstCheckSample + check_samples(0.999, 100, terms.size())});
  int found = 0;
  for (std::uint64_t set = 0; set < 12; ++set) {
    std::vector<GivenResult> given;
    const SampleOptions runs{.begin = set * 100, .end = (set + 1) * 100};
    for (const ResultCounts::Result& r : sample(*evaluator, frame, runs).results())
      given.push_back({r.bits + 8, r.count});  // positive, and of one binade
    if (check(samples, every_order_bound(*evaluator, exact), exact, given, {}).verdict() != Verdict::explained) ++found;
  }
  MESSAGE("8 ulp: found in " << found << " of 12 sets of 100 runs");
  CHECK(found >= 8);
}

TEST_CASE("a term above 0.1 dropped or added twice, a lost block of 128, a running sum in fp16: none is explained") {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Numbers right = terms_of(trial);
    const Judge judge(right, 0.999);
    const auto start = static_cast<std::ptrdiff_t>(trial * 97 % 9000);
    const std::size_t one = large_term(right, static_cast<std::size_t>(start));
    CAPTURE(trial);
    CAPTURE(right[one]);

    Numbers dropped = right;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(one));
    CHECK(judge(sum_of(dropped, kSingle, trial)) != Verdict::explained);

    Numbers twice = right;
    twice.push_back(right[one]);
    CHECK(judge(sum_of(twice, kSingle, trial)) != Verdict::explained);

    Numbers lost = right;
    lost.erase(lost.begin() + start, lost.begin() + start + 128);
    CHECK(judge(sum_of(lost, kSingle, trial)) != Verdict::explained);

    CHECK(judge(sum_of(right, {Format::fp32, Format::fp16, Format::fp32}, trial)) != Verdict::explained);
  }
}
