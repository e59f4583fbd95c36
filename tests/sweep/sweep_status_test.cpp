#include "sweep/sweep_status.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace orderlab;

namespace {

// "2/3 a b: 1 of 4": the shards of 10 points, of which every fourth is finished.
std::vector<std::string> statuses(const std::vector<ShardRun>& runs) {
  SweepStatus status(runs, 10);
  for (std::uint64_t position = 0; position < 10; ++position) status.add(position, position % 4 == 0);
  CHECK(status.points() == 10);
  CHECK(status.finished() == 3);
  CHECK(status.missing() == 7);
  std::vector<std::string> texts;
  for (const ShardStatus& shard : status.shards()) {
    std::string text = std::to_string(shard.shard.number) + "/" + std::to_string(shard.shard.count);
    for (const std::string& store : shard.stores) text += " " + store;
    texts.push_back(text + ": " + std::to_string(shard.finished) + " of " + std::to_string(shard.points));
  }
  return texts;
}

}  // namespace

TEST_CASE("points are counted by shard, of every shard of the N that most were run by") {
  using Listed = std::vector<std::string>;
  CHECK(statuses({}) == Listed{"1/1: 3 of 10"});
  CHECK(statuses({{{1, 1}, "a"}, {{1, 1}, "b"}}) == Listed{"1/1 a b: 3 of 10"});
  CHECK(statuses({{{2, 3}, "a"}}) == Listed{"1/3: 1 of 4", "2/3 a: 1 of 3", "3/3: 1 of 3"});
  CHECK(statuses({{{2, 3}, "a"}, {{2, 3}, "b"}, {{2, 3}, "a"}, {{1, 2}, "c"}, {{2, 2}, "d"}}) ==
        Listed{"1/2 c: 3 of 5", "2/2 d: 0 of 5"});
  CHECK(statuses({{{1, 3}, "a"}, {{2, 2}, "c"}}).size() == 3);
  CHECK(statuses({{{1, 1}, "a"}, {{1, 1}, "b"}, {{2, 2}, "c"}}).size() == 2);
}

TEST_CASE("a position is of the shard that sweep gives it to") {
  const SweepStatus status({{{1, 7}, "a"}}, 30);
  for (std::uint64_t position = 0; position < 30; ++position) {
    const Shard shard = status.shard_of(position);
    CHECK(shard.count == 7);
    CHECK((position + 1) % 7 == shard.number % 7);
  }
  CHECK(SweepStatus({{{1, 7}, "a"}, {{2, 7}, "a"}, {{2, 3}, "b"}}, 1).others().size() == 1);
}

TEST_CASE("of ten million shards there are those that have points or a store") {
  using Listed = std::vector<std::string>;
  CHECK(statuses({{{9'000'000, 10'000'000}, "b"}, {{2, 10'000'000}, "a"}, {{11, 10'000'000}, "c"}}) ==
        Listed{"1/10000000: 1 of 1", "2/10000000 a: 0 of 1", "3/10000000: 0 of 1", "4/10000000: 0 of 1",
              "5/10000000: 1 of 1", "6/10000000: 0 of 1", "7/10000000: 0 of 1", "8/10000000: 0 of 1",
              "9/10000000: 1 of 1", "10/10000000: 0 of 1", "11/10000000 c: 0 of 0", "9000000/10000000 b: 0 of 0"});
}
