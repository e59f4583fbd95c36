#include "page/sweep_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "orderlab/error.hpp"
#include "page/number_words.hpp"
#include "page/sum_point.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "show/sample_conclusion.hpp"

namespace orderlab {

namespace {

void choose_unit(SweepContent& content) {
  const auto near_zero = [&](const SumPoint& point) {
    return point.condition && (std::isinf(*point.condition) || (content.swept && *point.condition > kNearZero));
  };
  content.near_zero = std::any_of(content.points.begin(), content.points.end(), near_zero);
  for (SumPoint& point : content.points) set_unit(point, content.near_zero ? point.in_u_sum_abs : point.in_ulps);
}

void add_maker(std::vector<Provenance>& made_by, const Provenance& one) {
  const auto same = [&](const Provenance& p) {
    return p.version == one.version && p.flags == one.flags && p.cpu == one.cpu;
  };
  if (std::none_of(made_by.begin(), made_by.end(), same)) made_by.push_back(one);
}

// The command line of a finding of `sample`.
std::string command_line(const study::SampleFinding& finding) {
  std::string line = "orderlab sample";
  const auto quoted = [](const std::string& value) {
    std::string text = "'";
    for (const char c : value) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
  };
  if (finding.input.distribution.empty())
    line += " --input FILE";
  else
    line += fmt::format(" --n {} --dist {} --input-seed {}", finding.input.n, quoted(finding.input.distribution),
                        finding.input.input_seed);
  if (finding.input.products) line += " --with FILE";
  line += " --format " + to_string(finding.input.formats);
  for (const study::AskedOrder& order : finding.asked) line += " --order " + quoted(order.expression);
  if (!finding.baseline.empty()) line += " --baseline " + quoted(finding.baseline);
  return line +
         fmt::format(" --samples {} --seed {} --max-distinct {}", finding.samples, finding.seed, finding.max_distinct) +
         (finding.range ? fmt::format(" --range {}:{}", finding.range->first, finding.range->second) : std::string());
}

// "spa, pairwise and sptr", or how many there are.
std::string orders_in_title(const SweepContent& content) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> names;
  for (const SumPoint& point : content.points) names.push_back(point.order);
  return names.size() > kNamed ? fmt::format("{} orders", names.size()) : listed(names);
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
  read(described::kOperationMeasures, Json::parse(row.point.metrics), point.measures);
  return point;
}

}  // namespace

std::vector<const PointConfig*> SweepContent::configs() const {
  std::vector<const PointConfig*> all;
  auto operation = operations.begin();
  for (const SumPoint& point : points) {
    for (; operation != operations.end() && operation->position < point.position; ++operation)
      all.push_back(&*operation);
    all.push_back(&point);
  }
  for (; operation != operations.end(); ++operation) all.push_back(&*operation);
  return all;
}

std::string error_unit(const SweepContent& content) { return content.near_zero ? "u sum|x|" : "ulp"; }

std::string whole_of(const SweepContent& content) { return content.near_zero ? "sum|x|" : "the sum"; }

SweepContent content_of(const Store& store, const std::function<void(std::uint64_t, std::uint64_t)>& read) {
  const StoredSweep sweep = store.sweep_with_points();
  SweepContent content;
  content.title = sweep.title;
  content.question = sweep.question;
  try {
    content.published = published_in(sweep.published);
  } catch (const Error& error) {
    throw Error(ErrorKind::input,
                store.path() + ": its published points are not what a sweep writes (" + error.what() + ")");
  }
  content.planned = sweep.points;
  content.hash = sweep.plan_hash;
  content.swept = true;
  content.how_to_repeat = "orderlab sweep CONFIG.toml --db FILE.sqlite && orderlab report FILE.sqlite -o REPORT.html";
  store.for_each_row([&](const StoredRow& row) {
    try {
      const Json config = Json::parse(row.point.config);
      if (config.contains(axes::kOp.name)) {
        content.operations.push_back(operation_point_of(row, config));
      } else {
        SumPoint point = point_of(measured_point(row.point));
        point.position = row.position;
        point.order = row.order_text;
        point.arrival = row.arrival_text;
        content.points.push_back(std::move(point));
      }
    } catch (const std::exception& error) {  // JSON that is none, counts that are none
      throw store.damaged(row, error);
    }
    add_maker(content.made_by, row.point.made_by);
    if (read) read(content.finished(), sweep.finished);
  });
  if (content.title.empty())
    content.title = content.points.empty() ? "A sweep of operations" : "A sweep of summation orders";
  choose_unit(content);
  return content;
}

SweepContent content_of(const study::SampleFinding& finding) {
  const std::vector<PointConfig> configs = sampling_configs(
      finding.input, finding.asked, {finding.seed, finding.samples, finding.max_distinct, finding.baseline});
  SweepContent content;
  content.planned = finding.asked.size();
  content.hash = finding.input.hash;
  content.how_to_repeat = command_line(finding);
  content.made_by = {provenance()};
  for (std::size_t i = 0; i < finding.orders.size(); ++i) {
    const study::SampledOrder& order = finding.orders[i];
    SumPoint point = point_of(measured_point(order, finding.input, configs[i]));
    point.position = i;
    point.order = order.name.empty() ? order.expression : order.name;
    point.arrival = order.arrival;
    content.points.push_back(std::move(point));
    const std::string said = conclusion_of(order, finding.input);
    content.answers.push_back(finding.orders.size() == 1 ? said : content.points.back().order + ": " + said);
  }
  choose_unit(content);
  constexpr int kSumDigits = 17;
  content.exact_sum = finding.input.exact.decimal(kSumDigits);
  content.title = fmt::format("{}: {} terms of {}, {}", orders_in_title(content), finding.input.n,
                              finding.input.distribution.empty() ? "a file" : finding.input.distribution,
                              to_string(finding.input.formats));
  content.question = "How far does this sum move with the order of its additions?";
  return content;
}

}  // namespace orderlab
