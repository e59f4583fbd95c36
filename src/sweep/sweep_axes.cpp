#include "sweep/sweep_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <vector>

#include "core/text.hpp"
#include "order/resolve.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "run/plan_steps.hpp"
#include "sweep/placed.hpp"
#include "terms/array_file.hpp"

namespace orderlab {

namespace {

// What decides whether an order fits its terms.
constexpr const Axis* kFitting[] = {&axes::kN,       &axes::kInput,    &axes::kFormat, &axes::kOrder,
                                    &axes::kArrival, &axes::kBaseline, &axes::kSamples};

// What says which terms of a file there are.
constexpr const Axis* kTermsOfFile[] = {&axes::kInput, &axes::kFormat};

// An axis that is absent has one value, an empty text.
std::size_t count_of(const AxisValues& values) { return std::max<std::size_t>(values.size(), 1); }

// Else it is the axis's word, or a file.
bool is_count(const Axis& axis, const std::string& text) {
  return text != axis.word && (!axis.or_file || read_count(text).value.has_value());
}

// 20! is the last factorial that 64 bits hold.
void require_few(const SweepPoint& point) {
  constexpr std::size_t kMost = 20;
  const Order& order = *point.order;
  if (const std::string why = walk_obstacle(order); !why.empty())
    throw Error(ErrorKind::input, "samples all: " + point.config.order + ": not all orders can be enumerated, " + why +
                                      "; give a number");
  if (!order.random()) return;
  const std::vector<PlannedStep> steps = plan_steps(order, point.config.n, point.config.formats.accumulate);
  const auto random = std::find_if(steps.begin(), steps.end(), [](const auto& each) { return is_random(each.step); });
  const std::size_t partial_sums = random->in;
  if (partial_sums <= kMost) return;
  throw Error(ErrorKind::input, fmt::format("samples all: {} has {} partial sums at n = {}, too many for all orders "
                                            "(at most {}); give a number, or exclude the point",
                                            point.config.order, partial_sums, point.config.n, kMost));
}

}  // namespace

SweepAxes::SweepAxes(ConfigFile config)
    : config_(std::move(config)), folder_(std::filesystem::path(config_.path).parent_path().string()) {
  require_few_points();
  takes_.resize(count_of(values(axes::kOrder)));
  read_operations();
  check_files_of_sums();
  check_arrivals();
  for (const AxisValues& values : config_.axes) read_.emplace_back(values.size());
  orders_.resize(takes_.size() * count_of(values(axes::kArrival)));
  baselines_.resize(count_of(values(axes::kBaseline)));
  std::size_t combinations = 1;
  for (const Axis* axis : kFitting) combinations *= count_of(values(*axis));
  checked_.resize(combinations);
  for (const std::vector<Condition>& conditions : config_.excluded) {
    std::vector<Met>& all = excluded_.emplace_back();
    for (const Condition& condition : conditions) all.push_back(met(condition));
  }
}

void SweepAxes::require_few_points() {
  double points = 1;
  std::string factors;
  for (std::size_t axis = 0; axis < config_.axes.size(); ++axis) {
    const std::size_t count = count_of(config_.axes[axis]);
    if (count > 1) factors += fmt::format("{}{} of {}", factors.empty() ? "" : ", ", count, axis_list()[axis]->name);
    points *= static_cast<double>(count);
  }
  if (points > static_cast<double>(kMostPoints))
    throw Error(ErrorKind::input,
                fmt::format("{}: has {} points ({}), more than a sweep takes ({}); give a range a "
                            "larger step or a factor, or split the config",
                            config_.path, points < 1e15 ? fmt::format("{:.0f}", points) : fmt::format("{:.1e}", points),
                            factors, kMostPoints));
  product_ = static_cast<std::uint64_t>(points);
}

// Terms of files and generated ones do not mix: what says how the latter are made would make further points of the
// same terms.
void SweepAxes::check_files_of_sums() const {
  const AxisValues& inputs = values(axes::kInput);
  const auto is_file = [](const AxisValue& input) { return !is_count(axes::kInput, input.text); };
  if (!has_sums() || std::none_of(inputs.begin(), inputs.end(), is_file)) return;
  if (!std::all_of(inputs.begin(), inputs.end(), is_file))
    refuse(axes::kInput, "has files and numbers of generated terms; sweep over one of them");
  for (const Axis* axis : {&axes::kN, &axes::kDist, &axes::kInputSeed})
    if (given(*axis)) refuse(*axis, "is about generated terms, and input names files; leave one of them out");
}

// By content: the hash stands in the point's config.
void SweepAxes::read_terms_of(const Place& at) {
  const auto [found, added] = terms_.try_emplace(key(at, kTermsOfFile));
  if (!added) return;
  const AxisValue& file = value(at, axes::kInput);
  std::optional<Formats> asked;
  if (given(axes::kFormat)) asked = parse_formats(value(at, axes::kFormat).text);
  const auto own = asked ? std::optional(asked->terms) : std::nullopt;
  reading(file, [&] {
    const std::string path = (std::filesystem::path(folder_) / file.text).string();
    auto terms = std::make_shared<const Terms>(read_file_array({.text = path, .one_dimension = true}, own, own).terms);
    found->second = {terms, terms->hash(), asked.value_or(formats_of_terms(terms->format()))};
  });
}

void SweepAxes::check_arrivals() {
  const AxisValues& arrivals = values(axes::kArrival);
  for (const AxisValue& arrival : arrivals)
    reading(arrival, [&] { return parse_order_in(folder_, "arrive | seq", arrival.text); });
  if (arrivals.empty()) return;
  for (std::size_t order = 0; order < values(axes::kOrder).size(); ++order)
    if (takes(order)) return;
  if (operations_take_arrival()) return;
  throw Error(ErrorKind::input, arrivals[0].place + ": arrival " + arrivals[0].text +
                                    ": no order has a bare `arrive` for it; leave it out, or add an order such as spa");
}

SweepAxes::Met SweepAxes::met(const Condition& condition) const {
  const Axis& key = *axis_list()[condition.axis];
  const AxisValues& all = config_.axes[condition.axis];
  const std::unordered_set<std::string> listed(condition.values.begin(), condition.values.end());
  Met met{condition.axis, std::vector<bool>(count_of(all))};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!listed.empty()) {
      met.values[i] = listed.contains(all[i].text);
    } else if (is_count(key, all[i].text)) {
      const std::uint64_t number = parse_count(key.name, all[i].text);
      met.values[i] = condition.from <= number && number <= condition.to;
    }
  }
  return met;
}

