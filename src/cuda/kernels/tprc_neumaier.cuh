// TPRC with a compensated last stage: the host adds the block sums by Neumaier's method.
#pragma once

#include "cuda/block_sums.cuh"
#include "cuda/neumaier.cuh"

namespace orderlab::cuda {

struct TprcNeumaier {
  static constexpr KernelInfo kInfo{.name = "tprc_neumaier",
                                    .summary = "as tprc, with Neumaier's compensated sum of the block sums on the host",
                                    .source = "[Shanmugavelu2024]",
                                    .formats = kWide,
                                    .shapes = kPaperShapes,
                                    .claim = [](const LaunchShape& shape, std::size_t n) {
                                      return "tprc_neumaier(" + tile_arguments(shape, n) + ")";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in) {
    const std::vector<T> sums = run_block_sums(device, in, kInfo.name, block_tree_sums<T>);
    return {.sum = neumaier_sum(sums.data(), sums.size()), .shape = in.shape};
  }
};

}  // namespace orderlab::cuda
