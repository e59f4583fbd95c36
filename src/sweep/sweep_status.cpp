#include "sweep/sweep_status.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace orderlab {

namespace {

std::size_t most_used_count(const std::vector<ShardRun>& runs) {
  std::map<std::size_t, std::set<std::size_t>> numbers;  // by count
  for (const ShardRun& run : runs)
    if (run.shard.count > 1) numbers[run.shard.count].insert(run.shard.number);
  std::size_t count = 1;
  std::size_t most = 0;
  for (const auto& [of, found] : numbers) {
    if (found.size() < most) continue;
    count = of;
    most = found.size();
  }
  return count;
}

}  // namespace

SweepStatus::SweepStatus(const std::vector<ShardRun>& runs) : shards_(most_used_count(runs)) {
  for (std::size_t i = 0; i < shards_.size(); ++i) shards_[i].shard = {i + 1, shards_.size()};
  for (const ShardRun& run : runs) {
    if (run.shard.count != shards_.size()) {
      if (run.shard.count > 1) others_.push_back(run);
      continue;
    }
    std::vector<std::string>& stores = shards_[run.shard.number - 1].stores;
    if (std::find(stores.begin(), stores.end(), run.store) == stores.end()) stores.push_back(run.store);
  }
}

Shard SweepStatus::shard_of(std::uint64_t position) const {
  return {static_cast<std::size_t>(position % shards_.size()) + 1, shards_.size()};
}

void SweepStatus::add(std::uint64_t position, bool finished) {
  ShardStatus& shard = shards_[shard_of(position).number - 1];
  const std::uint64_t one = finished ? 1 : 0;
  ++points_;
  ++shard.points;
  finished_ += one;
  shard.finished += one;
}

}  // namespace orderlab
