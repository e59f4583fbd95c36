#include "inference/step_kernels.hpp"

namespace orderlab {

StepKernels::StepKernels(const LanguageModel& model, const ServingKernels& kernels, std::size_t keys)
    : norm(kernels.norm),
      hidden_norm(norm.order, model.hidden, model.normalization, model.norm_epsilon),
      first_norm(norm.first_order, model.hidden, model.normalization, model.norm_epsilon),
      ranks(kernels.ranks) {
  if (!model.layers.empty() && !model.layers.front().query_norm.scale.empty())
    head_norm.emplace(norm.head_order, model.head_dim, Normalization::rms, model.norm_epsilon);
  for (std::size_t n = 1; n <= keys; ++n) attention.push_back(kernels.attention.kernel(n));
}

}  // namespace orderlab
