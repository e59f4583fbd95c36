// all_reduce: one array from each rank, added element by element.
#include "operation/index_rows.hpp"
#include "operation/ordered_rows.hpp"
#include "order/stages/format_parameter.hpp"
#include "orderlab/error.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr Parameter kAllReduceParameters[] = {
    {.name = "ranks", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "partials",
     .kind = ParameterKind::choice,
     .default_text = "-",
     .choices = kFormatNames,
     .keyword_only = true}};

OperationInputs generate_all_reduce(const Arguments& arguments, const GeneratedInputs& what) {
  Shape shape = what.shape;
  shape.insert(shape.begin(), arguments.count(0));
  return {draw_tensor(shape, what, 0), std::nullopt, std::nullopt, std::nullopt, what.formats};
}

/// Whether the order begins where a ring does: at a rank that depends on the chunk.
bool begins_with_rotation(const Order& order, std::size_t ranks, Format accumulate) {
  const Steps steps = describe(order.stages().front(), ranks, accumulate);
  const auto* move = steps.empty() ? nullptr : std::get_if<orderlab::steps::Move>(&steps.front().is);
  return move != nullptr && move->kind == orderlab::steps::Move::Kind::rotate;
}

LoweredOperation lower_all_reduce(const OperationCall& call, OperationInputs inputs, const Device&,
                                  const Order* given) {
  const std::string name = to_string(call);
  const std::size_t ranks = call.arguments.count(0);
  const Shape& shape = inputs.source.shape;
  if (shape.empty() || shape[0] != ranks)
    throw Error(ErrorKind::input, name + ": the input is " + to_string(shape) +
                                      "; its first dimension is that of the " + std::to_string(ranks) + " ranks");
  if (inputs.self) throw Error(ErrorKind::usage, name + ": starts from the first rank's numbers; leave self out");
  const Order order = given != nullptr ? *given : parse_order(default_order(call));
  const std::size_t elements = inputs.source.terms.size() / ranks;
  LoweredOperation result;
  result.formats = inputs.formats;
  if (call.arguments.has(1)) result.formats.accumulate = format_of(call.arguments.choice(1));
  result.shape.assign(shape.begin() + 1, shape.end());
  Terms rows = with_last(inputs.source, 0);
  const bool ring = begins_with_rotation(order, ranks, result.formats.accumulate);
  if (ring)
    with_type_of(rows.format(), [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      T* row = numbers<T>(rows);
      for (std::size_t e = 0; e < elements; ++e, row += ranks)
        std::rotate(row, row + e * ranks / elements, row + ranks);
    });
  result.kept.push_back(std::move(rows));
  add_by_order(result, {{inputs.formats.terms, elements, ranks, result.kept[0].view().x, ranks}}, order, std::nullopt);
  if (call.arguments.has(1)) result.launch.addition += " in " + std::string(call.arguments.choice(1));
  result.launch.addition += ring ? "; chunk c, of " + std::to_string(ranks) + " chunks, begins c ranks later" : "";
  return result;
}

}  // namespace

extern const TensorOperation kAllReduce;
const TensorOperation kAllReduce{
    .name = "all_reduce",
    .summary =
        "adds the arrays of all ranks element by element; the input has the ranks as its first dimension; "
        "partials=f sends and adds numbers of format f",
    .adds = "the order of --order; rings begin each chunk at another rank",
    .source = "orderlab, the grammar of orders; NCCL and Open MPI for rings",
    .freedom =
        "every order and grouping of the ranks: a ring begins at another rank for each chunk, trees and recursive "
        "doubling group ranks by topology and size (NCCL, Open MPI)",
    .assumes = "the order of --order, in the order of the ranks, and equal chunks",
    .parameters = kAllReduceParameters,
    .takes_order = true,
    .default_order = "nccl_ring",
    .generate = generate_all_reduce,
    .lower = lower_all_reduce,
};

}  // namespace orderlab
