// Revealing the order of a black box: random pivots and certificates beside FPRev's algorithm, which always pairs the
// first leaf of a subtree with all others [Xie2024]. Counter `calls`: of the box, each O(n).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/probe.hpp"
#include "probe/certificate.hpp"
#include "probe/pair_sizes.hpp"
#include "probe/reveal.hpp"

namespace {

using orderlab::AskedBox;
using orderlab::BoxMaker;
using orderlab::PairSizes;
using orderlab::TermView;
using orderlab::TreeShape;
using Node = TreeShape::Node;

constexpr orderlab::Masks kMasks{127, 0, std::size_t{1} << 24};

float left_to_right(const float* x, std::size_t n) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

float right_to_left(const float* x, std::size_t n) {
  float sum = 0;
  for (std::size_t i = n; i-- > 0;) sum += x[i];
  return sum;
}

float right_to_left_in_eights(const float* x, std::size_t n) {
  float sum = 0;
  for (std::size_t end = n; end > 0; end -= std::min<std::size_t>(8, end))
    sum += right_to_left(x + end - std::min<std::size_t>(8, end), std::min<std::size_t>(8, end));
  return sum;
}

float balanced(const float* x, std::size_t n) {
  return n == 1 ? x[0] : balanced(x, n / 2) + balanced(x + n / 2, n - n / 2);
}

float eight_lanes(const float* x, std::size_t n) {
  std::array<float, 8> lanes{};
  for (std::size_t i = 0; i < n; ++i) lanes[i % 8] += x[i];
  return balanced(lanes.data(), lanes.size());
}

using Sum = float (*)(const float*, std::size_t);

struct NamedSum {
  const char* name;
  Sum sum;
};

constexpr NamedSum kSums[] = {{"left_to_right", left_to_right},
                              {"right_to_left", right_to_left},
                              {"right_to_left_in_eights", right_to_left_in_eights},
                              {"balanced", balanced},
                              {"eight_lanes", eight_lanes}};

// A box, and the sizes that it shows. Pinned: they point at each other.
struct Asked {
  Asked(Sum sum, std::size_t n)
      : box(orderlab::function_box("a loop",
                                   [sum](const TermView& terms) {
                                     return static_cast<double>(sum(static_cast<const float*>(terms.x), terms.n));
                                   }),
            {.n = n}, watch),
        sizes(box, kMasks) {}
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  orderlab::ProbeWatch watch;
  AskedBox box;
  PairSizes sizes;
};

// FPRev: the first leaf is the pivot.
Node first_pivot(PairSizes& sizes, const std::vector<Node>& leaves, TreeShape& shape) {
  Node node = leaves.front();
  std::map<std::size_t, std::vector<Node>> by_size;
  for (std::size_t k = 1; k < leaves.size(); ++k) by_size[sizes.measure({leaves[0], leaves[k]})].push_back(leaves[k]);
  for (const auto& [size, group] : by_size) node = shape.join(std::array{node, first_pivot(sizes, group, shape)});
  return node;
}

void fprev(benchmark::State& state, Sum sum, std::size_t n) {
  std::uint64_t calls = 0;
  for (auto _ : state) {
    Asked asked(sum, n);
    TreeShape shape(n);
    std::vector<Node> leaves(n);
    for (std::size_t i = 0; i < n; ++i) leaves[i] = static_cast<Node>(i);
    benchmark::DoNotOptimize(first_pivot(asked.sizes, leaves, shape));
    calls = asked.box.calls();
  }
  state.counters["calls"] = static_cast<double>(calls);
}

void random_pivots(benchmark::State& state, Sum sum, std::size_t n) {
  std::uint64_t calls = 0;
  std::uint64_t key = 0;
  for (auto _ : state) {
    Asked asked(sum, n);
    benchmark::DoNotOptimize(reveal(asked.sizes, key++));
    calls += asked.box.calls();
  }
  state.counters["calls"] = static_cast<double>(calls) / static_cast<double>(key);
}

void certificate(benchmark::State& state, Sum sum, std::size_t n) {
  Asked known(sum, n);
  const TreeShape shape = *reveal(known.sizes);
  std::uint64_t calls = 0;
  for (auto _ : state) {
    Asked asked(sum, n);
    benchmark::DoNotOptimize(certify(shape, asked.sizes));
    calls = asked.box.calls();
  }
  state.counters["calls"] = static_cast<double>(calls);
}

[[maybe_unused]] const int kRegistered = [] {
  for (const NamedSum& named : kSums)
    for (const std::size_t n : {std::size_t{64}, std::size_t{256}, std::size_t{1024}}) {
      const std::string end = std::string("/") + named.name + "/" + std::to_string(n);
      const auto add = [&](const char* name, auto function) {
        benchmark::RegisterBenchmark((std::string("probe/") + name + end).c_str(), function, named.sum, n)
            ->Unit(benchmark::kMillisecond);
      };
      add("fprev", fprev);
      add("random_pivots", random_pivots);
      add("certificate", certificate);
    }
  return 0;
}();

}  // namespace
