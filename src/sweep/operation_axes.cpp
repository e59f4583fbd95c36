// What axes mean together at a point that is an operation with many outputs: which keys it takes, what is read for it,
// and how its point is made.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <variant>

#include "core/text.hpp"
#include "describe/option.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "study/input_options.hpp"
#include "study/operation_baseline.hpp"
#include "study/operation_rules.hpp"
#include "study/order_run.hpp"
#include "sweep/placed.hpp"
#include "sweep/sweep_axes.hpp"

namespace orderlab {

namespace {

constexpr const Axis* kFiles[] = {&axes::kOp, &axes::kInput, &axes::kWith, &axes::kIndex, &axes::kSelf, &axes::kFormat};

// What decides whether inputs and a baseline fit.
constexpr const Axis* kOperationFitting[] = {&axes::kOp,     &axes::kShape,    &axes::kN,      &axes::kRatio,
                                             &axes::kFormat, &axes::kBaseline, &axes::kSamples};

bool is_file(const AxisValue& input) { return !input.text.empty() && !read_count(input.text).value; }

// The same number of dimensions with few elements: whether an operation takes inputs depends on no more.
Shape few_of(Shape shape) {
  for (std::size_t& extent : shape) extent = std::min<std::size_t>(extent, 2);
  return shape;
}

// Bins that a call asks for are made whatever the shape is.
bool asks_for_many(const OperationCall& call) {
  constexpr std::uint64_t kMany = 100'000;
  const auto& values = call.arguments.values();
  return std::any_of(values.begin(), values.end(), [](const Argument& argument) {
    const auto* count = std::get_if<std::uint64_t>(&argument);
    return count != nullptr && *count > kMany;
  });
}

// Whether an arrival model has a say in an operation with an order of its own: not where a look-back model draws what
// the arrival of tiles would decide.
bool units_arrive(const OperationCall& call) {
  const auto& values = call.arguments.values();
  return std::none_of(values.begin(), values.end(), [](const Argument& argument) {
    const auto* lookback = std::get_if<LookbackCall>(&argument);
    return lookback != nullptr && !lookback->model->by_arrival;
  });
}

}  // namespace

void SweepAxes::read_operations() {
  for (const AxisValue& value : values(axes::kOp))
    operations_.push_back(value.text == axes::kOp.default_text ? std::nullopt : reading(value, [&] {
      return std::optional(parse_operation(value.text));
    }));
  has_operations_ =
      std::any_of(operations_.begin(), operations_.end(), [](const auto& call) { return call.has_value(); });
  check_keys();
}

bool SweepAxes::has_sums() const {
  return std::any_of(operations_.begin(), operations_.end(), [](const auto& call) { return !call; });
}

void SweepAxes::refuse(const Axis& axis, std::string_view why) const {
  std::string text(why);
  std::erase(text, '`');  // around names of keys
  throw Error(ErrorKind::input, fmt::format("{}: {}: {}", values(axis).front().place, axis.name, text));
}

void SweepAxes::check_keys() const {
  if (!has_operations_) {
    for (const Axis* axis : axis_list())
      if (axis->use == AxisUse::operations && given(*axis)) refuse(*axis, study::kNeedsOperation);
    return;
  }
  const AxisValues& inputs = values(axes::kInput);
  study::GivenOptions options;
  for (const auto& call : operations_)
    if (call) options.operations.push_back(&*call);
  options.sums = has_sums();
  options.files = std::any_of(inputs.begin(), inputs.end(), is_file);
  options.generated = !std::all_of(inputs.begin(), inputs.end(), is_file);
  options.has = [&](const Flag& flag) {
    const std::size_t axis = axis_position(flag.key);
    return axis < axis_list().size() && given(*axis_list()[axis]);
  };
  if (const auto problem = option_problem(options))
    refuse(*axis_list()[axis_position(problem->flag->key)], problem->why);
}

bool SweepAxes::operations_take_arrival() const {
  return std::any_of(operations_.begin(), operations_.end(), [&](const auto& call) {
    if (!call) return false;
    const TensorOperation& operation = *call->operation;
    if (!operation.takes_order) return units_arrive(*call);
    const std::string_view own = default_order(*call);
    return values(axes::kOrder).empty() && !own.empty() && takes_arrival_in(folder_, own);
  });
}

const OperationCall* SweepAxes::operation(const Place& at) const {
  const auto& call = operations_[position(at, axes::kOp)];
  return call ? &*call : nullptr;
}

bool SweepAxes::from_files(const Place& at) const { return is_file(value(at, axes::kInput)); }

std::vector<std::size_t> SweepAxes::key(const Place& at, std::span<const Axis* const> axes) const {
  std::vector<std::size_t> positions;
  for (const Axis* axis : axes) positions.push_back(position(at, *axis));
  return positions;
}

std::vector<std::size_t> SweepAxes::order_key(const Place& at) const {
  const bool ordered = operation(at)->operation->takes_order;
  return {position(at, axes::kOp), ordered ? position(at, axes::kOrder) : 0, position(at, axes::kArrival)};
}

void SweepAxes::read_operation(const Place& at) {
  for (const Axis* axis : axes_in_operation_json()) read_value(axis_position(*axis), position(at, *axis));
  read_value(axis_position(axes::kN), position(at, axes::kN));
  read_rows_order(at);
  if (from_files(at)) read_files(at);
  check_operation(at);
}

void SweepAxes::read_rows_order(const Place& at) {
  const auto [found, added] = rows_orders_.try_emplace(order_key(at));
  if (!added) return;
  Read& rows = found->second;
  const TensorOperation& operation = *this->operation(at)->operation;
  const AxisValue& arrival = value(at, axes::kArrival);
  if (!operation.takes_order) {
    rows.takes_arrival = units_arrive(*this->operation(at));
    if (!rows.takes_arrival) return;
    rows.arrival =
        reading(arrival, [&] { return parse_arrival(arrival.text.empty() ? "uniform" : arrival.text, folder_); });
    rows.arrival_model = to_string(*rows.arrival);
    return;
  }
  const bool own = values(axes::kOrder).empty();
  const std::string_view default_text = default_order(*this->operation(at));
  if (own && default_text.empty())
    throw Error(ErrorKind::input, fmt::format("{}: order is missing: {} has none of its own", config_.path,
                                              to_string(*this->operation(at))));
  const AxisValue text = own ? AxisValue{std::string(default_text), config_.path} : value(at, axes::kOrder);
  reading(text, [&] {
    rows.takes_arrival = takes_arrival_in(folder_, text.text);
    const std::string model = rows.takes_arrival ? arrival.text : std::string();
    const auto order = std::make_shared<const Order>(parse_order_in(folder_, text.text, model));
    rows.arrival_model = study::arrival_of(*order);
    if (own && model.empty()) return;
    rows.order = order;
    rows.expression = order->expression();
  });
}

void SweepAxes::read_files(const Place& at) {
  const auto [found, added] = files_.try_emplace(key(at, kFiles));
  if (!added) return;
  GivenArrays& arrays = found->second;
  const TensorOperation& operation = *this->operation(at)->operation;
  const auto read_from = [&](const Axis& axis, auto reader) {
    const AxisValue& file = value(at, axis);
    return reading(file, [&] { return reader((std::filesystem::path(folder_) / file.text).string()); });
  };
  std::optional<Formats> asked;
  if (given(axes::kFormat)) asked = parse_formats(value(at, axes::kFormat).text);
  Tensor source = read_from(axes::kInput, [&](const std::string& path) {
    return read_tensor(path, asked ? std::optional(asked->terms) : std::nullopt);
  });
  const Format own = source.terms.format();
  OperationInputs inputs{std::move(source), std::nullopt, std::nullopt, std::nullopt,
                         asked.value_or(formats_of_terms(own))};
  const auto like = [&](const std::string& path) { return read_tensor(path, own); };
  const auto has = [&](const Axis& axis) { return !value(at, axis).text.empty(); };
  arrays.source = inputs.source.terms.hash();
  if (has(axes::kWith) && operation.takes_factor) {
    inputs.factor = read_from(axes::kWith, like);
    arrays.factor = inputs.factor->terms.hash();
  }
  if (has(axes::kIndex) && operation.takes_index) {
    inputs.index = read_from(axes::kIndex, read_index);
    arrays.index = study::hash_of(*inputs.index);
  }
  if (has(axes::kSelf)) {
    const Format of_self = operation.format_of_self(inputs.formats);
    inputs.self = read_from(axes::kSelf, [&](const std::string& path) { return read_tensor(path, of_self, own); });
    arrays.self = inputs.self->terms.hash();
  }
  arrays.inputs = std::make_shared<const OperationInputs>(std::move(inputs));
}

void SweepAxes::check_operation(const Place& at) {
  if (!checked_operations_.insert(key(at, kOperationFitting)).second) return;
  const OperationCall& call = *operation(at);
  const AxisValue& sized = given(axes::kShape) ? value(at, axes::kShape) : value(at, axes::kN);
  if (!from_files(at) && call.operation->needs_shape && sized.text.empty())
    throw Error(ErrorKind::input, fmt::format("{}: shape is missing: {}", config_.path, axes::kShape.help));
  const SweepPoint point = this->point(at);
  reading(value(at, axes::kSamples), [&] {
    if (point.config.all_orders)
      throw Error(ErrorKind::usage, "samples all: the orders of an operation are not enumerated; give a number");
    study::OperationSampleRequest request;
    request.samples = point.config.asked;
    validate(request);
  });
  std::optional<study::AskedBaseline> baseline;
  if (!point.config.baseline.empty())
    baseline = reading(value(at, axes::kBaseline), [&] { return study::output_baseline_of(point.config.baseline); });
  if (from_files(at) || !call.operation->needs_shape) return;
  const GeneratedInputs what = generated_inputs_of(point.config);
  reading(sized, [&] { element_count(what.shape); });
  reading(value(at, axes::kRatio), [&] {
    if (const std::string problem = problem_with(study::kRatio, what.ratio); !problem.empty())
      throw Error(ErrorKind::usage, "ratio " + point.config.ratio + ": " + problem);
  });
  if (call.operation->takes_order || asks_for_many(call)) return;
  GeneratedInputs few = what;
  few.shape = few_of(what.shape);
  const LoweredOperation lowered =
      reading(sized, [&] { return lower(call, generated_inputs(call, few), point.operation->device); });
  reading(value(at, axes::kBaseline), [&] { return chosen_baseline(baseline, lowered); });
}

std::string SweepAxes::operation_text(const Place& at, const Axis& axis) const {
  if (given(axis)) return value(at, axis).text;
  const std::string_view text = axis.operation_default.empty() ? axis.default_text : axis.operation_default;
  return text == kAbsent ? std::string() : std::string(text);
}

SweepPoint SweepAxes::operation_point(const Place& at) const {
  const OperationCall& call = *operation(at);
  const TensorOperation& operation = *call.operation;
  SweepPoint point;
  PointConfig& config = point.config;
  for (const Axis* axis : axes_in_operation_json())
    if (const std::string text = operation_text(at, *axis); !text.empty()) set_on(*axis, config, text);
  if (!given(axes::kShape)) config.shape = value(at, axes::kN).text;
  if (!operation.needs_shape) config.shape.clear();
  if (!operation.takes_index) config.ratio = axes::kRatio.default_text;
  if (!given(axes::kInputSeed)) config.input_seed = config.seed;
  auto planned = std::make_shared<PlannedOperation>();
  planned->call = call;
  planned->device = parse_device(config.gpu);
  const Read& rows = rows_order(at);
  const auto [order_text, arrival_text] = texts(at);
  config.order = order_text;
  config.arrival = arrival_text;
  config.expression = rows.expression;
  config.arrival_model = rows.arrival_model;
  point.order = rows.order;
  planned->arrival = rows.arrival;
  if (from_files(at)) {
    const GivenArrays& arrays = files_.at(key(at, kFiles));
    planned->given = arrays.inputs;
    config.formats = arrays.inputs->formats;
    config.terms = arrays.source;
    config.factor.hash = arrays.factor;
    config.index.hash = arrays.index;
    config.self.hash = arrays.self;
    config.shape.clear();
    config.ratio.clear();
  }
  if (config.factor.hash.empty()) config.factor = {};
  if (config.index.hash.empty()) config.index = {};
  if (config.self.hash.empty()) config.self = {};
  point.operation = std::move(planned);
  return point;
}

GeneratedInputs generated_inputs_of(const PointConfig& config) {
  GeneratedInputs what;
  if (!config.shape.empty()) what.shape = parse_shape("shape", config.shape);
  what.ratio = read_real(config.ratio).value_or(1);
  what.distribution = config.terms;
  what.formats = config.formats;
  what.seed = config.input_seed;
  what.number = config.input;
  return what;
}

}  // namespace orderlab
