// One entry for each kernel that was compiled for the GPU: what it is and how to run it.
#pragma once

#include <span>
#include <string>

#include "cuda/formats.cuh"
#include "cuda/gpu.cuh"
#include "cuda/gpu_kernels.hpp"

namespace orderlab::cuda {

struct GpuKernel {
  const KernelInfo* info;
  GpuRun (*run)(const GpuRequest& request, Gpu& gpu);
};

std::span<const GpuKernel> handwritten_gpu_kernels();
std::span<const GpuKernel> library_gpu_kernels();

/// The kernel called `name`. Error(usage) names all.
const GpuKernel& find_gpu_kernel(std::string_view name);

/// Runs kernel K with terms of T.
template <class K, class T>
GpuRun run_typed(const GpuRequest& request, Gpu& gpu) {
  const TermView& terms = request.terms;
  const auto span_of = [](const void* array, std::size_t n) {
    return std::span<const T>(static_cast<const T*>(array), n);
  };
  const ArrayView& arrays = request.arrays;
  const RunResult<T> result =
      K::run(gpu, RunInput<T>{.x = span_of(terms.x, terms.n),
                              .y = span_of(terms.y, terms.products() ? terms.n : 0),
                              .shape = request.shape,
                              .record = request.record,
                              .extents = arrays.extents,
                              .self = span_of(arrays.self, arrays.self == nullptr ? 0 : arrays.extents.outputs()),
                              .index = arrays.index});
  GpuRun run{.bits = raw_bits(result.sum),
             .unit = K::kInfo.unit,
             .shape = result.shape,
             .tickets = result.tickets,
             .temporary_bytes = result.temporary_bytes,
             .alignment = gpu.alignment(),
             .outputs = {},
             .looked_back = result.looked_back};
  for (const T& value : result.returned) run.returned.push_back(raw_bits(value));
  for (const T& value : result.outputs) run.outputs.push_back(raw_bits(value));
  return run;
}

/// Runs kernel K with terms of the request's format, one that K has.
template <class K>
GpuRun run_kernel(const GpuRequest& request, Gpu& gpu) {
  return with_gpu_type_of(request.terms.format, [&]<class T>(T*) -> GpuRun {
    if constexpr (K::kInfo.has(FormatOf<T>::value))
      return run_typed<K, T>(request, gpu);
    else
      throw Error(ErrorKind::unsupported, std::string(K::kInfo.name) + " of " +
                                              std::string(info(FormatOf<T>::value).name) +
                                              ": the kernel has no such format");
  });
}

}  // namespace orderlab::cuda
