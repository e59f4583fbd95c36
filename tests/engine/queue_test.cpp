// Work queues: all assignments against each of them, one by one; who takes what, drawn.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ordered_number.hpp"
#include "doubles.hpp"
#include "engine/brute_force.hpp"
#include "engine/usual_queues.hpp"
#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "run/work_queue.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Formats kDoubles{Format::fp64, Format::fp64, Format::fp64};

/// Members of each chunk: of a size, or shares of what is left.
std::vector<std::size_t> chunk_sizes(std::size_t n, std::size_t workers, std::size_t chunk, bool guided) {
  std::vector<std::size_t> sizes;
  while (n > 0) {
    const std::size_t share = (n + workers - 1) / workers;
    sizes.push_back(std::min(n, guided ? std::max(chunk, share) : chunk));
    n -= sizes.back();
  }
  return sizes;
}

/// The sum where worker taker[i], numbered in the order in which workers finish, takes chunk i.
template <class T>
T sum_of(const std::vector<T>& x, const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& takers,
         std::size_t workers) {
  std::vector<T> sums(workers, round_to<T>(0.0));
  std::size_t at = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t end = at + sizes[i]; at < end; ++at) sums[takers[i]] = sums[takers[i]] + x[at];
  T total = round_to<T>(0.0);
  for (const T sum : sums) total = total + sum;
  return total;
}

template <class T>
std::map<std::uint64_t, std::uint64_t> all_results(const std::vector<T>& x, const std::vector<std::size_t>& sizes,
                                                   std::size_t workers) {
  std::map<std::uint64_t, std::uint64_t> results;
  std::vector<std::size_t> takers(sizes.size());
  for (;;) {
    ++results[bits_of(sum_of(x, sizes, takers, workers))];
    std::size_t i = 0;
    while (i < takers.size() && ++takers[i] == workers) takers[i++] = 0;
    if (i == takers.size()) return results;
  }
}

Enumeration enumerated(const Evaluator& evaluator) {
  const RecognizedSpace recognized = order_space(evaluator);
  REQUIRE_MESSAGE(recognized.space.has_value(), recognized.reason);
  return enumerate(*recognized.space, {}).value();
}

template <class T>
void check_all(std::size_t n, std::size_t workers, std::size_t chunk, bool guided, std::uint64_t seed) {
  const std::string order =
      "queue(" + std::to_string(workers) + "," + std::to_string(chunk) + (guided ? ",sizes=guided" : "") + ")";
  CAPTURE(order);
  CAPTURE(n);
  CAPTURE(seed);
  constexpr Format format = kFormatOf<T>;
  const std::vector<double> numbers = troublesome_mixture(seed, format, n);
  std::vector<T> x;
  for (const double number : numbers) x.push_back(round_to<T>(number));
  const TypedTerms terms(format, numbers);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), {format, format, format}, seed);
  const auto expected = all_results(x, chunk_sizes(n, workers, chunk, guided), workers);
  const Enumeration all = enumerated(*evaluator);
  CHECK(all.family == OrderFamily::queues);
  if (!all.always_exact) {
    std::map<std::uint64_t, std::uint64_t> found;
    for (std::size_t i = 0; i < all.results.values.size(); ++i)
      found[bits_of(format, all.results.values[i].value)] = std::stoull(all.results.orders[i].str());
    CHECK(found == expected);
  }
  const auto scratch = evaluator->make_scratch();
  for (std::uint64_t sample = 0; sample < 20; ++sample)
    CHECK(expected.contains(evaluator->evaluate(sample, *scratch).bits));
}

}  // namespace

TEST_CASE("all assignments of chunks to workers give the results of each of them, one by one") {
  for (std::uint64_t seed = 1; seed <= trials(20); ++seed) {
    check_all<double>(9, 2, 1, false, seed);
    check_all<double>(13, 3, 2, false, seed);
    check_all<float>(11, 3, 2, true, seed);
    check_all<double>(20, 4, 1, true, seed);
    check_all<Half>(7, 3, 1, false, seed);
    check_all<double>(3, 5, 1, false, seed);
    check_all<float>(6, 1, 4, false, seed);
  }
}

