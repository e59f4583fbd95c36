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
  const auto span_of = [&](const void* array) { return std::span<const T>(static_cast<const T*>(array), terms.n); };
  const RunResult<T> result = K::run(gpu, RunInput<T>{.x = span_of(terms.x),
                                                      .y = terms.products() ? span_of(terms.y) : std::span<const T>{},
                                                      .shape = request.shape,
                                                      .record = request.record});
  GpuRun run{.bits = raw_bits(result.sum),
             .unit = K::info.unit,
             .shape = result.shape,
             .tickets = result.tickets,
             .temporary_bytes = result.temporary_bytes,
             .alignment = gpu.alignment()};
  for (const T& value : result.returned) run.returned.push_back(raw_bits(value));
  return run;
}

/// Runs kernel K with terms of the request's format, one that K has.
template <class K>
GpuRun run_kernel(const GpuRequest& request, Gpu& gpu) {
  return with_gpu_type_of(request.terms.format, [&]<class T>(T*) -> GpuRun {
    if constexpr (K::info.has(FormatOf<T>::value))
      return run_typed<K, T>(request, gpu);
    else
      throw Error(ErrorKind::unsupported, std::string(K::info.name) + " of " +
                                              std::string(info(FormatOf<T>::value).name) +
                                              ": the kernel has no such format");
  });
}

}  // namespace orderlab::cuda
