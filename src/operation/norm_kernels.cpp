#include "operation/norm_kernels.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "order/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLanes = 32;
constexpr std::size_t kLoadBytes = 16;

/// Numbers of a load, of rows that are whole loads.
std::size_t load_of(std::size_t hidden, std::size_t bytes) { return std::gcd(kLoadBytes / bytes, hidden); }

std::string in_parentheses(std::size_t number) { return "(" + std::to_string(number) + ")"; }

/// Thread t adds the vectors t, t + threads, ... one number at a time.
std::string by_vectors(std::size_t threads, std::size_t vector) {
  if (vector == 1) return "strided(" + std::to_string(threads) + ",acc=fma)";
  return "chunks(" + std::to_string(threads) + ",chunk=" + std::to_string(vector) + ",acc=fma)";
}

/// cub::BlockReduce of the threads' sums.
constexpr std::string_view kThenCub = " | adjacent(32) | seq";

// The kernel with a residual adds squares of 16-bit numbers in pairs, and the four pairs of a vector to 0. That of
// other numbers, without vectors, and the one that takes none in the batch-invariant mode add number by number.
NormKernel vllm_norm(std::size_t hidden, std::size_t threads, bool residual, bool batch_invariant, std::size_t bytes) {
  const bool pairs = residual && bytes == 2 && load_of(hidden, bytes) == kLoadBytes / bytes && !batch_invariant;
  const std::size_t vector = residual ? 1 : load_of(hidden, bytes);
  std::string order =
      pairs ? "adjacent(2) | seq(4,from=zero) | strided" + in_parentheses(threads) : by_vectors(threads, vector);
  return {order.append(kThenCub),
          threads,
          true,
          false,
          {},
          batch_invariant ? "vLLM, csrc/libtorch_stable/layernorm_kernels.cu (0b9c5412; batch-invariant threads since "
                            "vllm pull request 48391)"
                          : "vLLM, csrc/libtorch_stable/layernorm_kernels.cu (0b9c5412)"};
}

NormKernel flashinfer_norm(std::size_t hidden, std::size_t threads, std::size_t bytes) {
  return {by_vectors(threads, load_of(hidden, bytes)) + " | halving(32) | halving(32)",
          threads,
          false,
          false,
          {},
          "FlashInfer, include/flashinfer/norm.cuh (fb28d724)"};
}

// The source says that blocks of columns are added in turn. The tree of a block is Triton's: here that of 4 warps whose
// threads hold 8 neighbours each, which are added in turn, then by shuffles, then over the warps.
NormKernel triton_norm(std::size_t threads) {
  if (!std::has_single_bit(threads))
    throw Error(ErrorKind::usage, std::to_string(threads) +
                                      " threads: a thread block of Triton has a power of two of them; take " +
                                      std::to_string(std::bit_floor(threads)));
  const std::size_t items = std::max<std::size_t>(1, kTritonColumns / threads);
  return {"seq(" + std::to_string(items) + ",acc=fma) | halving(32) | halving" +
              in_parentheses(std::max<std::size_t>(1, threads / kLanes)) + " | seq(from=zero)",
          threads,
          true,
          false,
          {},
          "vLLM, model_executor/layers/batch_invariant.py (0188c010); the tree of a block is Triton's, assumed"};
}

constexpr std::size_t kTorchThreads = 128;
constexpr std::size_t kTorchVector = 4;
constexpr std::size_t kTorchPlainThreads = 512;

// Both forms add the squares alone where they are asked for an RMSNorm, in the loops of the LayerNorm.
NormKernel torch_norm(std::size_t hidden, std::size_t threads) {
  const bool vectors = hidden % kTorchVector == 0;
  return {by_vectors(threads, vectors ? kTorchVector : 1) + " | halving(32) | halving(32)",
          threads,
          true,
          false,
          {},
          "PyTorch, aten/src/ATen/native/cuda/layer_norm_kernel.cu"};
}

struct NormThreads {
  std::size_t threads;
  std::string reason;
};

constexpr std::size_t kManyTokens = 256;

/// vLLM's batch-invariant mode has its own kernel for rows without a residual.
bool is_triton(NormLibrary library, bool residual, bool batch_invariant) {
  return library == NormLibrary::triton || (library == NormLibrary::vllm && batch_invariant && !residual);
}

NormThreads vllm_threads(std::size_t hidden, std::size_t tokens, bool residual, bool batch_invariant,
                         std::size_t bytes) {
  const bool most = batch_invariant || tokens < kManyTokens;
  const std::size_t limit = most ? 1024 : 256;
  const std::size_t loads = residual ? hidden : hidden / load_of(hidden, bytes);
  return {std::min(loads, limit), std::string(batch_invariant ? "batch-invariant mode"
                                              : most          ? "fewer than 256 tokens"
                                                              : "256 tokens or more") +
                                      ": at most " + std::to_string(limit) + " threads"};
}

