#include "experiment/sweep_plan.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/text.hpp"
#include "experiment/input_json.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order_space.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

std::string hash_of(const std::string& text) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  std::string hash = "xxh3:";
  for (const unsigned char byte : canonical.digest) hash += fmt::format("{:02x}", byte);
  return hash;
}

class Planner {
 public:
  explicit Planner(const ConfigFile& config)
      : config_(config), folder_(std::filesystem::path(config.path).parent_path().string()) {}

  SweepPlan make() {
    SweepPlan plan;
    plan.title = config_.title;
    plan.question = config_.question;
    check_arrivals();
    std::unordered_set<std::string> known;
    std::vector<std::size_t> at(config_.axes.size(), 0);
    do {
      if (excluded(at)) continue;
      SweepPoint made = point(at);
      if (known.insert(made.hash).second) plan.points.push_back(std::move(made));
    } while (advance(at));
    if (plan.points.empty())
      throw Error(ErrorKind::input, config_.path + ": all points are excluded; leave out a condition of `exclude`");
    return plan;
  }

 private:
  // What reads a value of the config, with its place before the complaint.
  template <class Read>
  static auto reading(const AxisValue& value, Read read) {
    try {
      return read();
    } catch (const Error& error) {
      throw Error(error.kind(), value.place + ": " + error.what());
    }
  }

