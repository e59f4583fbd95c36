#include "inference/rank_sums.hpp"

#include <algorithm>

#include "inference/narrow_floats.hpp"

namespace orderlab {

namespace {

struct RankOrder {
  std::size_t first = 0;
  bool upward = true;
  Format each = Format::fp32;  ///< additions are rounded to it
};

RankOrder order_of(AllReduceAlgorithm algorithm, std::size_t ranks, std::size_t chunk, Format format) {
  switch (algorithm) {
    case AllReduceAlgorithm::two_shot:
      return {chunk, true, Format::fp32};
    case AllReduceAlgorithm::ring:
      return {(chunk + 1) % ranks, true, format};
    case AllReduceAlgorithm::tree:
      return {ranks - 1, false, format};
    default:
      return {};
  }
}

}  // namespace

void add_ranks(const float* parts, std::size_t ranks, std::size_t stride, ReducedPlace place,
               AllReduceAlgorithm algorithm, Format format, std::span<float> out) {
  const std::size_t bytes = info(format).gpu_bytes();
  const auto part_of = [&](std::size_t i) {
    return all_reduce_part(algorithm, ranks, place.all, bytes, place.first + i);
  };
  for (std::size_t i = 0; i < out.size();) {
    const std::size_t chunk = part_of(i);
    std::size_t count = 1;
    while (i + count < out.size() && part_of(i + count) == chunk) ++count;
    const RankOrder order = order_of(algorithm, ranks, chunk, format);
    const std::span<float> some = out.subspan(i, count);
    for (std::size_t r = 0; r < ranks; ++r) {
      const std::size_t rank = order.upward ? (order.first + r) % ranks : order.first - r;
      const float* const part = parts + rank * stride + i;
      for (std::size_t k = 0; k < count; ++k) some[k] = r == 0 ? part[k] : some[k] + part[k];
      round_to(order.each, some);
    }
    i += count;
  }
  round_to(format, out);
}

}  // namespace orderlab
