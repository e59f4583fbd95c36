// The tables of fields: names, columns, and that JSON reads back what it wrote, whatever a metric says. Longer
// than most files: all cases share the metrics of samples, bins and all orders.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/brute_force.hpp"
#include "metrics/measured.hpp"
#include "orderlab/error.hpp"
#include "show/input_json.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Metrics of_samples(Measured measured, std::uint64_t samples, const std::vector<double>& more = {}) {
  if (samples > 0) measured.draw(samples);
  measured.add(more);
  return measure_all(measured.measurement());
}

Metrics of_all_orders(Format format, const std::vector<double>& terms, const char* order) {
  const Measured measured(format, terms, order);
  return measure_all(measured.measurement(enumerated(order, {format, format, format}, terms).results));
}

/// Samples, bins and all orders; infinite ones, sums of 0, stagnating ones, nothing at all.
std::vector<Metrics> all_kinds_of_metrics() {
  const std::vector<double> few{0.1, 0.7, -3, 1e-9, 12, 5, 6, 7};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Metrics> all{of_samples(Measured(Format::fp32, std::vector<double>(640, 0.1), "warp"), 40),
                           of_samples(Measured(Format::fp32, few, "random"), 50),
                           of_samples(Measured(Format::fp32, few, "random", 2), 50),
                           of_samples(Measured(Format::fp32, few, "shuffle | seq(acc=kahan)"), 5),
                           of_samples(Measured(Format::fp32, few, "seq"), 1),
                           of_samples(Measured(Format::fp32, few, "random"), 0),
                           of_samples(Measured(Format::bf16, std::vector<double>(5000, 1), "seq"), 1),
                           of_samples(Measured(Format::bf16, std::vector<double>(300, 0.5), "seq"), 1),
                           of_samples(Measured(Format::fp16, {60000, 60000, -60000, 1}, "random"), 50, {nan, -kInf}),
                           of_samples(Measured(Format::fp64, {kInf, 1, 2}, "random"), 5),
                           of_samples(Measured(Format::fp64, {1e9, -1e9, 0.1, -0.1}, "random"), 20)};
  for (const char* order : {"random", "random_tree", "shuffle | pairwise", "seq"}) {
    all.push_back(of_all_orders(Format::fp16, few, order));
    all.push_back(of_all_orders(Format::fp16, {60000, 60000, -60000, 1}, order));
    all.push_back(of_all_orders(Format::fp64, {kInf, -kInf, 1}, order));
    all.push_back(of_all_orders(Format::fp64, {1, -1}, order));
  }
  return all;
}

Json written(const Metrics& metrics) {
  Json json = Json::object();
  add_metrics(json, metrics);
  return json;
}

/// JSON has no number for it, but a text.
bool shown_as_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return std::holds_alternative<std::string>(value) || (number != nullptr && !std::isfinite(*number));
}

struct Shown {
  std::string path;
  Value value;
};

std::vector<Shown> values_of(const Metrics& metrics) {
  std::vector<Shown> all;
  for_each_value(metrics, [&](const std::string& path, const Value& value) { all.push_back({path.substr(1), value}); });
  return all;
}

/// What was written is read, through text, into the same metrics with the same values of the same types.
void check_reads_back(const Metrics& metrics) {
  const std::string text = written(metrics).dump();
  CAPTURE(text);
  const Metrics read = metrics_from(Json::parse(text), metrics.of_all_orders());
  CHECK(written(read).dump() == text);
  const std::vector<Shown> before = values_of(metrics);
  const std::vector<Shown> after = values_of(read);
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(before[i].path);
    CHECK(after[i].path == before[i].path);
    if (!shown_as_text(before[i].value)) CHECK(after[i].value.index() == before[i].value.index());
    CHECK(shown_as_text(after[i].value) == shown_as_text(before[i].value));
    CHECK(json_of(after[i].value) == json_of(before[i].value));
  }
}

Json& member_at(Json& json, const std::string& path) {
  Json* at = &json;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    at = &(*at)[std::string_view(path).substr(begin, end - begin)];
    begin = end + 1;
  }
  return *at;
}

