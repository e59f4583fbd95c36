// The sums of many fixed orders of the same terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/term_view.hpp"
#include "run/stage_trie.hpp"

namespace orderlab {

/// Called with orders that have the same steps, and the bits of their sum in the result format; on any thread, several
/// at once.
using OrdersEnd = std::function<void(std::span<const std::size_t> orders, std::uint64_t bits)>;

/// Called when a branch, one of trie.first(), is done.
using BranchEnds = std::function<void(std::size_t branch)>;

/// The sums of all orders of the trie, each with the bits that Evaluator gives, branches side by side while there is
/// memory for them. `fused`: the first additions fuse products.
///
/// Errors: unsupported where not even one branch fits into the memory that is free; Stopped.
void trie_sums(const StageTrie& trie, const TermView& terms, const Formats& formats, bool fused, const Loop& loop,
               const OrdersEnd& orders_end, const BranchEnds& branch_ends);

}  // namespace orderlab
