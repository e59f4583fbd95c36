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
    if (plan.points.empty()) fail("all points are excluded; leave out a condition of `exclude`");
    return plan;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::input, config_.path + ": " + problem);
  }

  // What reads a value of the config, with the config's name before the complaint.
  template <class Read>
  auto reading(Read read) const {
    try {
      return read();
    } catch (const Error& error) {
      throw Error(error.kind(), config_.path + ": " + error.what());
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
  const std::string& text(const std::vector<std::size_t>& at, std::string_view name) const {
    static const std::string kAbsent;
    const std::size_t axis = axis_position(name);
    return config_.axes[axis].empty() ? kAbsent : config_.axes[axis][at[axis]];
  }

  std::uint64_t count(const std::vector<std::size_t>& at, std::string_view name) const {
    return parse_count(name, text(at, name));
  }

  bool excluded(const std::vector<std::size_t>& at) const {
    const auto met = [&](const Condition& condition) {
      const AxisKey& key = axis_keys()[condition.axis];
      const std::string& value = text(at, key.name);
      if (!condition.values.empty())
        return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
      if (value.empty()) return false;
      const std::uint64_t number = parse_count(key.name, value);
      return condition.from <= number && number <= condition.to;
    };
    return std::any_of(config_.excluded.begin(), config_.excluded.end(),
                       [&](const std::vector<Condition>& all) { return std::all_of(all.begin(), all.end(), met); });
  }

  bool takes(const std::string& order) {
    const auto [found, added] = takes_.try_emplace(order, false);
    if (added) found->second = reading([&] { return takes_arrival_in(folder_, order); });
    return found->second;
  }

  void check_arrivals() {
    const AxisValues& arrivals = config_.axes[axis_position("arrival")];
    const AxisValues& orders = config_.axes[axis_position("order")];
    if (arrivals.empty() || std::any_of(orders.begin(), orders.end(), [&](const auto& o) { return takes(o); })) return;
    fail("arrival " + arrivals[0] + ": no order has a bare `arrive` for it; leave it out, or add an order such as spa");
  }

  // Read once: it may stand for a recording of megabytes.
  std::shared_ptr<const Order> order(const std::string& text, const std::string& arrival) {
    std::shared_ptr<const Order>& known = orders_[{text, arrival}];
    if (known == nullptr)
      known = reading([&] { return std::make_shared<const Order>(parse_order_in(folder_, text, arrival)); });
    return known;
  }

  std::shared_ptr<const Order> baseline(const std::string& text) {
    if (text.empty()) return nullptr;
    auto found = order(text, {});
    if (found->random()) fail("baseline " + text + ": is random; name a fixed order such as sptr");
    return found;
  }

  SweepPoint point(const std::vector<std::size_t>& at) {
    SweepPoint point;
    point.order_text = text(at, "order");
    if (takes(point.order_text)) point.arrival_text = text(at, "arrival");
    point.order = order(point.order_text, point.arrival_text);
    point.baseline = baseline(text(at, "baseline"));
    point.seed = count(at, "seed");
    point.samples = count(at, "samples");
    point.max_distinct = count(at, "max_distinct");
    if (point.samples > RandomStream::kSampleLimit) fail("samples: are too many (at most 2^48)");
    InputReport& input = point.input;
    input.n = count(at, "n");
    if (input.n > RandomStream::kIndexLimit) fail("n " + std::to_string(input.n) + ": is too large");
    input.formats = reading([&] { return parse_formats(text(at, "format")); });
    input.distribution = reading([&] { return canonical_distribution(text(at, "dist")); });
    input.input_seed = text(at, "input_seed").empty() ? point.seed : count(at, "input_seed");
    input.input_number = count(at, "input");
    reading([&] {
      point.order->check(input.n, false, input.formats.accumulate);
      if (point.baseline) point.baseline->check(input.n, false, input.formats.accumulate);
      return 0;
    });
    const SamplingConfig sampling{point.seed, point.samples, point.max_distinct,
                                  point.baseline ? point.baseline->expression() : ""};
    point.config =
        sampling_config_json(input, {{point.order->expression(), arrival_of(*point.order)}}, sampling).dump();
    point.hash = hash_of(std::to_string(kBitsVersion) + " " + point.config);
    return point;
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
