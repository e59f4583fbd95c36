// sum: an array along one of its dimensions.
#include "operation/index_rows.hpp"
#include "operation/ordered_rows.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSumParameters[] = {
    {.name = "axis", .kind = ParameterKind::count, .default_text = "", .keyword_only = true}};

OperationInputs generate_sum(const Arguments& arguments, const GeneratedInputs& what) {
  require_dimension("sum", arguments.count(0), what.shape);
  return {draw_tensor(what.shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

LoweredOperation lower_sum(const OperationCall& call, OperationInputs inputs, const Device&, const Order* order) {
  const std::string name = to_string(call);
  const std::size_t axis = call.arguments.count(0);
  const Shape& shape = inputs.source.shape;
  require_dimension(name, axis, shape);
  const Around sizes = around(shape, axis);
  LoweredOperation result;
  result.freedom = OrderFreedom::named;
  result.formats = inputs.formats;
  result.shape = shape;
  if (!shape.empty()) result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  result.kept.push_back(with_last(inputs.source, axis));
  const bool one_row = inputs.factor && inputs.factor->shape == Shape{sizes.extent} && shape.size() > 1;
  if (inputs.factor && !one_row && inputs.factor->shape != shape)
    throw Error(ErrorKind::input, name + ": --with is " + to_string(inputs.factor->shape) + " and the input " +
                                      to_string(shape) + "; it must have the same shape, or be one row of " +
                                      std::to_string(sizes.extent));
  if (inputs.factor) result.kept.push_back(one_row ? inputs.factor->terms : with_last(*inputs.factor, axis));
  const bool one_output = result.shape.empty() && inputs.self && inputs.self->shape == Shape{1};
  if (inputs.self && inputs.self->shape != result.shape && !one_output)
    throw Error(ErrorKind::input,
                name + ": self is " + to_string(inputs.self->shape) + "; the outputs are " + to_string(result.shape));
  const TermRows rows{inputs.formats.terms,
                      sizes.outer * sizes.inner,
                      sizes.extent,
                      result.kept[0].view().x,
                      sizes.extent,
                      inputs.factor ? result.kept[1].view().x : nullptr,
                      one_row ? 0 : sizes.extent};
  std::optional<Terms> initial;
  if (inputs.self) initial = converted(inputs.self->terms, inputs.formats.accumulate);
  add_by_order(result, {rows}, *order, std::move(initial));
  return result;
}

}  // namespace

extern const TensorOperation kSumOperation;
const TensorOperation kSumOperation{
    .name = "sum",
    .summary = "sums along a dimension, each in the order given; with --with, dot products",
    .adds = "the order given with --order",
    .source = "orderlab, the grammar of orders",
    .freedom = kFreedomOfNamedOrder,
    .parameters = kSumParameters,
    .takes_factor = true,
    .takes_order = true,
    .needs_order = true,
    .self_is_sum = true,
    .generate = generate_sum,
    .lower = lower_sum,
};

}  // namespace orderlab
