// A comparison of two models as a page: the decision, the scores, the interval of their difference, power by runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/page.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_frame.hpp"
#include "page/vega_lite.hpp"
#include "show/compare_words.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::ComparedArm;
using study::CompareFinding;

constexpr Chart kScoresChart{.name = "scores", .title = "Scores of all runs", .draw = nullptr};
constexpr Chart kDifferenceChart{.name = "difference", .title = "Difference of the means", .draw = nullptr};
constexpr Chart kPowerChart{.name = "power", .title = "How many runs show a difference", .draw = nullptr};

constexpr int kRowHeight = 110;  // pixels of one model

/// Vertical places of equal or near scores, so that none hides another: 0, 1, 2, ... above the line of the model.
std::vector<double> stacked(const std::vector<double>& scores, double range) {
  constexpr double kDot = 1.0 / 70;  // share of the range that a dot takes
  constexpr double kStep = 0.07;     // share of the height
  constexpr int kMostRows = 9;
  std::vector<double> places;
  std::array<std::set<double>, kMostRows> rows;  // the last one more is not kept: there dots may hide others
  for (const double score : scores) {
    const auto free = std::find_if(rows.begin(), rows.end(), [&](const std::set<double>& row) {
      const auto next = row.lower_bound(score);
      const auto near = [&](double other) { return std::fabs(score - other) < kDot * range; };
      return !(next != row.end() && near(*next)) && !(next != row.begin() && near(*std::prev(next)));
    });
    if (free != rows.end()) free->insert(score);
    places.push_back(kStep * static_cast<double>(free - rows.begin()));
  }
  return places;
}

Json name_axis(const std::vector<std::string>& names) {
  return {{"field", "y"},
          {"type", "quantitative"},
          {"title", nullptr},
          {"scale", {{"domain", Json::array({-0.5, 1.35})}, {"nice", false}}},
          {"axis",
           {{"values", Json::array({0, 1})},
            {"labelExpr", fmt::format("datum.value<0.5?'{}':'{}'", names[1], names[0])},
            {"grid", false},
            {"ticks", false},
            {"domain", false}}}};
}

/// Rows of one model at height `y`: dots above the line, the mean with its interval on it.
void add_arm(const ComparedArm& arm, const std::string& name, double y, double range, Json& rows) {
  const std::vector<double> places = stacked(arm.scores, range);
  for (std::size_t i = 0; i < arm.scores.size(); ++i)
    rows.push_back({{"kind", "run"},
                    {"model", name},
                    {"score", arm.scores[i]},
                    {"run", i + 1},
                    {"y", vega::number(y + places[i])}});
  rows.push_back({{"kind", "mean"},
                  {"model", name},
                  {"score", arm.mean},
                  {"low", arm.low.value_or(arm.mean)},
                  {"high", arm.high.value_or(arm.mean)},
                  {"y", vega::number(y - 0.2)}});
}

Json scores_spec(const CompareFinding& finding) {
  const std::vector<std::string> names{"A", "B"};
  vega::Panel panel{"", Json::array(), {}};
  double low = finding.a.mean;
  double high = low;
  for (const ComparedArm* arm : {&finding.a, &finding.b}) {
    low = std::min({low, arm->least, arm->low.value_or(arm->mean)});
    high = std::max({high, arm->greatest, arm->high.value_or(arm->mean)});
  }
  add_arm(finding.a, names[0], 1, high - low, panel.rows);
  add_arm(finding.b, names[1], 0, high - low, panel.rows);
  Json x = vega::padded_channel("score", "score");
  Json run{{"x", x}, {"y", name_axis(names)}};
  vega::add_series(run, "model", names, false);
  run["color"]["legend"] = nullptr;
  Json mean = run;
  mean["tooltip"] = Json::array({{{"field", "model"}},
                                 {{"field", "score"}, {"title", "mean"}, {"format", ".5~g"}},
                                 {{"field", "low"}, {"format", ".5~g"}},
                                 {{"field", "high"}, {"format", ".5~g"}}});
  Json interval = mean;
  interval["x"] = vega::padded_channel("low", "score");
  interval["x2"] = {{"field", "high"}};
  run["tooltip"] = Json::array({{{"field", "model"}}, {{"field", "run"}}, {{"field", "score"}, {"format", ".6~g"}}});
  panel.layers = {
      vega::layer("mean", {{"type", "rule"}, {"strokeWidth", 2.5}}, std::move(interval)),
      vega::layer("mean", {{"type", "point"}, {"shape", "diamond"}, {"filled", true}, {"size", 130}, {"opacity", 1}},
                  std::move(mean)),
      vega::layer("run", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 0.75}}, std::move(run))};
  return vega::spec("Scores of all runs of both models", {std::move(panel)}, {.height = 2 * kRowHeight});
}

