// All-reduces rank by rank: every rank has its own number and its own messages, and adds what it receives when it
// receives it. Written from the algorithms' steps, never from the stages, so that the two can be compared bit for bit.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace orderlab::testing {

/// Ring all-reduces; x[r] is what rank r owns of every chunk. Returns the sum of each chunk.
template <class T>
struct RingEmulation {
  struct Message {
    std::size_t chunk;
    T value;
  };

  /// Rank r first sends the chunk numbered `first_chunk(r)`, then in n-1 steps adds its own to what the rank before
  /// it sent, and passes that on; the last one keeps it.
  template <class FirstChunk>
  static std::vector<T> run(const std::vector<T>& x, FirstChunk first_chunk) {
    const std::size_t n = x.size();
    std::vector<Message> sent;
    for (std::size_t r = 0; r < n; ++r) sent.push_back({first_chunk(r), x[r]});
    for (std::size_t step = 1; step < n; ++step) {
      std::vector<Message> passed_on;
      for (std::size_t r = 0; r < n; ++r) {
        const Message& received = sent[r == 0 ? n - 1 : r - 1];
        passed_on.push_back({received.chunk, x[r] + received.value});
      }
      sent = passed_on;
    }
    std::vector<T> sums(n);
    for (const Message& message : sent) sums[message.chunk] = message.value;
    return sums;
  }

  /// runRing of NCCL's all_reduce.h: ring position r pushes chunk r + n - 1 first.
  static std::vector<T> nccl(const std::vector<T>& x) {
    return run(x, [&](std::size_t r) { return (r + x.size() - 1) % x.size(); });
  }

  /// Open MPI's allreduce_intra_ring: rank r sends block r first.
  static std::vector<T> open_mpi(const std::vector<T>& x) {
    return run(x, [](std::size_t r) { return r; });
  }
};

/// The all-reduces of MPI that begin with a power of two of ranks.
template <class T>
struct DoublingEmulation {
  using Vector = std::vector<T>;

  /// The ranks that go on, with what they hold: odd ones of the first pairs, and those after the pairs.
  static std::vector<Vector> power_of_two(const std::vector<Vector>& ranks) {
    std::size_t power = 1;
    while (2 * power <= ranks.size()) power *= 2;
    const std::size_t rem = ranks.size() - power;
    std::vector<Vector> left;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (rank < 2 * rem && rank % 2 == 0) continue;
      left.push_back(ranks[rank]);
      if (rank < 2 * rem)
        for (std::size_t e = 0; e < left.back().size(); ++e) left.back()[e] = left.back()[e] + ranks[rank - 1][e];
    }
    return left;
  }

  /// What each of the ranks that went on holds in the end; x[r] are the elements of rank r.
  static std::vector<Vector> recursive_doubling(const std::vector<Vector>& x) {
    std::vector<Vector> ranks = power_of_two(x);
    for (std::size_t mask = 1; mask < ranks.size(); mask *= 2) {
      const std::vector<Vector> received = ranks;
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::size_t e = 0; e < ranks[rank].size(); ++e) ranks[rank][e] = ranks[rank][e] + received[rank ^ mask][e];
    }
    return ranks;
  }

  /// The elements, each from the rank whose part it is when the vectors have been halved.
  static Vector reduce_scatter(const std::vector<Vector>& x) {
    struct Window {
      std::size_t begin, end;
    };
    std::vector<Vector> ranks = power_of_two(x);
    std::vector<Window> windows(ranks.size(), Window{0, x[0].size()});
    for (std::size_t mask = 1; mask < ranks.size(); mask *= 2) {
      const std::vector<Vector> received = ranks;
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        Window& mine = windows[rank];
        const std::size_t middle = mine.begin + (mine.end - mine.begin) / 2;
        ((rank & mask) == 0 ? mine.end : mine.begin) = middle;
        for (std::size_t e = mine.begin; e < mine.end; ++e) ranks[rank][e] = ranks[rank][e] + received[rank ^ mask][e];
      }
    }
    Vector sums(x[0].size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      for (std::size_t e = windows[rank].begin; e < windows[rank].end; ++e) sums[e] = ranks[rank][e];
    return sums;
  }
};

/// Open MPI's and MPICH's MPI_Reduce to a root: every rank receives from its children in turn and sends to its parent.
/// Ranks count from the root on.
class ReduceEmulation {
 public:
  enum class Tree { binary, binomial, chain, in_order };

