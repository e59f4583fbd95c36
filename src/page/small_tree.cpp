#include "page/small_tree.hpp"

#include <algorithm>
#include <numeric>
#include <regex>

#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

// "arrive(MODEL)" with any MODEL becomes "arrive(uniform)".
std::string with_uniform_arrivals(std::string text) {
  const std::string stage = "arrive(";
  for (std::size_t at = text.find(stage); at != std::string::npos; at = text.find(stage, at + stage.size())) {
    std::size_t end = at + stage.size();
    for (int depth = 1; end < text.size() && depth > 0; ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    text.replace(at, end - at, "arrive(uniform)");
  }
  return text;
}

/// What the regular expressions here are safe for, whose recursion is as deep as the text is long.
constexpr std::size_t kLongestExpression = 1000;

/// Without what reads a file: an expression comes from a store, of which drawing it opens nothing.
const Vocabulary& vocabulary_without_files() {
  static const Vocabulary kVocabulary = [] {
    const auto reads_file = [](const auto* entry) {
      return std::any_of(entry->parameters.begin(), entry->parameters.end(), [](const Parameter& parameter) {
        return parameter.kind == ParameterKind::rows || parameter.kind == ParameterKind::list;
      });
    };
    Vocabulary vocabulary = built_in_vocabulary();
    std::erase_if(vocabulary.stages, reads_file);
    std::erase_if(vocabulary.arrival_models, reads_file);
    return vocabulary;
  }();
  return kVocabulary;
}

/// Width as it stands first in a stage's parentheses.
const std::regex& width_pattern() {
  static const std::regex kPattern(R"((^|[ |])(tile|halving|adjacent|strided)\((\d{1,18}))");
  return kPattern;
}

}  // namespace

std::string drawn_order(const std::string& expression) {
  if (expression.size() > kLongestExpression) return expression;
  std::string text = with_uniform_arrivals(expression);
  if (text.find("cub_") != std::string::npos) return text;  // its tiles are what they are
  std::uint64_t widest = kDrawnWidth;
  for (std::sregex_iterator match(text.begin(), text.end(), width_pattern()), end; match != end; ++match)
    widest = std::max<std::uint64_t>(widest, std::stoull((*match)[3]));
  const std::uint64_t divisor = widest / kDrawnWidth;
  std::string drawn;
  auto from = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), width_pattern()), end; match != end; ++match) {
    const std::uint64_t width = std::stoull((*match)[3]);
    if (width % divisor != 0) return text;
    drawn.append(from, (*match)[3].first);
    drawn += std::to_string(width / divisor);
    from = (*match)[3].second;
  }
  drawn.append(from, text.cend());
  static const std::regex kGrid(R"((tile\(\d+,\d+),\d+)");
  return std::regex_replace(drawn, kGrid, "$1");
}

namespace {

/// Walks a tree depth first; recursion is as deep as kDrawnTerms make it.
class Layout {
 public:
  explicit Layout(const SummationTree& tree) : tree_(tree) {}

  std::size_t place(SummationTree::Node node) {
    if (tree_.leaf(node)) return add({next_leaf_++, 0, true, false, node});
    const auto children = tree_.children(node);
    if (children.size() == 1) return place(children[0]);
    std::vector<std::size_t> placed;
    for (const SummationTree::Node child : children) placed.push_back(place(child));
    const auto x_of = [&](std::size_t i) { return drawing_.points[i].x; };
    double y = 0;
    for (const std::size_t child : placed) y = std::max(y, drawing_.points[child].y);
    const std::size_t at =
        add({(x_of(placed.front()) + x_of(placed.back())) / 2, y + 1, false, children.size() > 2, 0});
    for (const std::size_t child : placed) drawing_.edges.push_back({at, child});
    return at;
  }

  TreeDrawing take() { return std::move(drawing_); }

 private:
  std::size_t add(const TreePoint& point) {
    drawing_.points.push_back(point);
    return drawing_.points.size() - 1;
  }

  const SummationTree& tree_;
  TreeDrawing drawing_;
  double next_leaf_ = 0;
};

}  // namespace

TreeDrawing draw_tree(const SummationTree& tree) {
  Layout layout(tree);
  layout.place(tree.roots()[0]);
  TreeDrawing drawing = layout.take();
  drawing.height = tree.height();
  return drawing;
}

std::optional<TreeDrawing> small_tree(const std::string& expression, std::uint64_t seed) {
  if (expression.size() > kLongestExpression) return std::nullopt;
  try {
    const Order order = parse_order(expression, {}, vocabulary_without_files());
    const Terms terms = generate_terms("uniform(0,1)", kDrawnTerms, Format::fp64, seed);
    order.check(kDrawnTerms, false, Format::fp64);
    return draw_tree(Evaluator::make(order, terms.view(), Formats{}, seed)->tree(0));
  } catch (const Error&) {  // a file, products, a stage for more terms: no drawing then
    return std::nullopt;
  }
}

}  // namespace orderlab
