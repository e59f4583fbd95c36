// An inclusive scan in a single pass over the terms, by decoupled look-back [MerrillGarland2016]: a thread block scans
// a tile, publishes its sum, and finds the sum of all tiles before it from what those have published.
#pragma once

#include <string>
#include <type_traits>

#include "cuda/trees.cuh"
#include "orderlab/error.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// What a tile has published: nothing, its own sum, or the sum of it and of all tiles before it.
inline constexpr unsigned kNothing = 0;
inline constexpr unsigned kPartial = 1;
inline constexpr unsigned kInclusive = 2;

/// The published sums of all tiles. A value is written before the status that tells of it, and read after it.
template <class T>
struct TileSums {
  unsigned* status;
  T* partial;
  T* inclusive;
};

template <class T>
__device__ void publish(T* value, T sum, unsigned* status, unsigned now) {
  *value = sum;
  __threadfence();
  *static_cast<volatile unsigned*>(status) = now;
}

/// Waits until the tile has published something.
__device__ inline unsigned published(const unsigned* status) {
  unsigned now = kNothing;
  while (now == kNothing) now = *static_cast<const volatile unsigned*>(status);
  __threadfence();
  return now;
}

/// The sum of the items of a thread: fp32 as a tree of neighbours, fp64 in turn.
template <unsigned kItems, class T>
__device__ T sum_of_items(const T (&items)[kItems]) {
  T sums[kItems];
  for (unsigned i = 0; i < kItems; ++i) sums[i] = items[i];
  if constexpr (std::is_same_v<T, float>) {
    for (unsigned offset = 1; offset < kItems; offset *= 2)
      for (unsigned i = 0; i + offset < kItems; i += 2 * offset) sums[i] += sums[i + offset];
  } else {
    for (unsigned i = 1; i < kItems; ++i) sums[0] += sums[i];
  }
  return sums[0];
}

/// Inclusive scan of the values of a warp, Kogge-Stone.
template <class T>
__device__ T warp_scan(T value, unsigned lane) {
  for (unsigned offset = 1; offset < kWarp; offset *= 2) {
    const T before = __shfl_up_sync(kWholeWarp, value, offset);
    if (lane >= offset) value = before + value;
  }
  return value;
}

/// The sum of all tiles before `tile`, which is not 0, by a whole warp, in lane 0: windows of 32 tiles, the nearest
/// first, back to the nearest tile that has published an inclusive sum. `distance` is how many tiles back it is.
template <class T>
__device__ T look_back(unsigned tile, unsigned lane, const TileSums<T>& tiles, std::uint32_t& distance) {
  T sum{};
  for (unsigned behind = 0;; behind += kWarp) {
    const unsigned back = behind + lane + 1;
    const unsigned status = back <= tile ? published(tiles.status + (tile - back)) : kNothing;
    T value{};
    if (status == kPartial) value = tiles.partial[tile - back];
    if (status == kInclusive) value = tiles.inclusive[tile - back];
    const unsigned inclusive = __ballot_sync(kWholeWarp, status == kInclusive);
    const unsigned count = inclusive == 0 ? kWarp : static_cast<unsigned>(__ffs(static_cast<int>(inclusive)));
    for (unsigned offset = 1; offset < kWarp; offset *= 2) {
      const T next = __shfl_down_sync(kWholeWarp, value, offset);
      if (lane + offset < count) value = value + next;
    }
    sum = behind == 0 ? value : value + sum;
    if (inclusive != 0) {
      distance = behind + count;
      return sum;
    }
  }
}