void check_refused(const Json& json, bool all_orders = false) {
  const std::string text = json.dump();
  CAPTURE(text);
  try {
    (void)metrics_from(json, all_orders);
    FAIL_CHECK("it was read");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK(std::string(error.what()).starts_with("metrics: "));
  }
}

}  // namespace

TEST_CASE("a field's name is its own in its table, and what is read is what is written") {
  for (const described::Table* all : {static_cast<const described::Table*>(&described::kSampledMetrics),
                                      static_cast<const described::Table*>(&described::kEnumeratedMetrics)})
    for_each_table(*all, [](const std::string& path, const described::Table& table) {
      CAPTURE(path);
      std::set<std::string_view> names;
      CHECK(!table.fields.empty());
      for (const described::Field& field : table.fields) {
        CAPTURE(field.name);
        if (!field.merged) CHECK(names.insert(field.name).second);
        CHECK((field.is_value() ? field.set != nullptr : field.open != nullptr));
      }
    });
}

TEST_CASE("every column of a store's view leads to one value of its metric") {
  const std::vector<Metrics> kinds = all_kinds_of_metrics();
  std::set<std::string_view> names;
  for (const Metric* metric : metrics())
    for (const MetricColumn& column : metric->columns) {
      CAPTURE(column.name);
      CHECK(names.insert(column.name).second);
      std::string path(column.path);
      std::replace(path.begin(), path.end(), '.', '/');
      CHECK(path.starts_with(metric->name));
      const auto shown = values_of(kinds.front());
      CHECK(std::count_if(shown.begin(), shown.end(), [&](const Shown& one) { return one.path == path; }) == 1);
    }
  CHECK(names == std::set<std::string_view>{"bound_running", "distinct_results", "error_ulp_max_abs", "error_ulp_mean",
                                            "error_ulp_sd", "vs_max_abs", "vs_offset", "vs_spread"});
}

TEST_CASE("metrics are read back from the JSON that they are written as") {
  std::set<std::string> kinds;
  for (const Metrics& metrics : all_kinds_of_metrics()) {
    check_reads_back(metrics);
    for (const Metrics::Entry& entry : metrics.entries())
      if (entry.value == nullptr) kinds.insert("nothing to say");
    for (const Shown& shown : values_of(metrics)) {
      const auto* number = std::get_if<double>(&shown.value);
      kinds.insert(number != nullptr && std::isinf(*number) ? "infinity" : std::to_string(shown.value.index()));
    }
  }
  CHECK(kinds == std::set<std::string>{"0", "1", "2", "3", "infinity", "nothing to say"});
}

TEST_CASE("each field of the metrics reads back each value that it takes, and refuses the JSON of the others") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Value values[] = {Value(),
                          1.5,
                          -0.0,
                          0x1p-1074,
                          1e300,
                          kInf,
                          -kInf,
                          nan,
                          std::uint64_t{0},
                          std::uint64_t{7},
                          ~std::uint64_t{0},
                          std::string(),
                          std::string("inf"),
                          std::string("some text")};
  const std::vector<Metrics> kinds = all_kinds_of_metrics();
  for (const Metrics& metrics : {kinds.front(), kinds.back()}) {
    for (const Shown& shown : values_of(metrics))
      for (const Value& value : values) {
        Json json = written(metrics);
        member_at(json, shown.path) = json_of(value);
        const std::string text = json.dump();
        CAPTURE(text);
        std::optional<Metrics> read;
        try {
          read = metrics_from(json, metrics.of_all_orders());
        } catch (const Error& error) {
          CHECK(std::string(error.what()) ==
                "metrics: " + shown.path.substr(shown.path.rfind('/') + 1) + " is " + json_of(value).dump());
        }
        if (!read) continue;
        check_reads_back(*read);
        Json again = written(*read);
        const Json& member = member_at(again, shown.path);
        if (member.is_number())
          CHECK(member.number() == member_at(json, shown.path).number());
        else
          CHECK(member == member_at(json, shown.path));
      }
  }
}

