#include "study/poisson_rate.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "orderlab/philox.hpp"

namespace orderlab::study {

namespace {

/// Whole numbers of a seed, in turn, as shares of 2^32.
class ShareDraws {
 public:
  explicit ShareDraws(std::uint64_t seed) : stream_(seed, streams::kTerms, 0) {}

  double next() { return (static_cast<double>(stream_.block(next_++)[0]) + 0.5) / 4294967296.0; }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

bool holds(const Interval95& interval, double rate) { return *interval.low <= rate && rate <= *interval.high; }

}  // namespace

TEST_CASE("one event in each group at most has the interval of a Poisson number") {
  std::vector<std::uint64_t> events(50);
  for (std::size_t count = 0; count <= 7; ++count) {
    CAPTURE(count);
    if (count > 0) events[3 * count] = 1;
    const Interval95 all = per_thousand(count, 400);
    const Interval95 by_group = per_thousand_by_group(events, 1, 400);
    CHECK(by_group.value == all.value);
    CHECK(by_group.low == all.low);
    CHECK(by_group.high == all.high);
  }
}

TEST_CASE("the same runs over again make no interval narrower than their prompts allow") {
  const std::vector<std::uint64_t> one{1, 1, 1, 1, 0, 0, 0, 0};
  const std::vector<std::uint64_t> same{30, 30, 30, 30, 0, 0, 0, 0};
  const Interval95 first = per_thousand_by_group(one, 1, 1000);
  const Interval95 all = per_thousand_by_group(same, 30, 30'000);
  CHECK(all.value == first.value);
  CHECK(*all.low <= *first.low * (1 + 0x1p-40));  // the same but for the rounding of quantiles
  CHECK(*all.high >= *first.high * (1 - 0x1p-40));
  const Interval95 none = per_thousand_by_group(std::vector<std::uint64_t>(8), 30, 30'000);
  CHECK(none.low == 0);
  CHECK(*none.high >= *per_thousand(0, 1000).high * (1 - 0x1p-40));
}

TEST_CASE("the interval over groups holds the rate in 95 of 100 simulations, that over all events in few") {
  constexpr std::size_t kSimulations = 1000;
  constexpr std::size_t kPrompts = 200;
  constexpr std::uint64_t kRuns = 30;
  constexpr double kNearTies = 0.03;  // prompts with a token that flips in a run with a probability from 0 to 1
  constexpr double kRate = 1000 * kNearTies / 2;
  ShareDraws draws(1);
  std::size_t by_group = 0;
  std::size_t by_event = 0;
  for (std::size_t s = 0; s < kSimulations; ++s) {
    std::vector<std::uint64_t> flips(kPrompts);
    std::uint64_t all = 0;
    for (std::uint64_t& of_prompt : flips) {
      if (draws.next() >= kNearTies) continue;
      const double probability = draws.next();
      for (std::uint64_t r = 0; r < kRuns; ++r) of_prompt += std::uint64_t{draws.next() < probability};
      all += of_prompt;
    }
    by_group += std::size_t{holds(per_thousand_by_group(flips, kRuns, kPrompts * kRuns), kRate)};
    by_event += std::size_t{holds(per_thousand(all, kPrompts * kRuns), kRate)};
  }
  // 930 leave out a coverage of 0.95 with a probability of 0.003.
  CHECK(by_group >= 930);
  CHECK(by_event <= 600);
}

}  // namespace orderlab::study
