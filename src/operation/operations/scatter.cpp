// scatter_add, scatter_reduce: every element of the source is combined with an element of self, where an index says.
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/sorted_runs.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kScatterSource = "PyTorch 2.3, aten/src/ATen/native/cuda/ScatterGatherKernel.cu";
constexpr std::size_t kScatterThreads = 128;
constexpr std::size_t kScatterItems = 4;

constexpr std::string_view kReductions[] = {"sum", "mean", "prod"};
constexpr Parameter kScatterAddParameters[] = {
    {.name = "dim", .kind = ParameterKind::count, .default_text = "0", .keyword_only = true}};
constexpr Parameter kScatterReduceParameters[] = {
    {.name = "reduce", .kind = ParameterKind::choice, .default_text = kReductions[0], .choices = kReductions},
    {.name = "dim", .kind = ParameterKind::count, .default_text = "0", .keyword_only = true}};

// The source has the shape; the bins are R of its extent along dim.
OperationInputs generate_scatter_along(std::uint64_t dim, const GeneratedInputs& what) {
  require_dimension("scatter", dim, what.shape);
  Shape bins = what.shape;
  bins[dim] = share_of(what.ratio, what.shape[dim]);
  IndexTensor index{what.shape, draw_index(element_count(what.shape), bins[dim], what)};
  return {draw_tensor(what.shape, what, 0), std::nullopt, std::move(index), draw_tensor(bins, what, 1), what.formats};
}

LoweredOperation lower_scatter(const std::string& name, std::string_view reduction, std::size_t dim,
                               OperationInputs inputs) {
  const Shape& shape = inputs.source.shape;
  const IndexTensor& index = *inputs.index;
  require_dimension(name, dim, shape);
  if (index.shape != shape)
    throw Error(ErrorKind::input, name + ": the index is " + to_string(index.shape) + " and the input " +
                                      to_string(shape) + "; they must have the same shape");
  if (inputs.self) require_like(name, "self", inputs.self->shape, shape, dim);
  const std::size_t bins = checked_bins(name, index, inputs.self, dim);
  const Around sizes = around(shape, dim);
  require_small(name + ": number of outputs",
                static_cast<double>(sizes.outer * sizes.inner) * static_cast<double>(bins));

  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = shape;
  result.shape[dim] = bins;
  const std::size_t count = index.values.size();
  constexpr std::size_t kUnit = kScatterThreads * kScatterItems;
  const auto at = [&](std::size_t p) -> Contribution {
    const std::size_t outer = p / (sizes.extent * sizes.inner);
    const std::size_t inner = p % sizes.inner;
    const auto bin = static_cast<std::size_t>(index.values[p]);
    return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>((outer * bins + bin) * sizes.inner + inner)};
  };
  result.rows = rows_in_launch_order(converted(inputs.source.terms, inputs.formats.accumulate),
                                     sizes.outer * bins * sizes.inner, count, kUnit, at);
  if (inputs.self) result.rows.initial = converted(inputs.self->terms, inputs.formats.accumulate);
  const bool multiplies = reduction == kReductions[2];
  if (multiplies) result.addition.combine = Combine::multiply;
  result.addition.flush = !multiplies && atomics_flush(inputs.formats.accumulate);
  if (reduction == kReductions[1])
    for (std::size_t r = 0; r < result.rows.outputs(); ++r)
      result.divide_by.push_back(static_cast<std::uint32_t>(1 + result.rows.row_length(r)));
  const std::string what = multiplies ? "((self * a) * b) * ..." : "((self + a) + b) + ...";
  Launch& launch = result.launch;
  launch.kernel = "_scatter_gather_elementwise_kernel";
  launch.source = kScatterSource;
  launch.reason = "all shapes";
  launch.addition = what + ", by atomics in arrival order" +
                    (result.divide_by.empty() ? "" : "; divided by the count, self included");
  launch.unit = "512 consecutive elements of the source: a thread block of 128 threads with 4 each";
  launch.threads_per_block = kScatterThreads;
  launch.grid = result.rows.units;
  if (!multiplies) result.deterministic = sorted_form(1);
  return result;
}

}  // namespace

extern const TensorOperation kScatterAdd;
const TensorOperation kScatterAdd{
    .name = "scatter_add",
    .summary = "adds each element of the input to an element of self, where an index says",
    .adds = "one atomicAdd per element",
    .source = kScatterSource,
    .documented = "nondeterministic; deterministic by torch.use_deterministic_algorithms(True)",
    .freedom = kFreedomOfAtomics,
    .assumes = kBlocksArriveTogether,
    .parameters = kScatterAddParameters,
    .takes_index = true,
    .generate = [](const Arguments& arguments,
                   const GeneratedInputs& what) { return generate_scatter_along(arguments.count(0), what); },
    .lower =
        [](const OperationCall& call, OperationInputs inputs, const Device&, const Order*) {
          return lower_scatter(to_string(call), kReductions[0], call.arguments.count(0), std::move(inputs));
        },
};

extern const TensorOperation kScatterReduce;
const TensorOperation kScatterReduce{
    .name = "scatter_reduce",
    .summary = "the same with a sum, mean or product, self included",
    .adds = "one atomicAdd or atomic product per element; of a mean, one division at the end",
    .source = kScatterSource,
    .documented =
        "sum and mean: nondeterministic; deterministic by torch.use_deterministic_algorithms(True); prod: an error "
        "then",
    .freedom = kFreedomOfAtomics,
    .assumes = kBlocksArriveTogether,
    .parameters = kScatterReduceParameters,
    .takes_index = true,
    .generate = [](const Arguments& arguments,
                   const GeneratedInputs& what) { return generate_scatter_along(arguments.count(1), what); },
    .lower =
        [](const OperationCall& call, OperationInputs inputs, const Device&, const Order*) {
          return lower_scatter(to_string(call), call.arguments.choice(0), call.arguments.count(1), std::move(inputs));
        },
};

}  // namespace orderlab
