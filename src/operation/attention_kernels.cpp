#include "operation/attention_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "order/counts.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostFlashSplits = 128;

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Thread blocks of a launch without splits, and where they run.
struct FlashGrid {
  std::size_t thread_blocks;
  std::size_t places;      ///< thread blocks that run at once
  std::size_t key_blocks;  ///< of a sequence
  bool each_count;         ///< also counts of splits that leave the key blocks of a split as one fewer does
};

double wave_efficiency(const FlashGrid& grid, std::size_t splits) {
  const double waves = static_cast<double>(grid.thread_blocks * splits) / static_cast<double>(grid.places);
  return waves / std::ceil(waves);
}

/// FlashAttention's rule: one split for a grid that fills 80 % of the GPU, else the fewest splits with at least 85 % of
/// the best efficiency of waves.
std::size_t flash_splits(const FlashGrid& grid) {
  constexpr double kFull = 0.8;
  constexpr double kGoodEnough = 0.85;
  if (static_cast<double>(grid.thread_blocks) >= kFull * static_cast<double>(grid.places)) return 1;
  const std::size_t most = std::min({kMostFlashSplits, grid.places, grid.key_blocks});
  const auto considered = [&](std::size_t splits) {
    return grid.each_count || splits == 1 || ceil_div(grid.key_blocks, splits) != ceil_div(grid.key_blocks, splits - 1);
  };
  double best = 0;
  for (std::size_t splits = 1; splits <= most; ++splits)
    if (considered(splits)) best = std::max(best, wave_efficiency(grid, splits));
  for (std::size_t splits = 1; splits <= most; ++splits)
    if (considered(splits) && wave_efficiency(grid, splits) >= kGoodEnough * best) return splits;
  return 1;
}

std::string grid_text(const FlashGrid& grid, std::size_t splits) {
  return counted(grid.thread_blocks, "thread block") + " for " + counted(grid.places, "place") + ": " +
         counted(splits, "split") + " of " + std::to_string(grid.key_blocks) +
         (grid.key_blocks == 1 ? " block of keys" : " blocks of keys");
}

AttentionKernel of_flash_grid(const FlashGrid& grid, std::size_t splits, std::size_t block, std::string_view source) {
  return {splits, ceil_div(grid.key_blocks, splits) * block, block, true, false, grid_text(grid, splits), source};
}

// The heads that share keys are rows of one tile. Thread blocks have 128 threads, so two count for a multiprocessor.
AttentionKernel fa2_kernel(const AttentionShape& shape, std::size_t multiprocessors) {
  constexpr std::size_t kRows = 64;
  const std::size_t block = shape.dim <= 64 ? 256 : shape.dim <= 128 ? 128 : 64;
  const std::size_t tiles = ceil_div(shape.heads / shape.kv_heads, kRows);
  const FlashGrid grid{shape.batch * shape.kv_heads * tiles, 2 * multiprocessors, ceil_div(shape.keys, block), false};
  return of_flash_grid(grid, flash_splits(grid), block, "FlashAttention 2, csrc/flash_attn/flash_api.cpp (0251105a)");
}

// Sequences of one length; ragged batches choose by the total of all. Blocks are those of keys in pages that TMA cannot
// load. Its rule for keys larger than the L2 cache needs more query tokens than decode has.
AttentionKernel fa3_kernel(const AttentionShape& shape, std::size_t multiprocessors) {
  constexpr std::size_t kFewBlocks = 4;
  const std::size_t rows = shape.dim <= 96 ? 192 : 128;
  const std::size_t block = shape.dim <= 128 ? 128 : shape.dim <= 192 ? 96 : 80;
  const std::size_t tiles = ceil_div(shape.heads / shape.kv_heads, rows);
  const FlashGrid grid{shape.batch * shape.kv_heads * tiles, multiprocessors, ceil_div(shape.keys, block), true};
  return of_flash_grid(grid, grid.key_blocks <= kFewBlocks ? 1 : flash_splits(grid), block,
                       "FlashAttention 3, hopper/heuristics.h (0251105a)");
}

