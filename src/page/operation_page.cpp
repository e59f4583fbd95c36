// One finding on an operation as a page: where its outputs differ, how often, and how far.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/printed_number.hpp"
#include "core/text.hpp"
#include "operation/exact_rows.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/operation_cells.hpp"
#include "page/output_charts.hpp"
#include "page/page_frame.hpp"
#include "show/operation.hpp"
#include "study/input_options.hpp"
#include "study/sample_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::OperationSampleFinding;
using study::OutputHistory;

// As a sweep of this one point would have it, for charts of sweeps.
SweepContent content_of_one(const OperationSampleFinding& finding) {
  const study::OperationFacts& input = finding.input;
  OperationPoint point;
  point.op = input.operation;
  point.gpu = input.device.name;
  point.formats = input.formats;
  point.given_terms = input.distribution.empty();
  if (!point.given_terms) {
    point.terms = input.distribution;
    point.shape = input.input_shape.empty() ? std::string() : to_string(input.input_shape);
    point.ratio = shortest(input.ratio);
    point.input_seed = input.input_seed;
    point.input = input.input_number;
  } else {
    point.terms = input.source_hash;
    point.factor.hash = input.factor_hash;
    point.index.hash = input.index_hash;
    point.self.hash = input.self_hash;
  }
  point.expression = input.order;
  point.arrival_model = finding.arrival;
  point.asked = finding.samples_asked;
  point.seed = finding.seed;
  point.baseline = study::name_of(finding.baseline);
  point.order = finding.input.order;
  point.kernel = finding.input.launch.kernel;
  point.outputs = finding.input.outputs;
  point.measures = finding;
  SweepContent content;
  content.operations.push_back(std::move(point));
  return content;
}

// Method offset beside order spread, as in a page of a sweep.
void add_offset_chart(const OperationSampleFinding& finding, std::vector<DrawnChart>& drawn) {
  const SweepContent content = content_of_one(finding);
  for (const Chart* chart : charts())
    if (chart->name == "offset_order")
      if (std::optional<Figure> figure = chart->draw(content)) drawn.push_back({chart, *std::move(figure)});
}

std::string measures_html(const OperationSampleFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* title, const RunSummary& over) {
    rows.push_back({title, in_words(over.mean, 4), over.sd ? in_words(*over.sd, 3) : "–", in_words(over.min, 4),
                    in_words(over.median, 4), in_words(over.max, 4)});
  };
  add("Vc, share that differs from the baseline", finding.vc);
  add("share that differs from launch order", finding.vc_order);
  add("Vermv, mean |a − b| / |a|", finding.vermv_paper);
  add("Vermv as published, mean |a − b| / |a + 10⁻⁸|", finding.vermv_code);
  add("Vermv over sum|x|", finding.vermv_robust);
  add("largest |a − b|, ulp", finding.largest_difference);
  add("largest error, ulp", finding.largest_error);
  return html_table({"of each run", "mean", "sd", "min", "median", "max"}, rows);
}

// All digits of a result in its format.
std::string digits(const OperationSampleFinding& finding, double value) {
  return fmt::format("{:.{}g}", printed(value), finding.sums->result_format() == Format::fp64 ? 17 : 9);
}

std::string largest_html(const OperationSampleFinding& finding, const std::vector<OutputHistory>& outputs) {
  constexpr std::size_t kShown = 10;
  std::vector<std::size_t> places(outputs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t shown = std::min(kShown, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown), places.end(),
                    [&](std::size_t a, std::size_t b) {
                      return outputs[a].movement != outputs[b].movement ? outputs[a].movement > outputs[b].movement
                                                                        : a < b;
                    });
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t r = places[i];
    const OutputHistory& output = outputs[r];
    if (!(output.movement > 0)) break;
    rows.push_back(
        {"[" + index_text(finding.input.shape, r) + "]", percent_in_words(output.different),
         digits(finding, output.least), digits(finding, output.greatest), in_words(output.movement, 3),
         digits(finding, finding.exact->high[r]),
         in_words(std::max(ulp_error(*finding.exact, r, output.least), ulp_error(*finding.exact, r, output.greatest)),
                  3)});
  }
  if (rows.empty()) return {};
  return "<h3>Outputs that move most</h3>\n" +
         html_table({"output", "runs that differ", "least result", "greatest result", "greatest − least, ulp", "exact",
                     "largest error, ulp"},
                    rows) +
         "<p><code>orderlab sample --csv</code> writes all outputs.</p>\n";
}

