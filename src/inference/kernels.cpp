#include "inference/kernels.hpp"

#include <algorithm>

#include "core/enum_names.hpp"
#include "inference/serving_stacks.hpp"
#include "order/counts.hpp"
#include "orderlab/error.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

namespace {

void require_divided(const ServingSettings& settings, std::string_view what, std::size_t count) {
  if (count % settings.tp != 0)
    throw Error(ErrorKind::usage, "tp=" + std::to_string(settings.tp) + ": does not divide the model's " +
                                      std::to_string(count) + " " + std::string(what));
}

/// LayerNorm has the threads of PyTorch's kernel in every stack; it is added in two passes, not with moments that move
/// from number to number. The first normalization has no residual to add, and so another kernel.
NormReduction norm_reduction(const LanguageModel& model, const ServingSettings& settings, const StackKernels& stack) {
  const NormLibrary library = model.normalization == Normalization::layer ? NormLibrary::torch : stack.norm;
  const std::size_t bytes = info(settings.format).gpu_bytes();
  const auto kernel = [&](std::size_t width, std::size_t tokens, bool residual) {
    return settings.norm_threads
               ? norm_kernel_of(library, width, *settings.norm_threads, residual, stack.batch_invariant, bytes)
               : norm_kernel(library, width, tokens, residual, stack.batch_invariant, bytes);
  };
  const NormKernel hidden = kernel(model.hidden, settings.batch, true);
  const NormKernel first = kernel(model.hidden, settings.batch, false);
  const NormKernel head = kernel(model.head_dim, settings.batch * model.heads / settings.tp, false);
  return {hidden.order, first.order, head.order, hidden.residual_rounded, hidden.scaled_rounded};
}

AttentionReduction attention_reduction(const LanguageModel& model, const ServingSettings& settings,
                                       const StackKernels& stack) {
  AttentionReduction attention;
  attention.library = stack.attention;
  attention.shape = {settings.batch, model.heads / settings.tp, std::max<std::size_t>(1, model.kv_heads / settings.tp),
                     model.head_dim, 0};
  attention.multiprocessors = parse_device(settings.gpu).multiprocessors;
  attention.one_split = stack.one_split;
  if (settings.split_kv) attention.splits = *settings.split_kv;
  return attention;
}

RankReduction rank_reduction(const LanguageModel& model, const ServingSettings& settings, const StackKernels& stack) {
  RankReduction ranks{settings.tp, settings.batch, AllReduceAlgorithm::one_shot};
  if (settings.tp == 1) return ranks;
  const std::size_t bytes = settings.batch * model.hidden * info(settings.format).gpu_bytes();
  if (!settings.all_reduce.empty())
    ranks.algorithm = *enumerator_named<AllReduceAlgorithm::tree>(settings.all_reduce);
  else if (!stack.batch_invariant)
    ranks.algorithm = all_reduce_kernel(stack.all_reduce, settings.tp, bytes, 0).algorithm;
  return ranks;
}

/// Whether both read so many keys in the same splits and blocks, and round and add alike.
bool same_splits(const AttentionKernel& a, const AttentionKernel& b, std::size_t keys) {
  const std::size_t of_a = std::min(a.split_keys, keys);
  const std::size_t of_b = std::min(b.split_keys, keys);
  if (of_a != of_b || a.weights != b.weights) return false;
  if (of_a < keys &&
      (a.partials_rounded != b.partials_rounded || a.merge != b.merge || a.merge_groups != b.merge_groups))
    return false;
  const std::size_t block_a = std::min(a.block_keys, of_a);
  const std::size_t block_b = std::min(b.block_keys, of_b);
  return block_a == block_b && (block_a == of_a || a.last_block_first == b.last_block_first);
}

bool same_splits(const AttentionReduction& a, const AttentionReduction& b, std::size_t keys) {
  for (std::size_t n = 1; n <= keys; ++n)
    if (!same_splits(a.kernel(n), b.kernel(n), n)) return false;
  return true;
}

/// Partial sums of one split are rounded to nothing.
bool same_products(const ProductSplit& a, const ProductSplit& b) {
  return a.splits == b.splits && (a.splits == 1 || a.partials == b.partials);
}

bool by_chunks(const RankReduction& ranks) {
  return ranks.algorithm == AllReduceAlgorithm::two_shot || ranks.algorithm == AllReduceAlgorithm::ring;
}

std::string splits_text(const AttentionReduction& attention, std::size_t keys) {
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  for (std::size_t n = 1; n <= keys; ++n) {
    const std::size_t splits = attention.kernel(n).filled_splits(n);
    least = std::min(least, splits);
    most = std::max(most, splits);
  }
  const std::string count = (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most);
  const AttentionKernel longest = attention.kernel(keys);
  std::string text = std::string(name_of(attention.library)) + ", " + count + (most == 1 ? " split" : " splits");
  if (longest.filled_splits(keys) > 1)
    text += ", of " + std::to_string(longest.split_keys) + " where there are " + std::to_string(keys) + " keys; " +
            merge_text(longest) + (longest.partials_rounded ? ", each rounded" : "");
  if (longest.weights == AttentionWeights::rounded_in_sum) text += "; rounded exponentials are summed";
  if (longest.weights == AttentionWeights::quotient) text += "; quotients of exponentials and their sum are rounded";
  return text;
}

/// Ranks of one part each, whose algorithm then says nothing, are equal.
bool same_ranks(const ServingKernels& a, const ServingKernels& b) {
  if (a.ranks.ranks != b.ranks.ranks) return false;
  if (a.ranks.ranks == 1) return true;
  return a.ranks.algorithm == b.ranks.algorithm && (!by_chunks(a.ranks) || a.ranks.batch == b.ranks.batch);
}

constexpr Reduction kReductions[] = {
    {"norm", "sums of squares of RMSNorm, or sums of LayerNorm",
     [](const ServingKernels& a, const ServingKernels& b, std::size_t) { return a.norm == b.norm; },
     [](ServingKernels& to, const ServingKernels& from) { to.norm = from.norm; },
     [](const ServingKernels& kernels, std::size_t) {
       return kernels.norm.order + (kernels.norm.residual_rounded ? "" : ", residual not rounded") +
              (kernels.norm.scaled_rounded ? ", x / rms rounded" : "");
     }},
    {"products", "sums over k of the matrix products",
     [](const ServingKernels& a, const ServingKernels& b, std::size_t) {
       return same_products(a.products, b.products);
     },
     [](ServingKernels& to, const ServingKernels& from) { to.products = from.products; },
     [](const ServingKernels& kernels, std::size_t) {
       const ProductSplit& split = kernels.products;
       return split.splits == 1
                  ? std::string("1 split")
                  : std::to_string(split.splits) + " splits, partial sums in " +
                        std::string(info(split.partials).name) + (split.arrive ? ", added as they arrive" : "");
     }},
    {"attention", "splits and blocks of the keys, and what is rounded before splits are added",
     [](const ServingKernels& a, const ServingKernels& b, std::size_t keys) {
       return same_splits(a.attention, b.attention, keys);
     },
     [](ServingKernels& to, const ServingKernels& from) { to.attention = from.attention; },
     [](const ServingKernels& kernels, std::size_t keys) { return splits_text(kernels.attention, keys); }},
    {"probabilities", "rounding of e^(score - maximum)",
     [](const ServingKernels& a, const ServingKernels& b, std::size_t) { return a.probabilities == b.probabilities; },
     [](ServingKernels& to, const ServingKernels& from) { to.probabilities = from.probabilities; },
     [](const ServingKernels& kernels, std::size_t) { return std::string(info(kernels.probabilities).name); }},
    {"all_reduce", "sums over ranks",
     [](const ServingKernels& a, const ServingKernels& b, std::size_t) { return same_ranks(a, b); },
     [](ServingKernels& to, const ServingKernels& from) { to.ranks = from.ranks; },
     [](const ServingKernels& kernels, std::size_t) {
       const RankReduction& ranks = kernels.ranks;
       return ranks.ranks == 1 ? std::string("1 rank")
                               : std::to_string(ranks.ranks) + " ranks, " + std::string(name_of(ranks.algorithm)) +
                                     (by_chunks(ranks) ? ", chunks of " + std::to_string(ranks.batch) + " tokens" : "");
     }},
};

}  // namespace

