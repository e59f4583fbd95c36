// conv_filter: the gradient of a convolution's weights, each a sum over all output pixels.
#include <algorithm>
#include <string>

#include "operation/conv_rows.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/ordered_rows.hpp"
#include "order/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

OperationInputs generate_filter(const Arguments& arguments, const GeneratedInputs& what) {
  const ConvSizes s = conv_sizes(conv_text("conv_filter", arguments), arguments);
  return {draw_tensor({s.cin, s.h, s.w}, what, 0), draw_tensor({s.cout, s.out_h, s.out_w}, what, 1), std::nullopt,
          std::nullopt, what.formats};
}

struct TapPixels {
  PixelRange y;
  PixelRange x;
};

/// The pixels of each tap, ky first.
std::vector<TapPixels> pixels_of_taps(const ConvSizes& s) {
  std::vector<TapPixels> taps;
  for (std::size_t ky = 0; ky < s.kernel; ++ky)
    for (std::size_t kx = 0; kx < s.kernel; ++kx)
      taps.push_back({pixels_of_tap(ky, s.h, s.out_h, s), pixels_of_tap(kx, s.w, s.out_w, s)});
  return taps;
}

/// A part for each tap: of all pairs of channels its products lie alike.
void add_filter_terms(LoweredOperation& operation, const ConvSizes& s, const std::vector<TapPixels>& taps) {
  const TermView arrays{operation.formats.terms, operation.kept[0].size(), operation.kept[0].view().x,
                        operation.kept[1].view().x};
  const auto signed_of = [](std::size_t size) { return static_cast<std::ptrdiff_t>(size); };
  for (std::size_t tap = 0; tap < taps.size(); ++tap) {
    const auto& [y, x] = taps[tap];
    TermBlocks blocks{
        {1, y.count, x.count}, {0, signed_of(s.stride * s.w), signed_of(s.stride)}, {0, signed_of(s.out_w), 1}};
    std::vector<std::uint32_t> outputs;
    for (std::size_t co = 0; co < s.cout; ++co)
      for (std::size_t ci = 0; ci < s.cin; ++ci) {
        blocks.x_begin.push_back(static_cast<std::uint32_t>((ci * s.h + y.i_begin) * s.w + x.i_begin));
        blocks.y_begin.push_back(static_cast<std::uint32_t>((co * s.out_h + y.begin) * s.out_w + x.begin));
        outputs.push_back(static_cast<std::uint32_t>((co * s.cin + ci) * s.taps() + tap));
      }
    operation.terms.add(arrays, std::move(blocks), std::move(outputs));
  }
}

/// Output pixels, row by row, split over thread blocks.
void split_pixels(LoweredOperation& operation, const std::string& name, const ConvSizes& s,
                  const std::vector<TapPixels>& taps, std::size_t asked, const Order& order) {
  const std::size_t pixels = s.out_h * s.out_w;
  const std::size_t per_split = items_of_split(name, "output pixels", asked, pixels);
  SplitSums split{ceil_div(pixels, per_split), s.cin * s.taps(), {}};
  for (const auto& [y, x] : taps) {
    const auto before = [](const PixelRange& range, std::size_t o) {
      return o < range.begin ? 0 : std::min(range.count, o - range.begin);
    };
    auto& bounds = split.bounds.emplace_back();
    for (std::size_t i = 0; i <= split.splits; ++i) {
      const std::size_t pixel = std::min(i * per_split, pixels);
      const std::size_t row = pixel / s.out_w;
      const bool in_row = row >= y.begin && row < y.begin + y.count;
      bounds.push_back(before(y, row) * x.count + (in_row ? before(x, pixel % s.out_w) : 0));
    }
  }
  add_splits(operation, name, order, split.splits, false);
  operation.addition.initial_last = operation.rows.initial.has_value();
  add_split_sums(operation, split);
  describe_splits(operation, order, split.splits, std::to_string(per_split) + " output pixels");
}

LoweredOperation lower_filter(const OperationCall& call, OperationInputs inputs, const Device&, const Order* given) {
  const std::string name = to_string(call);
  const ConvSizes s = conv_sizes(name, call.arguments);
  if (!inputs.factor) throw Error(ErrorKind::usage, name + ": needs the gradient of the output; give --with FILE");
  require_shape(name, "the input", inputs.source.shape, {s.cin, s.h, s.w});
  require_shape(name, "--with", inputs.factor->shape, {s.cout, s.out_h, s.out_w});

  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {s.cout, s.cin, s.kernel, s.kernel};
  if (inputs.self) require_shape(name, "self", inputs.self->shape, result.shape);
  result.kept.push_back(std::move(inputs.source.terms));
  result.kept.push_back(std::move(inputs.factor->terms));
  const std::vector<TapPixels> taps = pixels_of_taps(s);
  require_small(name + ": number of weights", static_cast<double>(result.outputs()));
  add_filter_terms(result, s, taps);
  if (inputs.self) result.rows.initial = converted(inputs.self->terms, inputs.formats.accumulate);
  require_products(name, result.terms);
  const Order order = given != nullptr ? *given : parse_order(default_order(call));
  if (call.arguments.has(kConvSplits)) {
    split_pixels(result, name, s, taps, call.arguments.count(kConvSplits), order);
  } else {
    result.launch = given != nullptr ? launch_by_order(order)
                                     : unknown_launch("cuDNN backward filter",
                                                      "ALGO_0 and ALGO_3 add by atomics, ALGO_1 does not", order);
    add_by_plans(result, order);
    result.order_unknown = given == nullptr;
    if (given != nullptr) result.freedom = OrderFreedom::named;
  }
  if (inputs.self) result.launch.addition += "; then self";
  return result;
}

}  // namespace

extern const TensorOperation kConvFilter;
const TensorOperation kConvFilter{
    .name = "conv_filter",
    .summary =
        "gradient of a convolution's weights (cout x cin x kernel x kernel): the input (cin x h x w) times "
        "--with, the gradient of the output (cout x its height x its width), summed over its pixels",
    .adds =
        "unknown inside cuDNN; by default one random order of fused multiply-adds for each run; of several splits "
        "of the pixels, one atomicAdd per split and output",
    .source =
        "PyTorch's Conv2d calls cuDNN backward filter, whose ALGO_0 and ALGO_3 are not deterministic and ALGO_1 "
        "is",
    .documented = "nondeterministic; deterministic by torch.use_deterministic_algorithms(True)",
    .freedom =
        "every order and grouping of the products and self, fused or not: the order inside cuDNN is unknown; with "
        "--order and without splits the orders that it draws",
    .assumes = "these splits, each added in the order given",
    .parameters = conv_parameters(),
    .takes_factor = true,
    .takes_order = true,
    .needs_shape = false,
    .default_order = kUnknownOrder,
    .default_order_of = conv_default_order,
    .generate = generate_filter,
    .lower = lower_filter,
};

}  // namespace orderlab
