// What the size of a batch changes for the requests in it.
#include "study/batches.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "core/stop.hpp"
#include "core/text.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation.hpp"
#include "study/input_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::string_view kBatchParameter = "batch";

bool has_batch(const TensorOperation& operation) {
  return std::any_of(operation.parameters.begin(), operation.parameters.end(),
                     [](const Parameter& p) { return p.name == kBatchParameter; });
}

std::string operations_with_batch() {
  std::string names;
  for (const TensorOperation* operation : operations())
    if (has_batch(*operation)) names += (names.empty() ? "" : ", ") + std::string(operation->name);
  return names;
}

/// The call for a batch of that size.
OperationCall in_batch(const OperationCall& call, std::uint64_t batch) {
  const std::span<const Parameter> parameters = call.operation->parameters;
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.name == kBatchParameter; });
  std::vector<Argument> values = call.arguments.values();
  values.resize(parameters.size());
  values[static_cast<std::size_t>(found - parameters.begin())] = batch;
  return {call.operation, Arguments(std::move(values))};
}

/// Error(usage) where the operation itself says what the size of a batch would.
void require_free(const OperationCall& call) {
  const std::span<const Parameter> parameters = call.operation->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if ((parameters[i].name == kBatchParameter || parameters[i].name == "bytes") && call.arguments.has(i))
      throw Error(ErrorKind::usage, to_string(call) + ": the sizes of --batch take the place of " +
                                        std::string(parameters[i].name) + "=; leave it out");
}

void count_differences(const Terms& first, const Terms& results, std::size_t row, BatchSize& size) {
  const std::size_t each = info(results.format()).held_bytes();
  const auto same = [&](std::size_t begin, std::size_t count) {
    const auto a = first.bytes().subspan(begin * each, count * each);
    const auto b = results.bytes().subspan(begin * each, count * each);
    return std::equal(a.begin(), a.end(), b.begin());
  };
  for (std::size_t begin = 0; begin < results.size(); begin += row) {
    if (same(begin, row)) continue;
    ++size.rows_different;
    for (std::size_t i = begin; i < begin + row; ++i) {
      if (same(i, 1)) continue;
      ++size.outputs_different;
      const double difference = std::fabs(results.view().left(i) - first.view().left(i));
      size.largest_difference = std::isnan(difference) ? HUGE_VAL : std::max(size.largest_difference, difference);
    }
  }
}

}  // namespace

std::vector<std::uint64_t> parse_batches(std::string_view text, std::string_view named) {
  const FloatEnvironment environment;
  std::vector<std::uint64_t> batches;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin)
      throw Error(ErrorKind::usage,
                  std::string(named) + " " + shortened(text) + ": a size is missing; give whole numbers from 1, such as 1,8,64");
    batches.push_back(parse_count(named, text.substr(begin, end - begin), 1));
    begin = end + 1;
  }
  return batches;
}

std::vector<BatchOperation> in_batches(const OperationCall& call, const OperationInputs& inputs,
                                       const std::vector<std::uint64_t>& batches, const Device& device,
                                       const Order* order) {
  if (batches.empty()) return {};
  if (!has_batch(*call.operation))
    throw Error(ErrorKind::usage,
                to_string(call) + ": has no batch= that would choose its kernel; " + operations_with_batch() + " have");
  require_free(call);
  std::vector<BatchOperation> operations;
  for (const std::uint64_t batch : batches) {
    stop_point();
    operations.push_back(
        {batch, std::make_shared<const LoweredOperation>(lower(in_batch(call, batch), inputs, device, order))});
  }
  return operations;
}

std::vector<BatchSize> compare_batches(const OperationInput& input, const Watch& watch) {
  const FloatEnvironment environment;
  if (input.batches.empty()) return {};
  const WatchedWork work(watch, "batches");
  std::vector<BatchSize> sizes;
  std::optional<Terms> first;
  Pass pass(input.batches.size());
  for (const auto& [batch, operation] : input.batches) {
    const auto sums = OutputSums::make(operation, parse_arrival("launch"), {});
    BatchSize size{.batch = batch, .launch = operation->launch};
    const Shape& shape = operation->shape;
    if (first)
      count_differences(*first, sums->launch(), shape.empty() ? 1 : shape.back(), size);
    else
      first = sums->launch();
    sizes.push_back(std::move(size));
    pass.did(1);
  }
  return sizes;
}

}  // namespace orderlab::study
