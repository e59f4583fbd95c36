// Every axis: what a config writes is what a point has, what its JSON says, and what that is read back as.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "config/point_config.hpp"
#include "core/text.hpp"
#include "sweep/axis_values.hpp"
#include "sweep/config_text.hpp"

using namespace orderlab;

namespace {

std::vector<std::string> texts_on_all(const PointConfig& point) {
  std::vector<std::string> texts;
  for (const Axis* axis : axis_list()) texts.push_back(text_on(*axis, point));
  return texts;
}

std::string text_in_json(const Axis& axis, const PointConfig& point) {
  return axis.stored == nullptr ? text_on(axis, point) : axis.stored(point);
}

}  // namespace

TEST_CASE("every axis is a whole description") {
  std::set<std::string_view> names{"title", "question", "exclude"};
  std::set<std::string_view> columns{"position", "order_text", "arrival_text"};
  for (const Axis* axis : axis_list()) {
    CAPTURE(axis->name);
    CHECK(names.insert(axis->name).second);
    CHECK((axis->column.empty() || columns.insert(axis->column).second));
    CHECK(!axis->help.empty());
    CHECK((axis->get == nullptr) == (axis->set == nullptr));
    CHECK((axis->kind == AxisKind::count || (axis->low == 0 && axis->word.empty() && !axis->or_file)));
    CHECK(axis_list()[axis_position(*axis)] == axis);
    CHECK(axis_position(axis->name) == axis_position(*axis));
    if (axis->default_text.empty() || axis->default_text == kAbsent) continue;
    const std::string text(axis->default_text);
    if (axis->kind == AxisKind::count)
      CHECK(std::to_string(parse_count("default", text, axis->low, axis->high)) == text);
    if (axis->canonical != nullptr) CHECK(axis->canonical(text) == text);
  }
}

TEST_CASE("all axes are in each of the orders in which they are listed") {
  const auto sorted = [](std::span<const Axis* const> axes) {
    std::vector<const Axis*> all(axes.begin(), axes.end());
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const auto axes : {axes_in_view(), axes_in_toml()}) CHECK(sorted(axes) == sorted(axis_list()));
  std::vector<const Axis*> of_sums;
  std::vector<const Axis*> others;
  for (const Axis* axis : axis_list()) {
    if (!is_of_operations(*axis)) of_sums.push_back(axis);
    if (axis->use != AxisUse::sums) others.push_back(axis);
  }
  CHECK(sorted(axes_in_json()) == sorted(of_sums));
  CHECK(sorted(axes_in_operation_json()) == sorted(others));
}

TEST_CASE("new axes come last wherever the order of axes is stored or shown") {
  const auto names = [](std::span<const Axis* const> axes) {
    std::string all;
    for (const Axis* axis : axes) all += std::string(axis->name) + " ";
    return all;
  };
  CHECK(names(axis_list())
            .starts_with("dist n format order arrival baseline samples max_distinct seed input_seed input "));
  CHECK(names(axes_in_json())
            .starts_with("n dist input_seed input format order arrival seed samples max_distinct baseline "));
  CHECK(names(axes_in_operation_json()) ==
        "op gpu format shape ratio dist input_seed input with index self order arrival samples seed baseline ");
  CHECK(names(axes_in_view())
            .starts_with("n dist input input_seed format order arrival seed samples baseline max_distinct "));
  CHECK(names(axes_in_toml())
            .starts_with("n dist format order arrival baseline input samples max_distinct seed input_seed "));
}

TEST_CASE("a value of any axis is in its point, in the point's JSON, and in what that is read back as") {
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    const SweepPlan plan = ConfigText(sweep_over(*axis)).plan();
    const std::vector<std::string> values = values_of_axis(*axis);
    REQUIRE(plan.points.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const PointConfig point = plan.points[i].config;
      CHECK(text_on(*axis, point) == values[i]);
      const Json json = config_json(point);
      const bool left_out = !axis->exported.empty() && values[i] == axis->default_text;
      CHECK(json.contains(axis->name) == !left_out);
      if (!left_out) CHECK(json[axis->name] == axis_json(*axis, text_in_json(*axis, point)));
      CHECK((left_out || json[axis->name].is_count()) == (left_out || axis->kind == AxisKind::count));
      PointConfig again = point_config(Json::parse(json.dump()));
      CHECK(config_json(again).dump() == plan.points[i].config_text());
      again.order = point.order;  // these two are not in the JSON
      again.arrival = point.arrival;
      CHECK(texts_on_all(again) == texts_on_all(point));
    }
  }
}

TEST_CASE("a value on one axis says nothing of another one, but for the seed of terms") {
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    const SweepPlan plan = ConfigText(sweep_over(*axis)).plan();
    const std::vector<std::string> first = texts_on_all(plan.points[0].config);
    const std::vector<std::string> second = texts_on_all(plan.points[1].config);
    for (std::size_t i = 0; i < first.size(); ++i) {
      CAPTURE(axis_list()[i]->name);
      const bool follows = axis == &axes::kSeed && axis_list()[i] == &axes::kInputSeed;
      CHECK((first[i] != second[i]) == (axis_list()[i] == axis || follows));
    }
  }
}

TEST_CASE("all orders are read back without a seed and a limit of their own") {
  const SweepPlan plan =
      ConfigText("n = 4\norder = 'arrive | seq'\nsamples = 'all'\nseed = 5\ninput_seed = 9\nmax_distinct = 7\n").plan();
  const PointConfig point = plan.points[0].config;
  CHECK(text_on(axes::kSamples, point) == "all");
  CHECK(text_on(axes::kMaxDistinct, point) == "7");
  const Json json = config_json(point);
  CHECK(json["samples"] == "all");
  CHECK((!json.contains("seed") && !json.contains("max_distinct")));
  const PointConfig again = point_config(json);
  CHECK((again.all_orders && again.seed == 9 && again.input_seed == 9));
  CHECK(text_on(axes::kMaxDistinct, again).empty());
}

TEST_CASE("given terms are their hash") {
  PointConfig point;
  point.given_terms = true;
  point.terms = "xxh3:0123";
  point.n = 3;
  const Json json = config_json(point);
  CHECK(json["input"] == "xxh3:0123");
  CHECK((!json.contains("dist") && !json.contains("input_seed")));
  const PointConfig again = point_config(json);
  CHECK((again.given_terms && again.terms == "xxh3:0123" && again.n == 3 && again.input == 0));
}

TEST_CASE("an axis without a field of its own is recorded") {
  static constexpr Axis kRepeat{
      .name = "repeat", .default_text = "0", .help = "-", .kind = AxisKind::count, .exported = "repeat"};
  const Axis* axes[] = {&kRepeat};
  PointConfig point;
  CHECK(text_on(kRepeat, point).empty());
  set_on(kRepeat, point, "5");
  CHECK(text_on(kRepeat, point) == "5");
  CHECK(config_json({&point, 1}, axes).dump() == "{\"repeat\":5}");
  set_on(kRepeat, point, "0");
  CHECK(config_json({&point, 1}, axes).empty());
}

TEST_CASE("each of several orders has its own order and arrival") {
  std::vector<PointConfig> orders(2);
  orders[0].expression = "seq";
  orders[1].expression = "arrive | seq";
  orders[1].arrival_model = "uniform";
  const Json json = config_json(orders, axes_in_json());
  CHECK(json["order"].dump() == R"(["seq","arrive | seq"])");
  CHECK(json["arrival"].dump() == R"([null,"uniform"])");
  CHECK(json["samples"].is_count());
}