NormThreads threads_of_norm(NormLibrary library, std::size_t hidden, std::size_t tokens, bool residual,
                            bool batch_invariant, std::size_t bytes) {
  if (is_triton(library, residual, batch_invariant))
    return {kTritonThreads,
            std::string(library == NormLibrary::vllm ? "batch-invariant mode without a residual: " : "") +
                std::to_string(kTritonThreads / kLanes) + " warps, blocks of " + std::to_string(kTritonColumns) +
                " columns"};
  switch (library) {
    case NormLibrary::vllm:
      return vllm_threads(hidden, tokens, residual, batch_invariant, bytes);
    case NormLibrary::flashinfer: {
      const std::size_t loads = std::min<std::size_t>(1024, hidden / load_of(hidden, bytes));
      return {ceil_div(loads, kLanes) * kLanes, "a thread for each 16 bytes of a row, at most 1024"};
    }
    case NormLibrary::triton:
      break;
    case NormLibrary::torch:
      return hidden % kTorchVector == 0 ? NormThreads{kTorchThreads, "4 warps, vectors of 4 numbers"}
                                        : NormThreads{kTorchPlainThreads, "rows of no multiple of 4 numbers"};
  }
  return {};
}

}  // namespace

LayerNormKernel layer_norm_kernel(LayerNormLibrary library, std::size_t hidden, std::size_t bytes,
                                  const RowsOnGpu& grid) {
  if (library == LayerNormLibrary::torch) {
    const bool vectors = hidden % kTorchVector == 0;
    return {true,
            {},
            vectors ? kTorchThreads : kTorchPlainThreads,
            vectors ? kTorchVector : 1,
            1,
            vectors ? "4 warps, vectors of 4 numbers" : "rows of no multiple of 4 numbers",
            "PyTorch, aten/src/ATen/native/cuda/layer_norm_kernel.cu, block_reduce.cuh, SharedReduceOps.h"};
  }
  constexpr std::size_t kMostBytes = 65536;
  constexpr std::size_t kColumnsOfWarp = 256;
  constexpr std::size_t kMostWarps = 8;
  const std::size_t block = std::bit_ceil(hidden);
  if (block * bytes > kMostBytes)
    throw Error(ErrorKind::unsupported, "rows of " + std::to_string(hidden) +
                                            " numbers: Triton's LayerNorm takes rows of at most 64 KB; take shorter "
                                            "rows, or give --order");
  constexpr std::size_t kMostRows = 4;
  const std::size_t rows = std::min(kMostRows, std::bit_ceil(ceil_div(grid.rows, 2 * grid.multiprocessors)));
  if (rows > 1 && block * bytes < kLanes * kLoadBytes)
    throw Error(ErrorKind::unsupported,
                std::to_string(grid.rows) + " rows of " + std::to_string(hidden) + " numbers: " + std::to_string(rows) +
                    " rows share a tile of Triton's LayerNorm, and how its threads share rows of "
                    "less than 512 bytes is not known; take at most " +
                    std::to_string(2 * grid.multiprocessors) + " rows, or longer ones");
  const std::size_t warps = std::clamp<std::size_t>(block / kColumnsOfWarp, 1, kMostWarps);
  const std::size_t vector = std::min(kLoadBytes / bytes, std::max<std::size_t>(1, block / (warps * kLanes)));
  return {
      false,
      by_vectors(warps * kLanes, vector) + " | halving(32)" + (warps > 1 ? " | halving" + in_parentheses(warps) : ""),
      warps * kLanes,
      vector,
      rows,
      std::to_string(warps) + (warps == 1 ? " warp for " : " warps for ") + std::to_string(block) + " columns of " +
          (rows == 1 ? "a row" : std::to_string(rows) + " rows, which share a tile"),
      "vLLM, model_executor/layers/fla/ops/layernorm_guard.py; the tree of a block is Triton's, assumed"};
}

NormKernel norm_kernel_of(NormLibrary library, std::size_t hidden, std::size_t threads, bool residual,
                          bool batch_invariant, std::size_t bytes) {
  if (is_triton(library, residual, batch_invariant)) return triton_norm(threads);
  switch (library) {
    case NormLibrary::vllm:
      return vllm_norm(hidden, threads, residual, batch_invariant, bytes);
    case NormLibrary::flashinfer:
      return flashinfer_norm(hidden, threads, bytes);
    case NormLibrary::triton:
      break;
    case NormLibrary::torch:
      return torch_norm(hidden, threads);
  }
  return {};
}

NormKernel norm_kernel(NormLibrary library, std::size_t hidden, std::size_t tokens, bool residual, bool batch_invariant,
                       std::size_t bytes) {
  const NormThreads chosen = threads_of_norm(library, hidden, tokens, residual, batch_invariant, bytes);
  NormKernel kernel = norm_kernel_of(library, hidden, chosen.threads, residual, batch_invariant, bytes);
  kernel.reason = chosen.reason;
  return kernel;
}

}  // namespace orderlab
