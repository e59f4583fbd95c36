// In how many splits the decode attention of inference libraries reads its keys. No numerics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/enum_names.hpp"

namespace orderlab {

enum class AttentionLibrary : std::uint8_t { fa2, fa3, flashinfer, vllm_paged, vllm_triton, sglang };

constexpr std::string_view name_of(AttentionLibrary library) {
  switch (library) {
    case AttentionLibrary::fa2:
      return "fa2";
    case AttentionLibrary::fa3:
      return "fa3";
    case AttentionLibrary::flashinfer:
      return "flashinfer";
    case AttentionLibrary::vllm_paged:
      return "vllm_paged";
    case AttentionLibrary::vllm_triton:
      return "vllm_triton";
    case AttentionLibrary::sglang:
      return "sglang";
  }
  return "";
}

inline constexpr const auto& kAttentionLibraryNames = names_through<AttentionLibrary::sglang>();

/// What is rounded to the terms' format before it multiplies the values: e^(score - largest so far).
enum class AttentionWeights : std::uint8_t {
  exponential,     ///< and the sum that divides in the end has those that are not rounded
  rounded_in_sum,  ///< and that sum has the rounded ones
  quotient,        ///< after it is divided by the sum of its block, which is the split
};

/// How the results of the splits are added.
enum class AttentionMerge : std::uint8_t {
  weighted,   ///< each by its share of the sum of all, which is known before
  in_turn,    ///< scaled by the largest logarithm so far, and divided in the end
  in_groups,  ///< so by groups of threads, each every merge_groups-th split, and then the groups' rounded results
  by_sums,    ///< each by its sum, scaled by the largest score of all, times the reciprocal of all sums
  by_tree,    ///< not divided: scaled by the largest score of all, added by a tree of halves, divided once
};

/// One query token for each of `batch` sequences of `keys` keys each.
struct AttentionShape {
  std::size_t batch;
  std::size_t heads;
  std::size_t kv_heads;
  std::size_t dim;
  std::size_t keys;
};

struct AttentionKernel {
  std::size_t splits;      ///< that are launched; the last ones may have no keys
  std::size_t split_keys;  ///< keys of each split but the last that has some
  std::size_t block_keys;  ///< keys whose scores are compared and added before the sums are scaled again
  bool last_block_first;   ///< a split reads its blocks from last to first
  bool partials_rounded;   ///< the results of several splits are rounded to the format of the output
  std::string reason;
  std::string_view source;
  AttentionWeights weights = AttentionWeights::exponential;
  AttentionMerge merge = AttentionMerge::weighted;
  std::size_t merge_groups = 1;  ///< of in_groups

  /// Splits that have keys.
  std::size_t filled_splits(std::size_t keys) const { return (keys + split_keys - 1) / split_keys; }
};

/// The kernel for numbers of 2 bytes. Keys and values lie in pages, as serving engines keep them.
///
/// Shape: all counts are at least 1, and kv_heads divides heads.
AttentionKernel attention_kernel(AttentionLibrary library, const AttentionShape& shape, std::size_t multiprocessors);

/// Whether the kernel rounds what it multiplies the values with to the terms' format: one without tensor cores
/// multiplies in fp32.
bool rounds_weights(AttentionLibrary library, const AttentionShape& shape);

/// How the kernel adds several splits, and what it sums, in words: "splits in turn, scaled by ...".
std::string merge_text(const AttentionKernel& kernel);

/// The same kernel with its keys in that many splits, whatever the library would choose.
AttentionKernel in_splits(AttentionKernel kernel, std::size_t keys, std::size_t splits);

}  // namespace orderlab
