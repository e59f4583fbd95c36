// How one thread of a CUB kernel adds the items in its registers: cub::ThreadReduce of CUB 3.0.1 with plus<>.
// Before 2.8 it was left to right in every format, and 3.1.0 adds the 16-bit formats neighbours first.
#pragma once

#include <cstddef>
#include <span>

#include "order/arithmetic.hpp"
#include "order/stages/neighbours.hpp"

namespace orderlab {

/// Sum of `items`, left at its front.
///
/// Shape:   not empty.
/// Order:   fp64 left to right; fp32 neighbours first; fp16 and bf16 in two chains, of the even and of the odd items,
///          as packed additions make them, then their sum, then the last item of an odd number. A functor other than
///          plus<> would have them left to right in every format.
template <class A>
void cub_thread_reduce(A& arith, std::span<typename A::Value> items) {
  constexpr Format kFormat = kFormatOf<typename A::T>;
  typename A::Value& sum = items.front();
  if constexpr (kFormat == Format::fp32) {
    add_neighbours(arith, items);
  } else if constexpr (kFormat == Format::fp64) {
    for (std::size_t i = 1; i < items.size(); ++i) sum = arith.add(sum, items[i]);
  } else {
    if (items.size() == 1) return;
    const std::size_t paired = items.size() - items.size() % 2;
    for (std::size_t i = 2; i < paired; ++i) items[i % 2] = arith.add(items[i % 2], items[i]);
    sum = arith.add(sum, items[1]);
    if (paired < items.size()) sum = arith.add(sum, items[paired]);
  }
}

}  // namespace orderlab
