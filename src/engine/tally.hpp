// Counting keys: in a dense window where they are known to lie close together, else in a hash table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"

namespace orderlab {

template <class Key, class Count>
class Tally {
 public:
  /// Readies for about `additions` calls, of keys in [low, high] if `bounded`.
  void begin(bool bounded, Key low, Key high, double additions) {
    low_ = low;
    const std::uint64_t last = key_distance(low, high);
    dense_ = bounded && last < kLargestWindow && static_cast<double>(last) < kWindowPerAddition * (additions + 4);
    if (dense_) {
      width_ = static_cast<std::size_t>(last) + 1;
      if (window_.size() < 2 * width_) window_.resize(2 * width_);
    } else if (table_.empty()) {
      table_.resize(kFirstTable);
    }
  }

  bool dense() const { return dense_; }

  /// Counts of keys low(), low() + 1, ...; only when dense. There are two sets of them, to be used in turn, because
  /// neighbours in a list often become one key: adding to one counter again and again waits for the last addition.
  Count* window() { return window_.data(); }
  Count* second_window() { return window_.data() + width_; }
  Key low() const { return low_; }

  /// Only when not dense.
  void add(Key key, const Count& count) {
    Slot& slot = find(key);
    if (slot.key == key) {
      slot.count += count;
      return;
    }
    slot = {key, count};
    if (++used_ * 2 > table_.size()) grow();
  }

  /// Adds what another has counted since both began alike, and empties it.
  void absorb(Tally& other) {
    if (dense_) {
      for (std::size_t i = 0; i < 2 * width_; ++i) {
        window_[i] += other.window_[i];
        other.window_[i] = 0;
      }
    } else {
      other.take([this](Key key, const Count& count) { add(key, count); });
    }
  }

  /// Calls take(key, count) for all keys counted, ascending, and is empty then.
  template <class Take>
  void take(Take take) {
    if (dense_) {
      for (std::size_t i = 0; i < width_; ++i) {
        window_[i] += window_[width_ + i];
        if (window_[i] == 0) continue;
        take(static_cast<Key>(low_ + static_cast<Key>(i)), window_[i]);
        window_[i] = window_[width_ + i] = 0;
      }
      return;
    }
    sorted_.clear();
    for (Slot& slot : table_) {
      if (slot.key == kNoKey<Key>) continue;
      sorted_.push_back(std::move(slot));
      slot = {};
    }
    used_ = 0;
    std::sort(sorted_.begin(), sorted_.end(), [](const Slot& a, const Slot& b) { return a.key < b.key; });
    for (const Slot& slot : sorted_) take(slot.key, slot.count);
    if (sorted_.size() * kShrink < table_.size()) table_.assign(std::max(kFirstTable, table_.size() / 2), {});
  }

  std::size_t bytes() const {
    return window_.size() * sizeof(Count) + (table_.size() + sorted_.capacity()) * sizeof(Slot);
  }

 private:
  struct Slot {
    Key key = kNoKey<Key>;
    Count count{};
  };

  // A window is cleared and read through in full: it must be small against the work and fit into a cache.
  static constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 18;
  static constexpr double kWindowPerAddition = 8;
  static constexpr std::size_t kFirstTable = 64;
  static constexpr std::size_t kShrink = 64;

  Slot& find(Key key) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (table_[at].key != key && table_[at].key != kNoKey<Key>) at = (at + 1) & mask;
    return table_[at];
  }

  static std::size_t hash(Key key) {  // the high half of a product with 2^64 / golden ratio [Knuth1998]
    constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    auto low = static_cast<std::uint64_t>(key);
    if constexpr (sizeof(Key) > sizeof low) low ^= low >> 32;  // sums of few bits differ in the first ones alone
    return static_cast<std::size_t>((low * kMultiplier) >> 32);
  }

  void grow() {
    std::vector<Slot> old(table_.size() * 2);
    old.swap(table_);
    for (Slot& slot : old)
      if (slot.key != kNoKey<Key>) find(slot.key) = std::move(slot);
  }

  bool dense_ = false;
  Key low_ = 0;
  std::size_t width_ = 0;
  std::vector<Count> window_;  // all zero between uses
  std::vector<Slot> table_;    // all empty between uses
  std::vector<Slot> sorted_;
  std::size_t used_ = 0;
};

}  // namespace orderlab
