// Writers of summation trees. A tree can be as high as it has nodes, so none of them recurses. Longer than most files:
// five writers that share how a node is named and valued.
#include "show/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orderlab/fused.hpp"
#include "show/table.hpp"

namespace orderlab {

namespace {

using Node = SummationTree::Node;

std::string non_finite(double value) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

template <class... Arguments>
std::string chars(double value, Arguments... arguments) {
  std::array<char, 40> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, arguments...);
  return {buffer.data(), end};
}

// The shortest decimal that reads back as `value` in `format`.
std::string decimal(Format format, double value) {
  if (!std::isfinite(value)) return non_finite(value);
  if (value == 0 || format == Format::fp64 || format == Format::fp80) return chars(value);
  for (int digits = 1; digits < 10; ++digits) {  // 9 suffice for 24 bits
    const std::string text = chars(value, std::chars_format::general, digits);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    if (round_to_bits(format, back) == round_to_bits(format, value)) return text;
  }
  return chars(value);
}

std::string hexadecimal(double value) {
  if (!std::isfinite(value)) return non_finite(value);
  return (std::signbit(value) ? "-0x" : "0x") + chars(std::fabs(value), std::chars_format::hex);
}

// A tree with its values, and the words for its nodes.
struct Valued {
  Valued(const SummationTree& tree_given, const TermView& terms_given)
      : tree(tree_given), terms(terms_given), values(evaluate(tree_given, terms_given)) {}

  Format format(Node node) const {
    if (!tree.leaf(node)) return tree.format(node);
    return terms.products() ? Format::fp64 : terms.format;
  }

  std::string term(Node leaf) const {
    return terms.products() ? fmt::format("x[{0}]*y[{0}]", leaf) : fmt::format("x[{}]", leaf);
  }

  std::string equal_to(Node node) const {
    const std::string text = decimal(format(node), values[node]);
    if (tree.leaf(node) || !std::isfinite(values[node])) return "= " + text;
    return fmt::format("= {}  ({})", hexadecimal(values[node]), text);
  }

  const SummationTree& tree;
  const TermView& terms;
  std::vector<double> values;
};

// Whether the node is a group of fma that starts from +0.0 instead of from its first child.
bool fuses_into_zero(const SummationTree& tree, Node node) {
  return tree.operation(node) == Operation::fma && tree.leaf(tree.children(node)[0]);
}

// One operand of a chain of additions, absent for the +0.0 it may start from, and the node after it was added.
struct Link {
  std::optional<Node> operand;
  std::optional<Node> running;
};

// The drawing, with a stack of lines still to come instead of recursion.
class Drawing {
 public:
  explicit Drawing(const Valued& valued) : valued_(valued), tree_(valued.tree), levels_(tree_.node_count(), 0) {
    for (Node node = tree_.term_count(); node < tree_.node_count(); ++node)
      for (const Node child : tree_.children(node)) levels_[node] = std::max(levels_[node], levels_[child] + 1);
  }

  std::string of(Node root, Format result) {
    text_.clear();
    if (valued_.format(root) == result) {
      pending_.push_back({"", "", head(root), root});
    } else {
      const double value = value_of_bits(result, round_to_bits(result, valued_.values[root]));
      text_ += fmt::format("result {} = {}  ({})\n", info(result).name, hexadecimal(value), decimal(result, value));
      pending_.push_back({"└─ ", "   ", head(root), root});
    }
    while (!pending_.empty()) {
      const Line line = std::move(pending_.back());
      pending_.pop_back();
      text_ += line.before + line.text + "\n";
      if (line.node && !tree_.leaf(*line.node)) push_below(line);
    }
    return text_;
  }

 private:
  struct Line {
    std::string before;        // prefix drawn before it
    std::string before_below;  // and in front of the lines below it
    std::string text;
    std::optional<Node> node;  // whose operands come below
  };

