// Decoupled look-back written out: tiles that take turns at random, each with its threads, descriptors that are read
// one window at a time. Slow, and shares nothing with TileScan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/format.hpp"

namespace orderlab::testing {

/// What a tile has published.
template <class T>
struct Descriptor {
  enum class State { invalid, partial, inclusive } state = State::invalid;
  T value{};
};

template <class T>
class ScanByThreads {
 public:
  std::size_t threads = 32;
  std::size_t items = 1;
  bool exclusive = false;
  std::vector<T> terms;

  std::vector<T> outputs;                ///< filled by run()
  std::vector<std::uint32_t> distances;  ///< look-back distances of the tiles, as they happened

  /// Tiles take turns as `draw` says: a step is to publish the partial sum, or to read one window.
  void run(IndexGenerator& draw) {
    const std::size_t tiles = (terms.size() + tile() - 1) / tile();
    outputs.assign(terms.size(), T{});
    distances.assign(tiles, 0);
    descriptors_.assign(tiles, {});
    running_.assign(tiles, {});
    const std::size_t in_flight = 1 + below(draw, 80);
    std::size_t left = tiles;
    if (chance(draw, 3))  // all partial sums are there before any tile looks back
      for (std::size_t t = 0; t < tiles; ++t)
        if (step(t)) --left;
    while (left > 0) {
      // Tiles in flight are near the first one that is not done, as on a GPU, but for a rare one far ahead.
      const std::size_t first = first_open();
      const std::size_t t = std::min(tiles - 1, first + below(draw, chance(draw, 10) ? tiles : in_flight));
      if (!running_[t].done && step(t)) --left;
    }
  }

 private:
  struct Running {
    bool scanned = false;
    bool done = false;
    std::vector<T> thread_sums;  ///< sums of the threads before, in the tile; the first has none
    T partial{};
    std::size_t read = 0;  ///< tiles whose descriptors were added
    T prefix{};
  };

  std::size_t tile() const { return threads * items; }

  std::size_t first_open() const {
    std::size_t t = 0;
    while (t + 1 < running_.size() && running_[t].done) ++t;
    return t;
  }

  static T neighbours_first(std::vector<T> v) {
    while (v.size() > 1) {
      std::vector<T> next;
      for (std::size_t i = 0; i < v.size(); i += 2) next.push_back(i + 1 < v.size() ? v[i] + v[i + 1] : v[i]);
      v = next;
    }
    return v[0];
  }

  T sum_in_thread(const std::vector<T>& x) const {
    if (sizeof(T) == 4) return neighbours_first(x);
    if (sizeof(T) == 8 || x.size() == 1) {
      T sum = x[0];
      for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i];
      return sum;
    }
    T even = x[0];
    T odd = x[1];
    std::size_t i = 2;
    for (; i + 1 < x.size(); i += 2) {
      even = even + x[i];
      odd = odd + x[i + 1];
    }
    T sum = even + odd;
    if (i < x.size()) sum = sum + x[i];
    return sum;
  }

  void scan_in_tile(std::size_t t) {
    Running& mine = running_[t];
    std::vector<T> inclusive(threads);
    for (std::size_t j = 0; j < threads; ++j) {
      std::vector<T> x;
      for (std::size_t i = 0; i < items; ++i) {
        const std::size_t p = t * tile() + j * items + i;
        x.push_back(terms[p < terms.size() ? p : t * tile()]);  // as cub fills the last tile
      }
      inclusive[j] = sum_in_thread(x);
    }
    for (std::size_t offset = 1; offset < 32; offset *= 2) {
      const std::vector<T> before = inclusive;
      for (std::size_t j = 0; j < threads; ++j)
        if (j % 32 >= offset) inclusive[j] = before[j - offset] + before[j];
    }
    const bool zero = t == 0 && exclusive;
    mine.thread_sums.assign(threads, T{});
    T all = inclusive[31];
    for (std::size_t j = 0; j < threads; ++j) {
      if (j > 32 && j % 32 == 0) all = all + inclusive[j - 1];
      const T of_warps = zero ? (j < 32 ? T(0.0) : T(0.0) + all) : all;
      if (j < 32 && !zero)
        mine.thread_sums[j] = j > 0 ? inclusive[j - 1] : T{};
      else
        mine.thread_sums[j] = j % 32 == 0 ? of_warps : of_warps + inclusive[j - 1];
    }
    mine.partial = inclusive[31];
    for (std::size_t w = 1; w < threads / 32; ++w) mine.partial = mine.partial + inclusive[32 * w + 31];
    if (zero) mine.partial = T(0.0) + mine.partial;
    mine.scanned = true;
  }

  void write_outputs(std::size_t t) {
    const Running& mine = running_[t];
    for (std::size_t j = 0; j < threads; ++j) {
      const bool nothing = t == 0 && j == 0 && !exclusive;
      T sum = t == 0 ? mine.thread_sums[j] : j == 0 ? mine.prefix : mine.prefix + mine.thread_sums[j];
      for (std::size_t i = 0; i < items; ++i) {
        const std::size_t p = t * tile() + j * items + i;
        if (p >= terms.size()) return;
        if (exclusive) outputs[p] = sum;
        sum = nothing && i == 0 ? terms[p] : sum + terms[p];
        if (!exclusive) outputs[p] = sum;
      }
    }
  }

  /// Whether the tile is done now.
  bool step(std::size_t t) {
    using State = typename Descriptor<T>::State;
    Running& mine = running_[t];
    if (!mine.scanned) {
      scan_in_tile(t);
      descriptors_[t] = {t == 0 ? State::inclusive : State::partial, mine.partial};
      if (t == 0) {
        write_outputs(0);
        mine.done = true;
      }
      return t == 0;
    }
    std::vector<T> window;
    bool found = false;
    for (std::size_t lane = 0; lane < 32 && !found; ++lane) {
      const std::size_t back = mine.read + 1 + lane;
      if (back > t) break;
      const Descriptor<T>& other = descriptors_[t - back];
      window.push_back(other.value);
      found = other.state == State::inclusive;
      if (found) distances[t] = static_cast<std::uint32_t>(back);
    }
    // The warp waits until none of the 32 is invalid, those before the nearest inclusive one or not.
    for (std::size_t back = mine.read + 1; back <= std::min(t, mine.read + 32); ++back)
      if (descriptors_[t - back].state == State::invalid) return false;
    const T sum = neighbours_first(window);
    mine.prefix = mine.read == 0 ? sum : sum + mine.prefix;
    mine.read += 32;
    if (!found) return false;
    descriptors_[t] = {State::inclusive, mine.prefix + mine.partial};
    write_outputs(t);
    mine.done = true;
    return true;
  }

  std::vector<Descriptor<T>> descriptors_;
  std::vector<Running> running_;
};

}  // namespace orderlab::testing
