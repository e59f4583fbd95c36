// numpy: numpy.sum of a contiguous array, as NumPy 1.24 adds it.
#include <algorithm>
#include <array>
#include <vector>

#include "order/blocks.hpp"
#include "order/in_rows.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kRun = 8192;        // elements of the ufunc buffer
constexpr std::size_t kNumpyBlock = 128;  // PW_BLOCKSIZE
constexpr std::size_t kLanes = 8;         // interleaved accumulators

constexpr auto kLeftPart = [](std::size_t m) { return m / 2 - m / 2 % kLanes; };

struct Numpy {
  template <class A>
  static void reduce(const StageContext&, A& arith, Input<A> in, Output<A> out) {
    using T = typename A::T;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
      out[0] = sum_of_runs(in, [&](std::size_t begin, std::size_t m, const auto* total) {
        auto wide = arith.widened();
        const auto run = pairwise(
            wide, [&](std::size_t i) { return A::widen(in[i]); }, begin, m);
        const auto sum = total == nullptr ? wide.start(run) : wide.add(A::widen(*total), run);
        arith.absorb(wide);
        return arith.narrow(sum);
      });
    } else if constexpr (kInRows<A>) {
      const std::vector<T> sums = block_sums(arith, in.values());
      std::size_t done = 0;
      const auto next = [&](std::size_t) { return sums[done++]; };
      out[0] = sum_of_runs(in, [&](std::size_t, std::size_t m, const T* total) {
        const T run = add_blocks(arith, m, kNumpyBlock, kLeftPart, next);
        return total == nullptr ? arith.start(run) : arith.add(*total, run);
      });
    } else {
      out[0] = sum_of_runs(in, [&](std::size_t begin, std::size_t m, const auto* total) {
        const auto run = pairwise(
            arith, [&](std::size_t i) { return in[i]; }, begin, m);
        return total == nullptr ? arith.start(run) : arith.add(*total, run);
      });
    }
  }

  // The run sums added left to right from +0.0; add_run(begin, m, total so far or null) gives the new total.
  template <class A, class AddRun>
  static typename A::Value sum_of_runs(const Input<A>& in, AddRun add_run) {
    const typename A::Value* none = nullptr;
    typename A::Value total = add_run(0, std::min(kRun, in.size()), none);
    for (std::size_t begin = kRun; begin < in.size(); begin += kRun)
      total = add_run(begin, std::min(kRun, in.size() - begin), &total);
    return total;
  }

  // Of all blocks: in vectors those whose lanes are of one length.
  template <class T>
  static std::vector<T> block_sums(Floats<T>& arith, std::span<const T> in) {
    std::vector<Block> blocks;
    for (std::size_t begin = 0; begin < in.size(); begin += kRun)
      split_into_blocks(begin, std::min(kRun, in.size() - begin), kNumpyBlock, kLeftPart, blocks);
    std::vector<T> sums(blocks.size());
    visit_by_size(blocks, [&](std::size_t size, std::span<const std::size_t> numbers) {
      if (size % kLanes == 0) return add_blocks_of(arith, in.data(), blocks, numbers, sums);
      for (const std::size_t n : numbers)
        sums[n] = pairwise(
            arith, [&](std::size_t i) { return in[i]; }, blocks[n].begin, size);
    });
    return sums;
  }

  template <class T>
  static void add_blocks_of(Floats<T>& arith, const T* in, std::span<const Block> blocks,
                            std::span<const std::size_t> numbers, std::vector<T>& sums) {
    InRows<T, LeftToRight> lanes(arith, blocks[numbers[0]].size / kLanes, {});
    constexpr std::size_t kAtOnce = RowErrors::kLanes;
    std::array<const void*, kAtOnce> pieces;
    std::array<T, kAtOnce * kLanes> in_lanes;
    std::array<T, kAtOnce> some;
    for (std::size_t n = 0; n < numbers.size(); n += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, numbers.size() - n);
      for (std::size_t i = 0; i < count; ++i) pieces[i] = in + blocks[numbers[n + i]].begin;
      lanes.add(std::span(pieces).first(count), kLanes, kLanes, in_lanes.data());
      add_in_levels(arith, in_lanes.data(), count, kLanes, Levels::neighbours, some.data());
      for (std::size_t i = 0; i < count; ++i) sums[numbers[n + i]] = some[i];
    }
  }

  static HeightRuns heights(const StageContext& context, Format format, std::size_t left, const HeightRuns& in) {
    if (!in.all_equal()) return heights_one_by_one<Numpy>(context, format, left, in);
    const std::uint64_t full = height_of_run(std::min(kRun, in.size()));  // the same of a widened run
    std::uint64_t total = full;
    for (std::size_t begin = kRun; begin < in.size(); begin += kRun)
      total = std::max(total, in.size() - begin < kRun ? height_of_run(in.size() - begin) : full) + 1;
    return {1, in.first() + total};
  }

  /// Of pairwise() of m partial sums of height 0.
  static std::uint64_t height_of_run(std::size_t m) {
    if (m > kNumpyBlock) return std::max(height_of_run(kLeftPart(m)), height_of_run(m - kLeftPart(m))) + 1;
    if (m < kLanes) return m - 1;
    constexpr std::uint64_t kTree = 3;  // additions on top of each other that join the lanes
    return m / kLanes - 1 + kTree + m % kLanes;
  }

  template <class A, class At>
  static typename A::Value pairwise(A& arith, const At& at, std::size_t begin, std::size_t m) {
    if (m > kNumpyBlock) {
      const auto a = pairwise(arith, at, begin, kLeftPart(m));
      const auto b = pairwise(arith, at, begin + kLeftPart(m), m - kLeftPart(m));
      return arith.add(a, b);
    }
    if (m < kLanes) {
      auto sum = at(begin);
      for (std::size_t i = 1; i < m; ++i) sum = arith.add(sum, at(begin + i));
      return sum;
    }
    std::array<typename A::Value, kLanes> r;
    for (std::size_t l = 0; l < kLanes; ++l) r[l] = at(begin + l);
    std::size_t i = kLanes;
    for (; i + kLanes <= m; i += kLanes)
      for (std::size_t l = 0; l < kLanes; ++l) r[l] = arith.add(r[l], at(begin + i + l));
    const auto low = arith.add(arith.add(r[0], r[1]), arith.add(r[2], r[3]));
    const auto high = arith.add(arith.add(r[4], r[5]), arith.add(r[6], r[7]));
    auto sum = arith.add(low, high);
    for (; i < m; ++i) sum = arith.add(sum, at(begin + i));
    return sum;
  }
};

constexpr StageCode kNumpyCode{.reduce = detail::AllMeanings::reduce<Numpy>(), .heights = Numpy::heights};

}  // namespace

extern const Stage kNumpy;
const Stage kNumpy{
    .name = "numpy",
    .summary = "numpy.sum of a contiguous array: runs of 8192, split down to blocks of 128 with 8 accumulators",
    .source = "NumPy 1.24, loops_utils.h (pairwise sum); measured",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kNumpyCode,
};

}  // namespace orderlab
