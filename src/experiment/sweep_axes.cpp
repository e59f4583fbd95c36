#include "experiment/sweep_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "core/text.hpp"
#include "experiment/all_orders.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order_space.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

// What decides whether an order fits its terms.
constexpr Axis kFitting[] = {Axis::n, Axis::format, Axis::order, Axis::arrival, Axis::baseline, Axis::samples};

// What reads a value of the config, with its place before the complaint.
template <class Read>
auto reading(const AxisValue& value, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), value.place + ": " + error.what());
  }
}

// An axis that is absent has one value, an empty text.
std::size_t count_of(const AxisValues& values) { return std::max<std::size_t>(values.size(), 1); }

// 20! is the last factorial that 64 bits hold.
void require_few(const SweepPoint& point) {
  constexpr std::size_t kMost = 20;
  const Order& order = *point.order;
  if (const std::string why = walk_obstacle(order); !why.empty())
    throw Error(ErrorKind::input,
                "samples all: " + point.order_text + ": not all orders can be enumerated, " + why + "; give a number");
  std::size_t partial_sums = point.input.n;
  for (std::size_t i = 0; i < order.first_random(); ++i)
    partial_sums = count_left(order.stages()[i], partial_sums, point.input.formats.accumulate);
  if (!order.random() || partial_sums <= kMost) return;
  throw Error(ErrorKind::input, fmt::format("samples all: {} has {} partial sums at n = {}, too many for all orders "
                                            "(at most {}); give a number, or exclude the point",
                                            point.order_text, partial_sums, point.input.n, kMost));
}

}  // namespace

SweepAxes::SweepAxes(ConfigFile config)
    : config_(std::move(config)), folder_(std::filesystem::path(config_.path).parent_path().string()) {
  require_few_points();
  takes_.resize(count_of(values(Axis::order)));
  check_arrivals();
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (axis_keys()[axis].count) numbers_[axis].resize(count_of(config_.axes[axis]));
  formats_.resize(count_of(values(Axis::format)));
  distributions_.resize(count_of(values(Axis::dist)));
  orders_.resize(takes_.size() * count_of(values(Axis::arrival)));
  baselines_.resize(count_of(values(Axis::baseline)));
  std::size_t combinations = 1;
  for (const Axis axis : kFitting) combinations *= count_of(values(axis));
  checked_.resize(combinations);
  for (const std::vector<Condition>& conditions : config_.excluded) {
    std::vector<Met>& all = excluded_.emplace_back();
    for (const Condition& condition : conditions) all.push_back(met(condition));
  }
}

void SweepAxes::require_few_points() {
  double points = 1;
  std::string factors;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::size_t count = count_of(config_.axes[axis]);
    if (count > 1) factors += fmt::format("{}{} of {}", factors.empty() ? "" : ", ", count, axis_keys()[axis].name);
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

void SweepAxes::check_arrivals() {
  const AxisValues& arrivals = values(Axis::arrival);
  for (const AxisValue& arrival : arrivals)
    reading(arrival, [&] { return parse_order_in(folder_, "arrive | seq", arrival.text); });
  if (arrivals.empty()) return;
  for (std::size_t order = 0; order < takes_.size(); ++order)
    if (takes(order)) return;
  throw Error(ErrorKind::input, arrivals[0].place + ": arrival " + arrivals[0].text +
                                    ": no order has a bare `arrive` for it; leave it out, or add an order such as spa");
}

SweepAxes::Met SweepAxes::met(const Condition& condition) const {
  const AxisKey& key = axis_keys()[condition.axis];
  const AxisValues& all = config_.axes[condition.axis];
  const std::unordered_set<std::string> listed(condition.values.begin(), condition.values.end());
  Met met{condition.axis, std::vector<bool>(count_of(all))};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!listed.empty()) {
      met.values[i] = listed.contains(all[i].text);
    } else if (all[i].text != key.word) {
      const std::uint64_t number = parse_count(key.name, all[i].text);
      met.values[i] = condition.from <= number && number <= condition.to;
    }
  }
  return met;
}

SweepAxes::Place SweepAxes::place(std::uint64_t product) const {
  Place at{};
  for (std::size_t axis = kAxes; axis-- > 0;) {
    const std::size_t count = count_of(config_.axes[axis]);
    at[axis] = static_cast<std::uint32_t>(product % count);
    product /= count;
  }
  return at;
}

void SweepAxes::advance(Place& at) const {
  for (std::size_t axis = kAxes; axis-- > 0;) {
    if (++at[axis] < config_.axes[axis].size()) return;
    at[axis] = 0;
  }
}

bool SweepAxes::excluded(const Place& at) const {
  const auto is_met = [&](const Met& met) { return met.values[at[met.axis]]; };
  return std::any_of(excluded_.begin(), excluded_.end(),
                     [&](const std::vector<Met>& all) { return std::all_of(all.begin(), all.end(), is_met); });
}

