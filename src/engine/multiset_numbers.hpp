// Multisets as numbers in mixed radix, so that a part and what it leaves of a whole are numbers that add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/multisets.hpp"

namespace orderlab {

class MultisetNumbers {
 public:
  /// Cost: bytes(sets), which must be below 2^34.
  explicit MultisetNumbers(const Multisets& sets) : stride_(sets.groups()) {
    std::uint32_t stride = 1;
    for (std::size_t i = 0; i < sets.groups(); ++i) {
      stride_[i] = stride;
      stride *= sets.limit(i) + 1;
    }
    ranks_.resize(stride);
    for (std::size_t size = 0; size <= sets.total(); ++size) {
      Multiset set = sets.at(size, 0);
      for (std::uint32_t rank = 0; rank < sets.count(size); ++rank, sets.next(set)) ranks_[number(set)] = rank;
    }
  }

  std::uint32_t number(const Multiset& set) const {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < set.size(); ++i) number += set[i] * stride_[i];
    return number;
  }

  /// Of a multiset with one member, which is of `group`.
  std::uint32_t stride(std::size_t group) const { return stride_[group]; }

  /// Among the multisets of its size.
  std::uint32_t rank(std::uint32_t number) const { return ranks_[number]; }

  static double bytes(const Multisets& sets) {
    double bytes = sizeof(std::uint32_t);
    for (std::size_t i = 0; i < sets.groups(); ++i) bytes *= sets.limit(i) + 1.0;
    return bytes;
  }

 private:
  std::vector<std::uint32_t> stride_;
  std::vector<std::uint32_t> ranks_;
};

/// Parts of one multiset: their numbers, their sizes, and how many sets of labelled members each stands for.
template <class Count>
struct MultisetParts {
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint16_t> sizes;
  std::vector<Count> ways;

  /// All parts of `set` of up to `largest` members, the empty one first.
  void assign(const Multiset& set, const MultisetNumbers& numbering, std::size_t largest) {
    numbers.assign(1, 0);
    sizes.assign(1, 0);
    ways.assign(1, Count(1));
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::size_t before = numbers.size();
      Count choices = 1;  // binomial(set[i], taken)
      for (std::uint32_t taken = 1; taken <= set[i]; ++taken) {
        choices = choices * Count(set[i] - taken + 1) / Count(taken);
        for (std::size_t part = 0; part < before; ++part) {
          if (sizes[part] + taken > largest) continue;
          numbers.push_back(numbers[part] + taken * numbering.stride(i));
          sizes.push_back(static_cast<std::uint16_t>(sizes[part] + taken));
          ways.push_back(Count(ways[part] * choices));
        }
      }
    }
  }
};

}  // namespace orderlab
