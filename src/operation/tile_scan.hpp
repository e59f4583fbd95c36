// A single-pass scan by decoupled look-back [MerrillGarland2016], as CUB 3.0.1 does it with plus<>: cub::DeviceScan
// with BLOCK_SCAN_WARP_SCANS (agent_scan.cuh, block_scan_warp_scans.cuh, single_pass_scan_operators.cuh).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/pass.hpp"
#include "order/stages/cub_thread.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

/// Terms of a thread, at most.
inline constexpr std::size_t kMostTileItems = 64;

/// The part of a scan that does not depend on look-back, for terms of T. Immutable. Refers to the scan's terms.
///
/// Tile t has a partial sum and, of each thread j, the sum of the threads before it in the tile. Look-back finds a
/// prefix: the sum of all tiles before t. Thread j begins with prefix + its sum and adds its items in turn.
///
/// Shape: whole warps of 32 threads, at most kMostTileItems terms a thread.
template <class T>
class TileScan {
 public:
  explicit TileScan(const PrefixScan& scan) : TileScan(scan, static_cast<const T*>(scan.terms.view().x)) {}

  /// Scans these terms instead of the scan's, as many.
  TileScan(const PrefixScan& scan, const T* terms);

  std::size_t tiles() const { return partial_.size(); }

  /// The sum of tiles 0 .. t, tile t >= 1 having that prefix.
  T inclusive(std::size_t t, T prefix) const { return t == 0 ? partial_[0] : prefix + partial_[t]; }

  /// The prefix of tile t that looks back `distance` tiles, to one with that inclusive sum; 1 <= distance <= t.
  T prefix_of(std::size_t t, std::size_t distance, T inclusive) const;

  /// Sets prefixes[t] for t >= 1 to the prefix of tile t, which looks back distances[t] tiles, 1 <= distances[t] <= t.
  ///
  /// Shape: two spans of tiles().
  void find_prefixes(std::span<const std::uint32_t> distances, std::span<T> prefixes) const;

  /// Sets outputs[i] to output t * tile + i, for all outputs of tile t with that prefix.
  ///
  /// Shape: the outputs of the tile: tile() of the scan, fewer in the last one.
  void tile_outputs(std::size_t t, T prefix, std::span<T> outputs) const;

  /// The last output of all.
  T last_output(T prefix) const;

 private:
  T thread_sum(std::size_t first) const;
  void scan_threads(std::size_t t);
  T window(std::size_t t, std::size_t first, std::size_t partials, const T* inclusive) const;
  T first_sum(std::size_t t, std::size_t thread, T prefix) const;
  void thread_outputs(std::size_t t, std::size_t thread, T prefix, std::span<T> outputs) const;

  const PrefixScan& scan_;
  const T* terms_;
  Combination in_thread_;
  std::vector<T> before_;   ///< at t * threads + j: the sum of the threads before thread j in tile t
  std::vector<T> partial_;  ///< partial sum of each tile; that of tile 0 is its inclusive sum
};

// ---- definitions

template <class T>
TileScan<T>::TileScan(const PrefixScan& scan, const T* terms)
    : scan_(scan),
      terms_(terms),
      in_thread_(cub_thread(scan.items, scan.terms.format())),
      before_(scan.tiles() * scan.threads),
      partial_(scan.tiles()) {
  each_in_pass(tiles(), [&](std::size_t t) { scan_threads(t); });
}

/// The items of one thread, from term `first` on; those past the last term are taken for zeros, which no output has.
template <class T>
T TileScan<T>::thread_sum(std::size_t first) const {
  std::array<T, kMostTileItems> items{};
  const std::size_t n = scan_.items;
  for (std::size_t i = 0; i < n; ++i) items[i] = first + i < scan_.extent ? terms_[first + i] : T(0.0);
  switch (in_thread_.tree) {
    case Combination::Tree::neighbours:
      for (std::size_t o = 1; o < n; o *= 2)
        for (std::size_t i = 0; i + o < n; i += 2 * o) items[i] = items[i] + items[i + o];
      return items[0];
    case Combination::Tree::given:
      for (const Addition& addition : *in_thread_.additions)
        items[addition.to] = items[addition.to] + items[addition.from];
      return items[in_thread_.additions->back().to];
    default:
      for (std::size_t i = 1; i < n; ++i) items[0] = items[0] + items[i];
      return items[0];
  }
}

