#include <algorithm>
#include <cmath>

#include "arrival/arguments.hpp"
#include "arrival/random_numbers.hpp"

using namespace orderlab;
using namespace orderlab::test;

namespace {

/// Mean and its standard error, from the sample itself.
struct Mean {
  double value;
  double standard_error;
};

Mean mean(const std::vector<double>& sample) {
  double sum = 0;
  for (const double x : sample) sum += x;
  const double n = static_cast<double>(sample.size());
  double squares = 0;
  for (const double x : sample) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, std::sqrt(squares / (n * (n - 1)))};
}

double formula(double s, double m) {
  const double ratio = s / m;
  return 1 - 4 * ratio / std::sqrt(std::acos(-1.0)) + 2 * ratio * ratio;
}

/// Exact expectation of tau: blocks d apart change places with probability P(N(0, 2 s^2) < -d).
double expected_tau(double s, std::size_t m) {
  double inversions = 0;
  for (std::size_t d = 1; d < m; ++d)
    inversions += static_cast<double>(m - d) * 0.5 * std::erfc(static_cast<double>(d) / (2 * s));
  return 1 - 4 * inversions / (static_cast<double>(m) * static_cast<double>(m - 1));
}

}  // namespace

TEST_CASE("jitter(0) is launch order") {
  for (const std::size_t m : {1u, 2u, 33u, 1000u}) CHECK(draw(model("jitter"), jitter(0), m) == launch_order(m));
}

TEST_CASE("jitter sorts by index plus s times the normal number of that index") {
  constexpr std::size_t m = 300;
  constexpr double s = 12.5;
  const RandomStream stream(8, streams::kFirstStage, 4);
  std::vector<double> position(m);
  for (std::size_t i = 0; i < m; ++i) position[i] = static_cast<double>(i) + s * normal(stream.block(i));
  ArrivalOrder expected = launch_order(m);
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return position[a] < position[b]; });
  CHECK(draw(model("jitter"), jitter(s), m, 8, 4) == expected);
}

TEST_CASE("the Kendall tau of jitter is what theory.md says, to launch order and between samples") {
  constexpr std::size_t m = 2000;
  constexpr double size = m;
  // The formula replaces a sum over distances by an integral; Euler and Maclaurin's first correction to the inversions
  // is -m/4, so 1/(m - 1) in tau; the next ones have the other sign and at most 4 s / m^2 in all.
  constexpr double cut = 1 / (size - 1);
  for (const double s : {10.0, 75.0, 200.0}) {
    CAPTURE(s);
    CHECK(std::abs(expected_tau(s, m) - formula(s, size)) <= cut);
    CHECK(std::abs(expected_tau(s * std::sqrt(2.0), m) - formula(s * std::sqrt(2.0), size)) <= cut);

    std::vector<double> to_launch;
    std::vector<double> between;
    for (std::uint64_t sample = 0; sample < 60; sample += 2) {
      const ArrivalOrder a = draw(model("jitter"), jitter(s), m, 1, sample);
      const ArrivalOrder b = draw(model("jitter"), jitter(s), m, 1, sample + 1);
      to_launch.push_back(kendall_tau(a));
      between.push_back(kendall_tau(a, b));  // pairs of their own: independent
    }
    // 30 independent values: P(|t| > 7) with 29 degrees of freedom is 1e-7.
    const Mean measured = mean(to_launch);
    CHECK(std::abs(measured.value - expected_tau(s, m)) <= 7 * measured.standard_error);
    const Mean pairs = mean(between);
    CHECK(std::abs(pairs.value - expected_tau(s * std::sqrt(2.0), m)) <= 7 * pairs.standard_error);
  }
}
