#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "core/float_environment.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/fused.hpp"

namespace orderlab {

namespace {

using Node = SummationTree::Node;

std::string quoted(const StageCall& call) { return "`" + std::string(call.stage->name) + "`"; }

// Why the stages from the first random one on cannot be counted; empty if they can. `tree_last`: they end with a
// random tree.
std::string tail_obstacle(std::span<const StageCall> tail, bool& tree_last) {
  const StageCall& drawn = tail.front();
  if (is_queue(drawn)) {
    if (!is_uniform(drawn))
      return quoted(drawn) + " with cv= is not uniform: who takes which chunk is not equally likely; leave out cv=";
    for (const StageCall& call : tail.subspan(1))
      if (is_random(call)) return quoted(call) + " stands after " + quoted(drawn) + ", which leaves one sum";
    return {};
  }
  if (drawn.stage->reduces)
    return quoted(drawn) + " draws trees over partial sums in fixed places; only `shuffle | tree` can be enumerated";
  if (!is_uniform(drawn))
    return quoted(drawn) +
           " is not uniform: its orders are not equally likely; only `shuffle` and `arrive(uniform)` are";
  for (std::size_t i = 1; i < tail.size(); ++i) {
    const StageCall& call = tail[i];
    if (is_by_value(call)) return quoted(call) + " after " + quoted(drawn) + " depends on the values";
    if (!is_random(call)) continue;
    tree_last = i == 1 && i + 1 == tail.size() && call.stage->reduces && is_uniform(call) && !is_queue(call);
    if (!tree_last) return quoted(call) + " is a second random stage after " + quoted(drawn);
  }
  return {};
}

// The tree with one step a node: groups of fma become chains of nodes of which each fuses one product.
SummationTree stepwise(const SummationTree& tree) {
  SummationTree steps(tree.term_count());
  std::vector<Node> in_steps;
  for (Node leaf = 0; leaf < tree.term_count(); ++leaf) in_steps.push_back(leaf);
  std::vector<Node> children;
  for (Node node = tree.term_count(); node < tree.node_count(); ++node) {
    children.clear();
    for (const Node child : tree.children(node)) children.push_back(in_steps[child]);
    const auto step = [&](std::span<const Node> of) {
      return steps.add(tree.operation(node), tree.format(node), of, tree.unit(node));
    };
    if (tree.operation(node) != Operation::fma) {
      in_steps.push_back(step(children));
      continue;
    }
    const bool from_zero = tree.leaf(children[0]);
    Node sum = from_zero ? step({children.data(), 1}) : children[0];
    for (std::size_t i = 1; i < children.size(); ++i) sum = step(std::array{sum, children[i]});
    in_steps.push_back(sum);
  }
  std::vector<Node> roots;
  for (const Node root : tree.roots()) roots.push_back(in_steps[root]);
  steps.set_roots(std::move(roots));
  return steps;
}

// Why this node prevents counting the orders of the tree; empty if it does not. `products`: the leaves are products.
std::string node_obstacle(const SummationTree& tree, Node node, Format accumulate, bool products) {
  const Operation operation = tree.operation(node);
  if (operation == Operation::round && !products)
    return "partial sums are added in another format and rounded to " + std::string(info(accumulate).name);
  if (tree.format(node) != accumulate)
    return "partial sums are added in " + std::string(info(tree.format(node)).name) + " and rounded to " +
           std::string(info(accumulate).name);
  if (operation == Operation::kahan || operation == Operation::neumaier)
    return "acc=" + std::string(name_of(operation)) + " keeps more state than one partial sum";
  if (operation == Operation::fused)
    return std::string(tree.unit(node)->name) + " adds several products in one step, which depends on all of them";
  return {};
}

// How a chain begins: with its first leaf, or with a node that has that leaf alone.
struct ChainStart {
  Operation first;
  Operation further;
  bool from_zero;
  bool flush;
};
constexpr ChainStart kChainStarts[] = {{Operation::start, Operation::add, true, false},
                                       {Operation::start_ftz, Operation::add_ftz, true, true},
                                       {Operation::round, Operation::fma, false, false},
                                       {Operation::fma, Operation::fma, true, false}};

// Whether every inner node adds the next leaf to the one before: then, and only then, `space` takes how the first leaf
// is started and whether additions flush.
bool left_to_right(const SummationTree& tree, OrderSpace& space) {
  const Node leaves = tree.term_count();
  Node next_leaf = 0;
  Node last = next_leaf++;
  Node inner = leaves;
  ChainStart start{Operation::add, Operation::add, false, false};
  if (inner < tree.node_count() && tree.children(inner).size() == 1) {
    const auto found = std::find_if(std::begin(kChainStarts), std::end(kChainStarts),
                                    [&](const ChainStart& s) { return s.first == tree.operation(inner); });
    if (tree.children(inner)[0] != last || found == std::end(kChainStarts)) return false;
    start = *found;
    last = inner++;
  }
  for (; inner < tree.node_count(); ++inner) {
    const auto children = tree.children(inner);
    if (tree.operation(inner) != start.further || children.size() != 2 || children[0] != last ||
        children[1] != next_leaf++)
      return false;
    last = inner;
  }
  if (next_leaf != leaves) return false;
  space.from_zero = start.from_zero;
  space.flush = start.flush;
  return true;
}

}  // namespace

std::string walk_obstacle(const Order& order) {
  bool tree_last = false;
  return order.random() ? tail_obstacle(std::span(order.stages()).subspan(order.first_random()), tree_last)
                        : std::string();
}

RecognizedSpace order_space(const Evaluator& evaluator) {
  const FloatEnvironment environment;
  OrderSpace space;
  space.formats = evaluator.formats();
  space.partial_sums = evaluator.random_inputs();
  const auto& stages = evaluator.order().stages();
  const auto tail = std::span(stages).subspan(evaluator.order().first_random());
  if (tail.empty()) return {std::move(space), {}};

  if (!evaluator.inputs_are_doubles())
    return {std::nullopt, "the partial sums that `" + std::string(tail.front().stage->name) +
                              "` arranges are numbers of fp80, and some are no numbers of fp64"};
  // Numbers of another format, and all additions in it: the orders are those of a sum in that format.
  const std::optional<Format> drawn = evaluator.plan().drawn_format();
  if (drawn) space.formats.accumulate = *drawn;
  if (!drawn && evaluator.plan().draws_in_other_formats())
    return {std::nullopt, "partial sums are rounded, or added in another format than " +
                              std::string(info(space.formats.accumulate).name) + ", after `" +
                              std::string(tail.front().stage->name) + "`"};
  bool tree_last = false;
  if (std::string why = tail_obstacle(tail, tree_last); !why.empty()) return {std::nullopt, std::move(why)};
  if (tree_last) {
    space.family = OrderFamily::trees;
    return {std::move(space), {}};
  }
  space.queue = queue_of(evaluator.plan().drawn_steps().front().step);
  if (space.queue != nullptr) {
    space.family = OrderFamily::queues;
    space.from_zero = true;
    return {std::move(space), {}};
  }
  space.products = evaluator.random_products();
  const SummationTree tree = evaluator.tail_tree();
  for (Node node = tree.term_count(); node < tree.node_count(); ++node)
    if (std::string why = node_obstacle(tree, node, space.formats.accumulate, !space.products.empty()); !why.empty())
      return {std::nullopt, std::move(why)};
  space.shape = stepwise(tree);
  space.family = left_to_right(space.shape, space) ? OrderFamily::sequences : OrderFamily::assignments;
  return {std::move(space), {}};
}

}  // namespace orderlab
