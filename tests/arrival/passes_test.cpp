#include <algorithm>
#include <cmath>

#include "arrival/arguments.hpp"
#include "arrival/random_numbers.hpp"
#include "order/resolve.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

constexpr std::uint16_t kRunAttempt = 4;  // philox.hpp

/// The factor by which `run` multiplies the delays of a sample; seed 1.
double factor_of(double run, std::uint64_t sample) {
  return std::exp(run * normal(RandomStream(1, streams::kFirstStage, sample).block(0, kRunAttempt)));
}

double rms_displacement(const test::ArrivalOrder& order) {
  double squares = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    squares += std::pow(static_cast<double>(k) - static_cast<double>(order[k]), 2);
  return std::sqrt(squares / static_cast<double>(order.size()));
}

}  // namespace

TEST_CASE("passes of a grid that takes all units in one pass is jitter of the first, bit for bit") {
  for (const std::size_t m : {1u, 2u, 33u, 1000u})
    for (const std::uint64_t g : {std::uint64_t{m}, std::uint64_t{m} + 1, ~std::uint64_t{0}})
      CHECK(draw(model("passes"), passes(g, 12.5, 3), m, 8, 4) == draw(model("jitter"), jitter(12.5), m, 8, 4));
}

TEST_CASE("every unit of a pass arrives before any of the next one, however large the jitter") {
  constexpr std::size_t m = 1000;
  for (const std::uint64_t g : {1u, 7u, 96u, 999u}) {
    CAPTURE(g);
    const test::ArrivalOrder order = draw(model("passes"), passes(g, 1e6, 1e6), m);
    for (std::size_t k = 0; k < m; ++k) CHECK(order[k] / g == k / g);
    CHECK((order == launch_order(m)) == (g == 1));
  }
}

TEST_CASE("the first pass has a jitter of its own") {
  constexpr std::size_t m = 300;
  constexpr std::uint64_t g = 100;
  const test::ArrivalOrder first = draw(model("passes"), passes(g, 20, 0), m);
  CHECK(!std::is_sorted(first.begin(), first.begin() + g));
  CHECK(std::is_sorted(first.begin() + g, first.end()));
  const test::ArrivalOrder later = draw(model("passes"), passes(g, 0, 20), m);
  CHECK(std::is_sorted(later.begin(), later.begin() + g));
  CHECK(!std::is_sorted(later.begin() + g, later.begin() + 2 * g));
  CHECK(!std::is_sorted(later.begin() + 2 * g, later.end()));
}

TEST_CASE("run multiplies the delays of all units of a sample by one factor, in every pass") {
  constexpr std::size_t m = 300;
  for (const double run : {0.2, 1.5})
    for (const std::uint64_t sample : {0u, 1u, 9u}) {
      const double f = factor_of(run, sample);  // by another exponential: no two keys are so close that it matters
      CHECK(draw(model("passes"), passes(100, 20, 7, run), m, 1, sample) ==
            draw(model("passes"), passes(100, f * 20, f * 7), m, 1, sample));
    }
}

TEST_CASE("without run, and at run = 0, nothing is multiplied, and it is not written") {
  CHECK(draw(model("passes"), Arguments({std::uint64_t{7}, 3.0, 0.5}), 40) ==
        draw(model("passes"), passes(7, 3, 0.5), 40));
  CHECK(to_string(parse_arrival("passes(7,3,0.5,run=0)")) == "passes(7,3,0.5)");
  CHECK(to_string(parse_arrival("passes(7,3,0.5,run=0.20)")) == "passes(7,3,0.5,run=0.2)");
}

TEST_CASE("the displacement of a run varies as run says, and its median is that without") {
  constexpr std::size_t m = 20000;
  constexpr double s = 50;
  constexpr double run = 0.22;
  constexpr int samples = 400;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    const double x = std::log(rms_displacement(draw(model("passes"), passes(m, s, 0, run), m, 1, sample)) / s);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / samples;
  const double sd = std::sqrt(squares / samples - mean * mean);
  // Five standard errors of a mean, and of a standard deviation, of 400 normal numbers. A displacement differs from its
  // delay by about sqrt(s / sqrt(pi)) ranks, which adds 0.6 % to the root of the mean square; that of 20,000 units
  // varies by 0.5 % for a given factor.
  CHECK(std::fabs(mean) < 5 * run / std::sqrt(samples) + 0.01);
  CHECK(std::fabs(sd - run) < 5 * run / std::sqrt(2.0 * samples) + 0.005);
}
