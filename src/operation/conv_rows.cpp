#include "operation/conv_rows.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <numeric>

#include "core/text.hpp"
#include "operation/input_checks.hpp"
#include "order/counts.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kConvParameters[] = {
    {.name = "cin", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "cout", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "h", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "kernel", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "stride", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    {.name = "pad", .kind = ParameterKind::count, .default_text = "0", .low = 0},
    {.name = "dilation", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    {.name = "splits", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
};
constexpr std::size_t kTileSide = 128;  // side of a tile of outputs: CUTLASS's default

void require_elements(const std::string& name, std::string_view array, std::initializer_list<std::size_t> extents) {
  double elements = 1;
  for (const std::size_t extent : extents) elements *= static_cast<double>(extent);
  if (elements >= 0x1p31)
    throw Error(ErrorKind::unsupported, name + ": " + std::string(array) + " has " + shortest(elements) +
                                            " elements; it must have fewer than 2^31");
}

// Below 2^31, so that no size along a dimension overflows 64 bits.
ConvSizes read_sizes(const std::string& name, const Arguments& arguments) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 31;
  for (std::size_t i = 0; i < kConvSplits; ++i)
    if (arguments.count(i) >= kLimit)
      throw Error(ErrorKind::usage, name + ": " + std::string(kConvParameters[i].name) + " " +
                                        std::to_string(arguments.count(i)) + ": must be below 2^31");
  const ConvSizes s{arguments.count(0), arguments.count(1), arguments.count(2), arguments.count(3),
                    arguments.count(4), arguments.count(5), arguments.count(6), arguments.count(7)};
  require_elements(name, "the input", {s.cin, s.h, s.w});
  require_elements(name, "the array of weights", {s.cin, s.cout, s.kernel, s.kernel});
  return s;
}

}  // namespace

std::span<const Parameter> conv_parameters() { return kConvParameters; }

std::string conv_text(std::string_view name, const Arguments& arguments) {
  return call_text(name, kConvParameters, arguments);
}

ConvSizes conv_sizes(const std::string& name, const Arguments& arguments) {
  ConvSizes s = read_sizes(name, arguments);
  const std::size_t reach = s.dilation * (s.kernel - 1) + 1;
  const auto size = [&](std::size_t in) { return (in + 2 * s.pad - reach) / s.stride + 1; };
  if (reach > std::min(s.h, s.w) + 2 * s.pad)
    throw Error(ErrorKind::usage, name + ": the kernel covers " + std::to_string(reach) + " pixels and the input has " +
                                      std::to_string(std::min(s.h, s.w) + 2 * s.pad) +
                                      " with its padding; make the kernel or its dilation smaller");
  s.out_h = size(s.h);
  s.out_w = size(s.w);
  require_elements(name, "the output", {s.cout, s.out_h, s.out_w});
  return s;
}

ConvSizes transposed_conv_sizes(const std::string& name, const Arguments& arguments) {
  ConvSizes s = read_sizes(name, arguments);
  const auto full = [&](std::size_t in) { return (in - 1) * s.stride + s.dilation * (s.kernel - 1) + 1; };
  if (full(std::min(s.h, s.w)) <= 2 * s.pad)
    throw Error(ErrorKind::usage, name + ": the output is empty: " + std::to_string(full(std::min(s.h, s.w))) +
                                      " pixels without padding, and pad takes " + std::to_string(2 * s.pad) +
                                      " of them; make pad smaller");
  s.out_h = full(s.h) - 2 * s.pad;
  s.out_w = full(s.w) - 2 * s.pad;
  require_elements(name, "the output", {s.cout, s.out_h, s.out_w});
  return s;
}

TapRanges transposed_taps(std::size_t in, std::size_t out, const ConvSizes& s) {
  const std::size_t k_step = s.stride / std::gcd(s.stride, s.dilation);
  TapRanges ranges{std::vector<TapRange>(out), k_step, -static_cast<std::ptrdiff_t>(k_step * s.dilation / s.stride)};
  for (std::size_t o = 0; o < out; ++o) {
    TapRange& range = ranges.of_output[o];
    for (std::size_t k = 0; k < s.kernel && k * s.dilation <= o + s.pad; ++k) {
      const std::size_t offset = o + s.pad - k * s.dilation;
      if (offset % s.stride != 0 || offset / s.stride >= in) continue;
      if (range.count++ == 0) {
        range.k_begin = k;
        range.i_begin = offset / s.stride;
      }
    }
  }
  return ranges;
}

PixelRange pixels_of_tap(std::size_t k, std::size_t in, std::size_t out, const ConvSizes& s) {
  const std::size_t shift = k * s.dilation;  // input of pixel o: o stride + shift - pad
  PixelRange range;
  range.begin = shift < s.pad ? ceil_div(s.pad - shift, s.stride) : 0;
  const std::size_t end = in + s.pad > shift ? std::min(out, ceil_div(in + s.pad - shift, s.stride)) : 0;
  if (range.begin >= end) return {};
  range.count = end - range.begin;
  range.i_begin = range.begin * s.stride + shift - s.pad;
  return range;
}

