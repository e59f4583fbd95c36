// What tells orders apart for a number of terms: a hash of every addition that they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "run/stage_trie.hpp"

namespace orderlab {

/// Equal for two orders if and only if they add n terms in the same tree with the same accumulators, but for hashes
/// that collide (64 bits). Left and right of an addition may be exchanged. That a sum starts from +0.0 and that an
/// atomic addition flushes subnormals does not count: bits differ by that only where terms are -0.0 or subnormal.
///
/// Shape:  a fixed order that does not sort by value, else Error(usage).
/// Errors: usage as Order::describe.
std::uint64_t order_key(const Order& order, std::size_t n, bool products, Format accumulate);

/// The keys of all orders of the trie, branches side by side: ends(orders, key) for orders that have the same steps, and
/// branch_ends(branch) after each branch; on any thread, several at once.
///
/// Errors: as trie_sums.
void trie_keys(const StageTrie& trie, const Loop& loop,
               const std::function<void(std::span<const std::size_t> orders, std::uint64_t key)>& ends,
               const std::function<void(std::size_t branch)>& branch_ends);

}  // namespace orderlab
