// Heights of many partial sums, most of which are equal to their neighbours'.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace orderlab {

class HeightRuns {
 public:
  struct Run {
    std::size_t end;  ///< one past its last partial sum
    std::uint64_t height;
  };

  HeightRuns() = default;
  HeightRuns(std::size_t count, std::uint64_t height) { append(count, height); }

  void append(std::size_t count, std::uint64_t height) {
    if (count == 0) return;
    if (!runs_.empty() && runs_.back().height == height)
      runs_.back().end += count;
    else
      runs_.push_back({size() + count, height});
  }

  std::size_t size() const { return runs_.empty() ? 0 : runs_.back().end; }
  bool all_equal() const { return runs_.size() == 1; }
  std::uint64_t first() const { return runs_.front().height; }

  /// The greatest height, if all partial sums but one at most have it.
  std::optional<std::uint64_t> greatest_but_one() const {
    std::uint64_t greatest = 0;
    std::size_t others = 0;
    std::size_t begin = 0;
    for (const Run& run : runs_) greatest = std::max(greatest, run.height);
    for (const Run& run : runs_) {
      if (run.height < greatest) others += run.end - begin;
      begin = run.end;
    }
    if (runs_.empty() || others > 1) return std::nullopt;
    return greatest;
  }

  /// The run that partial sum `i` is in.
  const Run& run_of(std::size_t i) const {
    return *std::upper_bound(runs_.begin(), runs_.end(), i,
                             [](std::size_t at, const Run& run) { return at < run.end; });
  }

  /// Heights of partial sums begin, begin + step, ..., `count` of them.
  std::vector<std::uint64_t> some(std::size_t begin, std::size_t count, std::size_t step) const {
    std::vector<std::uint64_t> heights(count);
    const Run* run = count == 0 ? nullptr : &run_of(begin);
    for (std::size_t i = 0; i < count; ++i) {
      while (begin + i * step >= run->end) ++run;
      heights[i] = run->height;
    }
    return heights;
  }

  /// The heights of `count` partial sums from `begin` on.
  HeightRuns part(std::size_t begin, std::size_t count) const {
    HeightRuns some;
    for (const Run* run = &run_of(begin); some.size() < count; ++run)
      some.append(std::min(run->end - begin, count) - some.size(), run->height);
    return some;
  }

  void append(const HeightRuns& others) {
    std::size_t begin = 0;
    for (const Run& run : others.runs_) {
      append(run.end - begin, run.height);
      begin = run.end;
    }
  }

  std::vector<std::uint64_t> one_by_one() const {
    std::vector<std::uint64_t> heights;
    heights.reserve(size());
    for (const Run& run : runs_) heights.resize(run.end, run.height);
    return heights;
  }

 private:
  std::vector<Run> runs_;
};

}  // namespace orderlab