TEST_CASE("a field takes what its type has, and nothing else") {
  struct Taking {
    const char* path;
    bool null, count, number, infinity, text;
    bool all_orders = false;
  };
  const Taking takings[] = {{"distinct", true, true, false, false, false},
                            {"nonfinite/inf", true, true, true, true, true},
                            {"error/ulp/mean", true, true, true, true, false},
                            {"error/relative/quantiles/0.05/low", true, true, true, true, false},
                            {"vs/baseline", false, false, false, true, true},
                            {"vs/offset", true, true, true, true, false},
                            {"bounds/running/min", true, true, true, true, false},
                            {"bounds/probabilistic/probability", false, true, true, true, false},
                            {"bounds/higham_mary/value", true, true, true, true, false},
                            {"bounds/every_order", true, true, true, true, false, true},
                            {"stagnation/after", true, true, false, false, false},
                            {"unseen_mass", true, true, true, true, false},
                            {"same_bits/runs_to_differ", true, true, false, false, false},
                            {"arrival/draws", false, true, false, false, false},
                            {"arrival/tau_between", true, true, true, true, false}};
  for (const Taking& taking : takings) {
    const auto check = [&](const Json& value, bool taken) {
      Json json = Json::object();
      member_at(json, taking.path) = value;
      const std::string text = json.dump();
      CAPTURE(text);
      if (taken)
        CHECK_NOTHROW(metrics_from(json, taking.all_orders));
      else
        check_refused(json, taking.all_orders);
    };
    check(nullptr, taking.null);
    check(3, taking.count);
    check(0.5, taking.number);
    check(-1, taking.number);
    check("-inf", taking.infinity);
    check("-infinity", taking.text);
    check("0.5", taking.text);
    check(true, false);
    check(Json::array({1.0}), false);
    check(Json::object(), false);
  }
  // What is a group is an object.
  for (const char* path : {"error", "error/ulp", "error/ulp/quantiles", "error/ulp/quantiles/0.5", "bounds/running"})
    for (const Json& value : {Json(1), Json(0.5), Json("inf"), Json(true), Json::array({})}) {
      Json json = Json::object();
      member_at(json, path) = value;
      check_refused(json);
    }
}

TEST_CASE("what JSON lacks is left out or keeps its default, and what it has besides is no metric") {
  CHECK(metrics_from(Json::object(), false).entries().empty());
  const Metrics read =
      metrics_from(Json::parse(R"({"samples": 5, "error": {"ulp": {"sd": 2}}, "vs": null, "x": [1]})"), false);
  REQUIRE(read.entries().size() == 1);
  CHECK(read.entries()[0].metric->name == "error");
  CHECK(read.of<ErrorSummary>().ulp.sd == 2.0);
  CHECK(!read.of<ErrorSummary>().ulp.mean);
  CHECK(!read.of<ErrorSummary>().relative.sd);
  CHECK(!read.of<VsSummary>().offset);
  CHECK(read.of<VsSummary>().baseline.empty());
  CHECK(!read.of<SameBits>().probability);
}

TEST_CASE("what is not known at all is left out, what is known to be nothing is null") {
  const std::vector<double> terms{0.1, 0.7, -3, 12};
  const Json samples = written(of_samples(Measured(Format::fp32, terms, "random"), 20));
  const Json orders = written(of_all_orders(Format::fp32, terms, "random"));
  CHECK(samples["bounds"].contains("higham_mary"));
  CHECK(!samples["bounds"].contains("every_order"));
  CHECK(!orders["bounds"].contains("higham_mary"));
  CHECK(orders["bounds"]["every_order"].is_number());
  const Json kahan = written(of_all_orders(Format::fp32, terms, "seq(acc=kahan)"));
  CHECK(kahan["bounds"].contains("gamma"));
  CHECK(kahan["bounds"]["gamma"].is_null());
  CHECK(samples.contains("arrival"));
  CHECK(samples["arrival"].is_null());
  CHECK(samples.contains("stagnation"));
  CHECK(!orders.contains("arrival"));
  CHECK(!orders.contains("stagnation"));
  CHECK(samples["nonfinite"]["inf"] == Json(0));
  CHECK(orders["nonfinite"]["inf"] == Json("0"));
}
