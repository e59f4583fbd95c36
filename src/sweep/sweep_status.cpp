#include "sweep/sweep_status.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace orderlab {

namespace {

std::uint64_t most_used_count(const std::vector<ShardRun>& runs) {
  std::map<std::uint64_t, std::set<std::uint64_t>> numbers;  // by count
  for (const ShardRun& run : runs)
    if (run.shard.count > 1) numbers[run.shard.count].insert(run.shard.number);
  std::uint64_t count = 1;
  std::size_t most = 0;
  for (const auto& [of, found] : numbers) {
    if (found.size() < most) continue;
    count = of;
    most = found.size();
  }
  return count;
}

}  // namespace

SweepStatus::SweepStatus(const std::vector<ShardRun>& runs, std::uint64_t points) : count_(most_used_count(runs)) {
  for (std::uint64_t number = 1; number <= std::min(count_, points); ++number)
    shards_.push_back({.shard = {number, count_}});
  for (const ShardRun& run : runs) {
    if (run.shard.count == count_)
      add_store(run);
    else if (run.shard.count > 1)
      others_.push_back(run);
  }
}

void SweepStatus::add_store(const ShardRun& run) {
  const auto before = [](const ShardStatus& shard, std::uint64_t number) { return shard.shard.number < number; };
  auto found = std::lower_bound(shards_.begin(), shards_.end(), run.shard.number, before);
  if (found == shards_.end() || found->shard != run.shard) found = shards_.insert(found, {.shard = run.shard});
  std::vector<std::string>& stores = found->stores;
  if (std::find(stores.begin(), stores.end(), run.store) == stores.end()) stores.push_back(run.store);
}

Shard SweepStatus::shard_of(std::uint64_t position) const { return {position % count_ + 1, count_}; }

// Shards that have points are the first ones, without gaps.
void SweepStatus::add(std::uint64_t position, bool finished) {
  ShardStatus& shard = shards_[position % count_];
  const std::uint64_t one = finished ? 1 : 0;
  ++points_;
  ++shard.points;
  finished_ += one;
  shard.finished += one;
}

}  // namespace orderlab