bool flashinfer_has_tensor_cores(std::size_t group) { return group >= 4; }

/// Groups of threads of PersistentVariableLengthMergeStatesKernel: 128 threads, each of which has 16 bytes of a result
/// or a 32nd of it.
std::size_t flashinfer_merge_groups(std::size_t dim) {
  constexpr std::size_t kMergeThreads = 128;
  const std::size_t vector = std::max<std::size_t>(8, dim / 32);
  return std::max<std::size_t>(1, kMergeThreads / std::max<std::size_t>(1, dim / vector));
}

// Four heads or more for each of the keys: the kernel with tensor cores, for which two thread blocks a multiprocessor
// are planned. Fewer: the plan asks the driver how many thread blocks fit; 8 is assumed.
AttentionKernel flashinfer_kernel(const AttentionShape& shape, std::size_t multiprocessors) {
  constexpr std::size_t kFewestKeys = 128;
  constexpr std::size_t kTileRows = 16;
  constexpr std::size_t kBlock = 64;
  const std::size_t group = shape.heads / shape.kv_heads;
  const bool tensor_cores = flashinfer_has_tensor_cores(group);
  const std::size_t places = (tensor_cores ? 2 : 8) * multiprocessors;
  const std::size_t tiles = tensor_cores ? ceil_div(group, kTileRows) : 1;
  std::size_t low = kFewestKeys;
  std::size_t high = shape.keys;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (shape.batch * tiles * ceil_div(shape.keys, middle) > places / shape.kv_heads)
      low = middle + 1;
    else
      high = middle;
  }
  const std::size_t splits = ceil_div(shape.keys, low);
  return {splits,
          low,
          std::min(low, kBlock),
          false,
          true,
          "the smallest chunk of 128 keys or more whose chunks fit into " + std::to_string(places) + " places" +
              (tensor_cores ? "" : " (8 thread blocks per multiprocessor assumed)"),
          "FlashInfer, include/flashinfer/attention/scheduler.cuh, decode.cuh, prefill.cuh, cascade.cuh (fb28d724)",
          tensor_cores ? AttentionWeights::rounded_in_sum : AttentionWeights::exponential,
          AttentionMerge::in_groups,
          flashinfer_merge_groups(shape.dim)};
}

AttentionKernel vllm_paged_kernel(const AttentionShape& shape) {
  constexpr std::size_t kPartition = 512;
  constexpr std::size_t kLongForV1 = 8192;
  constexpr std::size_t kManyRows = 512;
  const std::size_t partitions = ceil_div(shape.keys, kPartition);
  const bool v1 = shape.keys <= kLongForV1 && (partitions == 1 || shape.batch * shape.heads > kManyRows);
  const std::string rows = std::to_string(shape.batch * shape.heads) +
                           (shape.batch * shape.heads == 1 ? " sequence x head" : " sequences x heads");
  constexpr std::string_view kPaged = "vLLM, csrc/attention/paged_attention_v1.cu and v2.cu (0e60ae8f)";
  const std::string reason = v1 ? "v1: one partition, or more than 512 of " : "v2: partitions of 512 keys, ";
  const std::size_t keys = v1 ? shape.keys : kPartition;
  return {v1 ? 1 : partitions,    keys, keys, false, true, reason + rows, kPaged, AttentionWeights::quotient,
          AttentionMerge::by_sums};
}

AttentionKernel vllm_triton_kernel(const AttentionShape& shape) {
  constexpr std::size_t kSegments = 16;
  constexpr std::size_t kGrid = 128;
  constexpr std::size_t kTile = 16;
  constexpr std::size_t kTileUnsplit = 32;
  constexpr std::string_view kTriton =
      "vLLM, v1/attention/backends/triton_attn.py, attention/ops/triton_unified_attention.py (1c98a496)";
  const std::size_t most = kGrid / shape.kv_heads;
  const std::string sequences = counted(shape.batch, "sequence") + ", ";
  if (shape.batch > most)
    return {1,
            shape.keys,
            kTileUnsplit,
            false,
            false,
            sequences + "more than " + std::to_string(most),
            kTriton,
            AttentionWeights::exponential,
            AttentionMerge::by_tree};
  return {kSegments,
          ceil_div(shape.keys, kSegments * kTile) * kTile,
          kTile,
          false,
          false,
          sequences + "at most " + std::to_string(most) + ": 16 segments",
          kTriton,
          AttentionWeights::exponential,
          AttentionMerge::by_tree};
}

