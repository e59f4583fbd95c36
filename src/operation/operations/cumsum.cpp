// cumsum and scan: prefix sums.
#include <algorithm>
#include <bit>
#include <string>

#include "operation/accumulator.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/scan_outputs.hpp"
#include "operation/tile_scan.hpp"
#include "order/counts.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kCumsumSource = "PyTorch 2.3, aten/src/ATen/native/cuda/ScanUtils.cuh, scan_dim";
constexpr std::string_view kScanSource = "CUB 3.0.1, tuning_scan.cuh, sm_90; cub::DeviceScan with plus<>";
constexpr std::string_view kAllOutputs = "all";
constexpr std::string_view kLastOutput = "last";
constexpr std::string_view kOutputChoices[] = {kAllOutputs, kLastOutput};
constexpr std::string_view kScanModes[] = {"inclusive", "exclusive"};

constexpr Parameter kLookbackParameter{
    .name = "lookback", .kind = ParameterKind::lookback, .default_text = "arrival", .keyword_only = true};
constexpr Parameter kOutputsParameter{.name = "outputs",
                                      .kind = ParameterKind::choice,
                                      .default_text = kAllOutputs,
                                      .choices = kOutputChoices,
                                      .keyword_only = true};
constexpr Parameter kCumsumParameters[] = {
    {.name = "dim", .kind = ParameterKind::count, .default_text = "0"}, kLookbackParameter, kOutputsParameter};
constexpr Parameter kScanParameters[] = {
    {.name = "mode", .kind = ParameterKind::choice, .default_text = kScanModes[0], .choices = kScanModes},
    kLookbackParameter,
    kOutputsParameter,
    {.name = "tile",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 32,
     .high = 1024.0 * kMostTileItems,
     .keyword_only = true},
    {.name = "threads",
     .kind = ParameterKind::count,
     .default_text = "-",
     .low = 32,
     .high = 1024,
     .keyword_only = true}};
constexpr std::size_t kTileParameter = 3;
constexpr std::size_t kThreadsParameter = 4;

/// What cub's tuning for sm_90 gives a scan of numbers of a format.
constexpr std::string_view kScanFreedom =
    "every order and grouping of the terms of an output: tiles depend on the GPU and the version (CUB tuning policies)";
constexpr std::string_view kScanAssumes = "the tiles of this kernel, and the look-back distances that were tried";

struct TileSize {
  std::size_t threads;
  std::size_t items;
};

constexpr TileSize tile_size(Format accumulate) {
  if (accumulate == Format::fp32) return {128, 24};
  if (accumulate == Format::fp64) return {224, 12};
  return {512, 24};
}

constexpr std::size_t kUsualThreads = 128;

/// A tile of the user's, of whole warps.
void check_tile(const Arguments& arguments) {
  if (!arguments.has(kTileParameter)) {
    if (arguments.has(kThreadsParameter))
      throw Error(ErrorKind::usage, "scan: threads are those of a tile; give tile=TERMS too, such as tile=2048");
    return;
  }
  const std::uint64_t tile = arguments.count(kTileParameter);
  const std::uint64_t threads = arguments.has(kThreadsParameter) ? arguments.count(kThreadsParameter) : kUsualThreads;
  if (threads % kWarp == 0 && tile % threads == 0 && tile / threads <= kMostTileItems) return;
  throw Error(ErrorKind::usage, "scan: a tile of " + std::to_string(tile) + " terms with " + std::to_string(threads) +
                                    " threads: threads must be a multiple of 32, and the tile 1 to " +
                                    std::to_string(kMostTileItems) +
                                    " terms for each thread, such as tile=2048,threads=128");
}

TileSize tile_of(const Arguments& arguments, Format accumulate) {
  if (!arguments.has(kTileParameter)) return tile_size(accumulate);
  const std::size_t threads = arguments.has(kThreadsParameter) ? arguments.count(kThreadsParameter) : kUsualThreads;
  return {threads, arguments.count(kTileParameter) / threads};
}

