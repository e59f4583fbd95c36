#include "probe/triples.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

constexpr double kLargeSummand = 2.25;  // 1.5 squared; its square root and that of the next number have other bits
constexpr int kMostPrecision = 64;
constexpr int kSmallBits = 5;
constexpr std::size_t kTriplesTried = 8;

double large_term(const TakenTerms& taken) { return taken.squares() ? std::sqrt(kLargeSummand) : kLargeSummand; }

// x for a summand near 3/8 of the ulp of the large one.
double small_term(const TakenTerms& taken, int precision) {
  const double summand = 0.375 * power_of_two(2 - precision);
  const double x = taken.squares() ? std::sqrt(summand) : summand;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, kSmallBits)), exponent - kSmallBits);
}

struct NoTree {};

class Unfolding {
 public:
  Unfolding(Triples& triples, TreeShape& shape) : triples_(triples), shape_(shape), places_(shape.leaf_count(), 22) {}

  Node run(std::vector<Node> leaves) {
    std::swap(leaves[places_.below(leaves.size())], leaves.back());
    Node node = leaves.back();
    leaves.pop_back();
    for (std::vector<Node>& below : by_meeting(node, std::move(leaves)))
      node = shape_.join(std::array{node, run(std::move(below))});
    return node;
  }

 private:
  // The leaves that meet the pivot at each node above it, from below.
  std::vector<std::vector<Node>> by_meeting(Node pivot, std::vector<Node> leaves) {
    std::vector<std::vector<Node>> groups;
    struct Part {
      std::vector<Node> leaves;
      bool at_one_node = false;
    };
    std::vector<Part> todo{{std::move(leaves)}};  // the last one meets it first
    while (!todo.empty()) {
      auto [some, at_one_node] = std::move(todo.back());
      todo.pop_back();
      if (at_one_node) groups.push_back(std::move(some));
      if (at_one_node || some.empty()) continue;
      const Node middle = some[places_.below(some.size())];
      std::vector<Node> before;
      std::vector<Node> with{middle};
      std::vector<Node> after;
      for (const Node leaf : some)
        if (leaf != middle)
          (ask(pivot, leaf, middle) ? with : ask(middle, pivot, leaf) ? before : after).push_back(leaf);
      todo.push_back({std::move(after)});
      todo.push_back({std::move(with), true});
      todo.push_back({std::move(before)});
    }
    return groups;
  }

  bool ask(Node large, Node a, Node b) {
    const std::optional<bool> together = triples_.together(large, a, b);
    if (!together) throw NoTree{};
    return *together;
  }

  Triples& triples_;
  TreeShape& shape_;
  RandomPlaces places_;
};

}  // namespace

Triples::Triples(AskedBox& box, int precision)
    : box_(box),
      terms_(box.setting().format, box.n()),
      large_(large_term(box.taken())),
      small_(small_term(box.taken(), precision)) {
  const bool rooted = box.summands() == Summands::norm;  // sqrt(2.25 + ulp) is 1.5 and two thirds of its ulp
  without_ = rooted ? std::sqrt(kLargeSummand) : kLargeSummand;
  with_ = without_ + power_of_two((rooted ? 1 : 2) - precision);
}

std::optional<bool> Triples::together(std::size_t large, std::size_t a, std::size_t b) {
  terms_.set(large, large_);
  terms_.set(a, small_);
  terms_.set(b, small_);
  const double answer = box_.sum(terms_.view());
  for (const std::size_t place : {large, a, b}) terms_.set(place, 0);
  if (answer != with_ && answer != without_) return std::nullopt;
  return answer == with_;
}

std::optional<int> precision_of_answers(AskedBox& box) {
  Terms terms(box.setting().format, box.n());
  RandomPlaces places(box.n(), 23);
  std::optional<int> found;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto pair = places.some(2);
    terms.set(pair[0], large_term(box.taken()));
    const double alone = box.sum(terms.view());
    int precision = 3;
    for (; precision < kMostPrecision; ++precision) {
      terms.set(pair[1], small_term(box.taken(), precision));
      if (box.sum(terms.view()) == alone) break;
    }
    for (const std::size_t place : pair) terms.set(place, 0);
    if (found && *found != precision) return std::nullopt;
    found = precision;
  }
  return found;
}

bool loses_small_summands(Triples& triples) {
  const std::size_t n = triples.box().n();
  if (n < 3) return true;
  RandomPlaces places(n, 24);
  for (std::size_t k = 0; k < kTriplesTried; ++k) {
    std::vector<std::size_t> three = places.some(3);
    if (k == 0) three = {0, n / 2, n - 1};
    std::size_t first = 0;
    for (std::size_t turn = 0; turn < 3; ++turn) {
      const auto together = triples.together(three[turn], three[(turn + 1) % 3], three[(turn + 2) % 3]);
      if (!together) return false;
      first += *together ? 1U : 0U;
    }
    if (first != 1) return false;
  }
  return true;
}

bool certify(const TreeShape& shape, Triples& triples) {
  const std::vector<Node> leaf = shape.leaf_of_each();
  for (Node node = static_cast<Node>(shape.leaf_count()); node < shape.root(); ++node) {
    const auto beside = shape.children(shape.parent(node));
    const Node sibling = beside[0] == node ? beside[1] : beside[0];
    const auto children = shape.children(node);
    if (triples.together(leaf[sibling], leaf[children[0]], leaf[children[1]]) != true) return false;
  }
  return true;
}

std::optional<TreeShape> reveal(Triples& triples) {
  TreeShape shape(triples.box().n());
  std::vector<Node> leaves(shape.leaf_count());
  std::iota(leaves.begin(), leaves.end(), Node{0});
  try {
    Unfolding(triples, shape).run(std::move(leaves));
  } catch (const NoTree&) {
    return std::nullopt;
  }
  return shape;
}

}  // namespace orderlab
