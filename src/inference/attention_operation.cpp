// The operation attention: what the forward pass of a language model computes for one query of each head. It stands
// here and not beside the other operations, since both are one function.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/arena.hpp"
#include "inference/attention.hpp"
#include "inference/ordered_product.hpp"
#include "operation/fixed_functions.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/kept_sum.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kWeightFormats[] = {"bf16", "fp16", "fp32"};
constexpr Parameter kAttentionParameters[] = {
    {.name = "heads", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p20},
    {.name = "kv_heads", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p20},
    {.name = "dim", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p16},
    {.name = "keys", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 0x1p31},
    {.name = "library",
     .kind = ParameterKind::choice,
     .default_text = "fa2",
     .choices = kAttentionLibraryNames,
     .keyword_only = true},
    {.name = "splits",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = 0x1p31,
     .keyword_only = true},
    {.name = "probabilities",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kWeightFormats,
     .keyword_only = true},
    {.name = "batch",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 1,
     .high = 0x1p31,
     .keyword_only = true},
};
constexpr std::size_t kAttentionLibrary = 4;
constexpr std::size_t kAttentionSplits = 5;
constexpr std::size_t kAttentionWeights = 6;
constexpr std::size_t kAttentionBatch = 7;

AttentionShape attention_shape(const Arguments& arguments) {
  return {arguments.has(kAttentionBatch) ? arguments.count(kAttentionBatch) : 1, arguments.count(0), arguments.count(1),
          arguments.count(2), arguments.count(3)};
}

std::vector<float> numbers_of(const TermView& terms, std::size_t begin, std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(terms.left(begin + i));
  return numbers;
}

/// A kernel, and in which format it rounds what it multiplies the values with.
struct RoundedKernel {
  AttentionKernel kernel;
  Format weights;
};

std::string addition_of(const RoundedKernel& of, std::size_t keys, const Formats& formats) {
  const AttentionKernel& kernel = of.kernel;
  const std::size_t splits = kernel.filled_splits(keys);
  const std::size_t block = std::min({kernel.block_keys, kernel.split_keys, keys});
  const auto counted = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " key" : " keys"); };
  std::string text = splits == 1 ? counted(keys) : std::to_string(splits) + " splits of " + counted(kernel.split_keys);
  if (block < std::min(kernel.split_keys, keys))
    text += ", blocks of " + std::to_string(block) + (kernel.last_block_first ? " from last to first" : "");
  text += kernel.weights == AttentionWeights::quotient ? ": e^(score - maximum) / sum" : ": e^(score - maximum so far)";
  if (of.weights != Format::fp32) text += ", rounded to " + std::string(info(of.weights).name) + ",";
  text += " times values";
  if (kernel.weights == AttentionWeights::rounded_in_sum && of.weights != Format::fp32)
    text += "; the rounded ones are summed";
  if (splits > 1) {
    if (kernel.partials_rounded) text += "; results of splits rounded to " + std::string(info(formats.result).name);
    text += "; " + merge_text(kernel);
  }
  return text + "; rounded once to " + std::string(info(formats.result).name);
}

/// Attention of one query for each head.
class AttentionRows : public RowComputation {
 public:
  AttentionRows(const Tensor& query, const Tensor& memory, const AttentionShape& shape, std::size_t multiprocessors,
                RoundedKernel kernel, AttentionLibrary library, const Formats& formats)
      : shape_(shape),
        multiprocessors_(multiprocessors),
        kernel_(std::move(kernel)),
        library_(library),
        formats_(formats),
        query_(numbers_of(query.terms.view(), 0, shape.heads * shape.dim)),
        exact_heads_(shape.heads) {
    const std::size_t of_head = shape.keys * shape.dim;
    for (std::size_t h = 0; h < shape.kv_heads; ++h) {
      keys_.push_back(numbers_of(memory.terms.view(), h * of_head, of_head));
      values_.push_back(numbers_of(memory.terms.view(), (shape.kv_heads + h) * of_head, of_head));
      placed_.emplace_back(key_room(shape.keys, shape.dim));
      std::vector<double>& largest = largest_values_.emplace_back(shape.dim);
      for (std::size_t j = 0; j < shape.keys; ++j) {
        put_key(keys_[h].data() + j * shape.dim, shape.dim, j, placed_[h].data());
        for (std::size_t d = 0; d < shape.dim; ++d)
          largest[d] = std::max(largest[d], std::fabs(static_cast<double>(values_[h][j * shape.dim + d])));
      }
    }
  }

  Terms results() const override { return results_of(kernel_); }

  AdditionCount additions() const override { return count_of(kernel_.kernel); }