// Sequences of one length. SGLang's default limit of 8 splits.
AttentionKernel sglang_kernel(const AttentionShape& shape, std::size_t multiprocessors) {
  constexpr std::size_t kMostSplits = 8;
  constexpr std::size_t kMultiple = 32;
  constexpr std::size_t kHeadsOfBlock = 16;
  const std::size_t group = shape.heads / shape.kv_heads;
  const std::size_t grid =
      shape.batch * (group == 1 ? shape.heads : ceil_div(shape.heads, std::min(kHeadsOfBlock, group)));
  const float doublings = std::max(std::log2(static_cast<float>(shape.keys) / 64.0F), 1.0F);
  const auto places = static_cast<std::size_t>(static_cast<float>(multiprocessors) * doublings);
  const std::size_t wanted = std::min(ceil_div(places, grid), kMostSplits);
  const std::size_t splits = ceil_div(shape.keys, ceil_div(shape.keys, wanted));
  return {splits,
          ceil_div(ceil_div(shape.keys, splits), kMultiple) * kMultiple,
          group == 1 ? std::size_t{64} : std::size_t{32},
          false,
          false,
          counted(grid, "thread block") + " for " + std::to_string(places) + " places, at most 8 splits",
          "SGLang, layers/attention/triton_backend.py, get_num_kv_splits_triton (03cd2ec4)",
          AttentionWeights::exponential,
          AttentionMerge::in_turn};
}

}  // namespace

AttentionKernel attention_kernel(AttentionLibrary library, const AttentionShape& shape, std::size_t multiprocessors) {
  switch (library) {
    case AttentionLibrary::fa2:
      return fa2_kernel(shape, multiprocessors);
    case AttentionLibrary::fa3:
      return fa3_kernel(shape, multiprocessors);
    case AttentionLibrary::flashinfer:
      return flashinfer_kernel(shape, multiprocessors);
    case AttentionLibrary::vllm_paged:
      return vllm_paged_kernel(shape);
    case AttentionLibrary::vllm_triton:
      return vllm_triton_kernel(shape);
    case AttentionLibrary::sglang:
      return sglang_kernel(shape, multiprocessors);
  }
  return {};
}

bool rounds_weights(AttentionLibrary library, const AttentionShape& shape) {
  const std::size_t group = shape.heads / shape.kv_heads;
  if (library == AttentionLibrary::flashinfer) return flashinfer_has_tensor_cores(group);
  return library != AttentionLibrary::sglang || group > 1;
}

std::string merge_text(const AttentionKernel& kernel) {
  switch (kernel.merge) {
    case AttentionMerge::weighted:
      return "splits weighted by their share of all sums, in turn";
    case AttentionMerge::in_turn:
      return "splits in turn, scaled by the largest logarithm so far";
    case AttentionMerge::in_groups:
      return "splits in turn by " + counted(kernel.merge_groups, "group") +
             " of threads, scaled by the largest logarithm so far, then their rounded results";
    case AttentionMerge::by_sums:
      return "splits weighted by their sums, in turn, times the reciprocal of all";
    case AttentionMerge::by_tree:
      return "splits scaled by the largest score, by a tree of halves, divided once";
  }
  return {};
}

AttentionKernel in_splits(AttentionKernel kernel, std::size_t keys, std::size_t splits) {
  kernel.splits = splits;
  kernel.split_keys = ceil_div(keys, splits);
  kernel.block_keys =
      kernel.weights == AttentionWeights::quotient ? kernel.split_keys : std::min(kernel.block_keys, kernel.split_keys);
  return kernel;
}

}  // namespace orderlab
