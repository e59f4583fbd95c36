// The results of many subsets with their counts, packed: a dense run of counts or keys beside counts, whichever is
// less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "engine/big_count.hpp"
#include "engine/tally.hpp"

namespace orderlab {

/// Distinct results of one subset, ascending: keys[i], or first + i where keys is null (then counts may be 0).
template <class Key, class Count>
struct ResultList {
  const Key* keys;
  const Count* counts;
  std::size_t size;
  Key first;
  Key last;

  Key key(std::size_t i) const { return keys == nullptr ? static_cast<Key>(first + static_cast<Key>(i)) : keys[i]; }
};

/// Lists of consecutive subsets.
template <class Key, class Count>
class Segment {
  struct Entry {
    std::uint32_t keys;  // positions in keys_ and counts_
    std::uint32_t counts;
    std::uint32_t size;
    Key first;
    Key last;
  };

 public:
  /// That a list takes, however short.
  static constexpr std::size_t kLeastBytes = sizeof(Entry) + sizeof(Count);

  ResultList<Key, Count> list(std::size_t i) const {
    const Entry& e = entries_[i];
    return {e.keys == kDense ? nullptr : &keys_[e.keys], &counts_[e.counts], e.size, e.first, e.last};
  }

  /// Appends what the tally holds, which is then empty. `may_be_dense`: a run of counts will do.
  void append(Tally<Key, Count>& tally, bool may_be_dense) {
    const auto keys_before = static_cast<std::uint32_t>(keys_.size());
    const auto counts_before = static_cast<std::uint32_t>(counts_.size());
    tally.take([this](Key key, const Count& count) {
      keys_.push_back(key);
      counts_.push_back(count);
      heap_bytes_ += heap_bytes(count);
    });
    const auto size = static_cast<std::uint32_t>(keys_.size() - keys_before);
    entries_.push_back({keys_before, counts_before, size, keys_[keys_before], keys_.back()});
    if (may_be_dense) pack(entries_.back());
  }

  void shrink() {
    entries_.shrink_to_fit();
    keys_.shrink_to_fit();
    counts_.shrink_to_fit();
  }

  std::size_t bytes() const {
    return sizeof(*this) + entries_.capacity() * sizeof(Entry) + keys_.capacity() * sizeof(Key) +
           counts_.capacity() * sizeof(Count) + heap_bytes_;
  }

 private:
  static constexpr std::uint32_t kDense = std::numeric_limits<std::uint32_t>::max();

  // Replaces the last list by a run of counts if that takes no more room.
  void pack(Entry& e) {
    const std::uint64_t width = key_distance(e.first, e.last) + 1;
    if (width > e.size * (sizeof(Key) + sizeof(Count)) / sizeof(Count)) return;
    counts_.resize(e.counts + width);
    for (std::size_t i = e.size; i-- > 0;) {  // from the top: nothing is overwritten before it has moved
      const auto to = static_cast<std::size_t>(key_distance(e.first, keys_[e.keys + i]));
      if (to == i) break;
      counts_[e.counts + to] = counts_[e.counts + i];
      counts_[e.counts + i] = 0;
    }
    keys_.resize(e.keys);
    e.keys = kDense;
    e.size = static_cast<std::uint32_t>(width);
  }

  std::vector<Entry> entries_;
  std::vector<Key> keys_;
  std::vector<Count> counts_;
  std::size_t heap_bytes_ = 0;  ///< what the counts hold
};

/// Lists of all subsets of one size by rank, in segments of 2^shift.
template <class Key, class Count>
struct Layer {
  unsigned shift = 0;
  std::vector<std::unique_ptr<Segment<Key, Count>>> segments;
  std::vector<std::uint64_t> first_child;  ///< for each segment: the lowest rank, one size up, that follows from it
  std::size_t bytes = 0;

  ResultList<Key, Count> list(std::uint64_t rank) const {
    return segments[rank >> shift]->list(rank & ((std::uint64_t{1} << shift) - 1));
  }
};

}  // namespace orderlab
