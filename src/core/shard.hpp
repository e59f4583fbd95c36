// A part of work that is spread over processes or machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace orderlab {

/// The `number`-th of `count` parts, from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;

  bool operator==(const Shard&) const = default;
};

/// The items first .. second-1 of `total` that are the shard's where neighbours stay together. Parts differ by one item
/// at most; those that have one more come first.
inline std::pair<std::uint64_t, std::uint64_t> range_of(const Shard& shard, std::uint64_t total) {
  const auto begin = [&](std::uint64_t before) {
    return before * (total / shard.count) + std::min(before, total % shard.count);
  };
  return {begin(shard.number - 1), begin(shard.number)};
}

}  // namespace orderlab
