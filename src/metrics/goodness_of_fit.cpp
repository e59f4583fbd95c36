#include "metrics/goodness_of_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "orderlab/philox.hpp"
#include "vectors/permutation.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {

namespace {

using Cells = std::vector<std::uint32_t>;

/// Sorts cell numbers below `cell_count`: by counting where the cells are few.
class CellSorter {
 public:
  explicit CellSorter(std::size_t cell_count) : counts_(cell_count) {}

  void sort(Cells& cells) {
    if (cells.size() < counts_.size() / 16) {
      std::sort(cells.begin(), cells.end());
      return;
    }
    for (const std::uint32_t cell : cells) ++counts_[cell];
    auto at = cells.begin();
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
      at = std::fill_n(at, counts_[cell], static_cast<std::uint32_t>(cell));
      counts_[cell] = 0;
    }
  }

 private:
  std::vector<std::uint32_t> counts_;
};

/// p = (1 + #{simulations at least as extreme}) / (M + 1); `extreme(stream)` runs the simulation of that stream.
template <class Extreme>
std::optional<double> simulated_p(const SimulationOptions& options, Extreme extreme) {
  constexpr std::uint64_t kSimulationsBetweenReports = 64;
  std::uint64_t extremes = 0;
  for (std::uint64_t s = 0; s < options.simulations; ++s) {
    if (options.stop.stop_requested()) return std::nullopt;
    if (options.progress && s % kSimulationsBetweenReports == 0) options.progress(s, options.simulations);
    if (extreme(RandomStream(options.seed, streams::kGoodnessOfFit, s))) ++extremes;
  }
  return static_cast<double>(extremes + 1) / static_cast<double>(options.simulations + 1);
}

/// Draws cells with given probabilities, by inversion of 64-bit words.
class CellDrawer {
 public:
  explicit CellDrawer(std::span<const double> probabilities) {
    double below = 0;
    for (const double p : probabilities) below_.push_back(below += p);
    for (double& limit : below_) limit /= below;  // roundings: the last is 1 and no word lies beyond it
  }

  /// Cell j from 64-bit word j of the stream.
  void draw(const RandomStream& stream, Cells& cells) const {
    const std::size_t blocks = (cells.size() + 1) / 2;
    visit_philox_blocks(stream, 0, blocks, [&](std::size_t begin, std::span<std::uint64_t> low, auto high) {
      for (std::size_t k = 0; k < low.size(); ++k) {
        const std::size_t j = 2 * (begin + k);
        cells[j] = cell_of(low[k]);
        if (j + 1 < cells.size()) cells[j + 1] = cell_of(high[k]);
      }
    });
  }

 private:
  std::uint32_t cell_of(std::uint64_t word) const {
    const double uniform = static_cast<double>(word >> 11) * 0x1p-53;  // in [0, 1), exact
    return static_cast<std::uint32_t>(std::upper_bound(below_.begin(), below_.end(), uniform) - below_.begin());
  }

  std::vector<double> below_;
};

/// G / 2 = sum c ln(c / (n p)) and what its roundings can amount to.
class LikelihoodRatio {
 public:
  struct Value {
    double value;
    double slack;
  };

  LikelihoodRatio(std::span<const double> probabilities, std::size_t n) : n_(n) {
    for (const double p : probabilities) log_expected_.push_back(std::log(p * static_cast<double>(n)));
    for (std::size_t c = 0; c <= n; ++c) log_count_.push_back(std::log(static_cast<double>(c)));
  }

  Value of(const Cells& sorted) const {
    double sum = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t end = i;
      while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
      const double count = static_cast<double>(end - i);
      const double from_count = log_count_[end - i];
      const double from_cell = log_expected_[sorted[i]];
      sum += count * (from_count - from_cell);
      magnitude += count * (std::fabs(from_count) + std::fabs(from_cell) + 1);
      i = end;
    }
    // At most n additions and a handful of roundings a cell (an ulp for a logarithm; its argument's, hence the 1), each
    // at most 2^-53 of `magnitude`.
    return {sum, static_cast<double>(n_ + 8) * 0x1p-53 * magnitude};
  }

 private:
  std::size_t n_;
  std::vector<double> log_expected_;
  std::vector<double> log_count_;
};

