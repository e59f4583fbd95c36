// numpy: numpy.sum of a contiguous array, as NumPy 1.24 adds it.
#include <algorithm>
#include <array>

#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kRun = 8192;   // elements of the ufunc buffer
constexpr std::size_t kBlock = 128;  // PW_BLOCKSIZE
constexpr std::size_t kLanes = 8;    // interleaved accumulators

struct Numpy {
  template <class A>
  static void reduce(const StageContext&, A& arith, Input<A> in, Output<A> out) {
    using T = typename A::T;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
      out[0] = sum_of_runs(arith, in, [&](std::size_t begin, std::size_t m, const auto* total) {
        auto wide = arith.widened();
        const auto run = pairwise(
            wide, [&](std::size_t i) { return A::widen(in[i]); }, begin, m);
        const auto sum = total == nullptr ? wide.start(run) : wide.add(A::widen(*total), run);
        arith.absorb(wide);
        return arith.narrow(sum);
      });
    } else {
      out[0] = sum_of_runs(arith, in, [&](std::size_t begin, std::size_t m, const auto* total) {
        const auto run = pairwise(
            arith, [&](std::size_t i) { return in[i]; }, begin, m);
        return total == nullptr ? arith.start(run) : arith.add(*total, run);
      });
    }
  }

  // The run sums added left to right from +0.0; add_run(begin, m, total so far or null) gives the new total.
  template <class A, class AddRun>
  static typename A::Value sum_of_runs(A&, const Input<A>& in, AddRun add_run) {
    const typename A::Value* none = nullptr;
    typename A::Value total = add_run(0, std::min(kRun, in.size()), none);
    for (std::size_t begin = kRun; begin < in.size(); begin += kRun)
      total = add_run(begin, std::min(kRun, in.size() - begin), &total);
    return total;
  }

  template <class A, class At>
  static typename A::Value pairwise(A& arith, const At& at, std::size_t begin, std::size_t m) {
    if (m > kBlock) {
      const std::size_t left = m / 2 - m / 2 % kLanes;
      const auto a = pairwise(arith, at, begin, left);
      const auto b = pairwise(arith, at, begin + left, m - left);
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
    .code = &kReduceCode<Numpy>,
};

}  // namespace orderlab
