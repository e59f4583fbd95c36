#include <fmt/format.h>

#include <vector>

#include "orderlab/format.hpp"
#include "show/tree.hpp"

namespace orderlab {

std::string tree_csv(const SummationTree& tree, const TermView& terms) {
  const std::vector<double> values = evaluate(tree, terms);
  const Format leaf_format = terms.products() ? Format::fp64 : terms.format;
  std::string csv = "node,operation,format,children,value,bits\n";
  for (SummationTree::Node node = 0; node < tree.node_count(); ++node) {
    const Format format = tree.leaf(node) ? leaf_format : tree.format(node);
    const std::uint64_t bits = round_to_bits(format, values[node]);
    csv += fmt::format("{},{},{},{},{},{}\n", node, tree.leaf(node) ? "term" : name_of(tree.operation(node)),
                       info(format).name, fmt::join(tree.children(node), " "), value_of_bits(format, bits),
                       bits_text(format, bits));
  }
  return csv;
}

std::string to_text(const TreeFinding& finding, const TextStyle&) {
  std::string text = fmt::format("{}, height {}\n", finding.expression, finding.tree.height());
  if (finding.tree.term_count() <= kDrawnTerms)
    text += "\n" + tree_text(finding.tree, finding.terms.view(), finding.result);
  return text;
}

std::string to_json(const TreeFinding& finding) { return tree_json(finding.tree, finding.terms.view()); }
std::string to_csv(const TreeFinding& finding) { return tree_csv(finding.tree, finding.terms.view()); }

}  // namespace orderlab
