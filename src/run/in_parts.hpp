// Steps that reduce their input part by part: what a step leaves of a part is still in a near cache when the next step
// reads it, and is never in memory as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "orderlab/loop.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"

namespace orderlab {

/// How partial sums can be reduced in parts: by the first `steps` steps, in parts of `size` partial sums each.
struct Parts {
  /// Partial sums of a part: 256 KiB of doubles, twice that of products.
  static constexpr std::size_t kMost = std::size_t{1} << 15;

  /// No part is shorter.
  static constexpr std::size_t kLeast = kMost / 2;

  std::size_t steps = 0;
  std::size_t size = 0;
  std::size_t left = 0;  ///< partial sums that these steps leave of all

  static Parts of(std::span<const PlannedStep> steps) {
    Parts parts;
    std::size_t part = 1;  // the least part that all steps so far can reduce, and what they leave of it
    std::size_t left_of_part = 1;
    parts.left = steps.empty() ? 0 : steps.front().in;
    for (const PlannedStep& planned : steps) {
      const std::size_t unit = period(planned.step, planned.in);
      if (unit == 0 || unit > kMost) break;
      const std::size_t times = unit / std::gcd(unit, left_of_part);
      if (part * times > kMost) break;
      part *= times;
      left_of_part = left_of_part * times / unit * count_left(planned.step, unit);
      parts.left = planned.out;
      ++parts.steps;
    }
    parts.size = kMost / part * part;
    return parts;
  }
};

/// The parts of one input, of which steps leave their sums in `joined`.
template <class A>
class PartRuns {
 public:
  using T = typename A::Value;

  PartRuns(const Parts& parts, std::span<const PlannedStep> steps, std::span<const T> in, std::vector<T>& joined)
      : size_(parts.size), steps_(steps.first(parts.steps)), in_(in), joined_(joined), left_(size_) {
    for (const PlannedStep& planned : steps_) left_ = count_left(planned.step, left_);
    joined_.resize(parts.left);
  }

  /// One after the other.
  void run(A& arith, Buffers<A>& buffers) {
    for (std::size_t p = 0; p < count(); ++p) run_part(p, arith, buffers);
  }

  /// At once where all that a part notes for the error bounds is noted by rows: then it is logged, and added up in
  /// order at the end.
  void run(A& arith, Buffers<A>& buffers, const Loop& loop) requires(kInRows<A>&& A::kCollects) {
    constexpr std::size_t kAtOnce = 8;
    const std::size_t last = count() - 1;  // often of a shape of its own
    std::vector<Log> logs(last);
    if (last > kAtOnce) run_logged(0, arith.error().scale, buffers, logs[0]);
    const bool worth = last > kAtOnce && logs[0].complete;
    if (worth)
      loop_over(
          last - 1, loop,
          [&](std::size_t first, std::size_t some) {
            Buffers<A> own;
            for (std::size_t p = first + 1; p < first + 1 + some; ++p) run_logged(p, arith.error().scale, own, logs[p]);
          },
          kAtOnce);
    for (std::size_t p = 0; p <= last; ++p)
      if (worth && p < last && logs[p].complete)
        for (const RowsNoted& noted : logs[p].noted) arith.absorb(noted);
      else
        run_part(p, arith, buffers);
  }

 private:
  struct Log {
    std::vector<RowsNoted> noted;
    bool complete = false;  ///< nothing else was added up; the last part, which is not logged, sets all flags
  };

  std::size_t count() const { return (in_.size() + size_ - 1) / size_; }

  void run_part(std::size_t p, A& arith, Buffers<A>& buffers) {
    const auto part = in_.subspan(p * size_, std::min(size_, in_.size() - p * size_));
    const auto left = run_steps(steps_, arith, Input<A>(part), buffers, {}).values();
    std::copy(left.begin(), left.end(), joined_.begin() + static_cast<std::ptrdiff_t>(p * left_));
  }

  void run_logged(std::size_t p, double scale, Buffers<A>& buffers, Log& log) {
    A arith(RunningError{.scale = scale});
    arith.log_rows(&log.noted);
    run_part(p, arith, buffers);
    std::uint64_t logged = 0;
    for (const RowsNoted& noted : log.noted) logged += noted.roundings;
    log.complete = arith.error().roundings == logged && arith.error().allowances == 0;
  }

  std::size_t size_;
  std::span<const PlannedStep> steps_;
  std::span<const T> in_;
  std::vector<T>& joined_;
  std::size_t left_;  ///< what a full part leaves
};

/// run_steps() in parts where that is faster. The result is in `buffers` or in `joined`, or it is `in` if there are no
/// steps; `joined` is written only when parts are used. Nothing depends on the loop.
template <class A>
Input<A> run_in_parts(std::span<const PlannedStep> steps, A& arith, Input<A> in, Buffers<A>& buffers,
                      std::vector<typename A::Value>& joined, const Loop& loop = serial_loop, Draw draw = {}) {
  if (const Parts parts = in.size() < Parts::kLeast ? Parts() : Parts::of(steps);
      parts.steps > 1 && parts.size < in.size()) {
    PartRuns<A> runs(parts, steps, in.values(), joined);
    if constexpr (kInRows<A> && A::kCollects)
      runs.run(arith, buffers, loop);
    else
      runs.run(arith, buffers);
    in = Input<A>(std::span<const typename A::Value>(joined));
    steps = steps.subspan(parts.steps);
  }
  return run_steps(steps, arith, in, buffers, draw);
}

}  // namespace orderlab