/// Largest |n_pool * (drawn at or below) - n_drawn * (pool at or below)| over all values: the distance of the two ECDFs
/// times both sizes. Between two drawn values the difference is monotone, so its extremes are next to drawn values.
std::uint64_t ecdf_distance(const Cells& sorted, const std::vector<std::uint64_t>& pool_below) {
  __extension__ using Wide = __int128;
  const auto drawn_size = static_cast<Wide>(sorted.size());
  const auto pool_size = static_cast<Wide>(pool_below.back());
  Wide largest = 0;
  const auto see = [&](std::size_t drawn, std::uint64_t pooled) {
    const Wide difference = pool_size * static_cast<Wide>(drawn) - drawn_size * static_cast<Wide>(pooled);
    largest = std::max(largest, difference < 0 ? -difference : difference);
  };
  for (std::size_t i = 0; i < sorted.size();) {
    const std::uint32_t cell = sorted[i];
    see(i, pool_below[cell]);
    while (i < sorted.size() && sorted[i] == cell) ++i;
    see(i, pool_below[cell + std::size_t{1}]);
  }
  return static_cast<std::uint64_t>(largest);  // sizes are below 2^32
}

/// Makes pool[0 .. count-1] a uniform subset: the first steps of a Fisher-Yates shuffle, for any order of the pool.
void draw_subset(std::vector<std::uint32_t>& pool, std::size_t count, const RandomStream& stream) {
  std::array<std::uint32_t, kDrawsAhead> buffer;
  for (std::size_t first = 0; first < count; first += kDrawsAhead) {
    const auto picks = std::span(buffer).first(std::min(count - first, kDrawsAhead));
    draw_below(stream, static_cast<std::uint32_t>(pool.size() - first), ~0u, first, picks);
    for (std::size_t k = 0; k < picks.size(); ++k) std::swap(pool[first + k], pool[first + k + picks[k]]);
  }
}

}  // namespace

std::optional<double> multinomial_p(std::span<const std::uint64_t> counts, std::span<const double> probabilities,
                                    const SimulationOptions& options) {
  if (counts.size() == 1) return 1;  // every draw falls into the only cell
  Cells cells;
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    cells.insert(cells.end(), counts[cell], static_cast<std::uint32_t>(cell));
  const LikelihoodRatio ratio(probabilities, cells.size());
  const LikelihoodRatio::Value observed = ratio.of(cells);
  const CellDrawer drawer(probabilities);
  CellSorter sorter(counts.size());
  return simulated_p(options, [&](const RandomStream& stream) {
    drawer.draw(stream, cells);
    sorter.sort(cells);
    const LikelihoodRatio::Value simulated = ratio.of(cells);
    return simulated.value >= observed.value - observed.slack - simulated.slack;  // equal but for roundings: a tie
  });
}

std::optional<double> two_sample_p(std::span<const TwoSampleCount> values, const SimulationOptions& options) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (const TwoSampleCount& v : values) {
    first += v.first;
    second += v.second;
  }
  // |ECDF of the second - ECDF of both| is first / second times that of the first: the smaller one will do.
  const bool take_first = first <= second;
  std::vector<std::uint64_t> pool_below{0};
  Cells pool;
  Cells drawn;
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    const TwoSampleCount& v = values[cell];
    pool_below.push_back(pool_below.back() + v.first + v.second);
    pool.insert(pool.end(), v.first + v.second, static_cast<std::uint32_t>(cell));
    drawn.insert(drawn.end(), take_first ? v.first : v.second, static_cast<std::uint32_t>(cell));
  }
  const std::uint64_t observed = ecdf_distance(drawn, pool_below);
  CellSorter sorter(values.size());
  return simulated_p(options, [&](const RandomStream& stream) {
    draw_subset(pool, drawn.size(), stream);
    std::copy_n(pool.begin(), drawn.size(), drawn.begin());
    sorter.sort(drawn);
    return ecdf_distance(drawn, pool_below) >= observed;
  });
}

}  // namespace orderlab
