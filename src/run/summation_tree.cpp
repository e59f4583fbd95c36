#include <algorithm>
#include <cmath>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "run/arithmetic.hpp"

namespace orderlab {

std::span<const SummationTree::Node> SummationTree::children(Node node) const {
  if (leaf(node)) return {};
  const Inner& inner = inner_[node - term_count_];
  return {children_.data() + inner.first_child, inner.child_count};
}

std::shared_ptr<const FusedUnit> SummationTree::unit(Node node) const {
  const auto found = std::lower_bound(units_.begin(), units_.end(), node,
                                      [](const auto& each, Node wanted) { return each.first < wanted; });
  return found != units_.end() && found->first == node ? found->second : nullptr;
}

SummationTree::Node SummationTree::add(Operation operation, Format format, std::span<const Node> children,
                                       std::shared_ptr<const FusedUnit> unit) {
  if (unit != nullptr) units_.emplace_back(node_count(), std::move(unit));
  inner_.push_back({operation, format, children_.size(), children.size()});
  children_.insert(children_.end(), children.begin(), children.end());
  return node_count() - 1;
}

std::uint64_t SummationTree::height() const {
  std::vector<std::uint64_t> heights(node_count(), 0);
  std::vector<std::uint64_t> below;
  for (Node node = term_count_; node < node_count(); ++node) {
    below.clear();
    for (const Node child : children(node)) below.push_back(heights[child]);
    const std::shared_ptr<const FusedUnit> fused_by = unit(node);
    heights[node] = fused_by != nullptr ? fused_height(*fused_by, below) : group_height(below);
  }
  std::uint64_t height = 0;
  for (const Node root : roots_) height = std::max(height, heights[root]);
  return height;
}

namespace {

/// Evaluates inner nodes in T from their children's values, which fp80 holds in any format; shares no code with the
/// interpreter but the correctly rounded primitives.
template <class T>
class NodeEvaluator {
 public:
  NodeEvaluator(const SummationTree& tree, const TermView& terms, const std::vector<Extended>& values)
      : tree_(tree), terms_(terms), values_(values) {}

  Extended operator()(SummationTree::Node node) const {
    const auto children = tree_.children(node);
    switch (tree_.operation(node)) {
      case Operation::add:
        return wide(at(children[0]) + at(children[1]));
      case Operation::add_ftz:
        return wide(flushed(flushed(at(children[0])) + flushed(at(children[1]))));
      case Operation::start:
        return wide(round_to<T>(0.0) + at(children[0]));
      case Operation::start_ftz:
        return wide(flushed(flushed(at(children[0])) + round_to<T>(0.0)));
      case Operation::round:
        return rounded(children[0]);
      case Operation::kahan:
        return kahan(children);
      case Operation::neumaier:
        return neumaier(children);
      case Operation::fused:
        return fused(*tree_.unit(node), tree_.format(node), children);
      default:
        return fma(children);
    }
  }

 private:
  using Children = std::span<const SummationTree::Node>;

  static Extended wide(T value) {
    if constexpr (std::is_same_v<T, Extended>)
      return value;
    else
      return Extended(static_cast<double>(value));
  }

  T at(SummationTree::Node node) const {
    if constexpr (std::is_same_v<T, Extended>)
      return values_[node];
    else
      return round_to<T>(before_result(values_[node], kFormatOf<T>));
  }

  Extended rounded(SummationTree::Node node) const {
    if (tree_.leaf(node) && terms_.products())
      return wide(detail::round_product<T>(terms_.left(node), terms_.right(node)));
    return wide(at(node));
  }

  static T flushed(T value) {
    if constexpr (std::is_same_v<T, float>)
      if (std::fabs(value) < 0x1p-126f) return std::copysign(0.0f, value);
    return value;
  }

  Extended kahan(Children children) const {
    T s = round_to<T>(0.0);
    T c = s;
    for (const auto child : children) {
      const T y = at(child) - c;
      const T t = s + y;
      c = (t - s) - y;
      s = t;
    }
    return wide(s);
  }

  Extended neumaier(Children children) const {
    T s = round_to<T>(0.0);
    T c = s;
    for (const auto child : children) {
      const T x = at(child);
      const T t = s + x;
      if (magnitude_of(wide(x)) < magnitude_of(wide(s)))
        c = c + ((s - t) + x);
      else
        c = c + ((x - t) + s);
      s = t;
    }
    return wide(s + c);
  }

  Extended fma(Children children) const {
    const bool from_zero = tree_.leaf(children[0]);
    T s = from_zero ? round_to<T>(0.0) : at(children[0]);
    for (const auto child : children.subspan(from_zero ? 0 : 1)) {
      const bool product = tree_.leaf(child) && terms_.products();
      const double x = product ? terms_.left(child) : static_cast<double>(values_[child]);
      const double y = product ? terms_.right(child) : 1.0;
      s = detail::fused<T>(x, y, s);
    }
    return wide(s);
  }

  Extended fused(const FusedUnit& unit, Format format, Children children) const {
    std::vector<Factors> products;
    for (const auto child : children) products.push_back({terms_.left(child), terms_.right(child)});
    return Extended(fused_sum(unit, format, products).sum);
  }

  const SummationTree& tree_;
  const TermView& terms_;
  const std::vector<Extended>& values_;
};

// Appends the values of the nodes from values.size() on.
void append_values(const SummationTree& tree, const TermView& terms, std::vector<Extended>& values) {
  values.reserve(tree.node_count());
  for (std::size_t i = values.size(); i < terms.n; ++i)
    values.emplace_back(terms.products() ? terms.left(i) * terms.right(i) : terms.left(i));
  for (SummationTree::Node node = values.size(); node < tree.node_count(); ++node)
    values.push_back(with_accumulator_type(tree.format(node), [&](auto* type) {
      return NodeEvaluator<std::remove_pointer_t<decltype(type)>>(tree, terms, values)(node);
    }));
}

}  // namespace

Extended Nodes::rank(Value v) const {
  if (tree_->leaf(v) && terms_->products())
    return with_accumulator_type(format_, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const T product = detail::round_product<T>(terms_->left(v), terms_->right(v));
      if constexpr (std::is_same_v<T, Extended>)
        return product;
      else
        return Extended(static_cast<double>(product));
    });
  if (values_.size() <= v) append_values(*tree_, *terms_, values_);
  return values_[v];
}

std::vector<double> evaluate(const SummationTree& tree, const TermView& terms) {
  const FloatEnvironment environment;
  if (terms.n != tree.term_count())
    throw Error(ErrorKind::usage, "tree of " + std::to_string(tree.term_count()) + " terms: given " +
                                      std::to_string(terms.n) + "; it needs as many");
  std::vector<Extended> values;
  append_values(tree, terms, values);
  return {values.begin(), values.end()};
}

}  // namespace orderlab
