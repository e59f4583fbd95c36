// An operation that tests add: the sums of the rows of a matrix, in the user's order.
#include "operation/ordered_rows.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

OperationInputs generate_fake(const Arguments&, const GeneratedInputs& what) {
  return {draw_tensor(what.shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

LoweredOperation lower_fake(const OperationCall& call, OperationInputs inputs, const Device&, const Order* given) {
  const Shape& shape = inputs.source.shape;
  if (shape.size() != 2) throw Error(ErrorKind::input, to_string(call) + ": the input must have two dimensions");
  LoweredOperation result;
  result.formats = inputs.formats;
  result.shape = {shape[0]};
  result.kept.push_back(std::move(inputs.source.terms));
  add_by_order(result, {{inputs.formats.terms, shape[0], shape[1], result.kept[0].view().x, shape[1]}},
               given != nullptr ? *given : parse_order(default_order(call)), std::nullopt);
  return result;
}

}  // namespace

extern const TensorOperation kFakeOperation;
const TensorOperation kFakeOperation{
    .name = "fake_rows",
    .summary = "sums of the rows of a matrix",
    .adds = "the order of --order",
    .source = "orderlab, the grammar of orders",
    .freedom = "every order and grouping of a row",
    .assumes = "the order of --order",
    .takes_order = true,
    .default_order = "pairwise",
    .generate = generate_fake,
    .lower = lower_fake,
};

}  // namespace orderlab
