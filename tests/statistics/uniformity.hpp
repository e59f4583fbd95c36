// Pearson's chi-square test of an order against the uniform distribution over the cells that its trees fall into.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/sample.hpp"

namespace orderlab::testing {

/// Fixed beforehand, as are the number of samples and the threshold.
inline constexpr std::uint64_t kSeeds = 20;
inline constexpr std::uint64_t kSamples = 1'000'000;
inline constexpr double kLeastP = 1e-5;

/// What one seed gave: how often each cell was drawn, and the cell's sum.
struct Cell {
  std::uint64_t count = 0;
  std::uint64_t bits = 0;
};
using Cells = std::map<std::uint64_t, Cell>;

inline double to_double(std::uint64_t count) { return static_cast<double>(count); }

/// P(chi-square >= the observed one) for counts that should be equal over `cells` cells; cells expecting fewer than 5
/// are pooled until they expect as many.
inline double chi_square_p(const Cells& observed, std::uint64_t cells) {
  const double expectation = to_double(kSamples) / to_double(cells);
  std::vector<double> counts;
  for (const auto& [key, cell] : observed) counts.push_back(to_double(cell.count));
  counts.resize(std::max<std::size_t>(cells, counts.size()), 0.0);
  double chi_square = 0;
  double groups = 0;
  double pooled = 0;
  double pooled_expectation = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    pooled += counts[i];
    pooled_expectation += expectation;
    const double left = expectation * to_double(counts.size() - 1 - i);
    if (pooled_expectation < 5 || (left > 0 && left < 5)) continue;
    chi_square += (pooled - pooled_expectation) * (pooled - pooled_expectation) / pooled_expectation;
    ++groups;
    pooled = pooled_expectation = 0;
  }
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(groups - 1), chi_square));
}

/// Cells of samples 0 .. kSamples-1 by the trees that the evaluator says it adds up.
template <class CellOf>
Cells draw_cells(const Evaluator& evaluator, const TermView& terms, CellOf cell_of) {
  Cells cells;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    const SummationTree tree = evaluator.tree(i);
    Cell& cell = cells[cell_of(tree)];
    if (cell.count++ == 0)
      cell.bits = round_to_bits(evaluator.formats().result, evaluate(tree, terms)[tree.roots()[0]]);
  }
  return cells;
}

/// All seeds: every cell is hit, the smallest p-value is above kLeastP, and the sums that sample() counts are exactly
/// those of the trees drawn.
template <class CellOf>
void check_uniform(const std::string& order, const std::vector<double>& terms, std::uint64_t cells, CellOf cell_of) {
  const TermView view = view_of(terms.data(), terms.size());
  std::vector<Cells> drawn(kSeeds);
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < kSeeds; i = next++)
      drawn[i] = draw_cells(*Evaluator::make(parse_order(order), view, Formats(), i + 1), view, cell_of);
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(work);
  work();
  threads.clear();

  double least = 1;
  for (std::uint64_t i = 0; i < kSeeds; ++i) {
    const std::uint64_t seed = i + 1;
    CAPTURE(seed);
    CHECK(drawn[i].size() == cells);
    const double p = chi_square_p(drawn[i], cells);
    MESSAGE(order << ", seed " << seed << ": p = " << p);
    least = std::min(least, p);

    std::map<std::uint64_t, std::uint64_t> sums;
    for (const auto& [key, cell] : drawn[i]) sums[cell.bits] += cell.count;
    std::map<std::uint64_t, std::uint64_t> counted;
    const auto evaluator = Evaluator::make(parse_order(order), view, Formats(), seed);
    for (const Weighted& r : sample(*evaluator, CountingFrame(), {.end = kSamples}).results().values)
      counted[bits_of(Format::fp64, r.value)] = static_cast<std::uint64_t>(r.weight);
    CHECK(counted == sums);
  }
  MESSAGE(order << ": smallest of " << kSeeds << " p-values " << least);
  CHECK(least > kLeastP);
}

/// Key of a left-to-right sum: its leaves in the order in which they are added, one octal digit each.
inline std::uint64_t permutation_of(const SummationTree& tree) {
  std::uint64_t key = 0;
  std::uint64_t place = 1;
  SummationTree::Node node = tree.roots()[0];
  while (!tree.leaf(node)) {
    const auto children = tree.children(node);
    if (children.size() == 2) {
      key += children[1] * place;
      place *= 8;
    }
    node = children[0];
  }
  return key + node * place;
}

}  // namespace orderlab::testing
