// A dot product as most are written: the compiler chooses whether its products are rounded. For one translation unit
// with and one without contraction, so all of it is local to its translation unit.
#pragma once

#include <cstddef>
#include <string>

#include "orderlab/cuda_on_host.hpp"
// The kernel comes after what makes it C++.
#include "orderlab/host_kernel.hpp"

namespace orderlab {
namespace {

enum class Written { plain, by_intrinsics, in_parts };

template <Written kHow, class T>
__global__ void plain_dot(const T* x, const T* y, std::size_t n, T* sums) {
  T dot{};
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
    if constexpr (kHow == Written::plain) dot += x[i] * y[i];
    if constexpr (kHow == Written::by_intrinsics) dot = __fadd_rn(dot, __fmul_rn(x[i], y[i]));
    if constexpr (kHow == Written::in_parts) dot = __fadd_rn(x[i] * y[i], dot);  // nvcc fuses no __fadd_rn
  }
  sums[threadIdx.x] = dot;
}

template <Written kHow, bool kFused>
struct PlainDot {
  static constexpr LaunchShape kShapes[] = {{64, 1, 1}, {32, 1, 1}};
  static constexpr Format kSingle[] = {Format::fp32};
  static constexpr KernelInfo kInfo{.name = kFused ? "fused_dot" : "rounded_dot",
                                    .formats = kSingle,
                                    .shapes = kShapes,
                                    .products = true,
                                    .claim = [](const LaunchShape& shape, std::size_t n) {
                                      return "tile(" + tile_arguments(shape, n) + (kFused ? ",acc=fma" : "") +
                                             ") | seq(from=zero)";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t n = in.x.size();
    T* const sums = device.template zeros<T>(in.shape.threads);
    device.launch(kInfo.name, plain_dot<kHow, T>, 1, in.shape.threads, 0, device.input(in.x), device.input(in.y), n,
                  sums);
    T sum{};
    for (const T& value : device.read(sums, in.shape.threads < n ? in.shape.threads : n)) sum += value;
    return {.sum = sum, .shape = in.shape};
  }
};

template <Written kHow, bool kFused>
CrossChecks checked_dot() {
  const Executor executor = host_executor<PlainDot<kHow, kFused>>();
  return crosscheck({&executor, 1}, {.sizes = {1, 2, 31, 300}, .formats = {Format::fp32}, .seeds = 5});
}

}  // namespace
}  // namespace orderlab
