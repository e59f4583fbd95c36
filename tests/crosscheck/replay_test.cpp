#include "crosscheck/replay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/text.hpp"
#include "crosscheck/recorded_atomics.hpp"
#include "order/trouble.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// An order bound to terms of one format.
struct Bound {
  TypedTerms terms;
  std::unique_ptr<const Evaluator> evaluator;

  Bound(const std::string& order, Format format, const std::vector<double>& x)
      : terms(format, x), evaluator(Evaluator::make(parse_order(order), terms.view(), {format, format, format}, 1)) {}

  RecordedAtomics record(std::uint64_t sample) const { return recorded_atomics(*evaluator, terms.view(), sample); }

  std::uint64_t arranged(std::span<const std::uint32_t> order) const {
    return evaluator->evaluate_arranged(order, *evaluator->make_scratch()).bits;
  }

  /// Whether atomics in this order return just these values: each is the sum of those before it.
  bool returns(const std::vector<std::uint32_t>& order, const std::vector<std::uint64_t>& returned) const {
    std::vector<double> x;
    const std::vector<double> inputs = evaluator->random_inputs();
    for (const std::uint32_t unit : order) x.push_back(inputs[unit]);
    const Format format = evaluator->formats().accumulate;
    const std::string tail = evaluator->order().stages().back().arguments.choice(1) == "atomic"
                                 ? "arrive(launch) | seq(acc=atomic)"
                                 : "arrive(launch) | seq(from=zero)";
    const TypedTerms ordered(format, x);
    const auto in_turn = Evaluator::make(parse_order(tail), ordered.view(), {format, format, format}, 1);
    const std::vector<double> values = evaluate(in_turn->tree(0), ordered.view());
    bool same = returned[order[0]] == round_to_bits(format, 0.0);
    for (std::size_t k = 1; k < order.size(); ++k)
      same = same && returned[order[k]] == round_to_bits(format, values[x.size() + k - 1]);
    return same;
  }
};

bool permutation_of(std::size_t m, std::vector<std::uint32_t> order) {
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> all(m);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

std::string bits_of(const Bound& bound, const std::vector<std::uint64_t>& returned) {
  std::string text;
  for (const std::uint64_t bits : returned) text += bits_text(bound.evaluator->formats().accumulate, bits) + " ";
  return text;
}

void check_replay(const Bound& bound, std::uint64_t sample) {
  const RecordedAtomics recorded = bound.record(sample);
  const Replay replay = replay_atomics(*bound.evaluator, recorded.returned);
  CAPTURE(sample);
  CAPTURE(replay.problem);
  REQUIRE(replay.problem.empty());
  REQUIRE(permutation_of(recorded.returned.size(), replay.order));
  CHECK(bound.arranged(replay.order) == recorded.bits);
  CHECK(bound.returns(replay.order, recorded.returned));
}

}  // namespace

TEST_CASE("what atomics returned gives an order that returns the same and ends in the same bits") {
  for (const FormatInfo& f : kFormats)
    for (const Trouble trouble : kTroubles)
      for (const std::size_t m : {1UL, 2UL, 3UL, 7UL, 32UL, 33UL, 500UL}) {
        INFO(f.name, " trouble ", static_cast<int>(trouble), " m ", m);
        const auto x = troublesome_numbers(11, f.format, trouble, m);
        for (const char* order : {"ao", "arrive | seq(from=zero)"}) {
          const Bound bound(order, f.format, x);
          for (std::uint64_t sample = 0; sample < 3; ++sample) check_replay(bound, sample);
        }
      }
}

TEST_CASE("five thousand units, many of them alike, are replayed") {
  for (const char* distribution : {"dyadic(24,-23,6)", "constant(0.1)", "constant(0)", "constant(-0)", "integers(2)",
                                   "dyadic(24,-149)", "dyadic(2,-20)", "cancel(1e5)"})
    for (const Format format : {Format::fp32, Format::fp64, Format::fp16}) {
      const std::size_t m = 5000;
      if (format == Format::fp16 && distribution[0] == 'c' && distribution[1] == 'a') continue;  // no fp16 reaches it
      const Terms terms = generate_terms(distribution, m, format, 3);
      std::vector<double> x(m);
      for (std::size_t i = 0; i < m; ++i) x[i] = terms.view().left(i);
      INFO(distribution, " ", info(format).name);
      check_replay(Bound("ao", format, x), 0);
    }
}