TEST_CASE("two results that differ by who took which chunk") {
  const std::vector<double> terms{-0.57, -1.03, -1.04, 0.27, 0.36, 1.32, -0.01, 1.04};
  const TypedTerms typed(Format::fp64, terms);
  const auto evaluator = Evaluator::make(parse_order("queue(2,2)"), typed.view(), kDoubles, 1);
  const Enumeration all = enumerated(*evaluator);
  CHECK(all.orders == BigCount(16));
  CHECK((all.find(bits(0.3400000000000003)) != nullptr));
  CHECK((all.find(bits(0.33999999999999997)) != nullptr));
}

TEST_CASE("chunks that are reduced first are enumerated by what is left of them") {
  const std::vector<double> terms = troublesome_mixture(3, Format::fp64, 23);
  const TypedTerms typed(Format::fp64, terms);
  const auto evaluator = Evaluator::make(parse_order("queue(2,5,each=strided(2,rest=keep) | halving(2,rest=keep))"),
                                         typed.view(), kDoubles, 1);
  std::vector<double> left;  // five of 5 become two each, and one of 3 becomes two
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin < 23; begin += 5) {
    const std::size_t end = std::min<std::size_t>(begin + 5, 23);
    std::vector<double> lanes{terms[begin], terms[begin + 1]};
    std::size_t i = begin + 2;
    for (; i + 2 <= end; i += 2) {
      lanes[0] += terms[i];
      lanes[1] += terms[i + 1];
    }
    left.push_back(lanes[0] + lanes[1]);
    if (i < end) left.push_back(terms[i]);
    sizes.push_back(i < end ? 2 : 1);
  }
  std::map<std::uint64_t, std::uint64_t> found;
  const Enumeration all = enumerated(*evaluator);
  for (std::size_t i = 0; i < all.results.values.size(); ++i)
    found[bits(all.results.values[i].value)] = std::stoull(all.results.orders[i].str());
  CHECK(found == all_results(left, sizes, 2));
}

TEST_CASE("a queue is drawn uniformly, or by service times") {
  const WorkQueue uniform{.workers = 3, .run = 2};
  std::vector<std::size_t> counts(3);
  for (std::uint64_t sample = 0; sample < 1000; ++sample)
    for (const std::uint32_t taker : draw_takers(uniform, 21, RandomStream(1, streams::kFirstStage, sample)))
      ++counts[taker];
  // 11,000 draws: within 5 standard deviations, sqrt(11000 * 1/3 * 2/3) = 49.4
  for (const std::size_t count : counts) CHECK(std::abs(static_cast<double>(count) - 11000.0 / 3) < 5 * 49.5);

  WorkQueue steady{.workers = 4, .run = 3};
  steady.variation = 0;
  for (std::uint64_t sample = 0; sample < 50; ++sample) {
    // Equal times: workers take turns, in the order in which they begin.
    const auto takers = draw_takers(steady, 60, RandomStream(1, streams::kFirstStage, sample));
    CHECK(takers.size() == 20);
    for (std::size_t i = 4; i < takers.size(); ++i) CHECK(takers[i] == takers[i - 4]);
    CHECK(std::set<std::uint32_t>(takers.begin(), takers.begin() + 4).size() == 4);
    CHECK(takers[19] == 3);  // who takes the last chunk finishes last
  }
}