/// Kogge-Stone in each warp, then the warps' sums in turn.
template <class T>
void TileScan<T>::scan_threads(std::size_t t) {
  constexpr std::size_t kLanes = 32;
  const bool from_zero = t == 0 && scan_.exclusive;
  std::span<T> before = std::span(before_).subspan(t * scan_.threads, scan_.threads);
  T total{};
  for (std::size_t warp = 0; warp * kLanes < scan_.threads; ++warp) {
    std::array<T, kLanes> sums;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] = thread_sum(t * scan_.tile() + (warp * kLanes + lane) * scan_.items);
    for (std::size_t offset = 1; offset < kLanes; offset *= 2)
      for (std::size_t lane = kLanes; lane-- > offset;) sums[lane] = sums[lane - offset] + sums[lane];
    const std::span<T> of_warp = before.subspan(warp * kLanes, kLanes);
    if (warp == 0 && !from_zero) {
      std::copy(sums.begin(), sums.end() - 1, of_warp.begin() + 1);
    } else {
      const T prefix = warp == 0 ? T(0.0) : from_zero ? T(0.0) + total : total;
      of_warp[0] = prefix;
      for (std::size_t lane = 1; lane < kLanes; ++lane) of_warp[lane] = prefix + sums[lane - 1];
    }
    total = warp == 0 ? sums.back() : total + sums.back();
  }
  partial_[t] = from_zero ? T(0.0) + total : total;
}

/// The sum of the partial sums of tiles t - first, t - first - 1, ..., neighbours first, and of an inclusive sum after
/// the last of them.
template <class T>
T TileScan<T>::window(std::size_t t, std::size_t first, std::size_t partials, const T* inclusive) const {
  std::array<T, kLookbackWindow> sums;
  std::size_t n = 0;
  for (; n < partials; ++n) sums[n] = partial_[t - first - n];
  if (inclusive != nullptr) sums[n++] = *inclusive;
  for (std::size_t o = 1; o < n; o *= 2)
    for (std::size_t i = 0; i + o < n; i += 2 * o) sums[i] = sums[i] + sums[i + o];
  return sums[0];
}

template <class T>
T TileScan<T>::prefix_of(std::size_t t, std::size_t distance, T inclusive) const {
  T prefix{};
  for (std::size_t read = 0; read < distance; read += kLookbackWindow) {
    const bool last = read + kLookbackWindow >= distance;
    const T sum =
        last ? window(t, read + 1, distance - read - 1, &inclusive) : window(t, read + 1, kLookbackWindow, nullptr);
    prefix = read == 0 ? sum : sum + prefix;
  }
  return prefix;
}

template <class T>
void TileScan<T>::find_prefixes(std::span<const std::uint32_t> distances, std::span<T> prefixes) const {
  for (std::size_t t = 1; t < tiles(); ++t) {
    const std::size_t far = t - distances[t];
    prefixes[t] = prefix_of(t, distances[t], inclusive(far, prefixes[far]));
  }
}

/// What the thread adds its items to. Thread 0 of the first tile has nothing before it, unless the scan is exclusive.
template <class T>
T TileScan<T>::first_sum(std::size_t t, std::size_t thread, T prefix) const {
  const T before = before_[t * scan_.threads + thread];
  if (t == 0) return before;
  return thread == 0 ? prefix : prefix + before;
}

template <class T>
void TileScan<T>::thread_outputs(std::size_t t, std::size_t thread, T prefix, std::span<T> outputs) const {
  const T* const items = terms_ + t * scan_.tile() + thread * scan_.items;
  T sum = first_sum(t, thread, prefix);
  if (scan_.exclusive) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i] = sum;
      sum = sum + items[i];
    }
    return;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    sum = i == 0 && t == 0 && thread == 0 ? items[0] : sum + items[i];
    outputs[i] = sum;
  }
}

template <class T>
void TileScan<T>::tile_outputs(std::size_t t, T prefix, std::span<T> outputs) const {
  constexpr std::size_t kAtOnce = 8;  // chains of additions, which do not wait for each other
  const std::size_t items = scan_.items;
  std::size_t thread = 0;
  if (t > 0 && !scan_.exclusive)
    for (; (thread + kAtOnce) * items <= outputs.size(); thread += kAtOnce) {
      std::array<T, kAtOnce> sums;
      for (std::size_t c = 0; c < kAtOnce; ++c) sums[c] = first_sum(t, thread + c, prefix);
      const T* const from = terms_ + t * scan_.tile() + thread * items;
      T* const to = outputs.data() + thread * items;
      for (std::size_t i = 0; i < items; ++i)
#pragma GCC unroll kAtOnce  // so that the sums stay in registers
        for (std::size_t c = 0; c < kAtOnce; ++c) to[c * items + i] = sums[c] = sums[c] + from[c * items + i];
    }
  for (; thread * items < outputs.size(); ++thread)
    thread_outputs(t, thread, prefix,
                   outputs.subspan(thread * items, std::min(items, outputs.size() - thread * items)));
}

template <class T>
T TileScan<T>::last_output(T prefix) const {
  std::array<T, kMostTileItems> outputs;
  const std::size_t t = tiles() - 1;
  const std::size_t left = scan_.extent - t * scan_.tile();
  const std::size_t thread = (left - 1) / scan_.items;
  const std::size_t count = left - thread * scan_.items;
  thread_outputs(t, thread, prefix, std::span(outputs).first(count));
  return outputs[count - 1];
}

}  // namespace orderlab
