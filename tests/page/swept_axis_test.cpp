// Every axis is wherever axes are shown: the store's view, exports, tables of plans, reconstructed configs, charts.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "page/cells.hpp"
#include "page/operation_cells.hpp"
#include "page/operation_table.hpp"
#include "page/point_table.hpp"
#include "page/sweep_config.hpp"
#include "sweep/axis_values.hpp"
#include "sweep/config_text.hpp"
#include "sweep/counts_blob.hpp"
#include "sweep/store.hpp"
#include "sweep/sweep_rows.hpp"
#include "sweep/sweep_text.hpp"

using namespace orderlab;

namespace {

/// A sweep over one axis with a store of its points, which hold no results.
class SweptAxis {
 public:
  explicit SweptAxis(const Axis& axis)
      : config_(sweep_over(axis)), plan_(config_.plan()), path_((config_.folder() / "s.sqlite").string()) {
    Store store(path_, Store::Access::create);
    store.set_plan(plan_);
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
      const SweepPoint point = plan_.points[i];
      const StoredPoint stored{.hash = point.hash().text(),
                               .config = point.config_text(),
                               .terms = "{}",
                               .summation = R"({"guarantee":"not_guaranteed"})",
                               .metrics = R"({"samples":)" + std::to_string(point.config.asked) + "}",
                               .counts = to_blob({}, point.config.formats.result),
                               .made_by = {}};
      store.add({&stored, 1});
    }
  }

  const SweepPlan& plan() const { return plan_; }
  Store store() const { return {path_, Store::Access::read}; }
  SweepContent content() const { return content_of(store()); }

  // The values of one column in all rows, as SQLite writes them.
  std::vector<std::string> column(std::string_view name) const {
    std::vector<std::string> texts;
    sqlite3* client = nullptr;
    REQUIRE(sqlite3_open(path_.c_str(), &client) == SQLITE_OK);
    const std::string query = "SELECT " + std::string(name) + " FROM results";
    const auto add = [](void* to, int, char** values, char**) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(values[0] == nullptr ? "NULL" : values[0]);
      return 0;
    };
    CHECK(sqlite3_exec(client, query.c_str(), add, &texts, nullptr) == SQLITE_OK);
    sqlite3_close(client);
    return texts;
  }

 private:
  ConfigText config_;
  SweepPlan plan_;
  std::string path_;
};

std::string list_in_toml(const Axis& axis) {
  const auto quoted = [&](const std::string& value) {
    return axis.kind != AxisKind::text ? value : "\"" + value + "\"";
  };
  const std::vector<std::string> values = values_of_axis(axis);
  return "\n" + std::string(axis.name) + " = [" + quoted(values[0]) + ", " + quoted(values[1]) + "]\n";
}

std::vector<std::string> words_of_line(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

TEST_CASE("every axis that is recorded in a column has it in the view") {
  std::size_t without = 0;
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    if (axis->column.empty()) ++without;
    if (axis->column.empty()) continue;
    const SweptAxis swept(*axis);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 2; ++i) {
      const PointConfig point = swept.plan().points[i].config;
      expected.push_back(axis->stored == nullptr ? text_on(*axis, point) : axis->stored(point));
    }
    CHECK(swept.column(axis->column) == expected);
  }
  CHECK(without == 1);  // max_distinct
}

TEST_CASE("exports have every axis, also where the config leaves out its default") {
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    const std::string lines = to_json_lines(SweptAxis(*axis).store());
    const Json rows[] = {Json::parse(lines.substr(0, lines.find('\n'))), Json::parse(lines.substr(lines.find('\n')))};
    const std::vector<std::string> values = values_of_axis(*axis);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!axis->exported.empty()) CHECK(rows[i][axis->exported] == axis_json(*axis, values[i]));
      if (axis->exported.empty()) CHECK(rows[i]["config"].contains(axis->name));
    }
    CHECK(rows[0].dump() != rows[1].dump());
  }
}

TEST_CASE("the table of a plan has every axis that varies, and no other one but those that it always has") {
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    const std::string text = plan_text(SweptAxis(*axis).plan(), {}, 1, {.width = 1000, .color = false});
    CAPTURE(text);
    const std::vector<std::string> titles = words_of_line(text.substr(0, text.find('\n')));
    for (const Axis* other : axis_list()) {
      CAPTURE(other->name);
      const bool follows = axis == &axes::kSeed && other == &axes::kInputSeed;
      const bool shown = std::find(titles.begin(), titles.end(), other->name) != titles.end();
      const bool there = is_of_operations(*axis) ? other->use != AxisUse::sums && other != &axes::kOrder
                                                 : other->use != AxisUse::operations;
      const bool always = other->always_shown || (is_of_operations(*axis) && other == &axes::kOp);
      CHECK(shown == (other == axis || (always && there) || follows));
    }
    for (const std::string& value : values_of_axis(*axis)) CHECK(text.find(" " + value + " ") != std::string::npos);
  }
}

TEST_CASE("a reconstructed config has every axis, and gives the same points") {
  for (const Axis* axis : axes_without_files()) {
    CAPTURE(axis->name);
    const SweptAxis swept(*axis);
    const std::string toml = sweep_config(swept.content());
    CAPTURE(toml);
    CHECK(toml.find(list_in_toml(*axis)) != std::string::npos);
    for (const Axis* other : axis_list())
      if (other != axis && !other->always_written && !other->default_text.empty() &&
          !(is_of_operations(*axis) && (other == &axes::kOp || other == &axes::kShape)))
        CHECK(toml.find("\n" + std::string(other->name) + " = ") == std::string::npos);
    CHECK(plan_hash(ConfigText(toml).plan()) == plan_hash(swept.plan()));
  }
}

TEST_CASE("charts tell points apart by every axis but those of inputs, and the limit of what is counted") {
  const std::set<std::string_view> together{"seed", "input_seed", "input", "max_distinct"};
  for (const Axis* axis : axes_without_files()) {
    if (is_of_operations(*axis)) continue;
    CAPTURE(axis->name);
    const SweepContent content = SweptAxis(*axis).content();
    const std::vector<Cell> cells = cells_of(content);
    const bool apart = !together.contains(axis->name);
    CHECK(cells.size() == (apart ? 2 : 1));
    CHECK(varies(content, *axis));
    if (axis->role == AxisRole::facet)
      for (std::size_t i = 0; i < 2; ++i) CHECK(cells[i].facet == words_on(*axis, content.points[i]));
    if (axis->role == AxisRole::series) CHECK(cells[0].series != cells[1].series);
    const std::string_view title = axis->chart_title.empty() ? axis->name : axis->chart_title;
    const bool column = point_table(content).find(">" + std::string(title) + "<") != std::string::npos;
    CHECK(column == ((apart && axis != &axes::kSamples) || axis == &axes::kN || axis == &axes::kOrder));
  }
}

TEST_CASE("charts of operations tell points apart by every axis of theirs") {
  for (const Axis* axis : axes_without_files()) {
    if (!is_of_operations(*axis)) continue;
    CAPTURE(axis->name);
    const SweepContent content = SweptAxis(*axis).content();
    REQUIRE(content.operations.size() == 2);
    const OperationSize over = axis == &axes::kShape ? OperationSize::ratio : OperationSize::outputs;
    const std::vector<OperationCell> cells = operation_cells(content, over);
    REQUIRE(cells.size() == 2);
    CHECK((cells[0].series != cells[1].series || cells[0].facet != cells[1].facet));
    CHECK(operation_table(content).find(">" + std::string(axis->name) + "<") != std::string::npos);
  }
}
