#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/binade_order.hpp"
#include "engine/extremes.hpp"
#include "engine/search_moves.hpp"
#include "engine/search_starts.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::unique_ptr<const Evaluator> bound_to_search(const std::string& order, const TypedTerms& terms, Format format,
                                                 std::uint64_t seed = 1) {
  return Evaluator::make(parse_order(order), terms.view(), {format, format, format}, seed);
}

bool is_permutation(std::vector<std::uint32_t> order, std::size_t m) {
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> all(m);
  std::iota(all.begin(), all.end(), 0U);
  return order == all;
}

std::vector<double> uniform(std::size_t n, Format format) {
  const Terms terms = generate_terms("uniform(0,1)", n, format, 5);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = terms.view().left(i);
  return values;
}

}  // namespace

TEST_CASE("the search finds the same for any number of threads, another seed something else") {
  const TypedTerms terms(Format::fp32, troublesome_numbers(2, Format::fp32, Trouble::near_one, 60));
  for (const char* order : {"shuffle | seq", "shuffle | halving(16) | seq(acc=atomic)", "shuffle | seq(acc=kahan)"}) {
    const auto evaluator = bound_to_search(order, terms, Format::fp32);
    const auto one = search_extremes(*evaluator, {.evaluations = 3000, .threads = 1});
    CHECK(one->complete);
    CHECK(one->evaluations <= 3000);
    CHECK(one->evaluations > 2900);
    for (const int threads : {2, 7}) {
      const auto other = search_extremes(*evaluator, {.evaluations = 3000, .threads = threads});
      CHECK(other->least.order == one->least.order);
      CHECK(other->greatest.order == one->greatest.order);
      CHECK(other->least.evaluation.bits == one->least.evaluation.bits);
      CHECK(other->evaluations == one->evaluations);
    }
    const auto seeded = search_extremes(*bound_to_search(order, terms, Format::fp32, 2), {.evaluations = 3000});
    CHECK((seeded->least.order != one->least.order || seeded->greatest.order != one->greatest.order));
  }
}

TEST_CASE("what is found is a permutation that gives these bits, for any budget") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    for (const Trouble trouble : kTroubles)
      for (const std::size_t n : {1U, 2U, 3U, 33U}) {
        if (trouble == Trouble::special) continue;
        const TypedTerms terms(format, troublesome_numbers(4, format, trouble, n));
        const auto evaluator = bound_to_search("shuffle | seq", terms, format);
        for (const std::uint64_t budget : {1U, 2U, 100U, 400U}) {
          const auto found = search_extremes(*evaluator, {.evaluations = budget});
          REQUIRE(found.has_value());
          CHECK(found->evaluations <= budget);
          for (const FoundOrder& f : {found->least, found->greatest}) {
            CHECK(is_permutation(f.order, n));
            CHECK(evaluator->evaluate_arranged(f.order, *evaluator->make_scratch()).bits == f.evaluation.bits);
          }
          CHECK(ordered_key(format, found->least.evaluation.bits) <=
                ordered_key(format, found->greatest.evaluation.bits));
        }
      }
}

TEST_CASE("the search never passes the exact extremes, and for few partial sums finds nearly all of them") {
  int found_exactly = 0;
  int ends = 0;
  for (const char* order : {"shuffle | seq", "shuffle | pairwise"})
    for (const Format format : {Format::fp64, Format::fp32, Format::fp16})
      for (const Trouble trouble : {Trouble::near_one, Trouble::cancelling, Trouble::ties})
        for (const std::uint64_t seed : {1U, 2U}) {
          const TypedTerms terms(format, troublesome_numbers(seed, format, trouble, 10));
          const auto evaluator = bound_to_search(order, terms, format);
          const auto exact = extremes(*order_space(*evaluator).space, {});
          const auto found = search_extremes(*evaluator, {.evaluations = 4000});
          const auto key = [&](std::uint64_t bits) { return ordered_key(format, bits); };
          CHECK(key(found->least.evaluation.bits) >= key(exact->least.bits));
          CHECK(key(found->greatest.evaluation.bits) <= key(exact->greatest.bits));
          found_exactly += found->least.evaluation.bits == exact->least.bits ? 1 : 0;
          found_exactly += found->greatest.evaluation.bits == exact->greatest.bits ? 1 : 0;
          ends += 2;
        }
  CAPTURE(found_exactly);
  CHECK(ends == 72);
  CHECK(found_exactly >= 65);  // a fixed outcome of fixed seeds; lower only if the search became worse
}

TEST_CASE("more evaluations of the same seed find nothing nearer than as given") {
  const TypedTerms terms(Format::fp32, uniform(300, Format::fp32));
  const auto evaluator = bound_to_search("shuffle | seq", terms, Format::fp32);
  const double given = search_extremes(*evaluator, {.evaluations = 1})->greatest.evaluation.value;
  CHECK(search_extremes(*evaluator, {.evaluations = 500})->greatest.evaluation.value > given);
  CHECK(search_extremes(*evaluator, {.evaluations = 500})->least.evaluation.value < given);
}