AttentionKernel AttentionReduction::kernel(std::size_t keys) const {
  AttentionShape with_keys = shape;
  with_keys.keys = keys;
  AttentionKernel kernel = attention_kernel(library, with_keys, multiprocessors);
  return splits || one_split ? in_splits(std::move(kernel), keys, splits.value_or(1)) : kernel;
}

ServingKernels kernels_of(const LanguageModel& model, const ServingSettings& settings) {
  const StackKernels& stack = stack_named(settings.serving);
  require_divided(settings, "heads", model.heads);
  require_divided(settings, "intermediate numbers", model.intermediate);
  if (model.kv_heads % settings.tp != 0 && settings.tp % model.kv_heads != 0)
    throw Error(ErrorKind::usage, "tp=" + std::to_string(settings.tp) + ": neither divides the model's " +
                                      std::to_string(model.kv_heads) + " key-value heads nor is a multiple of them");
  ServingKernels kernels;
  kernels.format = settings.format;
  kernels.norm = norm_reduction(model, settings, stack);
  kernels.products = {settings.split_k, settings.partials.value_or(Format::fp32),
                      settings.split_order == SplitOrder::arrival};
  kernels.attention = attention_reduction(model, settings, stack);
  const bool rounds = rounds_weights(stack.attention, kernels.attention.shape);
  kernels.probabilities = settings.probabilities.value_or(rounds ? settings.format : Format::fp32);
  kernels.ranks = rank_reduction(model, settings, stack);
  return kernels;
}

std::span<const Reduction> reductions() { return kReductions; }

}  // namespace orderlab
