// How one thread of a CUB kernel adds the items in its registers: cub::ThreadReduce of CUB 3.0.1 with plus<>.
// Before 2.8 it was left to right in every format, and 3.1.0 adds the 16-bit formats neighbours first.
#pragma once

#include <cstddef>

#include "orderlab/format.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// How a thread adds `items` items in `accumulate`: fp64 left to right; fp32 neighbours first; fp16 and bf16 in two
/// chains, of the even and of the odd items, as packed additions make them, then their sum, then the last item of an
/// odd number. A functor other than plus<> would have them left to right in every format.
inline Combination cub_thread(std::size_t items, Format accumulate) {
  if (accumulate == Format::fp32) return {.tree = Combination::Tree::neighbours};
  if (accumulate == Format::fp64 || items == 1) return {};
  std::vector<Addition> additions;
  const auto paired = static_cast<std::uint32_t>(items - items % 2);
  for (std::uint32_t i = 2; i < paired; ++i) additions.push_back({i % 2, i});
  additions.push_back({0, 1});
  if (paired < items) additions.push_back({0, paired});
  return {.tree = Combination::Tree::given,
          .additions = std::make_shared<const std::vector<Addition>>(std::move(additions))};
}

}  // namespace orderlab
