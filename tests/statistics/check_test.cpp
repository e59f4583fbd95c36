// Does `check` call correct sums explained, and wrong ones not? Fixed beforehand: seeds, trials and what may fail.
#include "orderlab/check.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

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
        samples_(sample(*evaluator_, CountingFrame::make(exact_, Format::fp32, 1 << 20),
                        {.begin = kFirstCheckSample, .end = kFirstCheckSample + check_samples(confidence, 1)})) {}

  Verdict operator()(std::uint64_t bits) const {
    const std::vector<GivenResult> given{{bits, 1}};
    return check(samples_, every_order_bound(*evaluator_, exact_), exact_, given, {}).verdict();
  }

 private:
  std::unique_ptr<const Evaluator> evaluator_;
  ExactValue exact_;
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