std::string facts_html(const OperationSampleFinding& finding) {
  const study::OperationFacts& input = finding.input;
  std::vector<std::vector<std::string>> rows{
      {"operation", input.operation + ": " + input.launch.addition},
      {"kernel", fmt::format("{} ({})", input.launch.kernel, input.launch.reason)},
      {"inputs",
       fmt::format("{} {}, {}", input.distribution.empty() ? "given" : "generated, " + input.distribution + ",",
                   to_string(input.input_shape), to_string(input.formats))},
      {"outputs",
       fmt::format("{} of {} contributions", count_in_words(input.outputs), count_in_words(input.contributions))},
      {"baseline", fmt::format("{}: {}", study::name_of(finding.baseline), finding.baseline_addition)}};
  if (!finding.arrival.empty())
    rows.push_back({"arrival", fmt::format("{} units from {}", count_in_words(input.units), finding.arrival)});
  rows.push_back({"runs", fmt::format("{}, {} different arrays", count_in_words(finding.samples),
                                      count_in_words(finding.distinct))});
  if (finding.vc_expected) rows.push_back({"exact mean of Vc", in_words(*finding.vc_expected, 6)});
  rows.push_back({"probability of a new array", in_words(finding.unseen_mass, 3)});
  return html_table({}, rows);
}

std::string command_line_of(const OperationSampleFinding& finding) {
  const study::OperationFacts& input = finding.input;
  CommandText command("orderlab sample");
  command.add(study::kOp, input.operation);
  if (input.distribution.empty()) {
    command.add(study::kInput, "FILE");
    if (!input.factor_hash.empty()) command.add(study::kWith, "FILE");
    if (!input.index_hash.empty()) command.add(study::kIndex, "FILE");
    if (!input.self_hash.empty()) command.add(study::kSelf, "FILE");
  } else {
    if (!input.input_shape.empty()) command.add(study::kShape, to_string(input.input_shape));
    if (input.ratio != 1) command.add(study::kRatio, shortest(input.ratio));
    command.add(study::kDistribution, input.distribution);
    command.add(study::kInputSeed, std::to_string(input.input_seed));
  }
  command.add(study::kFormat, to_string(input.formats));
  command.add(study::kGpu, input.device.name);
  command.add(study::kOrder, input.order);
  if (input.order.empty()) command.add(study::kArrival, finding.arrival);
  command.add(study::kBaseline, std::string(study::name_of(finding.baseline)));
  command.add(study::kSamples, std::to_string(finding.samples_asked));
  command.add(study::kSeed, std::to_string(finding.seed));
  return command.text();
}

std::string provenance_of(const OperationSampleFinding& finding) {
  const Provenance by = provenance();
  std::string seeds = fmt::format("orders {}", finding.seed);
  if (!finding.input.distribution.empty()) seeds += fmt::format(", terms {}", finding.input.input_seed);
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"seeds", seeds},
                         {"to repeat", command_line_of(finding)}});
}

std::vector<std::string> caveats_of_one(const OperationSampleFinding& finding) {
  std::vector<std::string> caveats;
  if (finding.nonfinite_exact > 0)
    caveats.push_back(
        fmt::format("The exact result of {} outputs is inf or NaN.", count_in_words(finding.nonfinite_exact)));
  return caveats;
}

}  // namespace

PageContent page_content(const OperationSampleFinding& finding) {
  const study::OperationFacts& input = finding.input;
  const std::vector<OutputHistory> outputs = output_histories(finding);
  PageContent page;
  page.title = input.operation;
  if (!input.input_shape.empty()) page.title += fmt::format(", {}", to_string(input.input_shape));
  if (input.ratio != 1) page.title += fmt::format(", R = {}", input.ratio);
  page.title += ", " + to_string(input.formats);
  page.question = "Which outputs differ from run to run, how often, and how far?";
  if (finding.partial)
    page.unfinished = fmt::format("{} of {} runs are done; the answers may change.", count_in_words(finding.samples),
                                  count_in_words(finding.samples_asked));
  page.caveats = caveats_of_one(finding);
  page.answers = {conclusion_of(finding)};
  if (const std::string said = method_and_order(finding); !said.empty()) page.answers.push_back(said);
  page.drawn = output_charts(finding, outputs);
  add_offset_chart(finding, page.drawn);
  page.points_title = "Numbers";
  page.points = measures_html(finding) + largest_html(finding, outputs) + facts_html(finding);
  page.provenance = provenance_of(finding);
  return page;
}

std::string html_page(const OperationSampleFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
