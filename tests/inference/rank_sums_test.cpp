#include "inference/rank_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "inference/drawn_numbers.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

TEST_CASE("ranks are added in the order that the rule of the all-reduce names") {
  constexpr std::size_t kVector = 8;  // numbers of 16 bits in 16 bytes
  for (const std::size_t numbers : std::vector<std::size_t>{48, 77, 192})
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
          std::vector<std::size_t> begins;  // of the parts of ranks 1, 2, ...
          for (std::size_t r = 1; r < ranks; ++r)
            begins.push_back(algorithm == AllReduceAlgorithm::two_shot ? numbers / kVector / ranks * kVector * r
                                                                       : (numbers * r + ranks - 1) / ranks);
          for (std::size_t i = 0; i < numbers; ++i) {
            const auto part = static_cast<std::size_t>(
                std::count_if(begins.begin(), begins.end(), [i](std::size_t begin) { return begin <= i; }));
            const AllReduceKernel kernel = all_reduce_kernel_of(algorithm, ranks, part);
            Terms terms(format, ranks);
            for (std::size_t r = 0; r < ranks; ++r) terms.set(r, static_cast<double>(parts[r * numbers + i]));
            const Format sums = kernel.rounded_each_hop ? format : Format::fp32;
            const auto plan = compile(parse_order(kernel.order), ranks, {format, sums, format});
            CAPTURE(i);
            REQUIRE(static_cast<double>(out[i]) == sum_of(*plan, terms.view()));
          }
        }
}

TEST_CASE("a row of a batch is reduced by the parts of the whole batch") {
  const auto first_of = [](const std::vector<float>& parts, std::size_t all, AllReduceAlgorithm algorithm) {
    std::vector<float> first(parts.size() / 3);
    add_ranks(parts.data(), 3, first.size(), {0, all}, algorithm, Format::fp32, first);
    return first;
  };
  constexpr float kSmall = 0x1p-24F;
  constexpr float kFromSmall = 1 + 0x1p-23F;  // the small ones are added first
  const std::vector<float> three{1, 1, 1, kSmall, kSmall, kSmall, kSmall, kSmall, kSmall};
  // Parts of a ring begin at the rank after their own.
  CHECK(first_of(three, 9, AllReduceAlgorithm::ring) == std::vector<float>(3, kFromSmall));
  CHECK(first_of(three, 3, AllReduceAlgorithm::ring) == std::vector<float>{kFromSmall, 1, 1});
  // Of two shots, at their own. A part has whole vectors of 4; too few for all ranks are in the last part.
  std::vector<float> twelve(36, kSmall);
  std::fill_n(twelve.begin(), 12, 1.0F);
  const std::vector<float> in_vectors = first_of(twelve, 12, AllReduceAlgorithm::two_shot);
  std::vector<float> expected(12, 1);
  std::fill_n(expected.begin() + 4, 4, kFromSmall);
  CHECK(in_vectors == expected);
  CHECK(first_of(twelve, 24, AllReduceAlgorithm::two_shot)[7] == 1);
  CHECK(first_of(twelve, 24, AllReduceAlgorithm::two_shot)[8] == kFromSmall);
}

}  // namespace orderlab