  void make_exact(std::size_t row, std::span<double> outputs, std::span<double> magnitudes) const override {
    const std::vector<double>& scores = exact_head(row).scores;
    const float* const values = values_[memory_of(row)].data();
    const double largest = *std::max_element(scores.begin(), scores.end());
    KeptSum all;
    std::vector<KeptSum> sums(shape_.dim);
    std::vector<KeptSum> sizes(shape_.dim);
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      const double weight =
          std::isfinite(scores[j]) ? fixed_exp(scores[j] - largest) : std::numeric_limits<double>::quiet_NaN();
      all.add(weight);
      for (std::size_t d = 0; d < shape_.dim; ++d) {
        const double term = weight * static_cast<double>(values[j * shape_.dim + d]);
        sums[d].add(term);
        sizes[d].add(std::fabs(term));
      }
    }
    for (std::size_t d = 0; d < shape_.dim; ++d) {
      outputs[d] = sums[d].value() / all.value();
      magnitudes[d] = sizes[d].value() / all.value();
    }
  }

  double exactness(std::size_t row) const override { return 0x1p-48 * (1 + exact_head(row).largest_score); }

  // A weight's exponent is off by the errors of its score and of the maximum's, and by 16 u (1 + ln keys) for the
  // logarithms of splits; differences of maxima add up to no more than the scores differ, so score_error has them.
  // The exponential and the products beside it are off by 24 u. Where the maximum grows, sums are scaled, each time by
  // 5 u: a block may have one key, a split one block, so a key's product is scaled at most once for each key of its
  // split, each split of its group and each group, together keys + 2 times. A weight is rounded to the terms' format or
  // that of probabilities once, in numerator, denominator or both, each a sum of as many numbers as keys. Paged
  // attention adds 1e-6 to sums of at least 1 - each, twice. Results of splits, and of groups of them, may be rounded
  // to the result's format: they are means of the values with the same magnitudes. Weights and products below the
  // normal range may be lost, of sums of at least 1. Sums are not yet divided, so they may overflow where no result
  // does.
  std::array<double, 2> range(std::size_t row, std::size_t i, double exact, double magnitude) const override {
    constexpr double kAny = std::numeric_limits<double>::quiet_NaN();
    const FormatInfo& sums = info(Format::fp32);
    const FormatInfo& result = info(formats_.result);
    const double u = sums.unit_roundoff();
    const double of_weight = std::max(info(formats_.terms).unit_roundoff(), info(kernel_.weights).unit_roundoff());
    const auto keys = static_cast<double>(shape_.keys);
    const double exponent = 2 * exact_head(row).score_error + 16 * u * (1 + std::log(keys));
    const double weight = std::expm1(exponent + (24 + 5 * (keys + 2)) * u) + of_weight * (1 + of_weight);
    const double each = (1 + weight) * std::exp((keys + 4) * u) - 1 + 3e-6;
    if (!(each < 0.25)) return {kAny, kAny};
    const double largest_value = largest_values_[memory_of(row)][i];
    const double greatest_sum = 2 * keys * largest_value;  // a sum before it is divided; weights are at most 1 + each
    const double greatest_mean = largest_value * (1 + 2 * each / (1 - each)) * (1 + 4 * result.unit_roundoff());
    if (!(greatest_sum < power_of_two(sums.e_max)) || !(greatest_mean < power_of_two(result.e_max)))
      return {kAny, kAny};
    const double lost_weight = std::max({power_of_two(sums.e_min), info(formats_.terms).smallest_subnormal(),
                                         info(kernel_.weights).smallest_subnormal()});
    const double lost = 8 * keys * lost_weight * (1 + largest_value) + 4 * result.smallest_subnormal();
    const double of_result = 1 + result.unit_roundoff();
    const double bound = magnitude * ((1 + 2 * each / (1 - each)) * of_result * of_result - 1 + exactness(row)) + lost;
    const auto rounded = [&](double x) { return value_of_bits(formats_.result, round_to_bits(formats_.result, x)); };
    return {rounded(exact - bound), rounded(exact + bound)};
  }

  std::vector<ComputedWay> ways() const override {
    std::vector<ComputedWay> ways;
    const auto add = [&](std::string name, const RoundedKernel& kernel) {
      ways.push_back(
          {std::move(name), addition_of(kernel, shape_.keys, formats_), results_of(kernel), count_of(kernel.kernel)});
    };
    for (const std::string_view name : kAttentionLibraryNames) {
      const auto library = *enumerator_named<AttentionLibrary::sglang>(name);
      if (library == library_) continue;
      const Format weights = rounds_weights(library, shape_) ? kernel_.weights : Format::fp32;
      add(std::string(name), {attention_kernel(library, shape_, multiprocessors_), weights});
    }
    if (kernel_.kernel.filled_splits(shape_.keys) > 1)
      add("one split", {in_splits(kernel_.kernel, shape_.keys, 1), kernel_.weights});
    if (kernel_.weights != Format::fp32) add("probabilities in fp32", {kernel_.kernel, Format::fp32});
    return ways;
  }

 private:
  std::size_t memory_of(std::size_t head) const { return head / (shape_.heads / shape_.kv_heads); }

  Terms results_of(const RoundedKernel& of) const {
    std::vector<float> outputs(shape_.heads * shape_.dim);
    const AttentionRounding rounding{of.weights, formats_.result};
    parallel_for(0, shape_.heads, Grain::joined, [&](std::uint64_t head) {
      AttentionRoom room;
      const std::size_t memory = memory_of(head);
      attend(query_.data() + head * shape_.dim,
             {placed_[memory].data(), values_[memory].data(), shape_.dim, shape_.keys}, of.kernel, rounding, room,
             outputs.data() + head * shape_.dim);
    });
    Terms results(formats_.result, outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) results.set(i, static_cast<double>(outputs[i]));
    return results;
  }

  AdditionCount count_of(const AttentionKernel& kernel) const {
    const std::size_t of_split = std::min(kernel.split_keys, shape_.keys);
    return {static_cast<std::uint64_t>(shape_.heads) * shape_.dim * (shape_.keys - 1),
            of_split - 1 + kernel.filled_splits(shape_.keys) - 1};
  }

  double scale() const { return 1 / std::sqrt(static_cast<double>(shape_.dim)); }

  /// What checks and exact results need of one head, which runs do not.
  struct ExactHead {
    std::once_flag made;
    std::vector<double> scores;  ///< scaled
    double largest_score = 0;    ///< its magnitude
    /// Greatest error of a score in fp32, in any order of its products, with those of its scale and of the differences
    /// from maxima: dim + 16 roundings of at most its magnitude. Infinite where a product is.
    double score_error = 0;
  };

  const ExactHead& exact_head(std::size_t head) const {
    ExactHead& exact = exact_heads_[head];
    std::call_once(exact.made, [&] { make_exact_head(head, exact); });
    return exact;
  }

  void make_exact_head(std::size_t head, ExactHead& exact) const {
    const float* const query = query_.data() + head * shape_.dim;
    const float* const keys = keys_[memory_of(head)].data();
    double largest_size = 0;
    exact.scores.resize(shape_.keys);
    for (std::size_t j = 0; j < shape_.keys; ++j) {
      KeptSum sum;
      double size = 0;
      for (std::size_t d = 0; d < shape_.dim; ++d) {
        const double product = static_cast<double>(query[d]) * static_cast<double>(keys[j * shape_.dim + d]);
        sum.add(product);
        size += std::fabs(product);
      }
      exact.scores[j] = sum.value() * scale();
      exact.largest_score = std::max(exact.largest_score, std::fabs(exact.scores[j]));
      if (!(size < power_of_two(info(Format::fp32).e_max))) size = std::numeric_limits<double>::infinity();
      largest_size = std::max(largest_size, size);
    }
    const double roundings = (static_cast<double>(shape_.dim) + 16) * info(Format::fp32).unit_roundoff();
    exact.score_error = largest_size * scale() * roundings / (1 - roundings);
  }

  AttentionShape shape_;
  std::size_t multiprocessors_;
  RoundedKernel kernel_;
  AttentionLibrary library_;
  Formats formats_;
  std::vector<float> query_;
  std::vector<std::vector<float>> keys_;    ///< of each key-value head, key by key
  std::vector<std::vector<float>> placed_;  ///< the same keys, as put_key places them
  std::vector<std::vector<float>> values_;
  std::vector<std::vector<double>> largest_values_;  ///< magnitudes, of each key-value head and place in it
  mutable std::vector<ExactHead> exact_heads_;       ///< made where they are asked for
};