void require_products(const std::string& name, const OutputTerms& terms) {
  if (const auto count = static_cast<double>(terms.count()); count >= 0x1p31)
    throw Error(ErrorKind::unsupported,
                name + ": number of products " + shortest(count) + ": must be below 2^31; take a part of the arrays");
}

void add_split_sums(LoweredOperation& operation, const SplitSums& split) {
  const std::size_t outputs = operation.outputs();
  const std::size_t column_tiles = ceil_div(split.columns, kTileSide);
  const std::size_t tiles = ceil_div(outputs / split.columns, kTileSide) * column_tiles;
  require_small("number of sums of splits", static_cast<double>(outputs) * static_cast<double>(split.splits));
  Contributions rows;
  rows.values = Terms(operation.formats.accumulate, outputs * split.splits);
  rows.unit.resize(outputs * split.splits);
  rows.units = static_cast<std::uint32_t>(tiles * split.splits);
  for (std::size_t r = 0; r <= outputs; ++r) rows.row_begin.push_back(static_cast<std::uint32_t>(r * split.splits));
  for (std::size_t r = 0; r < outputs; ++r) {
    const std::size_t tile = r / split.columns / kTileSide * column_tiles + r % split.columns / kTileSide;
    for (std::size_t i = 0; i < split.splits; ++i)
      rows.unit[r * split.splits + i] = static_cast<std::uint32_t>(i * tiles + tile);
  }

  const Formats formats{operation.formats.terms, operation.formats.accumulate, operation.formats.accumulate};
  const Order inner = parse_order("seq(acc=fma)");
  std::map<std::size_t, std::unique_ptr<const RowSums>> plans;
  TermBuffer buffer;
  std::vector<double> sums;
  for (std::size_t p = 0; p < operation.terms.parts().size(); ++p) {
    const TermPart& part = operation.terms.parts()[p];
    const std::vector<std::size_t>& bounds = split.bounds[p];
    for (std::size_t i = 1; i < bounds.size(); ++i)
      operation.height_before = std::max<std::uint64_t>(operation.height_before, bounds[i] - bounds[i - 1]);
    for (std::size_t begin = 0; begin < part.rows.count; begin += part.rows_at_once()) {
      const TermRows all = part.some(begin, std::min(part.rows_at_once(), part.rows.count - begin), buffer);
      sums.resize(all.count);
      for (std::size_t i = 0; i < split.splits; ++i) {
        TermRows some = all;
        some.n = bounds[i + 1] - bounds[i];
        if (some.n == 0) continue;
        some.x = number_at(some.format, some.x, bounds[i]);
        some.y = number_at(some.format, some.y, bounds[i]);
        auto& plan = plans[some.n];
        if (plan == nullptr) plan = std::make_unique<const RowSums>(compile(inner, some.n, formats, true));
        plan->evaluate(some, sums);
        for (std::size_t r = 0; r < some.count; ++r)
          rows.values.set(part.output(begin + r) * split.splits + i, sums[r]);
      }
    }
  }
  rows.initial = std::move(operation.rows.initial);
  operation.rows = std::move(rows);
}

std::size_t items_of_split(const std::string& name, std::string_view what, std::size_t splits, std::size_t items) {
  if (splits > items)
    throw Error(ErrorKind::usage, name + ": there are " + std::to_string(items) + " " + std::string(what) +
                                      " to split; take at most as many splits");
  return ceil_div(items, splits);
}

std::string_view conv_default_order(const Arguments& arguments) {
  return arguments.has(kConvSplits) ? std::string_view("ao") : kUnknownOrder;
}

Launch unknown_launch(std::string_view kernel, std::string_view algorithms, const Order& order) {
  Launch launch;
  launch.kernel = kernel;
  launch.source = "cuDNN, section Reproducibility: " + std::string(algorithms);
  launch.reason = "the order inside cuDNN is unknown, that of its deterministic algorithms, too";
  launch.addition = "an unknown order, modelled by one drawn for each run: " + order.expression();
  launch.guarantee = Guarantee::not_guaranteed;
  return launch;
}

void describe_splits(LoweredOperation& operation, const Order& order, std::size_t splits, const std::string& items) {
  Launch& launch = operation.launch;
  launch.kernel = "implicit matrix product, tiles of 128 x 128 outputs, in splits";
  launch.source = "the split-K scheme of CUTLASS; whether a library splits depends on its version";
  launch.reason = std::to_string(splits) + (splits == 1 ? " split of " : " splits of ") + items;
  launch.addition = "each split by fused multiply-adds from left to right; then " + order.expression();
  launch.unit = "a thread block: one tile of one split";
  launch.grid = operation.rows.units;
  launch.guarantee = operation.addition.arrives ? Guarantee::not_guaranteed : Guarantee::run_to_run;
}

}  // namespace orderlab
