#include "show/tree_fields.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"
#include "describe/field.hpp"
#include "describe/kinds.hpp"
#include "orderlab/format.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/tree.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;
using Node = SummationTree::Node;

/// The two numbers that a term is the product of.
struct TwoFactors {
  double left;
  double right;
};

// What leaves are called beside the names of operations.
constexpr std::string_view kLeafOperation = "term";
constexpr auto kNodeOperations = [] {
  constexpr auto& kInner = names_through<Operation::fused>();
  std::array<std::string_view, 1 + kInner.size()> words{kLeafOperation};
  std::copy(kInner.begin(), kInner.end(), words.begin() + 1);
  return words;
}();

/// A node with its value.
struct TreeNode {
  Node id;
  std::string_view operation;
  Format format;
  std::span<const Node> children;
  std::optional<TwoFactors> factors;
  double value;
};

std::vector<TreeNode> nodes_of(const TreeOfTerms& of) {
  const auto& [tree, terms] = of;
  const std::vector<double> values = evaluate(tree, terms);
  std::vector<TreeNode> nodes;
  nodes.reserve(values.size());
  for (Node node = 0; node < tree.node_count(); ++node) {
    const bool leaf = tree.leaf(node);
    const Format leaf_format = terms.products() ? Format::fp64 : terms.format;
    nodes.push_back(
        {node, leaf ? kLeafOperation : name_of(tree.operation(node)), leaf ? leaf_format : tree.format(node),
         tree.children(node),
         leaf && terms.products() ? std::optional(TwoFactors{terms.left(node), terms.right(node)}) : std::nullopt,
         values[node]});
  }
  return nodes;
}

constexpr Field kNodeNumberFields[] = {itself<Node>(k::kCount)};
constexpr TableOf<Node> kNodeNumbers{
    {.key = "node_number", .title = "Node number", .help = "Number of a node.", .fields = kNodeNumberFields}};

constexpr Field kFactorFields[] = {
    value<&TwoFactors::left>("left", k::kNumber, "The first factor"),
    value<&TwoFactors::right>("right", k::kNumber, "The second factor"),
};
constexpr TableOf<TwoFactors> kFactors{{.key = "factors",
                                        .help = "The two numbers whose product a leaf is.",
                                        .fields = kFactorFields,
                                        .form = Form::array}};

constexpr Kind kNodeFormat{.holds = Holds::text,
                           .schema = R"({"enum": ["fp64", "fp32", "fp16", "bf16", "fp80", "tf32", "e4m3", "e5m2"]})"};

constexpr Field kTreeNodeFields[] = {
    value<&TreeNode::id>("id", k::kCount, "Number of the node, from 0"),
    value<&TreeNode::id>("node", k::kCount, "Number of the node, from 0", {.where = Where::csv}),
    value<&TreeNode::operation>(
        "operation", k::kText,
        "term: a leaf. add: a rounded addition; add_ftz: the same, where subnormal numbers are flushed to 0. start and "
        "start_ftz: +0.0 plus the child. round: the child rounded to another format. kahan, neumaier: a whole "
        "compensated sum. fma: a fused multiply-add. fused: products added by steps of a unit",
        {.words = kNodeOperations, .where = Where::both}),
    value("format", kNodeFormat, "Format of its value; one of fp80 is given rounded to fp64",
          [](const TreeNode& n) { return info(n.format).name; }, {.where = Where::both}),
    part("children", kNodeNumbers, "Numbers of its children, from left to right; empty for a leaf",
         [](const TreeNode& n) { return n.children; }),
    value("children", k::kText, "Numbers of its children, separated by spaces",
          [](const TreeNode& n) {
            std::string text;
            for (const Node child : n.children) text.append(text.empty() ? "" : " ").append(std::to_string(child));
            return text;
          },
          {.where = Where::csv}),
    part<&TreeNode::factors>("factors", kFactors, {.absent = "where terms are no products"}),
    value<&TreeNode::value>("value", k::kNumber, "Its value", {.where = Where::both}),
    value("bits", k::kBits, "Bit pattern of its value in its format, in fp64 where that is fp80",
          [](const TreeNode& n) {
            const Format format = n.format == Format::fp80 ? Format::fp64 : n.format;
            return bits_text(format, round_to_bits(format, n.value));
          },
          {.where = Where::both}),
};
constexpr TableOf<TreeNode> kTreeNode{
    {.key = "tree_node", .title = "Tree node", .help = "A term, or one operation.", .fields = kTreeNodeFields}};

constexpr More kSomeNodes{.list_rule = R"({"minItems": 1})"};
constexpr Field kTreeFields[] = {
    value("terms", k::kSome, "Number of terms. Leaf i is term number i",
          [](const TreeOfTerms& t) { return t.tree.term_count(); }),
    value("height", k::kCount, "Additions on the longest path from a leaf to a root",
          [](const TreeOfTerms& t) { return t.tree.height(); }),
    part(
        "nodes", kTreeNode,
        "All nodes by their number: first the leaves, then the inner nodes in the order in which they are added",
        [](const TreeOfTerms& t) { return nodes_of(t); }, kSomeNodes),
    part(
        "roots", kNodeNumbers, "Numbers of the roots: one", [](const TreeOfTerms& t) { return t.tree.roots(); },
        kSomeNodes),
};

}  // namespace

constexpr TableOf<TreeOfTerms> kTreeDocument{
    {.key = "tree",
     .title = "Tree",
     .help = "Written by `orderlab tree --json`: the explicit summation tree of one order.",
     .fields = kTreeFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string tree_json(const SummationTree& tree, const TermView& terms) {
  return json_document(described::to_json(described::kTreeDocument, {tree, terms}));
}

std::string tree_csv(const SummationTree& tree, const TermView& terms) {
  return csv_table(described::kTreeNode, described::nodes_of({tree, terms}));
}

std::string to_json(const TreeFinding& finding) { return tree_json(finding.tree, finding.terms.view()); }
std::string to_csv(const TreeFinding& finding) { return tree_csv(finding.tree, finding.terms.view()); }

}  // namespace orderlab
