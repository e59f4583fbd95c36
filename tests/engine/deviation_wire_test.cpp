#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "doubles.hpp"
#include "orderlab/tolerance.hpp"
#include "wires.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

struct Draw {
  Deviation deviation;
  double sum_abs;
  double condition;
  Evaluation evaluation;
};

double any_distance(IndexGenerator& draw) {
  const double x = chance(draw, 4) ? any_subnormal(draw) : any_finite(draw, Format::fp64);
  return chance(draw, 9) ? kInfinity : chance(draw, 9) ? 0.0 : std::fabs(chance(draw, 2) ? near_one(draw) : x);
}

std::vector<Draw> any_draws(IndexGenerator& draw) {
  std::vector<Draw> draws(below(draw, chance(draw, 4) ? 400 : 40));
  for (Draw& d : draws) {
    d.deviation = {any_distance(draw), any_distance(draw), any_distance(draw)};
    d.deviation.from_exact = chance(draw, 3) ? 0 : d.deviation.absolute;
    d.sum_abs = any_distance(draw);
    d.condition = any_distance(draw);
    d.evaluation.height = below(draw, 100);
    d.evaluation.error.bounded = !chance(draw, 500);
    d.evaluation.error.linear = static_cast<double>(below(draw, 9));
  }
  return draws;
}

void add_draw(DeviationTally& tally, const Draw& d) {
  tally.add(d.deviation);
  tally.add_input(d.sum_abs, d.condition);
  tally.bounds.add(d.evaluation, Format::fp64, 50);
}

/// Everything public of a tally.
std::vector<std::uint64_t> description(const DeviationTally& tally, std::uint64_t keep) {
  std::vector<std::uint64_t> all{tally.draws(),
                                 tally.nonfinite(),
                                 bits(tally.sum_abs()),
                                 bits(tally.condition()),
                                 bits(tally.largest_from_exact()),
                                 tally.bounds.height};
  for (const std::optional<double>& x :
       {tally.rms(), tally.rms_from_exact(), tally.bounds.running, tally.bounds.probabilistic})
    all.push_back(x ? bits(*x) : 1);
  for (std::uint64_t rank = 1; rank <= std::min(keep, tally.draws()); ++rank) {
    const Deviation limit = tally.limit(rank);
    for (const double x : {limit.absolute, limit.relative, limit.ulp}) all.push_back(bits(x));
  }
  return all;
}

}  // namespace

TEST_CASE("a tally of deviations has one wire form, however it was split, sent and merged") {
  for (std::uint64_t trial = 0; trial < trials(400); ++trial) {
    CAPTURE(trial);
    IndexGenerator draw(RandomStream(9, 0, trial), 0);
    const std::uint64_t keep = below(draw, 12);
    const std::vector<Draw> draws = any_draws(draw);
    DeviationTally whole(keep);
    for (const Draw& d : draws) add_draw(whole, d);
    const DeviationTally merged = tallied_in_parts(
        draw, draws.size(), [&] { return DeviationTally(keep); },
        [&](DeviationTally& tally, std::size_t i) { add_draw(tally, draws[i]); });
    REQUIRE(merged.wire() == whole.wire());
    CHECK(description(merged, keep) == description(whole, keep));
    CHECK(description(DeviationTally::from_wire(whole.wire()), keep) == description(whole, keep));
  }
}

TEST_CASE("the largest values have one wire form, however they came") {
  for (std::uint64_t trial = 0; trial < trials(400); ++trial) {
    IndexGenerator draw(RandomStream(10, 0, trial), 0);
    const std::uint64_t keep = below(draw, 30);
    std::vector<double> values(below(draw, 300));
    for (double& v : values)
      v = chance(draw, 3) ? with_random_sign(draw, 0.0) : with_random_sign(draw, any_distance(draw));
    LargestValues whole(keep);
    for (const double v : values) whole.add(v);
    const LargestValues merged = tallied_in_parts(
        draw, values.size(), [&] { return LargestValues(keep); },
        [&](LargestValues& largest, std::size_t i) { largest.add(values[i]); });
    REQUIRE(merged.wire() == whole.wire());
    const LargestValues read = LargestValues::from_wire(whole.wire());
    CHECK(read.keep() == keep);
    for (double& v : values) v += 0.0;
    std::sort(values.begin(), values.end(), std::greater<>());
    for (std::uint64_t rank = 1; rank <= std::min<std::uint64_t>(keep, values.size()); ++rank)
      for (const LargestValues& some : {whole, merged, read}) CHECK(bits(some.of_rank(rank)) == bits(values[rank - 1]));
  }
}

TEST_CASE("what keeps another number of largest values is not merged") {
  LargestValues values(3);
  CHECK_THROWS_AS(values.merge(LargestValues(4)), Error);
  DeviationTally tally(3);
  CHECK_THROWS_AS(tally.merge(DeviationTally(2)), Error);
}

TEST_CASE("damaged deviations are refused, or are deviations") {
  for (std::uint64_t trial = 0; trial < trials(60); ++trial) {
    IndexGenerator draw(RandomStream(11, 0, trial), 0);
    const std::vector<Draw> draws = any_draws(draw);
    const std::uint64_t keep = 1 + below(draw, 12);
    DeviationTally tally(keep);
    LargestValues values(keep);
    for (const Draw& d : draws) {
      add_draw(tally, d);
      values.add(d.deviation.absolute);
    }
    check_damaged(draw, tally, 200, [&](const DeviationTally& read) {
      DeviationTally more = read;
      more.merge(read);
      for (const Draw& d : draws) add_draw(more, d);
      CHECK(!description(more, std::min(keep, read.draws())).empty());
    });
    check_damaged(draw, values, 100, [](const LargestValues& read) {
      LargestValues more = read;
      more.merge(read);
      CHECK(more.largest().size() >= read.largest().size());
    });
  }
}
