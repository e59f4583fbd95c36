// index_add of many indices: a grid of fixed size strides over the source and adds each element by an atomic of its
// own.
#pragma once

#include "cuda/many_outputs.cuh"
#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T, bool kRecord>
__global__ void index_add_large(const T* source, const std::int64_t* index, std::size_t columns, std::size_t elements,
                                T* outputs, T* returned) {
  for (std::size_t p = grid_thread(); p < elements; p += grid_threads()) {
    const std::size_t output = output_of(index[p / columns], columns, p);
    add_contribution<kRecord>(outputs, output, source[p], returned, p);
  }
}

struct IndexAddLarge {
  static constexpr LaunchShape kShapes[] = {{128, 1, 1056}, {128, 1, 8}, {128, 1, 3}};
  static constexpr OutputsClaim kOutputs{
      .operation = "index_add",
      .extents = [](std::size_t n, std::uint64_t seed) { return indexed_extents(n, seed, kLeastLargeRows); },
      .unit = 128,
      .thread = [](const LaunchShape& shape, std::size_t p) { return p % (std::size_t{shape.grid} * shape.threads); }};
  static constexpr KernelInfo kInfo{
      .name = "index_add_large",
      .summary = "many outputs: a grid strides over the source, one atomicAdd per element",
      .source = "PyTorch 2.3, indexFuncLargeIndex",
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
      device.launch(kInfo.name, index_add_large<T, decltype(record)::value>, grid, in.shape.threads, 0, arrays.source,
                    arrays.index, in.extents.columns, elements, arrays.outputs, arrays.returned);
    });
  }
};

}  // namespace orderlab::cuda