  explicit ReduceEmulation(std::size_t ranks, Tree tree) : down_(ranks), root_(tree == Tree::in_order ? ranks - 1 : 0) {
    if (tree == Tree::in_order) {
      connect_in_order(0, ranks);
      return;
    }
    for (std::size_t rank = ranks; rank-- > 1;) down_[parent(tree, rank)].push_back(rank);
    for (auto& children : down_) children = {children.rbegin(), children.rend()};  // the lowest first
  }

  template <class T>
  T sum(const std::vector<T>& x) const {
    return sum_at(x, root_);
  }

 private:
  static std::size_t parent(Tree tree, std::size_t rank) {
    if (tree == Tree::chain) return rank - 1;
    if (tree == Tree::binomial) return rank & (rank - 1);  // without the lowest bit
    std::size_t above = 1;                                 // ranks on the parent's level
    while (4 * above - 1 <= rank) above *= 2;
    std::size_t parent = rank;
    while (parent >= 2 * above - 1) parent -= above;  // slimit and delta of build_tree
    return parent;
  }

  void connect_in_order(std::size_t begin, std::size_t size) {
    if (size < 2) return;
    const std::size_t right = size == 2 ? 0 : size / 2;
    const std::size_t own = begin + size - 1;
    down_[own].push_back(own - 1);
    connect_in_order(begin + right, size - 1 - right);
    if (right == 0) return;
    down_[own].push_back(begin + right - 1);
    connect_in_order(begin, right);
  }

  template <class T>
  T sum_at(const std::vector<T>& x, std::size_t rank) const {
    T value = x[rank];
    for (const std::size_t child : down_[rank]) value = value + sum_at(x, child);
    return value;
  }

  std::vector<std::vector<std::size_t>> down_;
  std::size_t root_;
};

/// NCCL's tree all-reduce, from the parents: hosts of `gpus` ranks, the last one with what is left.
class TreeEmulation {
 public:
  TreeEmulation(std::size_t ranks, std::size_t gpus, std::string_view tree, std::string_view pattern)
      : ranks_(ranks), gpus_(gpus), up_(ranks), down_(ranks) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (rank % gpus != 0) connect(rank, rank - 1);
    const std::size_t hosts = (ranks + gpus - 1) / gpus;
    const bool second = tree == "second";
    const auto host_of = [&](std::size_t node) {
      if (!second) return node;
      return hosts % 2 == 1 ? (node + 1) % hosts : hosts - 1 - node;
    };
    // The child before its parent is the parent's first one; a rank takes its host's first child before the second.
    for (const bool first_children : {true, false})
      for (std::size_t node = 1; node < hosts; ++node) {
        std::size_t bit = 1;
        while ((node & bit) == 0) bit *= 2;
        std::size_t parent = (node ^ bit) | (2 * bit);
        if (parent >= hosts) parent = node ^ bit;
        if ((node < parent) != first_children) continue;
        const bool second_gpu = first_children ? pattern != "tree" : pattern == "split";
        connect(host_of(node) * gpus, receiver(host_of(parent), second_gpu));
      }
  }

  /// What the root has when every message has arrived.
  template <class T>
  T sum(const std::vector<T>& x) const {
    std::vector<std::optional<T>> sent(ranks_);
    std::deque<std::size_t> waiting;
    for (std::size_t rank = ranks_; rank-- > 0;) waiting.push_back(rank);
    T root = x[0];
    while (!waiting.empty()) {
      const std::size_t rank = waiting.front();
      waiting.pop_front();
      bool complete = true;
      for (const std::size_t child : down_[rank]) complete = complete && sent[child].has_value();
      if (!complete) {
        waiting.push_back(rank);
        continue;
      }
      T value = x[rank];
      for (const std::size_t child : down_[rank]) value = value + *sent[child];
      sent[rank] = value;
      if (!up_[rank]) root = value;
    }
    return root;
  }

 private:
  void connect(std::size_t child, std::size_t parent) {
    up_[child] = parent;
    down_[parent].push_back(child);
  }

  // A host of one GPU has the pattern `tree`.
  std::size_t receiver(std::size_t host, bool second_gpu) const {
    const std::size_t head = host * gpus_;
    return second_gpu && gpus_ > 1 && head + 1 < ranks_ ? head + 1 : head;
  }

  std::size_t ranks_;
  std::size_t gpus_;
  std::vector<std::optional<std::size_t>> up_;
  std::vector<std::vector<std::size_t>> down_;
};

}  // namespace orderlab::testing