template <unsigned kItems, class T>
__global__ void inclusive_scan(const T* x, std::size_t n, unsigned* next_tile, TileSums<T> tiles, T* outputs,
                               std::uint32_t* looked_back) {
  __shared__ unsigned tile;
  __shared__ T warp_sums[kWarp];
  __shared__ T prefix;                                    // the sum of all tiles before
  if (threadIdx.x == 0) tile = atomicAdd(next_tile, 1U);  // tiles before it are with thread blocks that have started
  __syncthreads();
  const std::size_t first = (tile * std::size_t{blockDim.x} + threadIdx.x) * kItems;
  T items[kItems];
  for (unsigned i = 0; i < kItems; ++i) items[i] = first + i < n ? x[first + i] : T{};

  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const T of_warp = warp_scan(sum_of_items(items), lane);
  if (lane == kWarp - 1) warp_sums[warp] = of_warp;
  __syncthreads();
  T before = __shfl_up_sync(kWholeWarp, of_warp, 1U);  // the sum of the threads before this one, but for the first
  T tile_sum = warp_sums[0];
  for (unsigned w = 1; w < blockDim.x / kWarp; ++w) {
    if (w == warp) before = lane == 0 ? tile_sum : tile_sum + before;
    tile_sum += warp_sums[w];
  }

  if (tile == 0) {
    if (threadIdx.x == 0) publish(tiles.inclusive, tile_sum, tiles.status, kInclusive);
  } else if (warp == 0) {
    if (lane == 0) publish(tiles.partial + tile, tile_sum, tiles.status + tile, kPartial);
    std::uint32_t distance = 0;
    const T all_before = look_back(tile, lane, tiles, distance);
    if (lane == 0) {
      publish(tiles.inclusive + tile, all_before + tile_sum, tiles.status + tile, kInclusive);
      prefix = all_before;
      looked_back[tile - 1] = distance;
    }
  }
  __syncthreads();
  if (tile > 0) before = threadIdx.x == 0 ? prefix : prefix + before;
  T sum = tile == 0 && threadIdx.x == 0 ? items[0] : before + items[0];
  for (unsigned i = 0; i < kItems && first + i < n; ++i) {
    if (i > 0) sum += items[i];
    outputs[first + i] = sum;
  }
}

struct InclusiveScan {
  static constexpr LaunchShape kShapes[] = {{64, 3}, {128, 24}, {224, 12}, {32, 3}};
  static constexpr OutputsClaim kOutputs{
      .operation = "scan",
      .extents = [](std::size_t n, std::uint64_t) { return ArrayExtents{.rows = n}; },
      .looks_back = true};
  static constexpr KernelInfo kInfo{
      .name = "inclusive_scan",
      .summary = "many outputs: a scan of tiles in a single pass, each looks back over those before it",
      .source = "[MerrillGarland2016]",
      .formats = kWide,
      .shapes = kShapes,
      .claim = [](const LaunchShape&, std::size_t) { return std::string(kOutputs.operation); },
      .outputs = &kOutputs};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const unsigned tiles = thread_blocks(in.shape, n);
    const T* const x = device.input(in.x, "x");
    unsigned* const next_tile = device.template zeros<unsigned>(1, "next_tile");
    const TileSums<T> sums{device.template zeros<unsigned>(tiles, "status"),
                           device.template uninitialised<T>(tiles, "partial"),
                           device.template uninitialised<T>(tiles, "inclusive")};
    T* const outputs = device.template uninitialised<T>(n, "outputs");
    std::uint32_t* const looked_back = device.template uninitialised<std::uint32_t>(tiles, "looked_back");
    const auto launch = [&](auto items) {
      device.launch(kInfo.name, inclusive_scan<decltype(items)::value, T>, tiles, in.shape.threads, 0, x, n, next_tile,
                    sums, outputs, looked_back);
    };
    if (in.shape.items == 24)
      launch(std::integral_constant<unsigned, 24>{});
    else if (in.shape.items == 12)
      launch(std::integral_constant<unsigned, 12>{});
    else if (in.shape.items == 3)
      launch(std::integral_constant<unsigned, 3>{});
    else
      throw Error(ErrorKind::unsupported,
                  "inclusive_scan: compiled for 3, 12 and 24 items, not for " + std::to_string(in.shape.items));
    RunResult<T> result{.shape = in.shape};
    result.outputs = device.read(outputs, n);
    result.looked_back = device.read(looked_back, tiles - 1);
    return result;
  }
};

}  // namespace orderlab::cuda
