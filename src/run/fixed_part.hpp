// What steps before the first random one leave: it is the same in every sample, so it is computed once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "run/height_runs.hpp"
#include "run/heights.hpp"
#include "run/in_parts.hpp"
#include "run/leaves.hpp"
#include "run/plan_run.hpp"

namespace orderlab {

/// Numbers and heights go apart: most heights are equal, and numbers without tags can be added in vectors. Only where a
/// step moves partial sums of unequal heights do they go together from there on.
template <class N>
class FixedPart {
 public:
  using T = typename NumberTraits<N>::Rounded;

  /// Runs the fixed steps of the plan on the leaves.
  FixedPart(const Plan& plan, const Leaves<N>& leaves, const Loop& loop)
      : FixedPart(plan.fixed_steps(), plan.heights(), leaves, loop) {}

  /// Runs steps that begin a plan on the leaves; `of` is heights_of them, and has to outlive this.
  FixedPart(std::span<const PlannedStep> steps, const PlanHeights& of, const Leaves<N>& leaves, const Loop& loop)
      : leaves_(leaves), loop_(loop), error_(leaves.error()), heights_(&of.left) {
    if (steps.empty()) {
      error_.scale = leaves.scale();
      return;
    }
    const std::size_t apart = of.steps_apart;
    Buffers<Floats<N>> buffers;
    auto left = apart < steps.size() ? run_scaled(steps.first(apart), buffers) : run_numbers(steps, buffers);
    if (apart < steps.size()) {
      run_together(steps.subspan(apart), left);
      return;
    }
    if (!scale_fits(left)) left = run_scaled(steps, buffers);
    // They may lie in numbers_ already: run_in_parts() has no other use for it.
    if (!left.begins(numbers_.data())) numbers_ = std::vector<N>(left.values().begin(), left.values().end());
  }
  FixedPart(std::span<const PlannedStep>, const PlanHeights&&, const Leaves<N>&, const Loop&) = delete;
  FixedPart(const FixedPart&) = delete;
  FixedPart& operator=(const FixedPart&) = delete;

  /// The partial sums that are left, and their heights; no numbers where there was no step.
  std::vector<N> take_numbers() { return std::move(numbers_); }
  const HeightRuns& heights() const { return *heights_; }

  /// What was added up for the error bounds, conversions included.
  const RunningError& error() const { return error_; }

 private:
  Input<Floats<N>> run_numbers(std::span<const PlannedStep> steps, Buffers<Floats<N>>& buffers) {
    Floats<N> arith(error_);
    const auto out = run_in_parts(steps, arith, Input<Floats<N>>(leaves_.view()), buffers, numbers_, loop_);
    error_ = arith.error();
    return out;
  }

  Input<Floats<N>> run_scaled(std::span<const PlannedStep> steps, Buffers<Floats<N>>& buffers) {
    error_ = leaves_.error();
    error_.scale = leaves_.scale();
    return run_numbers(steps, buffers);
  }

  // Whether squares that were added up with scale 1 are as good as scaled ones, so that no pass over all terms has to
  // find a scale; here of (u s)^2, in rows of s^2 (RowErrors). In [2^-600, 2^800]: what underflowed in 2^48 of them,
  // 2^-1022 each, is lost in a double. No partial sum up to here is above 2^(400 + 64), and if those left are below
  // 2^430, none of 2^40 later ones reaches 2^471; the sum of their squares stays below 2^(2 * 471 + 40) = 2^982. More
  // do not fit into any memory. The squares of narrower formats fit in any case.
  bool scale_fits(const Input<Floats<N>>& left) const {
    if constexpr (info(kFormatOf<T>).precision < info(Format::fp64).precision) return true;
    if (!(error_.square >= 0x1p-600 && error_.square <= 0x1p800)) return false;
    const auto fits = [](const N& n) { return std::fabs(static_cast<double>(NumberTraits<N>::rounded(n))) < 0x1p430; };
    return std::all_of(left.values().begin(), left.values().end(), fits);
  }

  void run_together(std::span<const PlannedStep> steps, const Input<Floats<N>>& numbers) {
    std::vector<typename Heights<N>::Value> values;
    values.reserve(numbers.size());
    const std::vector<std::uint64_t> heights = heights_->one_by_one();
    for (std::size_t i = 0; i < heights.size(); ++i) values.push_back({numbers[i], heights[i]});
    Heights<N> arith((Floats<N>(error_)));
    Buffers<Heights<N>> buffers;
    const auto out = run_steps(steps, arith, Input<Heights<N>>(values), buffers, {});
    error_ = arith.error();
    heights_ = &heights_together_;
    numbers_ = {};
    numbers_.reserve(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      numbers_.push_back(out[i].number);
      heights_together_.append(1, out[i].height);
    }
  }

  const Leaves<N>& leaves_;
  const Loop& loop_;
  RunningError error_;
  std::vector<N> numbers_;
  const HeightRuns* heights_;
  HeightRuns heights_together_;  ///< where numbers and heights went together
};

}  // namespace orderlab
