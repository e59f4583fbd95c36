// All parts of one multiset, numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/multisets.hpp"
#include "engine/subset_index.hpp"

namespace orderlab {

/// Parts of one multiset: their numbers, their sizes, and how many sets of labelled members each represents.
template <class Count>
struct MultisetParts {
  std::vector<SubsetIndex::Set> numbers;
  std::vector<std::uint16_t> sizes;
  std::vector<Count> ways;

  /// All parts of `set` of up to `largest` members, the empty one first.
  void assign(const Multiset& set, const SubsetIndex& index, std::size_t largest) {
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
          numbers.push_back(numbers[part] + taken * index.one(i));
          sizes.push_back(static_cast<std::uint16_t>(sizes[part] + taken));
          ways.push_back(Count(ways[part] * choices));
        }
      }
    }
  }
};

}  // namespace orderlab
