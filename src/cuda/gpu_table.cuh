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

template <class K, class T, class Sum>
auto result_on_gpu(Gpu& gpu, const RunInput<T>& input) {
  if constexpr (requires { K::template run<T, Sum, Sum>(gpu, input); })
    return K::template run<T, Sum, Sum>(gpu, input);
  else
    return K::run(gpu, input);
}

/// Runs kernel K with terms of T, sums and a result of Sum.
template <class K, class T, class Sum>
GpuRun run_typed(const GpuRequest& request, Gpu& gpu) {
  const TermView& terms = request.terms;
  const auto span_of = [](const void* array, std::size_t n) {
    return std::span<const T>(static_cast<const T*>(array), n);
  };
  const ArrayView& arrays = request.arrays;
  const RunResult<Sum> result = result_on_gpu<K, T, Sum>(
      gpu, RunInput<T>{.x = span_of(terms.x, terms.n),
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
  for (const Sum& value : result.returned) run.returned.push_back(raw_bits(value));
  for (const Sum& value : result.outputs) run.outputs.push_back(raw_bits(value));
  return run;
}

/// Runs kernel K with terms and sums of the request's formats, ones that K has.
template <class K>
GpuRun run_kernel(const GpuRequest& request, Gpu& gpu) {
  const Formats formats{request.terms.format, request.sums, request.sums};
  if (K::kInfo.runs_in(formats))
    return with_gpu_type_of(formats.terms, [&]<class T>(T*) {
      return with_gpu_type_of(formats.accumulate, [&]<class Sum>(Sum*) -> GpuRun {
        if constexpr (K::kInfo.runs_in_types_of({FormatOf<T>::value, FormatOf<Sum>::value, FormatOf<Sum>::value}))
          return run_typed<K, T, Sum>(request, gpu);
        return {};  // not reached
      });
    });
  throw Error(ErrorKind::unsupported,
              std::string(K::kInfo.name) + " of " + to_string(formats) + ": the kernel has no such format");
}

}  // namespace orderlab::cuda
