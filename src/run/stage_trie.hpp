// Many fixed orders of the same terms, run together: what a first stage leaves is computed once for all orders that
// begin with it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/steps.hpp"
#include "run/input.hpp"

namespace orderlab {

/// A tree of steps; each way from the root is an order.
class StageTrie {
 public:
  struct Node {
    Step step;
    std::size_t in;                        ///< partial sums before it
    std::size_t out;                       ///< and after it
    std::vector<std::size_t> next = {};    ///< nodes, in the order in which they were added
    std::vector<std::size_t> orders = {};  ///< that end here
  };

  explicit StageTrie(std::size_t n) : n_(n) {}

  /// Adds the order with that number, given by its steps for n terms, at least one, which neither draw nor sort.
  void add(const std::vector<Steps>& stages, std::size_t order);

  /// The numbers of all orders that are the same, step by step, as an earlier one, with its number.
  std::vector<std::pair<std::size_t, std::size_t>> repeated() const;

  std::size_t term_count() const { return n_; }
  bool empty() const { return first_.empty(); }
  const std::vector<std::size_t>& first() const { return first_; }
  const Node& node(std::size_t i) const { return nodes_[i]; }

  /// Partial sums that are read in the branch from that node on: what its time is in proportion to.
  double cost(std::size_t node) const;

  /// The most partial sums that a run through one branch holds at a time.
  std::size_t most_held() const;

 private:
  std::size_t held(std::size_t node) const;

  std::size_t n_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> first_;
};

/// How many branches fit side by side into half of the memory that is free; Error(unsupported) where not even one does.
std::size_t branches_at_once(const StageTrie& trie, std::size_t value_bytes);

/// Runs branches of a trie, one after the other, on one meaning of run/arithmetic.hpp.
template <class A>
class TrieRun {
 public:
  using Value = typename A::Value;

  explicit TrieRun(const StageTrie& trie) : trie_(trie) {}

  /// run_step(step, in, out) runs a step; ends(orders, sum) gets the sum of the orders that end at a node.
  template <class RunStep, class Ends>
  void run(std::size_t node, const Input<A>& in, const RunStep& run_step, const Ends& ends, std::size_t depth = 0) {
    stop_point();
    const StageTrie::Node& here = trie_.node(node);
    const std::span<Value> out = buffer(depth, here.out);
    run_step(here.step, in, out);
    if (!here.orders.empty()) ends(here.orders, out.front());
    for (const std::size_t next : here.next)
      run(next, Input<A>(std::span<const Value>(out)), run_step, ends, depth + 1);
  }

 private:
  struct Buffer {
    std::unique_ptr<Value[]> values;
    std::size_t size = 0;
  };

  std::span<Value> buffer(std::size_t depth, std::size_t size) {
    if (buffers_.size() <= depth) buffers_.resize(depth + 1);
    Buffer& one = buffers_[depth];
    if (one.size < size) one = {std::make_unique_for_overwrite<Value[]>(size), size};
    return {one.values.get(), size};
  }

  const StageTrie& trie_;
  std::vector<Buffer> buffers_;  ///< one for each node on the way to the one that runs
};

/// Visits every branch of the trie, the first ones first, by at most `at_once` visitors at a time, each made by `make`.
template <class Make>
void visit_branches(const StageTrie& trie, std::size_t at_once, const Loop& loop, const Make& make) {
  std::atomic<std::size_t> taken = 0;
  const std::size_t all = trie.first().size();
  loop(std::min(at_once, all), [&](std::size_t) {
    auto visit = make();
    for (std::size_t i = taken++; i < all; i = taken++) visit(trie.first()[i]);
  });
}

}  // namespace orderlab
