// The kernels of a forward pass, as far as they decide bits: what adds, in which order, and where it is rounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "inference/ordered_product.hpp"
#include "operation/all_reduce_kernels.hpp"
#include "operation/attention_kernels.hpp"
#include "orderlab/language_model.hpp"
#include "orderlab/serving.hpp"

namespace orderlab {

/// RMSNorm and LayerNorm.
struct NormReduction {
  std::string order;             ///< adds the squares, or the numbers, of one token
  std::string first_order;       ///< the same of the first layer, where no residual is added
  std::string head_order;        ///< the same of one head's query or key
  bool residual_rounded = true;  ///< before squares are taken and the output is made
  bool scaled_rounded = false;   ///< x / rms, before it is multiplied by the weight

  friend bool operator==(const NormReduction&, const NormReduction&) = default;
};

/// Keys of a decoding step by splits.
struct AttentionReduction {
  AttentionLibrary library = AttentionLibrary::fa2;
  AttentionShape shape = {};  ///< without its number of keys
  std::size_t multiprocessors = 0;
  std::optional<std::size_t> splits = {};  ///< given by hand
  bool one_split = false;                  ///< batch-invariant

  /// For so many keys.
  AttentionKernel kernel(std::size_t keys) const;
};

/// The sum of all ranks' parts of a product.
struct RankReduction {
  std::size_t ranks = 1;
  std::size_t batch = 1;  ///< tokens that are added together: chunks of a ring are parts of all of them
  AllReduceAlgorithm algorithm = AllReduceAlgorithm::one_shot;

  friend bool operator==(const RankReduction&, const RankReduction&) = default;
};

struct ServingKernels {
  Format format = Format::bf16;
  NormReduction norm;
  ProductSplit products;
  AttentionReduction attention;
  Format probabilities = Format::bf16;
  RankReduction ranks;
};

/// Error(usage) for settings that do not fit the model, such as ranks that do not divide its heads.
ServingKernels kernels_of(const LanguageModel& model, const ServingSettings& settings);

/// A part of the kernels that two settings may have in common.
struct Reduction {
  std::string_view name;
  std::string_view summary;
  bool (*equal)(const ServingKernels& a, const ServingKernels& b, std::size_t keys);  ///< for up to so many keys
  void (*take)(ServingKernels& kernels, const ServingKernels& from);
  std::string (*text)(const ServingKernels& kernels, std::size_t keys);
};

std::span<const Reduction> reductions();

}  // namespace orderlab
