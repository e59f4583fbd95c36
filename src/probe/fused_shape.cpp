#include "probe/fused_shape.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace orderlab {

namespace {

// `halves` adds products k with k mod 4 below 2 first.
bool in_first_half(std::size_t k) { return (k & 2) == 0; }

std::size_t lost_in_run(const FusedShape& shape, std::size_t n, std::size_t j) {
  const std::size_t begin = j / shape.length * shape.length;
  const std::size_t end = std::min(n, begin + shape.length);
  const bool first = begin == 0;
  switch (shape.step) {
    case FusedStep::chain:
      return j + 1;
    case FusedStep::exact:  // nothing within a step; all before it
      return first ? 2 : begin + 1;
    case FusedStep::pairs:
      return first ? std::min(end, std::bit_ceil(j + 1)) : end;
    case FusedStep::halves:
      return first && in_first_half(j) ? end / 4 * 2 + std::min<std::size_t>(end % 4, 2) : end;
    case FusedStep::two_chains:
      return first && j % 2 == 0 ? j / 2 + 1 : end;
    case FusedStep::swapped_pairs:
      return std::max<std::size_t>(((j ^ 1) < n ? j ^ 1 : j) + 1, 2);
    default:
      return end;
  }
}

bool loses(const FusedShape& shape, std::span<const std::size_t> lost) {
  for (std::size_t j = 1; j <= lost.size(); ++j)
    if (lost_products(shape, lost.size() + 1, j) != lost[j - 1]) return false;
  return true;
}

// Lengths that a kind of step has, n or more being one of them.
std::vector<std::size_t> lengths_of(FusedStep step, std::size_t n) {
  if (step == FusedStep::chain) return {1};
  if (step == FusedStep::swapped_pairs) return {2};
  std::vector<std::size_t> lengths;
  if (step == FusedStep::pairs) {
    for (std::size_t length = 2; length < 2 * n; length *= 2) lengths.push_back(length);
    return lengths;
  }
  const std::size_t unit = step == FusedStep::halves || step == FusedStep::two_chains ? 4 : 1;
  for (std::size_t length = unit == 1 ? 2 : unit; length < n + unit; length += unit) lengths.push_back(length);
  return lengths;
}

// Runs at whose end all before is lost, and no place before has lost more.
std::vector<std::size_t> possible_runs(std::span<const std::size_t> lost) {
  const std::size_t n = lost.size() + 1;
  std::vector<std::size_t> runs{0};
  std::size_t most = 0;
  for (std::size_t j = 1; j < n; ++j) {
    if (most <= j && lost[j - 1] == std::min(n, 2 * j)) runs.push_back(j);
    most = std::max(most, lost[j - 1]);
  }
  return runs;
}

}  // namespace

std::size_t lost_products(const FusedShape& shape, std::size_t n, std::size_t j) {
  if (shape.run == 0 || shape.run >= n) return lost_in_run(shape, n, j);
  const std::size_t run = j / shape.run;
  return run == 0 ? lost_in_run(shape, shape.run, j) : std::min(n, (run + 1) * shape.run);
}

std::vector<FusedShape> shapes_that_lose(std::span<const std::size_t> lost) {
  constexpr FusedStep kSteps[] = {FusedStep::chain,  FusedStep::aligned,    FusedStep::exact,        FusedStep::pairs,
                                  FusedStep::halves, FusedStep::two_chains, FusedStep::swapped_pairs};
  std::vector<FusedShape> found;
  for (const std::size_t run : possible_runs(lost))
    for (const FusedStep step : kSteps)
      for (const std::size_t length : lengths_of(step, run == 0 ? lost.size() + 1 : run))
        if (const FusedShape shape{step, length, run}; loses(shape, lost)) found.push_back(shape);
  return found;
}

std::vector<std::size_t> aligned_places(const FusedShape& shape, std::size_t n) {
  const std::size_t end = std::min({n, shape.length, shape.run == 0 ? n : shape.run});
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < end; ++k)
    if (shape.step != FusedStep::halves || in_first_half(k)) places.push_back(k);
  return places;
}

}  // namespace orderlab