const AxisValue& SweepAxes::value(const Place& at, Axis axis) const {
  static const AxisValue kAbsent;
  return values(axis).empty() ? kAbsent : values(axis)[at[of(axis)]];
}

bool SweepAxes::takes(std::size_t order) {
  const AxisValue& text = values(Axis::order)[order];
  if (!takes_[order]) takes_[order] = reading(text, [&] { return takes_arrival_in(folder_, text.text); });
  return *takes_[order];
}

const AxisValue& SweepAxes::arrival(const Place& at) const {
  static const AxisValue kNone;
  return *takes_[at[of(Axis::order)]] ? value(at, Axis::arrival) : kNone;
}

std::size_t SweepAxes::order(const Place& at) const {
  const std::size_t arrival = *takes_[at[of(Axis::order)]] ? at[of(Axis::arrival)] : 0;
  return at[of(Axis::order)] + takes_.size() * arrival;
}

bool SweepAxes::walks_all(const Place& at) const { return value(at, Axis::samples).text == kAllOrders; }

void SweepAxes::read_number(const Place& at, Axis axis, std::uint64_t low, std::uint64_t high) {
  std::optional<std::uint64_t>& number = numbers_[of(axis)][at[of(axis)]];
  if (number) return;
  const AxisValue& text = value(at, axis);
  number = reading(text, [&] { return parse_count(axis_keys()[of(axis)].name, text.text, low, high); });
}

// An order is read once: it may name a recording of megabytes.
void SweepAxes::read_orders(const Place& at) {
  const auto parsed = [&](const AxisValue& text, const std::string& arrival) {
    return reading(text, [&] { return std::make_shared<const Order>(parse_order_in(folder_, text.text, arrival)); });
  };
  takes(at[of(Axis::order)]);
  std::shared_ptr<const Order>& known = orders_[order(at)];
  if (known == nullptr) known = parsed(value(at, Axis::order), arrival(at).text);
  const AxisValue& text = value(at, Axis::baseline);
  std::shared_ptr<const Order>& baseline = baselines_[at[of(Axis::baseline)]];
  if (text.text.empty() || baseline != nullptr) return;
  auto found = parsed(text, "");
  if (found->random())
    throw Error(ErrorKind::input,
                text.place + ": baseline " + text.text + ": is random; name a fixed order such as sptr");
  baseline = std::move(found);
}

void SweepAxes::read(const Place& at) {
  constexpr std::uint64_t kAny = ~std::uint64_t{0};
  read_orders(at);
  read_number(at, Axis::seed, 0, kAny);
  if (!walks_all(at)) read_number(at, Axis::samples, 1, RandomStream::kSampleLimit);
  read_number(at, Axis::max_distinct, 0, kAny);
  read_number(at, Axis::n, 1, RandomStream::kIndexLimit);
  const AxisValue& format = value(at, Axis::format);
  if (auto& known = formats_[at[of(Axis::format)]]; !known)
    known = reading(format, [&] { return parse_formats(format.text); });
  const AxisValue& dist = value(at, Axis::dist);
  if (auto& known = distributions_[at[of(Axis::dist)]]; !known)
    known = reading(dist, [&] { return canonical_distribution(dist.text); });
  if (!values(Axis::input_seed).empty()) read_number(at, Axis::input_seed, 0, kAny);
  read_number(at, Axis::input, 0, kAny);
  check_once(at);
}

void SweepAxes::check_once(const Place& at) {
  std::size_t combination = 0;
  for (const Axis axis : kFitting) combination = combination * count_of(values(axis)) + at[of(axis)];
  if (checked_[combination]) return;
  const SweepPoint point = this->point(at);
  const auto check = [&](Axis axis, const Order& checked) {
    reading(value(at, axis), [&] { return checked.check(point.input.n, false, point.input.formats.accumulate); });
  };
  check(Axis::order, *point.order);
  if (point.baseline) check(Axis::baseline, *point.baseline);
  if (point.all_orders) reading(value(at, Axis::samples), [&] { return require_few(point); });
  checked_[combination] = true;
}

SweepPoint SweepAxes::point(const Place& at) const {
  SweepPoint point;
  point.order = orders_[order(at)];
  point.baseline = baselines_[at[of(Axis::baseline)]];
  point.order_text = value(at, Axis::order).text;
  point.arrival_text = arrival(at).text;
  point.seed = number(at, Axis::seed);
  point.all_orders = walks_all(at);
  if (!point.all_orders) point.samples = number(at, Axis::samples);
  point.max_distinct = number(at, Axis::max_distinct);
  point.input.n = number(at, Axis::n);
  point.input.formats = *formats_[at[of(Axis::format)]];
  point.input.distribution = *distributions_[at[of(Axis::dist)]];
  point.input.input_seed = values(Axis::input_seed).empty() ? point.seed : number(at, Axis::input_seed);
  point.input.input_number = number(at, Axis::input);
  return point;
}

std::pair<std::string_view, std::string_view> SweepAxes::texts(const Place& at) const {
  return {value(at, Axis::order).text, arrival(at).text};
}

}  // namespace orderlab
