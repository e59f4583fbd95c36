// index_add of few indices: every thread takes whole columns, and goes through all indices in turn.
#pragma once

#include "cuda/many_outputs.cuh"
#include "cuda/trees.cuh"

namespace orderlab::cuda {

template <class T>
__global__ void index_add_small(const T* source, const std::int64_t* index, std::size_t rows, std::size_t columns,
                                T* outputs) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = grid_thread(); column < columns; column += grid_threads())
      atomicAdd(outputs + output_of(index[row], columns, column), source[row * columns + column]);
}

struct IndexAddSmall {
  static constexpr LaunchShape kShapes[] = {{128, 1, 1056}, {128, 1, 3}};
  static constexpr OutputsClaim kOutputs{.operation = "index_add", .extents = few_indices_extents};
  static constexpr KernelInfo kInfo{
      .name = "index_add_small",
      .summary = "many outputs: a thread adds all rows of a column in turn, at most 16",
      .source = "PyTorch 2.3, indexFuncSmallIndex",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape&, std::size_t) { return std::string(kOutputs.operation); },
      .outputs = &kOutputs};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const unsigned grid = thread_blocks(in.shape, in.extents.columns);
    return run_contributions(device, in, grid, [&](auto, const auto& arrays) {
      device.launch(kInfo.name, index_add_small<T>, grid, in.shape.threads, 0, arrays.source, arrays.index,
                    in.extents.rows, in.extents.columns, arrays.outputs);
    });
  }
};

}  // namespace orderlab::cuda