  // The chain that ends with `node`, in the order of its additions; empty unless that is a shorter picture. It follows
  // the higher operand, the right one only if it is so much higher that the picture would lean: else balanced trees
  // would come apart.
  std::vector<Link> chain(Node node) const {
    constexpr std::uint64_t kLean = 3;
    constexpr std::size_t kShortest = 4;
    if (tree_.operation(node) != Operation::add && tree_.operation(node) != Operation::add_ftz) return {};
    const bool flushes = tree_.operation(node) == Operation::add_ftz;
    const Operation start = flushes ? Operation::start_ftz : Operation::start;
    const auto made_by = [&](Node at, Operation operation) {
      return !tree_.leaf(at) && tree_.operation(at) == operation && tree_.format(at) == tree_.format(node);
    };
    std::vector<Link> links;
    for (Node at = node;;) {
      Node spine = tree_.children(at)[0];
      Node other = tree_.children(at)[1];
      const bool right = levels_[other] >= levels_[spine] + kLean;
      if (right) std::swap(spine, other);
      links.push_back({other, at});
      if (made_by(spine, start)) {
        links.insert(links.end(), {{tree_.children(spine)[0], spine}, {std::nullopt, std::nullopt}});
        break;
      }
      if (levels_[spine] <= levels_[other] || !made_by(spine, tree_.operation(node))) {
        links.push_back({spine, std::nullopt});
        break;
      }
      at = spine;
    }
    if (links.back().operand && links.size() < kShortest) return {};
    std::reverse(links.begin(), links.end());
    return links;
  }

  std::string head(Node node) const {
    if (tree_.leaf(node)) return valued_.term(node) + " " + valued_.equal_to(node);
    return fmt::format("n{} {} {} {}{}", node, name_of(tree_.operation(node)), info(tree_.format(node)).name,
                       valued_.equal_to(node), chain(node).empty() ? "" : "  in turn:");
  }

  // Lines for the operands of a chain, their running sums in one column.
  std::vector<Line> chain_lines(const std::vector<Link>& links) const {
    std::vector<Line> lines;
    std::size_t width = 0;
    for (const Link& link : links) {
      lines.push_back({"", "", link.operand ? head(*link.operand) : "0", link.operand});
      width = std::max(width, display_width(lines.back().text));
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!links[i].running) continue;
      lines[i].text.append(width - display_width(lines[i].text), ' ');
      lines[i].text += fmt::format("  → n{} {}", *links[i].running, valued_.equal_to(*links[i].running));
    }
    return lines;
  }

  std::vector<Line> lines_below(Node node) const {
    if (const std::vector<Link> links = chain(node); !links.empty()) return chain_lines(links);
    const auto children = tree_.children(node);
    const bool pair =
        children.size() == 2 && !fuses_into_zero(tree_, node) && tree_.leaf(children[0]) && tree_.leaf(children[1]);
    if (pair) return {{"", "", head(children[0]) + ", " + head(children[1]), std::nullopt}};
    std::vector<Line> lines;
    if (fuses_into_zero(tree_, node)) lines.push_back({"", "", "0", std::nullopt});
    for (const Node child : children) lines.push_back({"", "", head(child), child});
    return lines;
  }

  void push_below(const Line& above) {
    std::vector<Line> lines = lines_below(*above.node);
    for (std::size_t i = lines.size(); i-- > 0;) {
      const bool last = i + 1 == lines.size();
      lines[i].before = above.before_below + (last ? "└─ " : "├─ ");
      lines[i].before_below = above.before_below + (last ? "   " : "│  ");
      pending_.push_back(std::move(lines[i]));
    }
  }

  const Valued& valued_;
  const SummationTree& tree_;
  std::vector<std::uint64_t> levels_;
  std::vector<Line> pending_;
  std::string text_;
};

