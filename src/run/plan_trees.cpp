#include "run/plan_trees.hpp"

#include <numeric>

#include "run/arithmetic.hpp"

namespace orderlab {

namespace {

SummationTree::Node root_of(std::span<const PlannedStep> steps, Nodes& nodes,
                            std::span<const SummationTree::Node> leaves, Draw draw) {
  Buffers<Nodes> buffers;
  return run_steps<Nodes>(steps, nodes, Input<Nodes>(leaves), buffers, draw)[0];
}

}  // namespace

SummationTree tree_of(const Plan& plan, const TermView& terms, bool converted, Draw draw) {
  SummationTree tree(terms.n);
  Nodes nodes(tree, terms, plan.formats().accumulate);
  std::vector<SummationTree::Node> all(terms.n);
  for (SummationTree::Node leaf = 0; leaf < terms.n; ++leaf) all[leaf] = converted ? nodes.round(leaf) : leaf;
  auto root = root_of(plan.steps(), nodes, all, draw);
  const bool product_left = tree.leaf(root) && terms.products();
  const Format result = plan.formats().result;
  const Format rounded_to = tree.leaf(root) ? plan.formats().accumulate : tree.format(root);
  if (result != rounded_to || product_left) root = nodes.rounded_to(root, result);
  tree.set_roots({root});
  return tree;
}

SummationTree tail_tree_of(const Plan& plan, const std::vector<double>& inputs, std::uint64_t seed) {
  const TermView leaves = view_of(inputs.data(), inputs.size());
  SummationTree tree(inputs.size());
  Nodes nodes(tree, leaves, plan.formats().accumulate);
  std::vector<SummationTree::Node> all(inputs.size());
  std::iota(all.begin(), all.end(), SummationTree::Node{0});
  const auto drawn = plan.drawn_steps();
  tree.set_roots({root_of(drawn.empty() ? drawn : drawn.subspan(1), nodes, all, {seed, 0})});
  return tree;
}

}  // namespace orderlab
