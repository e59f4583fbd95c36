#include <fmt/format.h>
#include <xxhash.h>

#include "core/enum_names.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "operation/ordered_rows.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation.hpp"
#include "study/batches.hpp"
#include "study/order_run.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

OperationInput made(const OperationCall& call, OperationInputs inputs, OperationFacts facts, const Device& device,
                    const Order* order, const Watch& watch, const std::vector<std::uint64_t>& sizes) {
  const WatchedWork work(watch, "rows of the operation");
  std::vector<BatchOperation> batches = in_batches(call, inputs, sizes, device, order);
  facts.device = device;
  facts.formats = inputs.formats;
  auto operation = batches.empty()
                       ? std::make_shared<const LoweredOperation>(lower(call, std::move(inputs), device, order))
                       : batches.front().operation;
  facts.operation = to_string(call);
  facts.documented = call.operation->documented;
  facts.freedom =
      order != nullptr && operation->freedom == OrderFreedom::named ? kFreedomOfNamedOrder : call.operation->freedom;
  facts.assumes = call.operation->assumes;
  if (order != nullptr) facts.order = order->expression();
  facts.shape = operation->shape;
  facts.outputs = operation->outputs();
  facts.contributions = operation->contributions();
  facts.units = operation->rows.units;
  facts.launch = operation->launch;
  return {std::move(operation), std::move(facts), std::move(batches)};
}

}  // namespace

std::string hash_of(const IndexTensor& index) {
  const XXH128_hash_t hash = XXH3_128bits(index.values.data(), index.values.size() * sizeof(std::int64_t));
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

AskedBaseline output_baseline_of(std::string_view text) {
  constexpr auto& kNames = names_through<OutputBaseline::run>();
  if (const auto baseline = enumerator_named<OutputBaseline::run>(text)) return *baseline;
  const std::string was = "baseline " + std::string(text) + ": is not deterministic, launch, exact, run or an order: ";
  const std::vector<std::string> known(kNames.begin(), kNames.end());
  if (const auto near = nearest_name(text, known)) throw Error(ErrorKind::usage, was + "did you mean " + *near + "?");
  std::optional<Order> order;
  try {
    order = parse_order(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, was + error.what());
  }
  require_fixed_baseline(order);
  return AskedBaseline(*std::move(order));
}

OperationInput operation_input(const OperationCall& call, const GeneratedInputs& what, const Device& device,
                               const Order* order, const Watch& watch, const std::vector<std::uint64_t>& batches) {
  const FloatEnvironment environment;
  OperationFacts facts;
  facts.input_shape = what.shape;
  facts.ratio = what.ratio;
  facts.distribution = canonical_distribution(what.distribution);
  facts.input_seed = what.seed;
  facts.input_number = what.number;
  OperationInputs inputs = in_stage(watch, "generating inputs", [&] { return generated_inputs(call, what); });
  return made(call, std::move(inputs), std::move(facts), device, order, watch, batches);
}

OperationInput operation_input(const OperationCall& call, OperationInputs inputs, const Device& device,
                               const Order* order, const Watch& watch, const std::vector<std::uint64_t>& batches) {
  const FloatEnvironment environment;
  OperationFacts facts;
  facts.input_shape = inputs.source.shape;
  facts.inexact_conversions = inputs.source.terms.inexact_conversions();
  for (const auto* tensor : {&inputs.factor, &inputs.self})
    if (*tensor) facts.inexact_conversions += (*tensor)->terms.inexact_conversions();
  {
    const WatchedWork work(watch, "hashes of inputs");
    facts.source_hash = inputs.source.terms.hash();
    if (inputs.factor) facts.factor_hash = inputs.factor->terms.hash();
    if (inputs.index) facts.index_hash = hash_of(*inputs.index);
    if (inputs.self) facts.self_hash = inputs.self->terms.hash();
  }
  return made(call, std::move(inputs), std::move(facts), device, order, watch, batches);
}

}  // namespace orderlab::study
