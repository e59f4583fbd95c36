#include "orderlab/order_space.hpp"

#include <algorithm>
#include <span>

namespace orderlab {

std::string_view name_of(OrderFamily family) {
  switch (family) {
    case OrderFamily::fixed:
      return "fixed";
    case OrderFamily::sequences:
      return "sequences";
    case OrderFamily::trees:
      return "trees";
    default:
      return "assignments";
  }
}

namespace {

using Node = SummationTree::Node;

std::string quoted(const StageCall& call) { return "`" + std::string(call.stage->name) + "`"; }

// Why the stages from the first random one on cannot be counted; empty if they can. `tree_last`: they end with a
// random tree.
std::string tail_obstacle(std::span<const StageCall> tail, bool& tree_last) {
  const StageCall& drawn = tail.front();
  if (drawn.stage->reduces)
    return quoted(drawn) + " draws trees over partial sums in fixed places; only `shuffle | tree` can be enumerated";
  if (!is_uniform(drawn))
    return quoted(drawn) +
           " is not uniform: its orders are not equally likely; only `shuffle` and `arrive(uniform)` are";
  for (std::size_t i = 1; i < tail.size(); ++i) {
    const StageCall& call = tail[i];
    if (call.stage->by_value) return quoted(call) + " after " + quoted(drawn) + " depends on the values";
    if (!is_random(call)) continue;
    tree_last = i == 1 && i + 1 == tail.size() && call.stage->reduces && is_uniform(call);
    if (!tree_last) return quoted(call) + " is a second random stage after " + quoted(drawn);
  }
  return {};
}

bool plain(Operation operation) {
  return operation == Operation::add || operation == Operation::add_ftz || operation == Operation::start ||
         operation == Operation::start_ftz;
}

// Whether every inner node adds the next leaf to the one before: then, and only then, `space` takes how the first leaf
// is started and whether additions flush.
bool left_to_right(const SummationTree& tree, Format accumulate, OrderSpace& space) {
  const Node leaves = tree.term_count();
  Node next_leaf = 0;
  Node last = next_leaf++;
  Node inner = leaves;
  bool from_zero = false;
  bool flush = false;
  if (inner < tree.node_count() && tree.children(inner).size() == 1) {
    const Operation start = tree.operation(inner);
    if (tree.children(inner)[0] != last || (start != Operation::start && start != Operation::start_ftz)) return false;
    from_zero = true;
    flush = start == Operation::start_ftz;
    last = inner++;
  }
  const Operation add = flush ? Operation::add_ftz : Operation::add;
  for (; inner < tree.node_count(); ++inner) {
    const auto children = tree.children(inner);
    if (tree.operation(inner) != add || tree.format(inner) != accumulate || children[0] != last ||
        children[1] != next_leaf++)
      return false;
    last = inner;
  }
  if (next_leaf != leaves) return false;
  space.from_zero = from_zero;
  space.flush = flush;
  return true;
}

}  // namespace

std::string walk_obstacle(const Order& order) {
  bool tree_last = false;
  return order.random() ? tail_obstacle(std::span(order.stages()).subspan(order.first_random()), tree_last)
                        : std::string();
}

RecognizedSpace order_space(const Evaluator& evaluator) {
  OrderSpace space;
  space.formats = evaluator.formats();
  space.partial_sums = evaluator.random_inputs();
  const auto& stages = evaluator.order().stages();
  const auto tail = std::span(stages).subspan(evaluator.order().first_random());
  if (tail.empty()) return {std::move(space), {}};

  bool tree_last = false;
  if (std::string why = tail_obstacle(tail, tree_last); !why.empty()) return {std::nullopt, std::move(why)};
  if (tree_last) {
    space.family = OrderFamily::trees;
    return {std::move(space), {}};
  }
  space.shape = evaluator.tail_tree();
  for (Node node = space.shape.term_count(); node < space.shape.node_count(); ++node) {
    const Operation operation = space.shape.operation(node);
    if (space.shape.format(node) != space.formats.accumulate)
      return {std::nullopt, "partial sums are added in " + std::string(info(space.shape.format(node)).name) +
                                " and rounded to " + std::string(info(space.formats.accumulate).name)};
    if (!plain(operation))
      return {std::nullopt,
              "acc=" + std::string(name_of(operation)) + " carries more from step to step than one partial sum"};
  }
  space.family =
      left_to_right(space.shape, space.formats.accumulate, space) ? OrderFamily::sequences : OrderFamily::assignments;
  return {std::move(space), {}};
}

}  // namespace orderlab