TEST_CASE("partial sums of thread blocks and of warps are replayed") {
  const auto x = troublesome_numbers(5, Format::fp32, Trouble::near_one, 1000);
  for (const char* order : {"spa(32,2,5)", "spa(64,2)", "warp", "tile(64,2,1) | arrive | seq(from=zero)"})
    check_replay(Bound(order, Format::fp32, x), 1);
}

TEST_CASE("global atomics flush subnormal numbers, cells of shared memory keep them") {
  const std::vector<double> x{0x1p-149, 0x1p-130, 0x1p-126};
  const Bound global("ao", Format::fp32, x);
  const Bound shared("arrive | seq(from=zero)", Format::fp32, x);
  const std::vector<std::uint64_t> kept{0, 1, 0x80001};  // 0, 2^-149, 2^-149 + 2^-130
  const std::vector<std::uint64_t> flushed{0, 0, 0};
  CHECK(replay_atomics(*shared.evaluator, kept).order == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(replay_atomics(*shared.evaluator, flushed).problem ==
        "unit 0 returned 0x00000000, as 3 units did, but the sum takes that value only once");
  CHECK(replay_atomics(*global.evaluator, flushed).problem.empty());
  CHECK(contains(replay_atomics(*global.evaluator, kept).problem,
                 "unit 1 returned 0x00000001, a value that no addition gives"));
}

TEST_CASE("NaN is one value whatever its payload, and zeros keep their signs") {
  const Bound nan("ao", Format::fp32, {NAN, 1, 2});
  CHECK(replay_atomics(*nan.evaluator, std::vector<std::uint64_t>{0x40400000, 0, 0x3f800000}).problem.empty());
  CHECK(replay_atomics(*nan.evaluator, std::vector<std::uint64_t>{0, 0x7fffffff, 0xffc00001}).problem.empty());
  const Bound zeros("ao", Format::fp32, {-0.0, -0.0});
  CHECK(replay_atomics(*zeros.evaluator, std::vector<std::uint64_t>{0, 0}).problem.empty());
  CHECK_FALSE(replay_atomics(*zeros.evaluator, std::vector<std::uint64_t>{0, 0x80000000}).problem.empty());
}

TEST_CASE("a sum that comes back to an earlier value is replayed as one path of circles") {
  // 0 -> 1 -> 0 -> 2 -> 1 -> 3 -> 1: every value but one is met twice.
  const Bound bound("ao", Format::fp32, {1, -1, 2, -1, 2, -2});
  const std::vector<std::uint64_t> returned{0, 0x3f800000, 0, 0x40000000, 0x3f800000, 0x40400000};
  const Replay replay = replay_atomics(*bound.evaluator, returned);
  REQUIRE(replay.problem.empty());
  CHECK(bound.returns(replay.order, returned));
  CHECK(bound.arranged(replay.order) == 0x3f800000);
}

TEST_CASE("circles that are never entered, values too often, and counts that do not fit are told") {
  const Bound bound("ao", Format::fp32, {1, 1, -1});
  const auto problem = [&](const std::vector<std::uint64_t>& returned) {
    return replay_atomics(*bound.evaluator, returned).problem;
  };
  CHECK(problem({0, 0x40000000, 0x40400000}) ==
        "unit 1 returned 0x40000000, which 2 units reach in a circle among themselves, but never from 0");
  CHECK(problem({0, 0, 0x3f800000}).empty());  // 0 -> 1 -> 0 -> 1
  CHECK(problem({0, 0, 0}) == "unit 0 returned 0x00000000, as 3 units did, but the sum takes that value only once");
  CHECK(problem({0, 0x41200000, 0x3f800000}) == "unit 1 returned 0x41200000, a value that no addition gives");
  CHECK(problem({0, 0}) == "2 returned values for 3 partial sums");
  CHECK(problem({}) == "0 returned values for 3 partial sums");
}

TEST_CASE("for few units, an order is found exactly where trying all orders finds one") {
  std::size_t wrong_explained = 0;
  std::size_t wrong_refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    IndexGenerator draw(RandomStream(seed, 99, 0), 0);
    const std::size_t m = 1 + below(draw, 6);
    const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
    const Format format = kFormats[seed / 8 % 4].format;
    std::vector<double> x = troublesome_numbers(seed, format, trouble, m);
    if (seed % 3 == 0)
      for (double& v : x) v = static_cast<double>(below(draw, 3)) - 1;  // sums that come back
    const Bound bound("ao", format, x);
    std::vector<std::uint64_t> returned = bound.record(seed).returned;
    // One recorded value is replaced by another, or loses a bit.
    const std::size_t changed = below(draw, m);
    if (seed % 2 == 0)
      returned[changed] = returned[below(draw, m)];
    else
      returned[changed] ^= std::uint64_t{1} << below(draw, 4);

    std::vector<std::uint32_t> order(m);
    std::iota(order.begin(), order.end(), 0);
    bool possible = false;
    do possible = possible || bound.returns(order, returned);
    while (std::next_permutation(order.begin(), order.end()));

    const Replay replay = replay_atomics(*bound.evaluator, returned);
    INFO("seed ", seed, " m ", m, " ", info(format).name, ": ", bits_of(bound, returned), replay.problem);
    CHECK(replay.problem.empty() == possible);
    if (possible) CHECK(bound.returns(replay.order, returned));
    ++(possible ? wrong_explained : wrong_refused);
  }
  CHECK(wrong_explained > 20);  // a changed value may still be what some order returns
  CHECK(wrong_refused > 100);
}

