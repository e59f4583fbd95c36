// Partial sums on their way through steps of several formats.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/plan.hpp"
#include "run/height_runs.hpp"
#include "run/heights.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/rounded_numbers.hpp"
#include "run/roundings.hpp"

namespace orderlab {

/// Numbers, their heights apart, and what was added up for the error bounds. Steps that add in one format run on
/// numbers of its type, with all that is fast there: each of its additions is rounded once, as those of RoundedNumbers
/// are, and what it adds are numbers of the format (FormatsAlong). RoundedNumbers are the definition, and run what is
/// left: sums that are stored narrower, and what moves partial sums of unequal heights.
class MixedSums {
 public:
  MixedSums(std::vector<double> numbers, HeightRuns heights, const RunningError& error)
      : numbers_(std::move(numbers)), heights_(std::move(heights)), error_(error) {
    error_.plain = false;
  }

  void run(std::span<const PlannedStep> steps, Draw draw) {
    while (!steps.empty()) {
      std::size_t count = 0;
      HeightRuns heights = heights_;
      const Format format = steps.front().format.add;
      while (count < steps.size() && in_one_type(steps[count], format, heights)) {
        heights = heights_after(steps[count].step, heights);
        ++count;
      }
      if (count > 0)
        run_typed(format, steps.first(count), std::move(heights), draw);
      else if (const auto* round = std::get_if<steps::Round>(&steps.front().step.is))
        round_all(round->format);
      else if (!std::holds_alternative<steps::In>(steps.front().step.is))
        run_rounded(steps.first(1), draw);
      steps = steps.subspan(std::max<std::size_t>(count, 1));
    }
  }

  const std::vector<double>& numbers() const { return numbers_; }
  const HeightRuns& heights() const { return heights_; }
  const RunningError& error() const { return error_; }

 private:
  bool in_one_type(const PlannedStep& planned, Format format, const HeightRuns& heights) const {
    if (changes_format(planned.step) || planned.format != AddFormat{format, format}) return false;
    if (error_.scale != 1 && format != Format::fp64) return false;  // as in RowErrors
    return std::holds_alternative<steps::Move>(planned.step.is) ? heights.all_equal() : !is_random(planned.step);
  }

  void run_typed(Format format, std::span<const PlannedStep> steps, HeightRuns heights, Draw draw) {
    with_type_of(format, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      std::vector<T> typed(numbers_.size());
      store(std::span(typed));
      Floats<T> arith(error_);
      Buffers<Floats<T>> buffers;
      const auto out = run_steps(steps, arith, Input<Floats<T>>(std::span<const T>(typed)), buffers, draw);
      numbers_.resize(out.size());
      load(out.values());
      error_ = arith.error();
    });
    heights_ = std::move(heights);
  }

  void round_all(Format format) { orderlab::round_all(format, numbers_, error_); }

  /// The numbers, all of which are numbers of T, as T stores them, and back.
  template <class T>
  void store(std::span<T> typed) const {
    if constexpr (sizeof(T) == sizeof(std::uint16_t))
      store_codes(kFormatOf<T>, numbers_, reinterpret_cast<std::uint16_t*>(typed.data()));
    else
      std::transform(numbers_.begin(), numbers_.end(), typed.begin(), round_to<T>);
  }
  template <class T>
  void load(std::span<const T> typed) {
    if constexpr (sizeof(T) == sizeof(std::uint16_t))
      load_codes(kFormatOf<T>, reinterpret_cast<const std::uint16_t*>(typed.data()), numbers_);
    else
      std::transform(typed.begin(), typed.end(), numbers_.begin(),
                     [](T number) { return static_cast<double>(number); });
  }

  void run_rounded(std::span<const PlannedStep> steps, Draw draw) {
    const std::vector<std::uint64_t> heights = heights_.one_by_one();
    std::vector<RoundedNumbers::Value> values;
    values.reserve(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) values.push_back({numbers_[i], heights[i]});
    RoundedNumbers arith(error_);
    Buffers<RoundedNumbers> buffers;
    const auto out = run_steps(steps, arith, Input<RoundedNumbers>(values), buffers, draw);
    error_ = arith.error();
    numbers_.resize(out.size());
    heights_ = {};
    for (std::size_t i = 0; i < out.size(); ++i) {
      numbers_[i] = out[i].number;
      heights_.append(1, out[i].height);
    }
  }

  std::vector<double> numbers_;
  HeightRuns heights_;
  RunningError error_;
};

}  // namespace orderlab
