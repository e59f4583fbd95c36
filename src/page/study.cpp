#include "page/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "orderlab/error.hpp"
#include "page/study_point.hpp"
#include "show/input_json.hpp"
#include "show/sample_conclusion.hpp"

namespace orderlab {

namespace {

void choose_unit(Study& study) {
  const auto near_zero = [&](const StudyPoint& point) {
    return point.condition && (std::isinf(*point.condition) || (study.swept && *point.condition > kNearZero));
  };
  study.near_zero = std::any_of(study.points.begin(), study.points.end(), near_zero);
  for (StudyPoint& point : study.points) set_unit(point, study.near_zero ? point.in_u_sum_abs : point.in_ulps);
}

void add_maker(std::vector<Provenance>& made_by, const Provenance& one) {
  const auto same = [&](const Provenance& p) {
    return p.version == one.version && p.flags == one.flags && p.cpu == one.cpu;
  };
  if (std::none_of(made_by.begin(), made_by.end(), same)) made_by.push_back(one);
}

// The command line of an experiment.
std::string command_line(const study::SampleFinding& report) {
  std::string line = "orderlab sample";
  const auto quoted = [](const std::string& value) {
    std::string text = "'";
    for (const char c : value) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
  };
  if (report.input.distribution.empty())
    line += " --input FILE";
  else
    line += fmt::format(" --n {} --dist {} --input-seed {}", report.input.n, quoted(report.input.distribution),
                        report.input.input_seed);
  if (report.input.products) line += " --with FILE";
  line += " --format " + to_string(report.input.formats);
  for (const study::AskedOrder& order : report.asked) line += " --order " + quoted(order.expression);
  if (!report.baseline.empty()) line += " --baseline " + quoted(report.baseline);
  return line +
         fmt::format(" --samples {} --seed {} --max-distinct {}", report.samples, report.seed, report.max_distinct) +
         (report.range ? fmt::format(" --range {}:{}", report.range->first, report.range->second) : std::string());
}

OperationPoint operation_point_of(const StoredRow& row, const Json& config) {
  OperationPoint point;
  static_cast<PointConfig&>(point) = point_config(config);
  point.position = row.position;
  point.order = row.order_text;
  point.arrival = row.arrival_text;
  const Json facts = Json::parse(row.point.terms);
  if (facts.contains("launch")) {
    point.kernel = facts["launch"]["kernel"].text();
    point.outputs = facts["outputs"].count();
    point.contributions = facts["contributions"].count();
    point.units = facts["units"].count();
  }
  read_fields("metrics", Json::parse(row.point.metrics), &point.measures, study::operation_measure_fields());
  return point;
}

}  // namespace

std::vector<const PointConfig*> Study::configs() const {
  std::vector<const PointConfig*> all;
  auto operation = operations.begin();
  for (const StudyPoint& point : points) {
    for (; operation != operations.end() && operation->position < point.position; ++operation)
      all.push_back(&*operation);
    all.push_back(&point);
  }
  for (; operation != operations.end(); ++operation) all.push_back(&*operation);
  return all;
}

std::string error_unit(const Study& study) { return study.near_zero ? "u sum|x|" : "ulp"; }

std::string whole_of(const Study& study) { return study.near_zero ? "sum|x|" : "the sum"; }

Study study_of(const Store& store, const std::function<void(std::uint64_t, std::uint64_t)>& read) {
  const StoredSweep sweep = store.sweep_with_points();
  Study study;
  study.title = sweep.title;
  study.question = sweep.question;
  try {
    study.published = published_in(sweep.published);
  } catch (const Error& error) {
    throw Error(ErrorKind::input,
                store.path() + ": its published points are not what a sweep writes (" + error.what() + ")");
  }
  study.planned = sweep.points;
  study.hash = sweep.plan_hash;
  study.swept = true;
  study.how_to_repeat = "orderlab sweep CONFIG.toml --db FILE.sqlite && orderlab report FILE.sqlite -o REPORT.html";
  store.for_each_row([&](const StoredRow& row) {
    try {
      const Json config = Json::parse(row.point.config);
      if (config.contains(axes::kOp.name)) {
        study.operations.push_back(operation_point_of(row, config));
      } else {
        StudyPoint point = point_of(measured_point(row.point));
        point.position = row.position;
        point.order = row.order_text;
        point.arrival = row.arrival_text;
        study.points.push_back(std::move(point));
      }
    } catch (const std::exception& error) {  // JSON that is none, counts that are none
      throw store.damaged(row, error);
    }
    add_maker(study.made_by, row.point.made_by);
    if (read) read(study.finished(), sweep.finished);
  });
  if (study.title.empty()) study.title = study.points.empty() ? "A sweep of operations" : "A sweep of summation orders";
  choose_unit(study);
  return study;
}

Study study_of(const study::SampleFinding& report) {
  const std::vector<PointConfig> configs =
      sampling_configs(report.input, report.asked, {report.seed, report.samples, report.max_distinct, report.baseline});
  Study study;
  study.planned = report.asked.size();
  study.hash = report.input.hash;
  study.how_to_repeat = command_line(report);
  study.made_by = {provenance()};
  for (std::size_t i = 0; i < report.orders.size(); ++i) {
    const study::SampledOrder& order = report.orders[i];
    StudyPoint point = point_of(measured_point(order, report.input, configs[i]));
    point.position = i;
    point.order = order.name.empty() ? order.expression : order.name;
    point.arrival = order.arrival;
    study.points.push_back(std::move(point));
    const std::string said = conclusion_of(order, report.input);
    study.answers.push_back(report.orders.size() == 1 ? said : study.points.back().order + ": " + said);
  }
  choose_unit(study);
  study.title = fmt::format("{} terms of {}, {}", report.input.n,
                            report.input.distribution.empty() ? "a file" : report.input.distribution,
                            to_string(report.input.formats));
  study.question = "How far does this sum move with the order of its additions?";
  return study;
}

}  // namespace orderlab