TEST_CASE("a changed bit in one of many returned values is found, or some order returns just that") {
  for (const Format format : {Format::fp32, Format::fp64, Format::fp16}) {
    const std::size_t m = 200;
    const Bound bound("ao", format, troublesome_numbers(3, format, Trouble::near_one, m));
    const RecordedAtomics recorded = bound.record(0);
    std::size_t refused = 0;
    for (std::size_t unit = 0; unit < m; ++unit) {
      std::vector<std::uint64_t> returned = recorded.returned;
      returned[unit] ^= std::uint64_t{1} << (unit % static_cast<std::size_t>(info(format).bits));
      const Replay replay = replay_atomics(*bound.evaluator, returned);
      if (replay.problem.empty())
        CHECK(bound.returns(replay.order, returned));
      else
        ++refused;
    }
    INFO(info(format).name, ": ", refused);
    CHECK(refused > m / 2);
  }
}

TEST_CASE("orders without one cell that takes everything are refused") {
  const std::vector<double> x{1, 2, 3, 4, 5};
  for (const char* order : {"sequential", "random", "arrive | halving(8)", "arrive | seq(2,acc=atomic) | seq",
                            "arrive | seq(acc=kahan)", "arrive | seq", "random_tree"}) {
    const Bound bound(order, Format::fp32, x);
    INFO(order);
    CHECK(contains(message_of(ErrorKind::unsupported,
                              [&] { (void)replay_atomics(*bound.evaluator, std::vector<std::uint64_t>(5)); }),
                   "returned values can be replayed only where one cell takes all"));
  }
  const TypedTerms products(Format::fp32, x, x);  // no atomic fuses a product
  const auto fused =
      Evaluator::make(parse_order("arrive | seq(acc=fma,from=zero)"), products.view(), parse_formats("fp32"), 1);
  CHECK(
      contains(message_of(ErrorKind::unsupported, [&] { (void)replay_atomics(*fused, std::vector<std::uint64_t>(5)); }),
               "returned values can be replayed only where one cell takes all"));
}