SweepAxes::Place SweepAxes::place(std::uint64_t product) const {
  Place at(config_.axes.size());
  for (std::size_t axis = at.size(); axis-- > 0;) {
    const std::size_t count = count_of(config_.axes[axis]);
    at[axis] = static_cast<std::uint32_t>(product % count);
    product /= count;
  }
  return at;
}

void SweepAxes::advance(Place& at) const {
  for (std::size_t axis = at.size(); axis-- > 0;) {
    if (++at[axis] < config_.axes[axis].size()) return;
    at[axis] = 0;
  }
}

bool SweepAxes::excluded(const Place& at) const {
  const auto is_met = [&](const Met& met) { return met.values[at[met.axis]]; };
  return std::any_of(excluded_.begin(), excluded_.end(),
                     [&](const std::vector<Met>& all) { return std::all_of(all.begin(), all.end(), is_met); });
}

const AxisValue& SweepAxes::value(const Place& at, const Axis& axis) const {
  static const AxisValue kNone;
  return values(axis).empty() ? kNone : values(axis)[position(at, axis)];
}

bool SweepAxes::takes(std::size_t order) {
  const AxisValue& text = values(axes::kOrder)[order];
  if (!takes_[order]) takes_[order] = reading(text, [&] { return takes_arrival_in(folder_, text.text); });
  return *takes_[order];
}

const AxisValue& SweepAxes::arrival(const Place& at) const {
  static const AxisValue kNone;
  return *takes_[position(at, axes::kOrder)] ? value(at, axes::kArrival) : kNone;
}

std::size_t SweepAxes::order(const Place& at) const {
  const std::size_t order = position(at, axes::kOrder);
  return order + takes_.size() * (*takes_[order] ? position(at, axes::kArrival) : 0);
}

