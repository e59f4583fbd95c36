// conv_transpose2d: a transposed convolution, which is the gradient of a convolution's input.
#include <map>
#include <string>
#include <utility>

#include "operation/conv_rows.hpp"
#include "operation/index_rows.hpp"
#include "operation/input_checks.hpp"
#include "operation/ordered_rows.hpp"
#include "order/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

Shape weights_of_transposed(const ConvSizes& s) { return {s.cin, s.cout, s.kernel, s.kernel}; }

OperationInputs generate_transposed(const Arguments& arguments, const GeneratedInputs& what) {
  const ConvSizes s = transposed_conv_sizes(conv_text("conv_transpose2d", arguments), arguments);
  return {draw_tensor({s.cin, s.h, s.w}, what, 0), draw_tensor(weights_of_transposed(s), what, 1), std::nullopt,
          draw_tensor({s.cout}, what, 2), what.formats};
}

/// One part for each pair of tap counts, whose products lie alike; outputs without a tap are the first part.
void add_transposed_terms(LoweredOperation& operation, const ConvSizes& s) {
  const TapRanges along_y = transposed_taps(s.h, s.out_h, s);
  const TapRanges along_x = transposed_taps(s.w, s.out_w, s);
  const auto signed_of = [](std::size_t size) { return static_cast<std::ptrdiff_t>(size); };
  const std::ptrdiff_t width = signed_of(s.w);
  const std::ptrdiff_t side = signed_of(s.kernel);
  struct Part {
    TermBlocks blocks;
    std::vector<std::uint32_t> outputs;
  };
  std::map<std::pair<std::size_t, std::size_t>, Part> parts;
  std::uint32_t output = 0;
  for (std::size_t c = 0; c < s.cout; ++c)
    for (const TapRange& y : along_y.of_output)
      for (const TapRange& x : along_x.of_output) {
        const bool none = y.count == 0 || x.count == 0;
        Part& part = parts[none ? std::pair<std::size_t, std::size_t>() : std::pair(y.count, x.count)];
        if (part.outputs.empty())
          part.blocks = {{s.cin, none ? 0 : y.count, none ? 0 : x.count},
                         {signed_of(s.h) * width, along_y.i_step * width, along_x.i_step},
                         {signed_of(s.cout * s.taps()), signed_of(along_y.k_step) * side, signed_of(along_x.k_step)}};
        part.blocks.x_begin.push_back(static_cast<std::uint32_t>(y.i_begin * s.w + x.i_begin));
        part.blocks.y_begin.push_back(static_cast<std::uint32_t>(c * s.taps() + y.k_begin * s.kernel + x.k_begin));
        part.outputs.push_back(output++);
      }
  const TermView arrays{operation.formats.terms, operation.kept[0].size(), operation.kept[0].view().x,
                        operation.kept[1].view().x};
  for (auto& [counts, part] : parts) operation.terms.add(arrays, std::move(part.blocks), std::move(part.outputs));
}

/// The bias of each output.
Terms of_all_pixels(const Terms& bias, Format format, const ConvSizes& s) {
  const std::size_t pixels = s.out_h * s.out_w;
  Terms all(format, s.cout * pixels);
  for (std::size_t r = 0; r < all.size(); ++r) all.set(r, bias.view().left(r / pixels));
  return all;
}

/// Channels of the input split over thread blocks.
void split_channels(LoweredOperation& operation, const std::string& name, const ConvSizes& s, std::size_t asked,
                    const Order& order) {
  const std::size_t per_split = items_of_split(name, "channels", asked, s.cin);
  SplitSums split{ceil_div(s.cin, per_split), s.out_h * s.out_w, {}};
  for (const TermPart& part : operation.terms.parts()) {
    auto& bounds = split.bounds.emplace_back();
    for (std::size_t i = 0; i <= split.splits; ++i)
      bounds.push_back(std::min(i * per_split, s.cin) * (part.rows.n / s.cin));
  }
  add_splits(operation, name, order, split.splits, false);
  operation.addition.initial_last = operation.rows.initial.has_value();
  add_split_sums(operation, split);
  describe_splits(operation, order, split.splits, std::to_string(per_split) + " channels");
}

LoweredOperation lower_transposed(const OperationCall& call, OperationInputs inputs, const Device&,
                                  const Order* given) {
  const std::string name = to_string(call);
  const ConvSizes s = transposed_conv_sizes(name, call.arguments);
  if (!inputs.factor) throw Error(ErrorKind::usage, name + ": needs weights; give --with FILE");
  require_shape(name, "the input", inputs.source.shape, {s.cin, s.h, s.w});
  require_shape(name, "--with", inputs.factor->shape, weights_of_transposed(s));
  if (inputs.self) require_shape(name, "--self, the bias,", inputs.self->shape, {s.cout});

  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {s.cout, s.out_h, s.out_w};
  result.kept.push_back(std::move(inputs.source.terms));
  result.kept.push_back(std::move(inputs.factor->terms));
  require_small(name + ": number of outputs", static_cast<double>(result.outputs()));
  add_transposed_terms(result, s);
  if (inputs.self) result.rows.initial = of_all_pixels(inputs.self->terms, inputs.formats.accumulate, s);
  require_products(name, result.terms);
  const Order order = given != nullptr ? *given : parse_order(default_order(call));
  if (call.arguments.has(kConvSplits)) {
    split_channels(result, name, s, call.arguments.count(kConvSplits), order);
  } else {
    result.launch = given != nullptr
                        ? launch_by_order(order)
                        : unknown_launch("cuDNN backward data", "ALGO_0 adds by atomics, ALGO_1 does not", order);
    add_by_plans(result, order);
    result.order_unknown = given == nullptr;
    if (given != nullptr) result.freedom = OrderFreedom::named;
  }
  if (inputs.self) result.launch.addition += "; then the bias";
  return result;
}

}  // namespace

extern const TensorOperation kConvTranspose2d;
const TensorOperation kConvTranspose2d{
    .name = "conv_transpose2d",
    .summary =
        "transposed convolution of the input (cin x h x w) with --with (cin x cout x kernel x kernel); self is "
        "the bias (cout), which is added last",
    .adds =
        "unknown inside cuDNN; by default one random order of fused multiply-adds for each run; of several splits "
        "of the channels, one atomicAdd per split and output",
    .source = "PyTorch's ConvTranspose2d calls cuDNN backward data, whose ALGO_0 is not deterministic and ALGO_1 is",
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
    .generate = generate_transposed,
    .lower = lower_transposed,
};

}  // namespace orderlab
