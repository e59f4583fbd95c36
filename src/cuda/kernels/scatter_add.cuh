// scatter_add: every element of the source has an index of its own; a thread takes several elements, a thread block's
// width apart, and adds each by an atomic.
#pragma once

#include "cuda/many_outputs.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void scatter_add(const T* source, const std::int64_t* index, std::size_t columns, std::size_t elements,
                            unsigned items, T* outputs, T* returned) {
  const std::size_t first = blockIdx.x * std::size_t{blockDim.x} * items + threadIdx.x;
  for (unsigned i = 0; i < items; ++i) {
    const std::size_t p = first + i * std::size_t{blockDim.x};
    if (p < elements) add_contribution<kRecord>(outputs, output_of(index[p], columns, p), source[p], returned, p);
  }
}

struct ScatterAdd {
  static constexpr LaunchShape kShapes[] = {{128, 4}};
  static constexpr OutputsClaim kOutputs{
      .operation = "scatter_add",
      .index_of_elements = true,
      .extents = [](std::size_t n, std::uint64_t seed) { return indexed_extents(n, seed, 1); },
      .unit = 512,
      .thread =
          [](const LaunchShape& shape, std::size_t p) {
            return p / (std::size_t{shape.threads} * shape.items) * shape.threads + p % shape.threads;
          }};
  static constexpr KernelInfo kInfo{
      .name = "scatter_add",
      .summary = "many outputs: each element has an index, a thread adds four by one atomicAdd each",
      .source = "PyTorch 2.3, _scatter_gather_elementwise_kernel",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .unit = ArrivalUnit::thread,
      .claim = [](const LaunchShape&, std::size_t) { return std::string(kOutputs.operation); },
      .outputs = &kOutputs};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::size_t elements = in.extents.elements();
    const unsigned grid = thread_blocks(in.shape, elements);
    return run_contributions(device, in, grid, [&](auto record, const auto& arrays) {
      device.launch(kInfo.name, scatter_add<T, decltype(record)::value>, grid, in.shape.threads, 0, arrays.source,
                    arrays.index, in.extents.columns, elements, in.shape.items, arrays.outputs, arrays.returned);
    });
  }
};

}  // namespace orderlab::cuda
