// index_add: slices of the source are added to slices of self, where an index says.
#include <algorithm>
#include <utility>

#include "operation/index_add_launch.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/sorted_runs.hpp"
#include "orderlab/error.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kIndexAddSource = "PyTorch 2.3, aten/src/ATen/native/cuda/Indexing.cu, index_add_cuda_impl";
constexpr std::size_t kBlocksPerMultiprocessor = 8;
constexpr std::size_t kMostSmallIndices = 16;

constexpr std::string_view kUnits[] = {name_of(ArrivalUnit::thread_block), name_of(ArrivalUnit::warp)};
constexpr Parameter kIndexAddParameters[] = {
    {.name = "dim", .kind = ParameterKind::count, .default_text = "0", .keyword_only = true},
    {.name = "unit",
     .kind = ParameterKind::choice,
     .default_text = kUnits[0],
     .choices = kUnits,
     .keyword_only = true}};

OperationInputs generate_index_add(const Arguments& arguments, const GeneratedInputs& what) {
  const std::uint64_t dim = arguments.count(0);
  require_dimension("index_add", dim, what.shape);
  Shape source = what.shape;
  source[dim] = share_of(what.ratio, what.shape[dim]);
  IndexTensor index{{source[dim]}, draw_index(source[dim], source[dim], what)};
  return {draw_tensor(source, what, 0), std::nullopt, std::move(index), draw_tensor(what.shape, what, 1), what.formats};
}

/// Whether neighbouring threads take neighbouring elements of a slice; else neighbouring indices. A source of which
/// some dimension other than `dim` has a smaller stride, in C order: one after it with more than one element.
bool index_is_major(const Shape& shape, std::size_t dim) { return around(shape, dim).inner > 1; }

}  // namespace

Launch index_add_launch(std::size_t indices, std::size_t slice, const Device& device) {
  const bool small = indices <= kMostSmallIndices;
  const std::size_t total = indices * slice;
  const std::size_t most = kBlocksPerMultiprocessor * device.multiprocessors;
  const auto blocks = [](std::size_t threads) { return (threads + kIndexAddThreads - 1) / kIndexAddThreads; };
  Launch launch;
  launch.kernel = small ? "indexFuncSmallIndex" : "indexFuncLargeIndex";
  launch.source = kIndexAddSource;
  launch.reason = std::to_string(indices) + (small ? " indices: at most 16" : " indices: more than 16");
  launch.addition = small ? "((self + a) + b) + ..., in the order of the index"
                          : "((self + a) + b) + ..., by atomics in arrival order";
  launch.unit = small ? "all contributions of an output, which one thread adds"
                      : "128 consecutive elements of the source: a virtual thread block";
  launch.threads_per_block = kIndexAddThreads;
  launch.grid = std::min(blocks(small ? slice : total), most);
  launch.passes = small ? 1 : (blocks(total) + launch.grid - 1) / launch.grid;
  launch.guarantee = small ? Guarantee::run_to_run : Guarantee::not_guaranteed;
  return launch;
}

LoweredOperation lower_index_add(const std::string& name, std::size_t dim, OperationInputs inputs, const Device& device,
                                 std::size_t unit = kIndexAddThreads) {
  const Shape& shape = inputs.source.shape;
  const IndexTensor& index = *inputs.index;
  require_dimension(name, dim, shape);
  if (index.shape.size() > 1)
    throw Error(ErrorKind::input, name + ": the index is " + to_string(index.shape) + "; it must have one dimension");
  const Around sizes = around(shape, dim);
  if (index.values.size() != sizes.extent)
    throw Error(ErrorKind::input, name + ": the index has " + std::to_string(index.values.size()) +
                                      " elements and the input " + std::to_string(sizes.extent) + " along dimension " +
                                      std::to_string(dim) + "; the counts must match");
  if (inputs.self) require_like(name, "self", inputs.self->shape, shape, dim);
  const std::size_t bins = checked_bins(name, index, inputs.self, dim);
  const std::size_t slice = sizes.outer * sizes.inner;
  require_small(name + ": number of outputs", static_cast<double>(slice) * static_cast<double>(bins));

  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = shape;
  result.shape[dim] = bins;
  result.launch = index_add_launch(sizes.extent, slice, device);
  result.addition.arrives = result.launch.guarantee == Guarantee::not_guaranteed;
  result.addition.flush = atomics_flush(inputs.formats.accumulate);
  const bool major = index_is_major(shape, dim);
  const auto at = [&](std::size_t p) -> Contribution {
    const std::size_t i = major ? p / slice : p % sizes.extent;
    const std::size_t element = major ? p % slice : p / sizes.extent;
    const std::size_t outer = element / sizes.inner;
    const std::size_t inner = element % sizes.inner;
    const auto bin = static_cast<std::size_t>(index.values[i]);
    return {static_cast<std::uint32_t>((outer * sizes.extent + i) * sizes.inner + inner),
            static_cast<std::uint32_t>((outer * bins + bin) * sizes.inner + inner)};
  };
  result.rows = rows_in_launch_order(converted(inputs.source.terms, inputs.formats.accumulate), bins * slice,
                                     sizes.extent * slice, unit, at);
  result.rows.units_per_block = static_cast<std::uint32_t>(kIndexAddThreads / unit);
  if (unit < kIndexAddThreads && result.addition.arrives)
    result.launch.unit =
        "32 consecutive elements of the source: a warp; the warps of a virtual thread block may arrive in any order";
  if (inputs.self) result.rows.initial = converted(inputs.self->terms, inputs.formats.accumulate);
  result.deterministic = sorted_form(slice);
  return result;
}

