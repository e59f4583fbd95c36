#include "arrival/delayed_launch.hpp"

#include <cmath>
#include <limits>

#include "arrival/arguments.hpp"
#include "arrival/plain_draws.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::test;
using namespace orderlab::testing;

namespace {

void check_sort(const std::vector<double>& positions) {
  ArrivalOrder sorted(positions.size(), 0xDEADBEEF), expected(positions.size());
  sort_positions(positions, sorted);
  sort_plainly(positions, expected);
  CHECK(sorted == expected);
}

}  // namespace

TEST_CASE("jitter and drift draw the orders of single numbers and a plain sort") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    for (const std::size_t m : {1u, 2u, 3u, 255u, 257u, 7813u})
      for (const double s : {0.0, 0.3, 1.0, 100.0, 1e4, 1e18}) {
        CAPTURE(hwy::TargetName(target));
        CAPTURE(m);
        CAPTURE(s);
        const RandomStream stream(5, streams::kFirstStage, m);
        ArrivalOrder expected(m);
        delay_plainly(stream, expected, [s](std::size_t) { return s; });
        CHECK(draw(model("jitter"), jitter(s), m, 5, m) == expected);
        delay_plainly(stream, expected, [s, m](std::size_t i) {
          const double passed = static_cast<double>(i) / static_cast<double>(m < 2 ? 1 : m - 1);
          return std::sqrt(s * s * (1 - passed) + 9.0 * passed);
        });
        CHECK(draw(model("drift"), drift(s, 3), m, 5, m) == expected);
      }
  }
}

TEST_CASE("positions sort however they lie, ties by number") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  check_sort({});
  check_sort({3});
  check_sort(std::vector<double>(100, 7.0));
  check_sort({kInf, -kInf, 0, kInf, -kInf, 1, -1});
  check_sort({kMax, -kMax, 0, kMax, -kMax, 1, -1});
  check_sort({kTiny, 0, -kTiny, -0.0, 0, kTiny});

  IndexGenerator generator(RandomStream(1, 2, 3), 0);
  for (const std::size_t m : {2u, 65u, 1000u, 20000u}) {
    std::vector<double> few(m), close(m), steep(m), backwards(m);
    for (std::size_t i = 0; i < m; ++i) {
      few[i] = static_cast<double>(generator() % 5);
      close[i] = i == 0 ? 1e9 : static_cast<double>(generator() >> 11) * 0x1p-53;  // all but one in a bucket
      steep[i] = std::exp(1e-6 * static_cast<double>(generator() >> 40));
      backwards[i] = -static_cast<double>(i);
    }
    for (const auto& positions : {few, close, steep, backwards}) check_sort(positions);
  }
}
