// Steps run on parts of their input against the same steps run on the whole.
#include "run/in_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"

namespace orderlab {
namespace {

using testing::TypedTerms;

/// The steps of m partial sums, and what is left of them.
std::vector<PlannedStep> steps_of(const std::string& text, std::size_t m, Format format = Format::fp64) {
  return plan_steps(parse_order(text), m, format);
}

template <class A>
std::vector<std::uint64_t> bits_left(const Input<A>& left) {
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < left.size(); ++i) bits.push_back(bits_of(left[i]));
  return bits;
}

/// The steps on consecutive parts of `size` partial sums.
template <class T>
std::vector<std::uint64_t> bits_by_parts(std::span<const PlannedStep> steps, std::span<const T> terms,
                                         std::size_t size) {
  std::vector<std::uint64_t> bits;
  Floats<T> arith;
  Buffers<Floats<T>> buffers;
  for (std::size_t begin = 0; begin < terms.size(); begin += size) {
    const Input<Floats<T>> part(terms.subspan(begin, std::min(size, terms.size() - begin)));
    const auto some = bits_left<Floats<T>>(run_steps(steps, arith, part, buffers, {}));
    bits.insert(bits.end(), some.begin(), some.end());
  }
  return bits;
}

template <class T>
void check_stages(std::uint64_t seed, testing::Trouble trouble) {
  int with_period = 0;
  for (const std::size_t n : {1u, 300u, 1024u, 5009u}) {
    const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(seed, kFormatOf<T>, trouble, n));
    const std::span numbers(static_cast<const T*>(terms.view().x), n);
    for (const char* text : {"halving(32)", "halving(512)", "adjacent(32)", "adjacent(7)", "seq(5)",
                             "seq(40,from=zero)", "seq(9,acc=kahan)", "tile(256,4)", "tile(33,3)",
                             "tile(64,2,grid=700)", "cub_tile(9)", "cub_rake(256)", "cub_rake(256,commutative_only)"}) {
      CAPTURE(text);
      CAPTURE(n);
      const std::vector<PlannedStep> steps = steps_of(text, n, kFormatOf<T>);
      const auto whole = bits_by_parts<T>(steps, numbers, n);
      REQUIRE(steps.size() == 1);
      const std::size_t unit = period(steps.front().step, n);
      if (unit == 0) continue;
      ++with_period;
      CHECK(bits_by_parts<T>(steps, numbers, unit) == whole);
      CHECK(bits_by_parts<T>(steps, numbers, 3 * unit) == whole);
    }
  }
  CHECK(with_period > 30);
}

TEST_CASE("a step that has a period leaves of parts what it leaves of the whole") {
  for (const testing::Trouble trouble : testing::kTroubles) {
    check_stages<double>(1, trouble);
    check_stages<float>(2, trouble);
    check_stages<Half>(3, trouble);
    check_stages<Bfloat16>(4, trouble);
  }
}

std::size_t period_of(const std::string& text, std::size_t m) { return period(steps_of(text, m)[0].step, m); }

TEST_CASE("periods: runs and tiles have one, thread blocks that stride on have none") {
  CHECK(period_of("halving(32)", 1000) == 32);
  CHECK(period_of("seq(7)", 1000) == 7);
  CHECK(period_of("tile(256,4)", 1'000'000) == 1024);
  CHECK(period_of("tile(256,4,grid=9)", 9 * 1024) == 1024);
  CHECK(period_of("tile(256,4,grid=9)", 9 * 1024 + 1) == 0);
  CHECK(period_of("cub_tile(9)", 9 * 2048) == 2048);
  CHECK(period_of("cub_tile(9)", 9 * 2048 + 1) == 0);
  CHECK(period_of("strided(8)", 1000) == 0);
  CHECK(period_of("chunks(8)", 1000) == 0);
  CHECK(period_of("pairwise", 1000) == 0);
}

TEST_CASE("periods: pieces between each other, or with passes, have none") {
  CHECK(period(steps::add({.count = 2, .stride = 6, .members = 6}), 12) == 6);
  CHECK(period(steps::add({.count = 2, .stride = 1, .step = 2, .members = 3}), 6) == 0);
  CHECK(period(steps::add({.count = 2, .stride = 2, .width = 2, .step = 4, .members = 3}), 12) == 0);
  CHECK(period(steps::add({.count = 2, .stride = 2, .members = 4, .items = 2, .pass = 4}), 8) == 0);
}

TEST_CASE("parts are of whole periods of all their steps") {
  const auto parts_of = [](const std::string& text, std::size_t m) { return Parts::of(steps_of(text, m)); };
  const Parts spa = parts_of("tile(256,4) | halving(256)", 1'000'000);
  CHECK(spa.steps == 2);
  CHECK(spa.size == Parts::kMost);
  CHECK(spa.left == 977);
  const Parts odd = parts_of("seq(6) | seq(10) | halving(4)", 1'000'000);  // 240 is the least that all three divide
  CHECK(odd.steps == 3);
  CHECK(odd.size == Parts::kMost / 240 * 240);
  CHECK(odd.left == 4167);
  CHECK(parts_of("strided(8) | halving(8)", 1'000'000).steps == 0);
  CHECK(parts_of("halving(32) | pairwise", 1'000'000).steps == 1);
  CHECK(parts_of("seq(181) | seq(191)", 1'000'000).steps == 1);  // 34571 is above kMost
}