Figure draw_scores(const CompareFinding& finding) {
  Figure figure;
  figure.leads = true;
  figure.spec = scores_spec(finding);
  figure.caption = fmt::format(
      "Each dot is a run; the diamond is the mean, its line the 95 % interval of the mean (Student's t). {} scores are "
      "better. {}{}",
      finding.request.lower_is_better ? "Lower" : "Higher",
      finding.a.source.empty() ? "" : "A: " + finding.a.source + ". ",
      finding.b.source.empty() ? "" : "B: " + finding.b.source + ".");
  return figure;
}

/// Marks on the axis of differences: 0, and the difference that matters to either side.
Json difference_marks(const CompareFinding& finding) {
  Json rows = Json::array();
  rows.push_back({{"kind", "mark"}, {"x", 0}, {"what", "0"}});
  if (!finding.request.difference) return rows;
  const double d = std::fabs(*finding.request.difference);
  rows.push_back({{"kind", "mark"}, {"x", d}, {"what", "d = " + shortest(d)}});
  rows.push_back({{"kind", "mark"}, {"x", -d}, {"what", "−d"}});
  return rows;
}

Json difference_spec(const CompareFinding& finding) {
  const Lead lead(finding);
  vega::Panel panel{"", difference_marks(finding), {}};
  panel.rows.push_back({{"kind", "difference"},
                        {"x", lead.difference},
                        {"low", lead.low.value_or(lead.difference)},
                        {"high", lead.high.value_or(lead.difference)}});
  if (finding.request.paired)
    for (std::size_t i = 0; i < finding.a.scores.size(); ++i)
      panel.rows.push_back(
          {{"kind", "pair"}, {"x", lead.sign * (finding.a.scores[i] - finding.b.scores[i])}, {"pair", i + 1}});
  const std::string title =
      fmt::format("mean of {} − mean of {} (above 0: {} is better)", lead.greater, lead.smaller, lead.better());
  const Json x = vega::padded_channel("x", title);
  const Json tooltip = Json::array({{{"field", "x"}, {"title", "difference"}, {"format", ".4~g"}},
                                    {{"field", "low"}, {"format", ".4~g"}},
                                    {{"field", "high"}, {"format", ".4~g"}}});
  Json low = vega::padded_channel("low", title);
  panel.layers = {
      vega::layer("mark", {{"type", "rule"}, {"style", "reference"}}, {{"x", x}}),
      vega::layer("mark", {{"type", "text"}, {"style", "word"}, {"align", "left"}, {"dx", 4}},
                  {{"x", x}, {"y", {{"value", 12}}}, {"text", {{"field", "what"}}}}),
      vega::layer("difference", {{"type", "rule"}, {"strokeWidth", 2.5}, {"color", "@0"}},
                  {{"x", low}, {"x2", {{"field", "high"}}}, {"y", {{"value", 55}}}, {"tooltip", tooltip}}),
      vega::layer(
          "difference",
          {{"type", "point"}, {"shape", "diamond"}, {"filled", true}, {"size", 130}, {"opacity", 1}, {"color", "@0"}},
          {{"x", x}, {"y", {{"value", 55}}}, {"tooltip", tooltip}}),
      vega::layer("pair", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 0.8}, {"style", "word"}},
                  {{"x", x},
                   {"y", {{"value", 80}}},
                   {"tooltip", Json::array({{{"field", "pair"}},
                                            {{"field", "x"}, {"title", "difference"}, {"format", ".4~g"}}})}})};
  return vega::spec("Difference of the means with its interval", {std::move(panel)}, {.height = 100});
}

Figure draw_difference(const CompareFinding& finding) {
  Figure figure;
  figure.spec = difference_spec(finding);
  figure.caption = finding.low ? fmt::format("The difference and its 95 % interval by {}.",
                                             finding.request.paired ? "the paired t test" : "Welch's test [Welch1947]")
                               : "The difference; without spread there is no interval.";
  if (finding.request.paired) figure.caption += " Dots are the differences of pairs.";
  if (finding.request.difference) figure.caption += " d is the difference that matters.";
  return figure;
}

/// Runs at which power is drawn: from 2 to twice what is needed, about 40 of them.
std::vector<double> run_counts(double most) {
  constexpr int kPoints = 40;
  std::set<double> runs;
  for (int i = 0; i <= kPoints; ++i) runs.insert(std::round(2 * std::pow(most / 2, static_cast<double>(i) / kPoints)));
  return {runs.begin(), runs.end()};
}