void SweepAxes::read_value(std::size_t axis, std::size_t value) {
  if (config_.axes[axis].empty() || read_[axis][value]) return;
  const Axis& key = *axis_list()[axis];
  AxisValue& written = config_.axes[axis][value];
  reading(written, [&] {
    if (key.canonical != nullptr) written.text = key.canonical(written.text);
    if (key.kind == AxisKind::count && is_count(key, written.text))
      parse_count(key.name, written.text, key.low, key.high);
  });
  read_[axis][value] = true;
}

// An order is read once: it may name a recording of megabytes.
void SweepAxes::read_orders(const Place& at) {
  const auto parsed = [&](const AxisValue& text, const std::string& arrival) {
    const auto order =
        reading(text, [&] { return std::make_shared<const Order>(parse_order_in(folder_, text.text, arrival)); });
    return Read{order, order->expression(), study::arrival_of(*order)};
  };
  takes(position(at, axes::kOrder));
  Read& known = orders_[order(at)];
  if (known.order == nullptr) known = parsed(value(at, axes::kOrder), arrival(at).text);
  const AxisValue& text = value(at, axes::kBaseline);
  Read& baseline = baselines_[position(at, axes::kBaseline)];
  if (text.text.empty() || baseline.order != nullptr) return;
  Read found = parsed(text, "");
  if (found.order->random())
    throw Error(ErrorKind::input,
                text.place + ": baseline " + text.text + ": is random; name a fixed order such as sptr");
  baseline = std::move(found);
}

void SweepAxes::read(const Place& at) {
  if (operation(at) != nullptr) return read_operation(at);
  read_orders(at);
  for (std::size_t axis = 0; axis < at.size(); ++axis) read_value(axis, at[axis]);
  if (from_files(at)) read_terms_of(at);
  check_once(at);
}

void SweepAxes::check_once(const Place& at) {
  std::size_t combination = 0;
  for (const Axis* axis : kFitting) combination = combination * count_of(values(*axis)) + position(at, *axis);
  if (checked_[combination]) return;
  const SweepPoint point = this->point(at);
  const auto check = [&](const Axis& axis, const Order& checked) {
    reading(value(at, axis), [&] { return checked.check(point.config.n, false, point.config.formats.accumulate); });
  };
  check(axes::kOrder, *point.order);
  if (point.baseline) check(axes::kBaseline, *point.baseline);
  if (point.config.all_orders) reading(value(at, axes::kSamples), [&] { return require_few(point); });
  checked_[combination] = true;
}

SweepPoint SweepAxes::point(const Place& at) const {
  if (operation(at) != nullptr) return operation_point(at);
  SweepPoint point;
  for (std::size_t axis = 0; axis < at.size(); ++axis)
    if (!config_.axes[axis].empty() && axis_list()[axis]->use != AxisUse::operations)
      set_on(*axis_list()[axis], point.config, config_.axes[axis][at[axis]].text);
  const Read& order = orders_[this->order(at)];
  const Read& baseline = baselines_[position(at, axes::kBaseline)];
  point.order = order.order;
  point.baseline = baseline.order;
  point.config.expression = order.expression;
  point.config.arrival = arrival(at).text;
  point.config.arrival_model = order.arrival_model;
  point.config.baseline = baseline.expression;
  if (values(axes::kInputSeed).empty()) point.config.input_seed = point.config.seed;
  if (from_files(at)) {
    const GivenTerms& given = terms_.at(key(at, kTermsOfFile));
    point.terms = given.terms;
    point.config.n = given.terms->size();
    point.config.terms = given.hash;
    point.config.formats = given.formats;
  }
  return point;
}

std::pair<std::string_view, std::string_view> SweepAxes::texts(const Place& at) const {
  if (const OperationCall* call = operation(at)) {
    const bool ordered = call->operation->takes_order && !values(axes::kOrder).empty();
    return {ordered ? value(at, axes::kOrder).text : std::string_view(),
            rows_order(at).takes_arrival ? value(at, axes::kArrival).text : std::string_view()};
  }
  return {value(at, axes::kOrder).text, arrival(at).text};
}

}  // namespace orderlab
