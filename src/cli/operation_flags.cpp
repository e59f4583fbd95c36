#include "cli/operation_flags.hpp"

#include <algorithm>
#include <utility>

#include "cli/input_flags.hpp"
#include "cli/order_files.hpp"
#include "cli/order_flags.hpp"
#include "core/text.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "study/group_options.hpp"
#include "study/operation_rules.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kAllAxes = "all";

std::optional<Formats> asked_formats(const CommandLine& line) {
  return line.has(kFormat) ? std::optional(parse_formats(line.text(kFormat))) : std::nullopt;
}

GeneratedInputs asked_inputs(const CommandLine& line, const OperationCall& call) {
  GeneratedInputs what;
  if (line.has(kShape)) what.shape = parse_shape("--shape", line.text(kShape));
  if (line.has(kN)) what.shape = {line.count(kN)};
  element_count(what.shape);
  if (what.shape.empty() && call.operation->needs_shape)
    throw Error(ErrorKind::usage, "no inputs: give --shape AxB to generate them, or --input FILE");
  what.ratio = line.real(kRatio);
  if (line.has(kDistribution)) what.distribution = line.text(kDistribution);
  what.formats = asked_formats(line).value_or(what.formats);
  what.seed = line.count(line.has(kInputSeed) ? kInputSeed : kSeed);
  return what;
}

OperationInputs read_inputs(const CommandLine& line, const OperationCall& call, const study::Watch& watch) {
  const study::WatchedWork work(watch, "reading inputs");
  const auto asked = asked_formats(line);
  Tensor source = tensor_of(line, kInput, asked ? std::optional(asked->terms) : std::nullopt);
  const Format own = source.terms.format();
  OperationInputs inputs{std::move(source), std::nullopt, std::nullopt, std::nullopt,
                         asked.value_or(formats_of_terms(own))};
  if (line.has(kWith)) inputs.factor = tensor_of(line, kWith, own);
  if (line.has(kIndex)) inputs.index = index_of(line, kIndex);
  if (line.has(kSelf)) inputs.self = tensor_of(line, kSelf, call.operation->format_of_self(inputs.formats), own);
  return inputs;
}

void check_options(const CommandLine& line, const OperationCall& call) {
  const bool file = line.has(kInput);
  const auto problem =
      study::option_problem({.operations = {&call}, .files = file, .generated = !file, .has = [&](const Flag& flag) {
                               const Flag* const own = line.find_flag(flag.long_name());
                               return own != nullptr && line.has(*own);
                             }});
  if (problem)
    throw RequestError(std::string(problem->flag->key), line.text(*line.find_flag(problem->flag->long_name())),
                       problem->why);
}

bool sums_along_axis(const CommandLine& line) {
  if (!line.has(kInputAxis) || line.text(kInputAxis) == kAllAxes) return false;
  if (line.has(kOp))
    throw Error(ErrorKind::usage, line.quoted(kInputAxis) + ": is of sums alone; with --op give the axis there");
  parse_count(kInputAxis.long_name(), line.text(kInputAxis), 0);
  return true;
}

/// --op, with the model of --lookback as its argument.
OperationCall operation_of(const CommandLine& line) {
  if (sums_along_axis(line)) return parse_operation("sum(axis=" + line.text(kInputAxis) + ")");
  OperationCall call = parse_operation(line.text(kOp));
  if (!line.has(kLookback)) return call;
  const std::span<const Parameter> parameters = call.operation->parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Parameter& p) { return p.kind == ParameterKind::lookback; });
  if (found == parameters.end())
    throw Error(ErrorKind::usage, line.quoted(kLookback) + ": " + to_string(call) + " is not a scan");
  std::vector<Argument> values = call.arguments.values();
  values[static_cast<std::size_t>(found - parameters.begin())] = parse_lookback(line.text(kLookback));
  call.arguments = Arguments(std::move(values));
  return call;
}

/// What is asked about an operation, but for its inputs.
struct AskedOperation {
  OperationCall call;
  std::optional<Order> order;
  Device device;

  const Order* rows() const { return order ? &*order : nullptr; }
};

AskedOperation asked_operation(const CommandLine& line, FileTable& files) {
  AskedOperation asked{operation_of(line), std::nullopt, {}};
  check_options(line, asked.call);
  if (line.takes(kTermList) && line.has(kTermList))
    throw Error(ErrorKind::usage, line.quoted(kTermList) + ": an operation takes --input FILE or --shape");
  const bool several = line.takes(kOrders);
  if (several ? line.has(kOrders) : line.has(kOrder)) {
    if (several && line.texts(kOrders).size() > 1) throw Error(ErrorKind::usage, "--order: an operation takes one");
    asked.order = several ? orders_of(line, files).front() : order_of(line, files);
  } else if (asked.call.operation->takes_order && line.has(kArrival) && !default_order(asked.call).empty()) {
    asked.order = parse_order(default_order(asked.call), line.text(kArrival));
  }
  asked.device = parse_device(line.text(kGpu));
  return asked;
}

}  // namespace

bool has_operation(const CommandLine& line) {
  if (line.takes(kOp) && sums_along_axis(line)) return true;
  if (line.takes(kOp) && line.text(kOp) != kOp.fallback) return true;
  for (const Flag* flag : joined(kOperationFlags, std::array{&kBatch}))
    if (flag != &kOp && line.takes(*flag) && line.has(*flag))
      throw RequestError(std::string(flag->key), line.text(*flag), std::string(study::kNeedsOperation));
  return false;
}

std::optional<study::AskedArrival> arrival_of_units(const CommandLine& line, FileTable& files) {
  if (!line.has(kArrival)) return std::nullopt;
  ArrivalCall arrival = parse_arrival(line.text(kArrival));
  read_files_of(arrival, files);
  return arrival;
}

study::OperationInput load_operation(const CommandLine& line, FileTable& files, const study::Watch& watch) {
  if (line.takes(study::kBy) && line.has(study::kBy))
    throw Error(ErrorKind::usage, line.quoted(study::kBy) + ": is about sums of one output; leave it out with --op");
  const AskedOperation asked = asked_operation(line, files);
  std::vector<std::uint64_t> batches;
  if (line.takes(kBatch) && line.has(kBatch)) batches = study::parse_batches(line.text(kBatch));
  if (line.has(kInput))
    return study::operation_input(asked.call, read_inputs(line, asked.call, watch), asked.device, asked.rows(), watch,
                                  batches);
  return study::operation_input(asked.call, asked_inputs(line, asked.call), asked.device, asked.rows(), watch, batches);
}

}  // namespace orderlab::cli
