// CUB 3.0.1 thread by thread: register arrays, vector loads, packed additions, shuffles and shared memory as its
// headers have them, on the host. Written from those headers, never from the stages, so that the two can be compared
// bit for bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab::testing {

/// The primitives, for sums in the format of T.
template <class T>
struct CubEmulation {
  static constexpr bool kPacked = kFormatOf<T> == Format::fp16 || kFormatOf<T> == Format::bf16;
  static constexpr std::size_t kBlockThreads = 256;
  static constexpr std::size_t kItems = kFormatOf<T> == Format::fp64 ? 8 : kFormatOf<T> == Format::fp32 ? 16 : 32;
  static constexpr std::size_t kTileItems = kBlockThreads * kItems;

  // ---- Threads

  /// ThreadReduceBinaryTree by its recursive definition: the left part is the largest power of two below the length.
  static T binary_tree(std::span<const T> x) {
    if (x.size() == 1) return x[0];
    std::size_t left = 1;
    while (2 * left < x.size()) left *= 2;
    return binary_tree(x.first(left)) + binary_tree(x.subspan(left));
  }

  /// ThreadReduceSimd: one register of two halves is the sum of all pairs; it is added to itself with halves swapped.
  static T packed(std::span<const T> x) {
    struct Half2 {
      T low, high;
    };
    std::vector<Half2> pairs;
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) pairs.push_back({x[i], x[i + 1]});
    Half2 sum = pairs[0];
    for (std::size_t i = 1; i < pairs.size(); ++i) sum = {sum.low + pairs[i].low, sum.high + pairs[i].high};
    const Half2 swapped{sum.high, sum.low};
    sum = {sum.low + swapped.low, sum.high + swapped.high};
    return x.size() % 2 == 1 ? sum.low + x.back() : sum.low;
  }

  static T thread_reduce(std::span<const T> x) {
    if (kPacked && x.size() >= 4) return packed(x);
    if (kFormatOf<T> != Format::fp64) return binary_tree(x);
    T sum = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i];
    return sum;
  }

  static T thread_reduce(std::span<const T> x, T prefix) {
    std::vector<T> array{prefix};
    array.insert(array.end(), x.begin(), x.end());
    return thread_reduce(array);
  }

  // ---- Warps: every lane shuffles in every step, and lane 0 has the result

  static T warp_reduce(std::vector<T> lanes, std::size_t valid) {
    for (std::size_t offset = 1; offset < 32; offset *= 2) {
      const std::vector<T> before = lanes;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (lane + offset <= valid - 1) lanes[lane] = before[lane] + before[lane + offset];
    }
    return lanes[0];
  }

  // ---- Thread blocks: `thread` has a value for each of them, the first `valid` count

  static T block_warp_reductions(const std::vector<T>& thread, std::size_t valid) {
    std::vector<T> shared;
    for (std::size_t warp = 0; 32 * warp < thread.size(); ++warp) {
      const std::size_t first = 32 * warp;
      const std::size_t lanes = std::min<std::size_t>(32, thread.size() - first);
      const auto begin = thread.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t valid_lanes = first < valid ? std::min(lanes, valid - first) : 1;
      shared.push_back(warp_reduce({begin, begin + static_cast<std::ptrdiff_t>(lanes)}, valid_lanes));
    }
    T aggregate = shared[0];
    for (std::size_t warp = 1; warp < shared.size(); ++warp)
      if (32 * warp < valid) aggregate = aggregate + shared[warp];
    return aggregate;
  }

  static T block_raking(const std::vector<T>& thread, std::size_t valid) {
    const std::size_t threads = thread.size();
    const std::size_t most_raking = std::min<std::size_t>(threads, 32);
    const std::size_t segment = (threads + most_raking - 1) / most_raking;
    const std::size_t raking = (threads + segment - 1) / segment;
    std::vector<T> lanes(raking);
    for (std::size_t lane = 0; lane < raking; ++lane) {
      lanes[lane] = thread[lane * segment];
      for (std::size_t i = 1; i < segment; ++i)
        if (lane * segment + i < valid) lanes[lane] = lanes[lane] + thread[lane * segment + i];
    }
    return warp_reduce(lanes, (valid + segment - 1) / segment);
  }

  static T block_raking_commutative_only(const std::vector<T>& thread, std::size_t valid) {
    const std::size_t threads = thread.size();
    if (threads % 32 != 0 || threads <= 32 || valid < threads) return block_raking(thread, valid);
    const std::vector<T> grid(thread.begin() + 32, thread.end());
    const std::size_t segment = grid.size() / 32;
    std::vector<T> lanes(32);
    for (std::size_t lane = 0; lane < 32; ++lane)
      lanes[lane] = thread_reduce(std::span(grid).subspan(lane * segment, segment), thread[lane]);
    return warp_reduce(lanes, 32);
  }

  // ---- DeviceReduce: AgentReduce::ConsumeRange of one thread block, and the two kernels

  static void consume_full_tile(std::vector<T>& aggregate, std::span<const T> tile, bool first, bool vectorize) {
    using Vector = std::array<T, 4>;
    for (std::size_t thread = 0; thread < kBlockThreads; ++thread) {
      std::vector<T> items;
      if (vectorize) {
        for (std::size_t word = 0; word < kItems / 4; ++word) {
          const std::size_t vector = thread + kBlockThreads * word;
          const Vector loaded{tile[4 * vector], tile[4 * vector + 1], tile[4 * vector + 2], tile[4 * vector + 3]};
          items.insert(items.end(), loaded.begin(), loaded.end());
        }
      } else {
        for (std::size_t item = 0; item < kItems; ++item) items.push_back(tile[thread + item * kBlockThreads]);
      }
      aggregate[thread] = first ? thread_reduce(items) : thread_reduce(items, aggregate[thread]);
    }
  }

  static void consume_partial_tile(std::vector<T>& aggregate, std::span<const T> tile, bool first) {
    for (std::size_t thread = 0; thread < kBlockThreads; ++thread) {
      std::size_t offset = thread;
      if (first && offset < tile.size()) {
        aggregate[thread] = tile[offset];
        offset += kBlockThreads;
      }
      for (; offset < tile.size(); offset += kBlockThreads) aggregate[thread] = aggregate[thread] + tile[offset];
    }
  }

  static T consume_range(std::span<const T> in, std::size_t begin, std::size_t stride, bool vectorize) {
    std::vector<T> aggregate(kBlockThreads);
    if (in.size() - begin < kTileItems) {
      consume_partial_tile(aggregate, in.subspan(begin), true);
      return block_warp_reductions(aggregate, std::min(kBlockThreads, in.size() - begin));
    }
    consume_full_tile(aggregate, in.subspan(begin, kTileItems), true, vectorize);
    for (begin += stride; begin < in.size(); begin += stride) {
      if (in.size() - begin >= kTileItems)
        consume_full_tile(aggregate, in.subspan(begin, kTileItems), false, vectorize);
      else
        consume_partial_tile(aggregate, in.subspan(begin), false);
    }
    return block_warp_reductions(aggregate, kBlockThreads);
  }

  /// DeviceReduce::Sum where at most `max_blocks` thread blocks fit the device.
  static T device_sum(std::span<const T> in, std::size_t max_blocks, bool vectorize) {
    const T zero = round_to<T>(0.0);
    if (in.size() <= kTileItems) return zero + consume_range(in, 0, kTileItems, vectorize);
    const std::size_t tiles = (in.size() + kTileItems - 1) / kTileItems;
    const std::size_t grid = std::min(tiles, max_blocks);
    std::vector<T> partials;
    for (std::size_t block = 0; block < grid; ++block)
      partials.push_back(consume_range(in, block * kTileItems, grid * kTileItems, vectorize));
    return zero + consume_range(partials, 0, kTileItems, true);
  }

  /// What one thread of `threads` has after it has taken every `threads`-th term: `thread` of the block functions
  /// above, and in `valid` how many of them have any.
  static std::vector<T> strided(std::span<const T> in, std::size_t threads, std::size_t& valid) {
    std::vector<T> thread(threads);
    valid = std::min(threads, in.size());
    for (std::size_t i = 0; i < in.size(); ++i) thread[i % threads] = i < threads ? in[i] : thread[i % threads] + in[i];
    return thread;
  }

  /// cooperative_groups::reduce of a tile of `threads`: a butterfly in each warp, and one over the warps' values.
  static T cooperative_groups(std::span<const T> in, std::size_t threads) {
    std::vector<T> thread(threads, round_to<T>(0.0));
    for (std::size_t i = 0; i < in.size(); ++i) thread[i % threads] = thread[i % threads] + in[i];
    const auto butterfly = [](std::vector<T> lanes) {
      for (std::size_t mask = lanes.size() / 2; mask > 0; mask /= 2) {
        const std::vector<T> before = lanes;
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = before[lane] + before[lane ^ mask];
      }
      return lanes.back();  // every lane has it
    };
    std::vector<T> warps;
    for (std::size_t first = 0; first < threads; first += 32) {
      const auto begin = thread.begin() + static_cast<std::ptrdiff_t>(first);
      warps.push_back(butterfly({begin, begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(32, threads))}));
    }
    return butterfly(warps);
  }
};

}  // namespace orderlab::testing
