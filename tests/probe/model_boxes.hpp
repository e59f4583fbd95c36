// Black boxes whose order is known: orders and trees of the model.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/probe.hpp"
#include "probe/tree_shape.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// Adds in the order; the accumulate format is that of the terms unless it is given. An order that draws takes the next
/// sample in every call.
inline BoxMaker order_box(const std::string& text, bool products = false, std::optional<Format> accumulate = {}) {
  const Order order = parse_order(text);
  const auto sample = std::make_shared<std::uint64_t>(0);
  return function_box(
      text,
      [order, accumulate, sample](const TermView& terms) {
        const Formats formats{terms.format, accumulate.value_or(terms.format), terms.format};
        const auto evaluator = Evaluator::make(order, terms, formats, 1);
        return evaluator->evaluate(order.random() ? (*sample)++ : 0, *evaluator->make_scratch()).value;
      },
      products);
}

/// Adds in the tree.
inline BoxMaker shape_box(const TreeShape& shape) {
  return function_box("a tree", [shape](const TermView& terms) {
    const SummationTree tree = tree_of(shape, {{terms.format, terms.format, terms.format}});
    return evaluate(tree, terms)[tree.roots()[0]];
  });
}

/// A tree over n leaves, of which any two subtrees were joined; lopsided: one of them is often the largest.
inline TreeShape random_shape(IndexGenerator& draw, std::size_t n, bool lopsided = false) {
  TreeShape shape(n);
  std::vector<TreeShape::Node> left;
  for (std::size_t i = 0; i < n; ++i) left.push_back(static_cast<TreeShape::Node>(i));
  while (left.size() > 1) {
    std::swap(left[below(draw, left.size())], left.back());
    const TreeShape::Node a = left.back();
    left.pop_back();
    const std::size_t place = lopsided && !chance(draw, 8) ? 0 : below(draw, left.size());
    left[place] = shape.join(std::array{a, left[place]});
  }
  return shape;
}

/// Adds fp32 terms.
inline BoxMaker float_box(std::function<float(std::vector<float>)> sum) {
  return function_box("a function", [sum = std::move(sum)](const TermView& terms) {
    const auto* x = static_cast<const float*>(terms.x);
    return static_cast<double>(sum(std::vector<float>(x, x + terms.n)));
  });
}

inline float in_turn(const std::vector<float>& x) {
  float sum = 0;
  for (const float term : x) sum += term;
  return sum;
}

inline ProbedOrder probed(const BoxMaker& maker, std::size_t n, Format format = Format::fp32) {
  auto found = probe_setting(maker, {.n = n, .format = format});
  REQUIRE(found.has_value());
  return std::move(*found);
}

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline TreeShape shape_of_order(const std::string& text, std::size_t n, bool products = false) {
  const std::vector<float> ones(n, 1.0f);
  const TermView terms = view_of(ones.data(), n, products ? ones.data() : nullptr);
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  return TreeShape::of(Evaluator::make(parse_order(text), terms, formats, 1)->tree(0));
}

}  // namespace orderlab::testing