OperationInputs generate_scan(const Arguments&, const GeneratedInputs& what) {
  return {draw_tensor(what.shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

std::size_t count_exact_outputs(const PrefixScan& scan) {
  Lattice lattice;
  const TermView terms = scan.terms.view();
  const FormatInfo& format = info(terms.format);
  for (std::size_t i = 0; i < terms.n; ++i) {
    const std::size_t added = scan.exclusive ? i : i + 1;
    if (added > 0) lattice.add(terms.left(added - 1));
    if (!lattice.no_order_rounds(format, false)) return i;
  }
  return terms.n;
}

/// A line of tiles, which CUB scans.
void scan_tiles(LoweredOperation& result, const TileSize& size, const LookbackCall& lookback, bool exclusive,
                bool last_only) {
  PrefixScan& scan = *result.scan;
  scan.form = PrefixScan::Form::tiles;
  scan.exclusive = exclusive;
  scan.last_only = last_only;
  scan.threads = size.threads;
  scan.items = size.items;
  scan.lookback = lookback;
  scan.exact_outputs = count_exact_outputs(scan);
  if (last_only) result.shape = {1};
  Launch& launch = result.launch;
  launch.kernel = "cub::DeviceScan";
  launch.source = kScanSource;
  launch.reason = "one line of " + std::to_string(scan.extent) + " terms";
  launch.addition = std::string(exclusive ? "exclusive" : "inclusive") +
                    " scan of tiles; each adds to its outputs the sum of the tiles before it, found by look-back";
  launch.unit = "a tile: " + std::to_string(size.threads) + " threads of " + std::to_string(size.items) + " terms each";
  launch.threads_per_block = size.threads;
  launch.grid = scan.tiles();
  launch.guarantee = scan.drawn() ? Guarantee::not_guaranteed : Guarantee::run_to_run;
  result.rows.units = static_cast<std::uint32_t>(scan.tiles());
  result.deterministic = {
      "as the operation, each tile adds the inclusive sum of the tile before it",
      "the same scan where every look-back finds it one tile back. cub::DeviceScan has another fixed "
      "order from CCCL 3.5 on, with determinism::run_to_run: lookback=anchors",
      chained_scan, count_chained_scan};
}

/// log2 of the threads that PyTorch gives to a row.
std::size_t log_threads_of_row(std::size_t rows, std::size_t length) {
  const auto log_of = [](std::size_t n) { return static_cast<int>(std::bit_width(n - 1)); };
  constexpr int kLogThreads = 9;
  return static_cast<std::size_t>(std::clamp((kLogThreads + log_of(length) - log_of(rows)) / 2, 4, kLogThreads));
}

/// Lines along the last dimension.
void scan_rows(LoweredOperation& result, std::size_t rows) {
  constexpr std::size_t kThreads = 512;
  PrefixScan& scan = *result.scan;
  const std::size_t log_threads = log_threads_of_row(rows, scan.extent);
  scan.form = PrefixScan::Form::network;
  scan.width = std::size_t{2} << log_threads;
  Launch& launch = result.launch;
  launch.kernel = "tensor_kernel_scan_innermost_dim";
  launch.reason = "along the last of several dimensions";
  launch.addition = "Sklansky's network over " + std::to_string(scan.width) +
                    " terms at a time; the total of those before is added to the first";
  launch.grid = ceil_div(rows, kThreads >> log_threads);
  launch.threads_per_block = kThreads;
}

/// Lines along another dimension.
void scan_columns(LoweredOperation& result, std::size_t outer) {
  constexpr std::size_t kMostThreads = 512;
  PrefixScan& scan = *result.scan;
  scan.form = PrefixScan::Form::in_turn;
  Launch& launch = result.launch;
  launch.kernel = "tensor_kernel_scan_outer_dim";
  launch.reason = "along a dimension that is not the last";
  launch.addition = "((0 + a) + b) + ..., one thread a line";
  launch.threads_per_block = std::min(kMostThreads, scan.stride);
  launch.grid = outer * ceil_div(scan.stride, launch.threads_per_block);
}

LoweredOperation begin_scan(const std::string& name, OperationInputs& inputs, const Around& sizes) {
  if (inputs.self) throw Error(ErrorKind::usage, name + ": begins with the first term; leave self out");
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = inputs.source.shape;
  require_small(name + ": number of outputs", static_cast<double>(element_count(result.shape)));
  result.addition.arrives = false;
  result.scan.emplace();
  result.scan->terms = converted(inputs.source.terms, inputs.formats.accumulate);
  result.scan->extent = sizes.extent;
  result.scan->stride = sizes.inner;
  result.launch.guarantee = Guarantee::run_to_run;
  result.launch.unit = "none: the order is fixed";
  result.rows.units = 1;
  return result;
}

LoweredOperation lower_cumsum(const OperationCall& call, OperationInputs inputs, const Device&, const Order*) {
  const std::string name = to_string(call);
  const std::size_t dim = call.arguments.count(0);
  const bool last_only = call.arguments.choice(2) == kLastOutput;
  require_dimension(name, dim, inputs.source.shape);
  const Around sizes = around(inputs.source.shape, dim);
  LoweredOperation result = begin_scan(name, inputs, sizes);
  result.launch.source = kCumsumSource;
  if (sizes.outer * sizes.inner == 1) {
    scan_tiles(result, tile_size(result.formats.accumulate), call.arguments.lookback(1), false, last_only);
    return result;
  }
  if (last_only)
    throw Error(ErrorKind::usage,
                name + ": outputs=last is for one line of terms; the input is " + to_string(inputs.source.shape));
  if (dim + 1 == inputs.source.shape.size())
    scan_rows(result, sizes.outer);
  else
    scan_columns(result, sizes.outer);
  return result;
}

LoweredOperation lower_scan(const OperationCall& call, OperationInputs inputs, const Device&, const Order*) {
  const std::string name = to_string(call);
  if (inputs.source.shape.size() != 1)
    throw Error(ErrorKind::input,
                name + ": the input is " + to_string(inputs.source.shape) + "; it must have one dimension");
  check_tile(call.arguments);
  LoweredOperation result = begin_scan(name, inputs, around(inputs.source.shape, 0));
  scan_tiles(result, tile_of(call.arguments, result.formats.accumulate), call.arguments.lookback(1),
             call.arguments.choice(0) == kScanModes[1], call.arguments.choice(2) == kLastOutput);
  return result;
}

}  // namespace

extern const TensorOperation kCumsum;
const TensorOperation kCumsum{
    .name = "cumsum",
    .summary = "prefix sums along a dimension",
    .adds =
        "one line: CUB's single-pass scan, with drawn look-back; along the last dimension: Sklansky's network; "
        "else one thread a line",
    .source = kCumsumSource,
    .documented = "nondeterministic; an error where torch.use_deterministic_algorithms(True) was called",
    .freedom = kScanFreedom,
    .assumes = kScanAssumes,
    .parameters = kCumsumParameters,
    .generate = generate_scan,
    .lower = lower_cumsum,
};

extern const TensorOperation kScanOperation;
const TensorOperation kScanOperation{
    .name = "scan",
    .summary = "prefix sums of one line of terms, inclusive or exclusive",
    .adds = "CUB's single-pass scan, with drawn look-back",
    .source = kScanSource,
    .documented = "not the same bits from run to run, for floating-point numbers",
    .freedom = kScanFreedom,
    .assumes = kScanAssumes,
    .parameters = kScanParameters,
    .generate = generate_scan,
    .lower = lower_scan,
};

}  // namespace orderlab