  // The last axis runs fastest.
  bool advance(std::vector<std::size_t>& at) const {
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < config_.axes[axis].size()) return true;
      at[axis] = 0;
    }
    return false;
  }

  // Empty for an axis that is absent.
  const AxisValue& value(const std::vector<std::size_t>& at, std::string_view name) const {
    static const AxisValue kAbsent;
    const std::size_t axis = axis_position(name);
    return config_.axes[axis].empty() ? kAbsent : config_.axes[axis][at[axis]];
  }

  std::uint64_t count(const std::vector<std::size_t>& at, std::string_view name, std::uint64_t low = 0,
                      std::uint64_t high = ~std::uint64_t{0}) const {
    const AxisValue& number = value(at, name);
    return reading(number, [&] { return parse_count(name, number.text, low, high); });
  }

  bool excluded(const std::vector<std::size_t>& at) const {
    const auto met = [&](const Condition& condition) {
      const AxisKey& key = axis_keys()[condition.axis];
      const std::string& value = this->value(at, key.name).text;
      if (!condition.values.empty())
        return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
      if (value.empty()) return false;
      if (value == key.word) return false;
      const std::uint64_t number = parse_count(key.name, value);
      return condition.from <= number && number <= condition.to;
    };
    return std::any_of(config_.excluded.begin(), config_.excluded.end(),
                       [&](const std::vector<Condition>& all) { return std::all_of(all.begin(), all.end(), met); });
  }

  bool takes(const AxisValue& order) {
    const auto [found, added] = takes_.try_emplace(order.text, false);
    if (added) found->second = reading(order, [&] { return takes_arrival_in(folder_, order.text); });
    return found->second;
  }

  void check_arrivals() {
    const AxisValues& arrivals = config_.axes[axis_position("arrival")];
    const AxisValues& orders = config_.axes[axis_position("order")];
    for (const AxisValue& arrival : arrivals)
      reading(arrival, [&] { return parse_order_in(folder_, "arrive | seq", arrival.text); });
    if (arrivals.empty() || std::any_of(orders.begin(), orders.end(), [&](const auto& o) { return takes(o); })) return;
    throw Error(ErrorKind::input,
                arrivals[0].place + ": arrival " + arrivals[0].text +
                    ": no order has a bare `arrive` for it; leave it out, or add an order such as spa");
  }

  // Read once: it may stand for a recording of megabytes.
  std::shared_ptr<const Order> order(const AxisValue& text, const AxisValue& arrival) {
    std::shared_ptr<const Order>& known = orders_[{text.text, arrival.text}];
    if (known == nullptr)
      known = reading(text,
                      [&] { return std::make_shared<const Order>(parse_order_in(folder_, text.text, arrival.text)); });
    return known;
  }

  std::shared_ptr<const Order> baseline(const AxisValue& text) {
    if (text.text.empty()) return nullptr;
    auto found = order(text, {});
    if (found->random())
      throw Error(ErrorKind::input,
                  text.place + ": baseline " + text.text + ": is random; name a fixed order such as sptr");
    return found;
  }

  InputReport input(const std::vector<std::size_t>& at, std::uint64_t seed) const {
    InputReport input;
    input.n = count(at, "n", 1, RandomStream::kIndexLimit);
    const AxisValue& format = value(at, "format");
    input.formats = reading(format, [&] { return parse_formats(format.text); });
    const AxisValue& dist = value(at, "dist");
    input.distribution = reading(dist, [&] { return canonical_distribution(dist.text); });
    input.input_seed = value(at, "input_seed").text.empty() ? seed : count(at, "input_seed");
    input.input_number = count(at, "input");
    return input;
  }

  SweepPoint point(const std::vector<std::size_t>& at) {
    SweepPoint point;
    const AxisValue& order_value = value(at, "order");
    const AxisValue& baseline_value = value(at, "baseline");
    const AxisValue& arrival = takes(order_value) ? value(at, "arrival") : AxisValue{};
    point.order_text = order_value.text;
    point.arrival_text = arrival.text;
    point.order = order(order_value, arrival);
    point.baseline = baseline(baseline_value);
    point.seed = count(at, "seed");
    point.all_orders = value(at, "samples").text == kAllOrders;
    if (!point.all_orders) point.samples = count(at, "samples", 1, RandomStream::kSampleLimit);
    point.max_distinct = count(at, "max_distinct");
    point.input = input(at, point.seed);
    const auto check = [&](const AxisValue& value, const Order& checked) {
      reading(value, [&] { return checked.check(point.input.n, false, point.input.formats.accumulate); });
    };
    check(order_value, *point.order);
    if (point.baseline) check(baseline_value, *point.baseline);
    if (point.all_orders) reading(value(at, "samples"), [&] { return require_few(point); });
    point.config = config_json(point).dump();
    point.hash = hash_of(std::to_string(kBitsVersion) + " " + point.config);
    return point;
  }

  // 20! is the last factorial that 64 bits hold.
  static std::size_t require_few(const SweepPoint& point) {
    constexpr std::size_t kMost = 20;
    const Order& order = *point.order;
    if (const std::string why = walk_obstacle(order); !why.empty())
      throw Error(ErrorKind::input,
                  "samples all: " + point.order_text + ": not all orders can be walked, " + why + "; give a number");
    std::size_t partial_sums = point.input.n;
    for (std::size_t i = 0; i < order.first_random(); ++i)
      partial_sums = count_left(order.stages()[i], partial_sums, point.input.formats.accumulate);
    if (!order.random() || partial_sums <= kMost) return partial_sums;
    throw Error(ErrorKind::input, fmt::format("samples all: {} has {} partial sums at n = {}, too many for all orders "
                                              "(at most {}); give a number, or exclude the point",
                                              point.order_text, partial_sums, point.input.n, kMost));
  }

  static nlohmann::ordered_json config_json(const SweepPoint& point) {
    const AskedOrder asked{point.order->expression(), arrival_of(*point.order)};
    const std::string baseline = point.baseline ? point.baseline->expression() : "";
    if (point.all_orders) return enumeration_config_json(point.input, asked, baseline);
    return sampling_config_json(point.input, {asked}, {point.seed, point.samples, point.max_distinct, baseline});
  }

  const ConfigFile& config_;
  std::string folder_;
  std::map<std::string, bool> takes_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Order>> orders_;
};

}  // namespace

SweepPlan make_plan(const ConfigFile& config) { return Planner(config).make(); }

std::string plan_hash(const SweepPlan& plan) {
  std::string all;
  for (const SweepPoint& point : plan.points)
    all += point.hash + " " + point.order_text + " " + point.arrival_text + "\n";
  return hash_of(all);
}

}  // namespace orderlab