OperationInputs generate_attention(const Arguments& arguments, const GeneratedInputs& what) {
  const AttentionShape shape = attention_shape(arguments);
  return {draw_tensor({shape.heads, shape.dim}, what, 0),
          draw_tensor({2, shape.kv_heads, shape.keys, shape.dim}, what, 1), std::nullopt, std::nullopt, what.formats};
}

void require_formats_of_attention(const std::string& name, const Formats& formats) {
  const auto held = [](Format format) {
    return format == Format::fp32 || format == Format::bf16 || format == Format::fp16;
  };
  if (!held(formats.terms) || !held(formats.result) || formats.accumulate != Format::fp32)
    throw Error(ErrorKind::unsupported,
                name + ": formats " + to_string(formats) +
                    ": its kernels add in fp32; take bf16, fp16 or fp32 terms and results, such as bf16:fp32:bf16");
}

RoundedKernel kernel_of_attention(const Arguments& arguments, AttentionLibrary library, const AttentionShape& shape,
                                  const Device& device, Format terms) {
  RoundedKernel of{attention_kernel(library, shape, device.multiprocessors),
                   rounds_weights(library, shape) ? terms : Format::fp32};
  if (arguments.has(kAttentionSplits)) {
    of.kernel = in_splits(std::move(of.kernel), shape.keys, std::min(arguments.count(kAttentionSplits), shape.keys));
    of.kernel.reason = "set by splits=";
  }
  if (arguments.has(kAttentionWeights)) of.weights = *find_format(arguments.choice(kAttentionWeights));
  return of;
}

