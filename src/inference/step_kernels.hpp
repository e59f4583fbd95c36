// The kernels of a step of decoding that depend on how many requests are decoded together, ready for many tokens.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "inference/kernels.hpp"
#include "inference/norm.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab {

struct StepKernels {
  /// For up to so many keys.
  StepKernels(const LanguageModel& model, const ServingKernels& kernels, std::size_t keys);

  NormReduction norm;
  Norm hidden_norm;
  Norm first_norm;  ///< of the first layer
  std::optional<Norm> head_norm;
  RankReduction ranks;
  std::vector<AttentionKernel> attention;  ///< for 1, 2, ... keys
};

}  // namespace orderlab
