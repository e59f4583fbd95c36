// Sums of drawn trees: of plain numbers against numbers with their heights.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "run/fast_paths.hpp"

using namespace orderlab;

namespace {

const Step kDrawnTree = steps::add({}, {.tree = Combination::Tree::drawn});

/// Numbers of many magnitudes and both signs, with zeros of both.
template <class T>
std::vector<T> leaves_of(std::size_t n) {
  std::vector<T> leaves;
  for (std::size_t i = 0; i < n; ++i) {
    const double sign = i % 3 == 0 ? -1.0 : 1.0;
    const double magnitude =
        i % 11 == 0 ? 0.0 : std::ldexp(1.0 + static_cast<double>(i) / 7.0, static_cast<int>(i % 29) - 14);
    leaves.push_back(static_cast<T>(sign * magnitude));
  }
  return leaves;
}

template <class T>
void check_as_interpreted(const std::vector<T>& leaves, double scale, std::uint64_t sample) {
  const RandomStream stream(3, streams::kFirstStage, sample);
  const RunningError before{.linear = 0.25, .square = 0.125, .scale = scale};
  StepMemory memory;
  Floats<T> plain(before);
  T sum{};
  run_step<Floats<T>>(kDrawnTree, plain, Input<Floats<T>>(leaves), {&sum, 1}, memory, stream);

  StepMemory other_memory;
  Heights<T> with_heights((Floats<T>(before)));
  WithHeight<T> expected{};
  Interpreter<Heights<T>> interpreter(with_heights, other_memory, stream);
  interpreter.run(kDrawnTree, Input<Heights<T>>::of_leaves(leaves), {&expected, 1});

  using SumBits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  CHECK(std::bit_cast<SumBits>(sum) == std::bit_cast<SumBits>(expected.number));
  CHECK(memory.tree_levels == expected.height);
  CHECK(plain.error().linear == with_heights.error().linear);
  CHECK(plain.error().square == with_heights.error().square);
  CHECK(plain.error().roundings == with_heights.error().roundings);
}

template <class T>
void check_trees() {
  for (std::size_t n = 1; n <= 4000; n += n < 70 ? 1 : 397) {
    CAPTURE(n);
    for (const std::uint64_t sample : {0u, 1u, 2u}) {
      check_as_interpreted(leaves_of<T>(n), 1, sample);
      check_as_interpreted(std::vector<T>(n, T(-0.0)), 1, sample);
    }
    std::vector<T> leaves = leaves_of<T>(n);
    leaves[n / 2] = std::numeric_limits<T>::infinity();
    check_as_interpreted(leaves, 1, n);
  }
}

}  // namespace

TEST_CASE("a drawn tree of plain numbers has the bits, the height and the error terms of numbers with heights") {
  check_trees<double>();
  check_trees<float>();
  check_as_interpreted(leaves_of<double>(1000), 0x1p-300, 5);
}