LoweredOperation lower_attention(const OperationCall& call, OperationInputs inputs, const Device& device,
                                 const Order*) {
  const std::string name = to_string(call);
  const AttentionShape shape = attention_shape(call.arguments);
  if (shape.heads % shape.kv_heads != 0)
    throw Error(ErrorKind::usage, name + ": " + std::to_string(shape.kv_heads) + " key-value heads do not divide " +
                                      std::to_string(shape.heads) + " heads");
  if (inputs.self) throw Error(ErrorKind::usage, name + ": adds nothing to start from; leave self out");
  if (!inputs.factor) throw Error(ErrorKind::usage, name + ": needs keys and values; give --with FILE");
  require_shape(name, "the input, the queries,", inputs.source.shape, {shape.heads, shape.dim});
  require_shape(name, "--with, keys and values,", inputs.factor->shape, {2, shape.kv_heads, shape.keys, shape.dim});
  const double numbers =
      static_cast<double>(shape.kv_heads) * static_cast<double>(shape.keys) * static_cast<double>(shape.dim);
  require_small(name + ": number of values", numbers);
  if (inputs.formats.accumulate == inputs.formats.terms && info(inputs.formats.terms).bits == 16)
    inputs.formats.accumulate = Format::fp32;
  require_formats_of_attention(name, inputs.formats);

  const auto library = *enumerator_named<AttentionLibrary::sglang>(call.arguments.choice(kAttentionLibrary));
  RoundedKernel kernel = kernel_of_attention(call.arguments, library, shape, device, inputs.formats.terms);
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {shape.heads, shape.dim};
  Launch& launch = result.launch;
  const std::size_t splits = kernel.kernel.filled_splits(shape.keys);
  launch.kernel = std::string(name_of(library)) + ", " + std::to_string(splits) + (splits == 1 ? " split" : " splits");
  launch.source = kernel.kernel.source;
  launch.reason = kernel.kernel.reason;
  launch.addition = addition_of(kernel, shape.keys, inputs.formats);
  launch.unit = "none: the order is fixed";
  launch.guarantee = Guarantee::run_to_run;
  result.addition.arrives = false;
  result.rows.units = 1;
  result.computed =
      ComputedRows{shape.dim, shape.keys, static_cast<std::uint64_t>(numbers),
                   std::make_shared<AttentionRows>(inputs.source, *inputs.factor, shape, device.multiprocessors,
                                                   std::move(kernel), library, inputs.formats)};
  return result;
}

}  // namespace

extern const TensorOperation kAttention;
const TensorOperation kAttention{
    .name = "attention",
    .summary =
        "for each head the mean of `keys` values, weighted by e^(query . key / sqrt(dim)): a decoding step of one "
        "request. The input has the queries, heads x dim; --with the keys, then the values, 2 x kv_heads x keys x dim. "
        "library= splits the keys by the size of the batch, batch=, and the GPU, unless splits= does; probabilities= "
        "is what the exponentials are rounded to",
    .adds = "values by blocks of keys and splits, which are scaled again where the maximum grows",
    .source = "FlashAttention, FlashInfer, vLLM, SGLang: the files that `orderlab explain` names",
    .freedom =
        "every split and block of keys, every order inside, exponentials rounded to the terms' format, to that "
        "of probabilities=, or not, results of splits to the result's or not: libraries choose splits by batch, length "
        "and GPU",
    .assumes =
        "products of a query and a key, and of exponentials and values, as chains of fused multiply-adds, since the "
        "order inside a tensor core's step is not published; exponentials of a block added by four threads; 2^x "
        "and logarithms computed in doubles and rounded once, divisions rounded once; where two splits are merged, the "
        "product with what was merged before is rounded and the other fused, which the sources leave to the compiler; "
        "Triton's tree over splits by halves; requests of one length",
    .parameters = kAttentionParameters,
    .takes_factor = true,
    .needs_shape = false,
    .generate = generate_attention,
    .lower = lower_attention,
};

}  // namespace orderlab
