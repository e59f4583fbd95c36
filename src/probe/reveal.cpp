#include "probe/reveal.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "probe/random_places.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

struct Contradiction {};

// Leaves to reveal: a subtree, or several of them below one node.
struct Task {
  std::vector<Node> leaves;
  std::size_t parent_size;  // leaves of the node that they are below; 0 for all leaves
  std::size_t chain;        // which task's chain the result goes to
  std::size_t link;         // and at which of its links
};

class Revelation {
 public:
  Revelation(PairSizes& sizes, TreeShape& shape, std::uint64_t key)
      : sizes_(sizes), shape_(shape), places_(sizes.n(), key) {}

  Node run(std::vector<Node> leaves) {
    tasks_.push_back({std::move(leaves), 0, 0, 0});
    chains_.push_back({});
    while (!tasks_.empty()) {
      Task task = std::move(tasks_.back());
      tasks_.pop_back();
      split(std::move(task));
    }
    // Chains were made from the root down: built from the last one on, all that a link holds is there already.
    for (std::size_t c = chains_.size(); c-- > 1;) {
      Chain& chain = chains_[c];
      Node node = chain.pivot;
      for (Link& link : chain.links) {
        link.children.push_back(node);
        node = shape_.join(link.children);
      }
      chains_[chain.above].links_at(chain.link).push_back(node);
    }
    return chains_.front().whole.front();
  }

 private:
  struct Link {
    std::vector<Node> children;
  };
  struct Chain {
    Node pivot = 0;
    std::size_t above = 0;
    std::size_t link = 0;
    std::vector<Link> links;
    std::vector<Node> whole;  // only for the first chain, which stands for what is above the root
    std::vector<Node>& links_at(std::size_t k) { return links.empty() ? whole : links[k].children; }
  };

  void split(Task task) {
    std::vector<Node>& leaves = task.leaves;
    std::swap(leaves[places_.below(leaves.size())], leaves.back());
    const Node pivot = leaves.back();
    leaves.pop_back();
    measure(pivot, leaves);

    std::vector<std::pair<std::size_t, Node>> by_size;
    for (std::size_t k = 0; k < leaves.size(); ++k) by_size.emplace_back(found_[k], leaves[k]);
    std::sort(by_size.begin(), by_size.end());

    const std::size_t number = chains_.size();
    chains_.push_back({.pivot = pivot, .above = task.chain, .link = task.link, .links = {}, .whole = {}});
    std::size_t joined = 1;
    std::size_t first = 0;
    while (first < by_size.size()) {
      const std::size_t size = by_size[first].first;
      std::size_t end = first;
      while (end < by_size.size() && by_size[end].first == size) ++end;
      if (task.parent_size > 0 && size == task.parent_size) {  // beside this subtree, below the same node
        Task beside{{}, task.parent_size, task.chain, task.link};
        for (; first < end; ++first) beside.leaves.push_back(by_size[first].second);
        tasks_.push_back(std::move(beside));
        continue;
      }
      if (size != joined + (end - first)) throw Contradiction{};
      joined = size;
      Task below{{}, size, number, chains_[number].links.size()};
      for (; first < end; ++first) below.leaves.push_back(by_size[first].second);
      chains_[number].links.push_back({});
      tasks_.push_back(std::move(below));
    }
  }

  void measure(Node pivot, const std::vector<Node>& leaves) {
    pairs_.clear();
    for (const Node leaf : leaves) pairs_.push_back({pivot, leaf});
    found_.resize(leaves.size());
    sizes_.measure(pairs_, found_);
  }

  PairSizes& sizes_;
  TreeShape& shape_;
  RandomPlaces places_;
  std::vector<Task> tasks_;
  std::vector<Chain> chains_;
  std::vector<PlacePair> pairs_;
  std::vector<std::size_t> found_;
};

}  // namespace

std::optional<Node> reveal_part(PairSizes& sizes, std::vector<Node> leaves, TreeShape& shape, std::uint64_t key) {
  try {
    return Revelation(sizes, shape, key).run(std::move(leaves));
  } catch (const Contradiction&) {
    return std::nullopt;
  }
}

std::uint64_t revelation_calls(std::size_t n) { return n * static_cast<std::size_t>(std::bit_width(n)) / 2; }

std::optional<TreeShape> reveal(PairSizes& sizes, std::uint64_t key) {
  TreeShape shape(sizes.n());
  std::vector<Node> leaves(sizes.n());
  std::iota(leaves.begin(), leaves.end(), Node{0});
  if (!reveal_part(sizes, std::move(leaves), shape, key)) return std::nullopt;
  return shape;
}

}  // namespace orderlab
