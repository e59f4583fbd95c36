// Adding all contributions unit by unit, in the order in which the units arrive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pass.hpp"
#include "orderlab/contributions.hpp"

namespace orderlab {

/// The contributions to some outputs, sorted by unit: those of a unit stand together, in rows as they stood. Where
/// neighbours of a unit go to neighbouring outputs, as slices do, they are runs, which vectors add.
template <class T>
class UnitWalk {
 public:
  /// Contributions to outputs[i] go to sum number i.
  UnitWalk(const Contributions& rows, std::span<const std::uint32_t> outputs) {
    std::vector<std::uint32_t> next(rows.units + 1, 0);
    each_in_pass(outputs.size(), [&](std::size_t i) {
      for (std::size_t c = rows.row_begin[outputs[i]]; c < rows.row_begin[outputs[i] + 1]; ++c)
        ++next[rows.unit[c] + 1];
    });
    for (std::size_t u = 0; u < rows.units; ++u) next[u + 1] += next[u];
    std::vector<std::uint32_t> targets(next.back());
    values_.resize(next.back());
    begin_.assign(next.begin(), next.end());
    const T* const values = static_cast<const T*>(rows.values.view().x);
    each_in_pass(outputs.size(), [&](std::size_t i) {
      for (std::size_t c = rows.row_begin[outputs[i]]; c < rows.row_begin[outputs[i] + 1]; ++c) {
        const std::uint32_t place = next[rows.unit[c]]++;
        targets[place] = static_cast<std::uint32_t>(i);
        values_[place] = values[c];
      }
    });
    make_runs(targets);
    if (runs_.size() * kLeastRun > targets.size()) {
      targets_ = std::move(targets);
      runs_.clear();
      run_begin_.clear();
    }
  }

  /// Combines every contribution with sums[i], `order` being all units as they arrive.
  template <class Step>
  void run(std::span<const std::uint32_t> order, T* sums, Step step) const {
    if (!runs_.empty()) return run_runs(order, sums, step);
    const std::uint32_t* const targets = targets_.data();
    const T* const values = values_.data();
    each_in_pass(order.size(), [&](std::size_t k) {
      const std::uint32_t unit = order[k];
      for (std::size_t p = begin_[unit]; p < begin_[unit + 1]; ++p) {
        T& sum = sums[targets[p]];
        sum = step(sum, values[p]);
      }
    });
  }

 private:
  static constexpr std::size_t kLeastRun = 4;  // mean length from which runs pay; shorter ones cost more than they save

  struct Run {
    std::uint32_t target;
    std::uint32_t begin;  ///< place in values_
    std::uint32_t length;
  };

  void make_runs(const std::vector<std::uint32_t>& targets) {
    run_begin_.push_back(0);
    each_in_pass(begin_.size() - 1, [&](std::size_t unit) {
      for (std::size_t p = begin_[unit]; p < begin_[unit + 1]; ++p) {
        const bool goes_on = p > begin_[unit] && targets[p] == targets[p - 1] + 1;
        if (goes_on)
          ++runs_.back().length;
        else
          runs_.push_back({targets[p], static_cast<std::uint32_t>(p), 1});
      }
      run_begin_.push_back(static_cast<std::uint32_t>(runs_.size()));
    });
  }

  template <class Step>
  void run_runs(std::span<const std::uint32_t> order, T* sums, Step step) const {
    each_in_pass(order.size(), [&](std::size_t k) {
      const std::uint32_t unit = order[k];
      for (std::size_t j = run_begin_[unit]; j < run_begin_[unit + 1]; ++j) {
        const Run& run = runs_[j];
        T* const to = sums + run.target;
        const T* const from = values_.data() + run.begin;
        for (std::size_t l = 0; l < run.length; ++l) to[l] = step(to[l], from[l]);
      }
    });
  }

  std::vector<std::uint32_t> begin_;    ///< where each unit begins in values_
  std::vector<std::uint32_t> targets_;  ///< target of each value; empty where there are runs
  std::vector<T> values_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_begin_;  ///< where each unit begins in runs_
};

}  // namespace orderlab