Figure draw_power(const CompareFinding& finding) {
  const study::PowerPlan& plan = *finding.plan;
  const double needed = static_cast<double>(*plan.runs);
  const std::string by_run = finding.request.paired ? "pairs of runs" : "runs of each model";
  vega::Panel panel{"", Json::array(), {}};
  vega::LogRange range;
  const double most = std::max(10.0, 2 * std::max(needed, static_cast<double>(finding.a.scores.size())));
  for (const double runs : run_counts(most)) {
    range.see(runs);
    panel.rows.push_back({{"kind", "power"},
                          {"runs", runs},
                          {"power", vega::number(study::power_with(finding, plan.difference, runs))}});
  }
  panel.rows.push_back({{"kind", "asked"}, {"power", finding.request.power}});
  panel.rows.push_back(
      {{"kind", "needed"},
       {"runs", needed},
       {"power", vega::number(study::power_with(finding, plan.difference, needed))},
       {"what", fmt::format("{} {}", count_in_words(*plan.runs), finding.request.paired ? "pairs" : "runs")}});
  const Json x = vega::log_channel("runs", by_run, range);
  const Json y{{"field", "power"},
               {"type", "quantitative"},
               {"title", "probability to show the difference"},
               {"scale", {{"domain", Json::array({0, 1})}}},
               {"axis", {{"tickCount", 5}}}};
  const Json tooltip = Json::array({{{"field", "runs"}}, {{"field", "power"}, {"format", ".3~f"}}});
  panel.layers = {
      vega::layer("asked", {{"type", "rule"}, {"style", "reference"}}, {{"y", y}}),
      vega::layer("power", {{"type", "line"}, {"strokeWidth", 2.5}, {"color", "@0"}, {"point", false}},
                  {{"x", x}, {"y", y}, {"tooltip", tooltip}}),
      vega::layer("needed", {{"type", "point"}, {"filled", true}, {"size", 100}, {"opacity", 1}, {"color", "@0"}},
                  {{"x", x}, {"y", y}, {"tooltip", tooltip}}),
      vega::layer("needed", {{"type", "text"}, {"style", "word"}, {"align", "left"}, {"dx", 8}, {"dy", 14}},
                  {{"x", x}, {"y", y}, {"text", {{"field", "what"}}}})};
  Figure figure;
  figure.spec = vega::spec("Power against runs", {std::move(panel)}, {.height = 260});
  figure.caption = fmt::format(
      "Probability that a two-sided test at level {} shows a difference of {}, if scores are normal and the standard "
      "deviations are those observed; the dotted line is the probability asked for.",
      study::kCompareLevel, fmt::format("{:.3g}", plan.difference));
  return figure;
}

std::string numbers_html(const CompareFinding& finding) {
  const double scale = scale_of(finding);
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const ComparedArm& arm) {
    rows.push_back({name, count_in_words(arm.scores.size()), to_scale(arm.mean, scale),
                    arm.low ? to_scale(*arm.low, scale) + " to " + to_scale(*arm.high, scale) : "–",
                    in_words(arm.sd, 2), to_scale(arm.least, scale), to_scale(arm.greatest, scale),
                    fmt::format("{} (k = {})", in_words(arm.best_gain, 2), arm.best_of)});
  };
  add(name_of("A", finding.a), finding.a);
  add(name_of("B", finding.b), finding.b);
  return html_table({"model", "runs", "mean", "95 % of the mean", "sd", "min", "max", "best of k above the mean"},
                    rows) +
         html_list(notes_of(finding));
}

std::string quoted_source(const ComparedArm& arm) {
  if (!arm.source.empty())
    return arm.source.find_first_of(" ()'\"&;<>|*?$`\\") == std::string::npos ? arm.source : "FILE";
  std::string list;
  for (const double score : arm.scores) list += (list.empty() ? "" : ",") + shortest(score);
  return list;
}

std::string provenance_of(const CompareFinding& finding) {
  const Provenance by = provenance();
  const study::CompareRequest& request = finding.request;
  std::string line = fmt::format("orderlab compare {} {}", quoted_source(finding.a), quoted_source(finding.b));
  if (request.paired) line += " --paired";
  if (request.lower_is_better) line += " --lower-is-better";
  if (request.difference) line += " --difference " + shortest(*request.difference);
  line += " --power " + shortest(request.power);
  if (request.items) line += fmt::format(" --items {}", *request.items);
  if (request.best_of) line += fmt::format(" --best-of {}", *request.best_of);
  line += fmt::format(" --seed {}", request.seed);
  return html_table(
      {}, {{"program", "orderlab " + by.version}, {"compiler", by.flags}, {"processor", by.cpu}, {"to repeat", line}});
}

}  // namespace

PageContent page_content(const CompareFinding& finding) {
  PageContent page;
  page.title = fmt::format("{} or {}", name_of("A", finding.a), name_of("B", finding.b));
  page.question = "Is one model better than the other, or is it seed luck?";
  page.answers = decision_of(finding);
  page.drawn.push_back({&kScoresChart, draw_scores(finding)});
  page.drawn.push_back({&kDifferenceChart, draw_difference(finding)});
  if (finding.plan && finding.plan->runs) page.drawn.push_back({&kPowerChart, draw_power(finding)});
  page.points_title = "Numbers";
  page.points = numbers_html(finding);
  page.provenance = provenance_of(finding);
  return page;
}

std::string html_page(const CompareFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