TEST_CASE("constructed orders lie beyond every sample where many roundings add up") {
  const std::size_t n = 2000;
  const TypedTerms terms(Format::fp32, uniform(n, Format::fp32));
  const auto evaluator = bound_to_search("shuffle | seq", terms, Format::fp32);
  const auto scratch = evaluator->make_scratch();
  const std::vector<double> values = evaluator->random_inputs();
  const auto sum_of = [&](bool greatest) {
    return evaluator->evaluate_arranged(binade_order(values, Format::fp32, {.greatest = greatest}), *scratch).value;
  };
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (std::uint64_t sample = 0; sample < 2000; ++sample) {
    const double value = evaluator->evaluate(sample, *scratch).value;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  CHECK(sum_of(true) > greatest);
  CHECK(sum_of(false) < least);
}

TEST_CASE("every start is a permutation") {
  for (const Format format : {Format::fp64, Format::fp16})
    for (const Trouble trouble : kTroubles)
      for (const std::size_t n : {1U, 2U, 50U}) {
        if (trouble == Trouble::special) continue;
        const std::vector<double> values = troublesome_numbers(6, format, trouble, n);
        auto starts = constructed_starts(values);
        CHECK(starts.front().arrangement == Arrangement::as_given);
        CHECK(starts.front().cost() == 1);
        starts.push_back({.arrangement = Arrangement::random, .number = 3});
        for (const orderlab::Start& start : starts) CHECK(is_permutation(make_start(start, values, format, 1), n));
      }
}

TEST_CASE("every move is taken back, and all kinds of moves occur") {
  WordReader words(RandomStream(1, streams::kSearchMoves, 0));
  for (const std::uint32_t m : {2U, 3U, 4U, 5U, 17U, 1000U}) {
    std::vector<std::uint32_t> order(m);
    std::iota(order.begin(), order.end(), 0U);
    const std::vector<std::uint32_t> before = order;
    int changed = 0;
    int swaps = 0;
    for (std::uint64_t step = 0; step < 400; ++step) {
      const Move move(words, step, m);
      move.apply(order);
      CHECK(is_permutation(order, m));
      const auto moved = std::inner_product(order.begin(), order.end(), before.begin(), 0, std::plus<>(),
                                            [](std::uint32_t a, std::uint32_t b) { return a == b ? 0 : 1; });
      changed += moved > 0 ? 1 : 0;
      swaps += moved == 2 ? 1 : 0;
      move.undo(order);
      REQUIRE(order == before);
    }
    CHECK(changed == 400);
    if (m > 3) CHECK(swaps < 400);
  }
}

TEST_CASE("a stop before the first sum gives nothing, a later one what was found; time limits end") {
  const TypedTerms terms(Format::fp32, uniform(3000, Format::fp32));
  const auto evaluator = bound_to_search("shuffle | seq", terms, Format::fp32);
  std::stop_source source;
  SearchOptions options{.evaluations = std::uint64_t{1} << 40, .stop = source.get_token()};
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done <= total);
    if (done > 100) source.request_stop();
  };
  const auto part = search_extremes(*evaluator, options);
  REQUIRE(part.has_value());
  CHECK(!part->complete);
  CHECK(is_permutation(part->least.order, 3000));
  CHECK(!search_extremes(*evaluator, options).has_value());
  const auto timed = search_extremes(*evaluator, {.seconds = 0.05});
  REQUIRE(timed.has_value());
  CHECK(timed->complete);
}

TEST_CASE("orders that no permutation walks, empty budgets and infinite terms are refused") {
  const TypedTerms terms(Format::fp32, {1, 2, 3, 4});
  for (const char* order : {"seq", "tree", "shuffle | tree", "shuffle | shuffle | seq"})
    CHECK_THROWS_AS(search_extremes(*bound_to_search(order, terms, Format::fp32), {}), Error);
  CHECK_THROWS_AS(search_extremes(*bound_to_search("shuffle | seq", terms, Format::fp32), {.evaluations = 0}), Error);
  const TypedTerms infinite(Format::fp32, {1, std::numeric_limits<double>::infinity()});
  CHECK_THROWS_AS(search_extremes(*bound_to_search("shuffle | seq", infinite, Format::fp32), {}), Error);
}

TEST_CASE("a search that is stopped has the best order of all that it finished, inside a start or a chain") {
  const std::size_t n = 3000;
  const TypedTerms terms(Format::fp32, uniform(n, Format::fp32));
  const auto evaluator = bound_to_search("shuffle | seq", terms, Format::fp32);
  const auto whole = search_extremes(*evaluator, {.evaluations = 400});
  for (const std::uint64_t last : {1U, 30U, 120U, 300U}) {
    CAPTURE(last);
    std::stop_source source;
    SearchOptions options{.evaluations = 400};
    options.stop = source.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      if (done >= last) source.request_stop();
    };
    const auto found = search_extremes(*evaluator, options);
    REQUIRE(found);
    CHECK_FALSE(found->complete);
    CHECK(found->evaluations <= whole->evaluations);
    for (const FoundOrder* end : {&found->least, &found->greatest}) {
      REQUIRE(end->order.size() == n);
      CHECK(evaluator->evaluate_arranged(end->order, *evaluator->make_scratch()).bits == end->evaluation.bits);
    }
  }
  std::stop_source source;
  source.request_stop();
  SearchOptions options;
  options.stop = source.get_token();
  CHECK_FALSE(search_extremes(*evaluator, options));
}