template <class T>
void check_chains() {
  for (const std::size_t n : {std::size_t{100}, Parts::kMost + 1, std::size_t{200'003}}) {
    const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(5, kFormatOf<T>, testing::kTroubles[0], n));
    const std::span numbers(static_cast<const T*>(terms.view().x), n);
    for (const char* text : {"tile(256,4) | halving(256) | pairwise", "seq(6) | seq(10) | halving(4) | strided(3)",
                             "tile(64,4) | halving(64)", "halving(32) | adjacent(5) | numpy"}) {
      CAPTURE(text);
      CAPTURE(n);
      const std::vector<PlannedStep> steps = steps_of(text, n, kFormatOf<T>);
      Floats<T> in_parts, at_once;
      Buffers<Floats<T>> buffers, other;
      std::vector<T> joined;
      const auto left =
          run_in_parts(std::span<const PlannedStep>(steps), in_parts, Input<Floats<T>>(numbers), buffers, joined);
      const auto expected =
          run_steps(std::span<const PlannedStep>(steps), at_once, Input<Floats<T>>(numbers), other, {});
      CHECK(joined.empty() == (n == 100));
      CHECK(bits_left<Floats<T>>(left) == bits_left<Floats<T>>(expected));
      CHECK(in_parts.error().roundings == at_once.error().roundings);
    }
  }
}

TEST_CASE("chains of steps leave in parts what they leave at once") {
  check_chains<double>();
  check_chains<Half>();
}

/// The last part first.
void backwards(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t part = count; part-- > 0;) body(part);
}

/// All of a RunningError, a bit for a bit.
auto all_of(const RunningError& e) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return std::tuple(bits(e.linear), bits(e.square), bits(e.scale), bits(e.extra), e.roundings, e.allowances, e.bounded,
                    e.random_model, e.plain);
}

template <class T>
void check_loops() {
  for (const std::size_t n : {9 * Parts::kMost, std::size_t{10 * Parts::kMost + 1}, std::size_t{400'003}}) {
    const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(5, kFormatOf<T>, testing::kTroubles[0], n));
    const std::span numbers(static_cast<const T*>(terms.view().x), n);
    for (const char* text :
         {"tile(256,4) | halving(256) | pairwise", "tile(64,2) | halving(64) | strided(64,from=zero) | halving(64)",
          "seq(6) | seq(10) | halving(4) | strided(3)", "halving(512) | adjacent(5)", "seq(6,acc=kahan) | seq(10)"}) {
      CAPTURE(text);
      CAPTURE(n);
      const std::vector<PlannedStep> steps = steps_of(text, n, kFormatOf<T>);
      const double scale = std::is_same_v<T, double> ? 0.5 : 1;  // that of other numbers
      const RunningError before{.linear = 0x1.23p-40, .square = 0x1.77p-90, .scale = scale, .roundings = 3};
      Buffers<Floats<T>> buffers, other;
      std::vector<T> expected, joined;
      Floats<T> in_order(before), at_once(before);
      PartRuns<Floats<T>>(Parts::of(steps), steps, numbers, expected).run(in_order, buffers);
      PartRuns<Floats<T>>(Parts::of(steps), steps, numbers, joined).run(at_once, other, backwards);
      CHECK(std::memcmp(joined.data(), expected.data(), expected.size() * sizeof(T)) == 0);
      CHECK(all_of(at_once.error()) == all_of(in_order.error()));
    }
  }
}

TEST_CASE("parts that run at once leave and note what they do one after the other") {
  check_loops<double>();
  check_loops<float>();
  check_loops<Half>();
}

// Every way in which an evaluator uses parts: numbers that are left where parts were joined, steps after them, numbers
// with heights after them, products, squares that need a scale.
TEST_CASE("evaluators of more terms than a part follow their trees") {
  constexpr std::size_t kTerms = 40'009;
  static_assert(kTerms > Parts::kMost);
  const std::vector<double> x = testing::troublesome_numbers(8, Format::fp64, testing::kTroubles[0], kTerms);
  std::vector<double> large = x;
  for (double& number : large) number *= 0x1p900;
  for (const char* text :
       {"tile(64,4) | halving(64) | shuffle | seq", "seq(6) | seq(10) | strided(3) | shuffle | seq",
        "seq(6) | seq(10) | reverse | seq", "seq(6,acc=fma) | seq(10) | seq", "halving(32) | adjacent(4) | pairwise"})
    for (const bool scaled : {false, true}) {
      CAPTURE(text);
      CAPTURE(scaled);
      const Order order = parse_order(text);
      const bool products = std::string(text).find("fma") != std::string::npos;
      if (products && scaled) continue;  // they would overflow
      const TypedTerms terms = products ? TypedTerms(Format::fp64, x, std::vector<double>(x.rbegin(), x.rend()))
                                        : TypedTerms(Format::fp64, scaled ? large : x);
      const auto evaluator = Evaluator::make(order, terms.view(), {}, 1);
      const auto scratch = evaluator->make_scratch();
      const SummationTree tree = evaluator->tree(0);
      const double by_tree = evaluate(tree, terms.view()).at(tree.roots().front());
      CHECK(std::bit_cast<std::uint64_t>(value_of_bits(Format::fp64, evaluator->evaluate(0, *scratch).bits)) ==
            std::bit_cast<std::uint64_t>(by_tree));
    }
}

}  // namespace
}  // namespace orderlab
