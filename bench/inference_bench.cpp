// Ordered products of a language model: one row of tokens after the other, and many at once; items are multiply-adds.
// One thread.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/arena.hpp"
#include "inference/ordered_product.hpp"
#include "orderlab/format.hpp"

namespace {

using namespace orderlab;

constexpr std::size_t kWidth = 1024;

void product(benchmark::State& state, Format format, std::size_t rows, const ProductSplit& split) {
  const std::vector<float> x(rows * kWidth, 0.5F);
  const std::vector<std::byte> weights(kWidth * kWidth * info(format).held_bytes());  // all 0
  const WeightMatrix w{.format = format, .rows = kWidth, .columns = kWidth, .numbers = weights.data()};
  std::vector<float> out(rows * kWidth);
  with_threads(1, [&](std::size_t) {
    for (auto _ : state) {
      ordered_product(x.data(), rows, w, format, {0, kWidth}, split, {}, out.data());
      benchmark::DoNotOptimize(out.data());
    }
    return true;
  });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows * kWidth * kWidth));
}

/// The plain loop: one output after the other.
void plain_loop(benchmark::State& state) {
  const std::vector<float> x(kWidth, 0.5F);
  const std::vector<float> w(kWidth * kWidth, 0.25F);
  for (auto _ : state)
    for (std::size_t o = 0; o < kWidth; ++o) {
      float sum = 0;
      for (std::size_t k = 0; k < kWidth; ++k) sum += x[k] * w[o * kWidth + k];
      benchmark::DoNotOptimize(sum);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kWidth * kWidth));
}

int register_all() {
  benchmark::RegisterBenchmark("plain_loop/fp32", plain_loop);
  for (const Format format : {Format::bf16, Format::fp16, Format::fp32})
    for (const std::size_t rows : std::vector<std::size_t>{1, 200, 2000})
      benchmark::RegisterBenchmark(
          ("ordered_product/" + std::string(info(format).name) + "/rows:" + std::to_string(rows)).c_str(), product,
          format, rows, ProductSplit{});
  benchmark::RegisterBenchmark("ordered_product/bf16/rows:2000/splits:4", product, Format::bf16, 2000,
                               ProductSplit{4, Format::bf16});
  return 0;
}

const int kRegistered = register_all();

}  // namespace