TEST_CASE("a worker that begins long before the others takes more chunks than they") {
  constexpr std::size_t kRuns = 64;
  constexpr std::uint64_t kSamples = 400;
  // Chunks that the busiest of four workers takes, a mean over samples, and samples in which it takes all.
  struct Busiest {
    double mean = 0;
    std::uint64_t alone = 0;
  };
  const auto busiest = [](double late) {
    const WorkQueue queue{.workers = 4, .variation = 0.2, .late = late};
    Busiest found;
    for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
      std::vector<std::size_t> taken(4);
      for (const std::uint32_t taker : draw_takers(queue, kRuns, RandomStream(1, streams::kFirstStage, sample)))
        ++taken[taker];
      const std::size_t most = *std::max_element(taken.begin(), taken.end());
      found.mean += static_cast<double>(most) / static_cast<double>(kSamples);
      found.alone += most == kRuns ? 1 : 0;
    }
    return found;
  };
  const Busiest together = busiest(0);
  CHECK(together.mean < 20);  // 16 each, and at most two more for times that vary by a fifth
  CHECK(together.alone == 0);
  const Busiest apart = busiest(0.3);
  CHECK(apart.mean > together.mean + 2);
  // Of four starts that are uniform below T the second comes more than 1/20 T after the first with probability 0.95^4.
  // It is 0.815; five standard deviations of 400 samples are 0.097. Then the first has done all the work: the times of
  // 64 chunks are within 10 % of their mean by six standard deviations, which moves 1/20 by 0.02 of the probability.
  CHECK(static_cast<double>(busiest(20).alone) / static_cast<double>(kSamples) > 0.815 - 0.097 - 0.02);
  CHECK(static_cast<double>(busiest(20).alone) / static_cast<double>(kSamples) < 0.815 + 0.097 + 0.02);
}

TEST_CASE("one worker that takes most chunks is a usual assignment, a lost term is none") {
  const std::vector<double> terms = troublesome_mixture(5, Format::fp64, 1003);
  const TypedTerms typed(Format::fp64, terms);
  const auto evaluator = Evaluator::make(parse_order("queue(6)"), typed.view(), kDoubles, 1);
  const UsualArrivals usual = sums_of_usual_queues(*evaluator, typed.view(), {}, {}, {});
  REQUIRE(usual.sums.has_value());
  CHECK(usual.of_queue);
  const auto within = [&](double sum) { return usual.sums->holds(ordered_key(Format::fp64, bits(sum))); };
  const std::vector<std::size_t> sizes(terms.size(), 1);
  std::vector<std::size_t> takers(terms.size());  // the first of six workers, and some chunks at the end by the others
  CHECK(within(sum_of(terms, sizes, takers, 6)));
  for (std::size_t i = 900; i < takers.size(); ++i) takers[i] = i % 6;
  CHECK(within(sum_of(terms, sizes, takers, 6)));
  std::vector<double> lost = terms;
  lost[500] = 0;
  CHECK(!within(sum_of(lost, sizes, takers, 6)));
}

TEST_CASE("what a queue refuses") {
  const auto reason = [](const char* order, std::size_t n) {
    const std::vector<double> terms(n, 0.1);
    const TypedTerms typed(Format::fp64, terms);
    return order_space(*Evaluator::make(parse_order(order), typed.view(), kDoubles, 1)).reason;
  };
  CHECK(reason("queue(2,2,cv=0.3)", 8).find("leave out cv=") != std::string::npos);
  CHECK(reason("queue(2,2) | shuffle | seq", 8).find("leaves one sum") != std::string::npos);
  CHECK(reason("queue(2,2) | seq(from=zero)", 8).empty());
  CHECK_THROWS_AS(parse_order("queue(0,2)"), Error);
  CHECK_THROWS_AS(parse_order("queue(2,0)"), Error);
  CHECK_THROWS_WITH_AS(parse_order("queue(1e9,2)"), doctest::Contains("at least 1 and at most 65535"), Error);
  CHECK_THROWS_AS(parse_order("queue(2,2,cv=1e-9)"), Error);
  CHECK_THROWS_WITH_AS(parse_order("queue(2,2,late=1)"), doctest::Contains("late= needs cv="), Error);
  CHECK_THROWS_WITH_AS(parse_order("queue(2,2,cv=0,late=-1)"), doctest::Contains("late"), Error);
  std::vector<double> many(3000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1.0 / static_cast<double>(i + 3);
  const TypedTerms typed(Format::fp64, many);
  const auto evaluator = Evaluator::make(parse_order("queue(4,50)"), typed.view(), kDoubles, 1);
  CHECK(countable(*evaluator));
  CHECK_THROWS_WITH_AS(enumerate(*order_space(*evaluator).space, {}),
                       doctest::Contains("60 chunks for 4 workers have 2^120 assignments, too many to enumerate"),
                       Error);
}
