#include "inference/rank_sums.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "inference/drawn_numbers.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

TEST_CASE("ranks are added in the order that the rule of the all-reduce names") {
  for (const std::size_t numbers : std::vector<std::size_t>{48, 50, 77})
    for (const Format format : {Format::bf16, Format::fp16})
      for (const std::size_t ranks : std::vector<std::size_t>{2, 3, 4, 8})
        for (const AllReduceAlgorithm algorithm : {AllReduceAlgorithm::one_shot, AllReduceAlgorithm::two_shot,
                                                   AllReduceAlgorithm::ring, AllReduceAlgorithm::tree}) {
          CAPTURE(numbers);
          CAPTURE(ranks);
          CAPTURE(name_of(algorithm));
          const std::vector<float> parts = testing::drawn_numbers(ranks * numbers, ranks, format);
          std::vector<float> out(numbers);
          add_ranks(parts.data(), ranks, numbers, {0, numbers}, algorithm, format, out);
          const std::size_t chunk_size = (numbers + ranks - 1) / ranks;
          for (std::size_t i = 0; i < numbers; ++i) {
            const AllReduceKernel kernel = all_reduce_kernel_of(algorithm, ranks, i / chunk_size);
            Terms terms(format, ranks);
            for (std::size_t r = 0; r < ranks; ++r) terms.set(r, static_cast<double>(parts[r * numbers + i]));
            const Format sums = kernel.rounded_each_hop ? format : Format::fp32;
            const auto plan = compile(parse_order(kernel.order), ranks, {format, sums, format});
            CAPTURE(i);
            REQUIRE(static_cast<double>(out[i]) == sum_of(*plan, terms.view()));
          }
        }
}

TEST_CASE("a row of a batch is reduced by the chunks of the whole batch") {
  constexpr std::size_t kRanks = 2;
  constexpr std::size_t kWidth = 4;
  const std::vector<float> parts{1, 1, 1, 1, 0x1p-24F, 0x1p-24F, 0x1p-24F, 0x1p-24F};
  std::vector<float> whole(kWidth);
  add_ranks(parts.data(), kRanks, kWidth, {0, 2 * kWidth}, AllReduceAlgorithm::two_shot, Format::fp32, whole);
  std::vector<float> halves(kWidth);
  add_ranks(parts.data(), kRanks, kWidth, {0, kWidth}, AllReduceAlgorithm::two_shot, Format::fp32, halves);
  CHECK(whole == halves);  // two numbers have one sum
  const std::vector<float> three{1, 1, 1, 0x1p-24F, 0x1p-24F, 0x1p-24F, 0x1p-24F, 0x1p-24F, 0x1p-24F};
  std::vector<float> first(3);
  add_ranks(three.data(), 3, 3, {0, 9}, AllReduceAlgorithm::two_shot, Format::fp32, first);
  CHECK(first == std::vector<float>{1, 1, 1});  // all in chunk 0, from rank 0 on
  add_ranks(three.data(), 3, 3, {0, 3}, AllReduceAlgorithm::two_shot, Format::fp32, first);
  CHECK(first == std::vector<float>{1, 1.0F + 0x1p-23F, 1});  // a chunk each: rank 1 first adds the small ones
}

}  // namespace orderlab
