// The formulas of the bounds to 100 digits, from the exact and the computed partial sums of a tree.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab::testing {

/// Holds the sums of the terms tried exactly: they span 2^-73 to 2^26.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

inline Wide sum_abs_of(const TermView& terms) {
  Wide sum = 0;
  for (std::size_t i = 0; i < terms.n; ++i) sum += abs(Wide(terms.left(i)));
  return sum;
}

/// Exact partial sums of the additions of a tree, and the computed ones.
struct Nodes {
  std::vector<Wide> exact;
  std::vector<double> computed;
};

inline Nodes nodes_of(const SummationTree& tree, const TermView& terms) {
  const std::vector<double> values = evaluate(tree, terms);
  std::vector<Wide> exact;
  Nodes nodes;
  for (std::uint64_t node = 0; node < tree.node_count(); ++node) {
    if (tree.leaf(node)) {
      exact.emplace_back(terms.left(node));
      continue;
    }
    Wide sum = 0;
    for (const auto child : tree.children(node)) sum += exact[child];
    exact.push_back(sum);
    if (tree.operation(node) != Operation::add) continue;
    nodes.exact.push_back(sum);
    nodes.computed.push_back(values[node]);
  }
  return nodes;
}

/// D1: u times the sum of the computed partial sums' magnitudes.
inline Wide exact_running(const Nodes& nodes, const Wide& u) {
  Wide sum = 0;
  for (const double s : nodes.computed) sum += abs(Wide(s));
  return u * sum;
}

/// P3 with delta = eta = (1 - probability) / 2.
inline Wide exact_probabilistic(const Nodes& nodes, const Wide& u, std::uint64_t height, std::size_t n,
                                const Wide& probability) {
  Wide squares = 0;
  for (const Wide& s : nodes.exact) squares += s * s;
  const Wide failure = (1 - probability) / 2;
  const Wide h = height;
  const Wide lambda = sqrt(2 * log(Wide(2 * n) / failure));
  const Wide phi = lambda * sqrt(2 * h) * u * exp(lambda * lambda * h * u * u);
  return u * (1 + phi) * sqrt(2 * log(2 / failure)) * sqrt(squares);
}

/// P1, its lambda found by bisection: 1 - 2 n exp(-lambda^2 (1-u)^2 / 2) rises from below `probability` at 0 to 1.
inline Wide exact_higham_mary(const Wide& sum_abs, const Wide& u, std::uint64_t height, std::size_t n,
                              const Wide& probability) {
  Wide low = 0;
  Wide high = 100;
  for (int step = 0; step < 60; ++step) {
    const Wide lambda = (low + high) / 2;
    (1 - Wide(2 * n) * exp(-lambda * lambda * (1 - u) * (1 - u) / 2) < probability ? low : high) = lambda;
  }
  const Wide h = height;
  return (exp(low * sqrt(h) * u + h * u * u / (1 - u)) - 1) * sum_abs;
}

}  // namespace orderlab::testing