// Calls leaf(node), and around the children of an inner node open(node), between(node), close(node).
template <class Leaf, class Open, class Between, class Close>
void walk(const SummationTree& tree, Node root, Leaf leaf, Open open, Between between, Close close) {
  struct Frame {
    Node node;
    std::size_t next_child;
  };
  std::vector<Frame> frames;
  const auto enter = [&](Node node) {
    if (tree.leaf(node)) return leaf(node);
    open(node);
    frames.push_back({node, 0});
  };
  enter(root);
  while (!frames.empty()) {
    const Node node = frames.back().node;
    const std::size_t next = frames.back().next_child++;
    const auto children = tree.children(node);
    if (next == children.size()) {
      close(node);
      frames.pop_back();
    } else {
      if (next > 0) between(node);
      enter(children[next]);
    }
  }
}

std::string opening(const SummationTree& tree, Node node) {
  const Operation operation = tree.operation(node);
  switch (operation) {
    case Operation::add:
      return "(";
    case Operation::add_ftz:
      return "ftz(";
    case Operation::start:
      return "(0+";
    case Operation::start_ftz:
      return "ftz(0+";
    case Operation::fused:
      return std::string(tree.unit(node)->name) + "(";
    default:
      return std::string(name_of(operation)) + "(";
  }
}

}  // namespace

std::string tree_text(const SummationTree& tree, const TermView& terms, Format result) {
  const Valued valued(tree, terms);
  Drawing drawing(valued);
  std::string text;
  for (const Node root : tree.roots()) text += drawing.of(root, result);
  return text;
}

std::string tree_expression(const SummationTree& tree) {
  std::string text;
  for (const Node root : tree.roots()) {
    if (!text.empty()) text += '\n';
    walk(
        tree, root, [&](Node leaf) { text += 'x' + std::to_string(leaf); },
        [&](Node node) { text += fuses_into_zero(tree, node) ? "fma(0," : opening(tree, node); },
        [&](Node node) {
          const Operation operation = tree.operation(node);
          text += operation == Operation::add || operation == Operation::add_ftz ? '+' : ',';
        },
        [&](Node) { text += ')'; });
  }
  return text;
}

std::string tree_dot(const SummationTree& tree, const TermView& terms) {
  const Valued valued(tree, terms);
  std::string text =
      "digraph summation {\n"
      "  rankdir=BT;\n"
      "  ordering=in;\n"
      "  node [fontname=\"monospace\", fontsize=10];\n"
      "  edge [arrowsize=0.6];\n";
  auto out = std::back_inserter(text);
  std::vector<bool> is_root(tree.node_count(), false);
  for (const Node root : tree.roots()) is_root[root] = true;
  for (Node node = 0; node < tree.node_count(); ++node) {
    const std::string value = decimal(valued.format(node), valued.values[node]);
    const std::string_view rims = is_root[node] ? ", peripheries=2" : "";
    if (tree.leaf(node))
      fmt::format_to(out, "  n{} [shape=box, label=\"{}\\n{}\"{}];\n", node, valued.term(node), value, rims);
    else
      fmt::format_to(out, "  n{0} [shape=ellipse, label=\"n{0} {1} {2}\\n{3}\\n{4}\"{5}];\n", node,
                     name_of(tree.operation(node)), info(tree.format(node)).name, hexadecimal(valued.values[node]),
                     value, rims);
  }
  for (Node node = tree.term_count(); node < tree.node_count(); ++node)
    for (const Node child : tree.children(node)) fmt::format_to(out, "  n{} -> n{};\n", child, node);
  return text + "}\n";
}

std::string tree_newick(const SummationTree& tree) {
  std::string text;
  for (const Node root : tree.roots()) {
    if (!text.empty()) text += '\n';
    walk(
        tree, root, [&](Node leaf) { text += 'x' + std::to_string(leaf); }, [&](Node) { text += '('; },
        [&](Node) { text += ','; }, [&](Node node) { text += ")n" + std::to_string(node); });
    text += ';';
  }
  return text;
}

std::string to_text(const TreeFinding& finding, const TextStyle&) {
  std::string text = fmt::format("{}, height {}\n", finding.expression, finding.tree.height());
  if (finding.tree.term_count() <= kDrawnTerms)
    text += "\n" + tree_text(finding.tree, finding.terms.view(), finding.result);
  return text;
}

}  // namespace orderlab
