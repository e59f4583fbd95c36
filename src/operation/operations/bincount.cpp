// bincount: weights added up by bin, in one of three forms.
#include <algorithm>

#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kBincountSource =
    "PyTorch 2.3, aten/src/ATen/native/cuda/SummaryOps.cu, CUDA_tensor_histogram";
constexpr std::size_t kBincountThreads = 512;
constexpr std::size_t kMostSharedBins = 100;       // THRESH_NUMBER_BINS_FOR_MULTI_BLOCK_MEM
constexpr std::size_t kMostMultiBlockBins = 1000;  // THRESH_NUMBER_BINS_FOR_GLOBAL_MEM

constexpr Parameter kBincountParameters[] = {
    {.name = "bins", .kind = ParameterKind::count, .default_text = "-", .low = 1, .high = 0x1p31 - 1}};

OperationInputs generate_bincount(const Arguments& arguments, const GeneratedInputs& what) {
  if (what.shape.size() != 1)
    throw Error(ErrorKind::usage, "bincount: the shape is " + to_string(what.shape) + "; it has one dimension");
  const std::size_t bins = arguments.has(0) ? arguments.count(0) : share_of(what.ratio, what.shape[0]);
  return {draw_tensor(what.shape, what, 0), std::nullopt,
          IndexTensor{what.shape, draw_index(what.shape[0], bins, what)}, std::nullopt, what.formats};
}

/// The contributions of each thread block to an output, added up in program order from 0.
Contributions added_by_unit(const Contributions& raw) {
  Contributions rows;
  rows.units = raw.units;
  rows.row_begin = {0};
  std::vector<double> sums;
  with_type_of(raw.values.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const T* const values = static_cast<const T*>(raw.values.view().x);
    for (std::size_t r = 0; r < raw.outputs(); ++r) {
      for (std::size_t i = raw.row_begin[r]; i < raw.row_begin[r + 1];) {
        const std::uint32_t unit = raw.unit[i];
        T sum{};
        for (; i < raw.row_begin[r + 1] && raw.unit[i] == unit; ++i) sum += values[i];
        sums.push_back(static_cast<double>(sum));
        rows.unit.push_back(unit);
      }
      rows.row_begin.push_back(static_cast<std::uint32_t>(sums.size()));
    }
  });
  rows.values = Terms(raw.values.format(), sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) rows.values.set(i, sums[i]);
  return rows;
}

LoweredOperation lower_bincount(const OperationCall& call, OperationInputs inputs, const Device&, const Order*) {
  const std::string name = to_string(call);
  const IndexTensor& index = *inputs.index;
  if (inputs.source.shape.size() != 1 || index.shape != inputs.source.shape)
    throw Error(ErrorKind::input, name + ": the weights are " + to_string(inputs.source.shape) + " and the bins " +
                                      to_string(index.shape) + "; both must be one-dimensional and of equal length");
  if (inputs.self) throw Error(ErrorKind::usage, name + ": counts from 0; leave self out");
  std::size_t bins = checked_bins(name, index, std::nullopt, 0);
  if (call.arguments.has(0)) {
    if (bins > call.arguments.count(0))
      throw Error(ErrorKind::input, name + ": index " + std::to_string(bins - 1) + " is out of range; there are " +
                                        std::to_string(call.arguments.count(0)) + " bins");
    bins = call.arguments.count(0);
  }

  require_small(name + ": number of bins", static_cast<double>(bins));
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {bins};
  const auto at = [&](std::size_t p) -> Contribution {
    return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(index.values[p])};
  };
  result.rows = rows_in_launch_order(converted(inputs.source.terms, inputs.formats.accumulate), bins,
                                     index.values.size(), kBincountThreads, at);
  result.addition.start = AccumulatorStart::zero;
  result.addition.flush = atomics_flush(inputs.formats.accumulate);
  Launch& launch = result.launch;
  launch.source = kBincountSource;
  launch.threads_per_block = kBincountThreads;
  launch.grid = result.rows.units;
  const std::string many = std::to_string(bins) + " bins: ";
  if (bins >= kMostMultiBlockBins) {
    launch.kernel = "kernelHistogram1D, GLOBAL";
    launch.reason = many + "1000 or more";
    launch.addition = "(0 + a) + b + ..., by atomics in arrival order";
    launch.unit = "512 consecutive weights: a thread block";
    return result;
  }
  const bool shared = bins < kMostSharedBins;
  launch.kernel = shared ? "kernelHistogram1D, SHARED" : "kernelHistogram1D, MULTI_BLOCK";
  launch.reason = many + (shared ? "fewer than 100" : "from 100 to 999");
  launch.addition =
      "each thread block adds its weights in program order (its own atomics may differ), then its sum by an atomic in "
      "arrival order";
  launch.unit = "the sum of a thread block over 512 weights";
  result.raw = std::move(result.rows);
  result.rows = added_by_unit(*result.raw);
  return result;
}

}  // namespace

extern const TensorOperation kBincount;
const TensorOperation kBincount{
    .name = "bincount",
    .summary = "adds up the weights of each bin; the input is the weights, the index their bins",
    .adds = "atomicAdds, up to 999 bins in two levels",
    .source = kBincountSource,
    .documented = "with weights: nondeterministic; an error where torch.use_deterministic_algorithms(True) was called",
    .freedom = kFreedomOfAtomics,
    .assumes = kBlocksArriveTogether,
    .parameters = kBincountParameters,
    .takes_index = true,
    .generate = generate_bincount,
    .lower = lower_bincount,
};

}  // namespace orderlab
