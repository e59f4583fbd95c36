#include "simt/thread_block.hpp"

#include <algorithm>
#include <utility>

namespace orderlab::simt {

void ThreadBlock::begin(std::uint32_t new_index, Index3 new_position, std::uint64_t new_generation, Dim3 extent) {
  index = new_index;
  position = new_position;
  generation = new_generation;
  clock = opened = acquired = arrived = 0;
  at_barrier = at_grid_barrier = votes = last_votes = last_voters = ended = atomic_warps = 0;
  ready_warps = 0;
  open_fences.clear();
  shared.clear();

  const std::size_t count = extent.count();
  lanes.assign(count, {});
  for (std::size_t t = 0; t < count; ++t) {
    lanes[t].thread = static_cast<std::uint16_t>(t);
    lanes[t].last_clock = Lane::kNotEnded;
  }
  const bool numbered = index_extent.x == extent.x && index_extent.y == extent.y && index_extent.z == extent.z;
  if (!numbered) number(extent);
  warps.resize((count + kWarp - 1) / kWarp);
  for (std::size_t w = 0; w < warps.size(); ++w) {
    Warp& warp = warps[w];
    const std::size_t size = std::min<std::size_t>(kWarp, count - w * kWarp);
    std::unique_ptr<Warp::Seen> seen = std::move(warp.seen);
    warp = {};
    warp.seen = std::move(seen);
    warp.block = this;
    warp.lanes = &lanes[w * kWarp];
    warp.existing = warp.ready = size == kWarp ? ~std::uint32_t{0} : (std::uint32_t{1} << size) - 1;
    warp.place = Warp::kNotWaiting;
  }
}

void ThreadBlock::number(Dim3 extent) {
  index_extent = extent;
  indices.clear();
  for (unsigned z = 0; z < extent.z; ++z)
    for (unsigned y = 0; y < extent.y; ++y)
      for (unsigned x = 0; x < extent.x; ++x) indices.push_back({x, y, z});
}

}  // namespace orderlab::simt