namespace {

LoweredOperation lower_default_index_add(const OperationCall& call, OperationInputs inputs, const Device& device,
                                         const Order*) {
  const bool warps = call.arguments.choice(1) == kUnits[1];
  return lower_index_add(to_string(call), call.arguments.count(0), std::move(inputs), device,
                         warps ? kWarp : kIndexAddThreads);
}

constexpr std::string_view kPutModes[] = {"accumulate", "write"};
constexpr Parameter kIndexPutParameters[] = {
    {.name = "mode", .kind = ParameterKind::choice, .default_text = kPutModes[0], .choices = kPutModes}};

void require_no_duplicates(const IndexTensor& index) {
  std::vector<std::int64_t> sorted = index.values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(ErrorKind::input, "index_put(write): index " + std::to_string(*twice) +
                                      " occurs more than once, and which write is the last is not guaranteed; "
                                      "accumulate with index_put, or give an index without duplicates");
}

LoweredOperation lower_index_put(const OperationCall& call, OperationInputs inputs, const Device& device,
                                 const Order*) {
  const bool writes = call.arguments.choice(0) == kPutModes[1];
  if (writes) require_no_duplicates(*inputs.index);
  LoweredOperation result = lower_index_add(to_string(call), 0, std::move(inputs), device);
  result.launch = sorted_launch(around(result.shape, 0).inner, result.rows.count());
  result.addition.arrives = false;
  result.addition.flush = false;
  if (writes) {
    result.addition.start = AccumulatorStart::first;
    result.freedom = OrderFreedom::named;
  } else {
    result.own = std::exchange(result.deterministic, std::nullopt);
  }
  return result;
}

OperationInputs generate_index_put(const Arguments&, const GeneratedInputs& what) {
  return generate_index_add(Arguments({Argument(std::uint64_t{0})}), what);
}

}  // namespace

extern const TensorOperation kIndexAdd;
const TensorOperation kIndexAdd{
    .name = "index_add",
    .summary = "adds slices of the input to slices of self, where an index says",
    .adds = "one atomicAdd per element; up to 16 indices: one thread per output, in the order of the index",
    .source = kIndexAddSource,
    .documented = "nondeterministic; deterministic by torch.use_deterministic_algorithms(True)",
    .freedom = kFreedomOfAtomics,
    .assumes =
        "the threads of a thread block arrive together, in program order, or with unit=warp those of a warp; up to 16 "
        "indices: one thread adds an output",
    .parameters = kIndexAddParameters,
    .takes_index = true,
    .generate = generate_index_add,
    .lower = lower_default_index_add,
};

extern const TensorOperation kIndexPut;
const TensorOperation kIndexPut{
    .name = "index_put",
    .summary = "accumulates slices of the input in slices of self, where an index says",
    .adds = "one thread or warp per output, in the order of the sorted index",
    .source = "PyTorch 2.3, aten/src/ATen/native/cuda/Indexing.cu, index_put_with_sort_kernel",
    .documented = "deterministic on a GPU",
    .freedom =
        "every order and grouping of the contributions and self: which kernel adds them depends on the version; of "
        "index_put(write) none, as nothing is added",
    .assumes = "the index is sorted, and one thread or warp adds an output",
    .parameters = kIndexPutParameters,
    .takes_index = true,
    .generate = generate_index_put,
    .lower = lower_index_put,
};

}  // namespace orderlab
