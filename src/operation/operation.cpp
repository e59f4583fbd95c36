// Reading operations, and what all of them check of their inputs.
#include "orderlab/operation.hpp"

#include "core/float_environment.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "operation/input_checks.hpp"
#include "order/resolve.hpp"
#include "order/syntax.hpp"
#include "order/vocabulary.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

OperationCall parse_operation(std::string_view text) {
  const FloatEnvironment environment;
  const SyntaxCall call = parse_call("operation", text);
  std::vector<std::string> known;
  for (const TensorOperation* operation : operations()) {
    known.emplace_back(operation->name);
    if (operation->name != call.name) continue;
    const Resolver resolver("operation", text, built_in_vocabulary(), {});
    return {operation, resolver.arguments(call, operation->parameters)};
  }
  fail_at("operation", text, call.position, unknown_name("operation", call.name, known));
}

std::string to_string(const OperationCall& call) {
  const FloatEnvironment environment;
  return call_text(call.operation->name, call.operation->parameters, call.arguments);
}

std::string_view default_order(const OperationCall& call) {
  const TensorOperation& operation = *call.operation;
  return operation.default_order_of == nullptr ? operation.default_order : operation.default_order_of(call.arguments);
}

const Plan* LoweredOperation::plan_of(std::size_t r) const {
  const auto found = plans.find(terms.length(r));
  return found == plans.end() ? nullptr : found->second.get();
}

OperationInputs generated_inputs(const OperationCall& call, const GeneratedInputs& what) {
  const FloatEnvironment environment;
  if (!(what.ratio > 0 && what.ratio <= 1))
    throw RequestError("ratio", shortest(what.ratio), "must be above 0 and at most 1");
  if (!call.operation->takes_index && what.ratio != 1)
    throw RequestError("ratio", shortest(what.ratio), "applies to an index; " + to_string(call) + " takes none");
  return call.operation->generate(call.arguments, what);
}

std::size_t LoweredOperation::contributions() const {
  if (scan) return scan->terms.size();
  if (finished) return finished->sums->contributions();
  if (computed) return computed->contributions;
  return plans.empty() ? rows.count() : terms.count();
}

bool LoweredOperation::arrives() const {
  if (finished) return finished->sums->arrives();
  if (!scan) return addition.arrives;
  return scan->form == PrefixScan::Form::tiles && scan->lookback.model->by_arrival;
}

namespace {

/// Error(input) where arrays are not of the formats that the operation adds.
void require_formats(const std::string& text, const TensorOperation& operation, const OperationInputs& inputs) {
  const Format terms = inputs.source.terms.format();
  const Format sums = operation.format_of_self(inputs.formats);
  const auto name = [](Format format) { return std::string(info(format).name); };
  const auto require = [&](const std::optional<Tensor>& tensor, Format also) {
    if (!tensor || tensor->terms.format() == terms || tensor->terms.format() == also) return;
    throw Error(ErrorKind::input, text + ": its inputs are " + name(terms) + " and " + name(tensor->terms.format()) +
                                      "; give arrays of one format" +
                                      (also == terms ? "" : ", self in that or in " + name(also)));
  };
  require(inputs.factor, terms);
  require(inputs.self, sums);
}

}  // namespace

LoweredOperation lower(const OperationCall& call, OperationInputs inputs, const Device& device, const Order* order) {
  const FloatEnvironment environment;
  const TensorOperation& operation = *call.operation;
  const std::string text = to_string(call);
  if (inputs.formats.accumulate == Format::fp80)
    throw Error(ErrorKind::unsupported, text + ": no GPU has fp80 accumulators, " + to_string(inputs.formats) +
                                            " is for sums of one output alone; leave out --op, or accumulate in fp64");
  if (inputs.formats.result == Format::e8m13)
    throw Error(ErrorKind::unsupported, text + ": " + to_string(inputs.formats) +
                                            " is for sums of one output alone; leave out --op, or take fp32 results");
  if (operation.takes_index && !inputs.index) throw Error(ErrorKind::usage, text + ": needs an index");
  if (!operation.takes_index && inputs.index) throw Error(ErrorKind::usage, text + ": takes no index");
  if (!operation.takes_factor && inputs.factor) throw Error(ErrorKind::usage, text + ": takes no --with");
  if (order != nullptr && !operation.takes_order)
    throw Error(ErrorKind::usage,
                text +
                    ": adds in the order of its kernel and takes no other; leave --order out (--arrival orders units, "
                    "where units arrive)");
  if (order != nullptr && order->changes_format())
    throw Error(ErrorKind::unsupported,
                text + ": its outputs are added in one format, and order " + order->expression() +
                    " rounds between stages or changes the format; leave out `round` and `in`, or use `orderlab "
                    "sample` for one output");
  if (order == nullptr && operation.needs_order)
    throw Error(ErrorKind::usage, text + ": no order: give --order NAME, such as --order pairwise");
  require_formats(text, operation, inputs);
  for (Shape* shape : {&inputs.source.shape, inputs.index ? &inputs.index->shape : nullptr,
                       inputs.self ? &inputs.self->shape : nullptr, inputs.factor ? &inputs.factor->shape : nullptr})
    if (shape != nullptr && shape->empty()) *shape = {1};
  LoweredOperation result = operation.lower(call, std::move(inputs), device, order);
  result.text = text;
  return result;
}

void require_small(std::string_view what, double count) {
  constexpr double kLimit = 0x1p31;
  constexpr double kBytesEach = 64;  // for rows, units and exact results
  if (count >= kLimit)
    throw Error(ErrorKind::unsupported,
                std::string(what) + " " + shortest(count) + ": must be below 2^31; take a part of the arrays");
  require_memory(kBytesEach * count);
}

void require_shape(const std::string& operation, std::string_view what, const Shape& shape, const Shape& expected) {
  if (shape != expected)
    throw Error(ErrorKind::input, operation + ": " + std::string(what) + " is " + to_string(shape) + "; it must be " +
                                      to_string(expected));
}

void require_narrow_results(const std::string& operation, const Formats& formats) {
  if (formats.result == Format::fp64)
    throw Error(ErrorKind::unsupported,
                operation + ": results in fp64: exact results are made in doubles; take fp32 or narrower results");
}

}  // namespace orderlab
