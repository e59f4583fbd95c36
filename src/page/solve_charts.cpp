#include "page/solve_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "page/line_names.hpp"
#include "page/number_words.hpp"
#include "page/vega_lite.hpp"
#include "show/solve.hpp"

namespace orderlab {

namespace {

using study::DivergencePoint;
using study::SolveFinding;
using study::SolveRecord;

constexpr Chart kDriftChart{.name = "solve_divergence", .title = "How far runs drift apart", .draw = nullptr};
constexpr Chart kHistoryChart{.name = "solve_history", .title = "Residuals by iteration", .draw = nullptr};
constexpr Chart kCountChart{.name = "solve_iterations", .title = "Iterations that runs take", .draw = nullptr};

// Points of a line, and bars of a histogram; more cannot be told apart.
constexpr std::size_t kMostPoints = 400;
constexpr std::uint64_t kMostIterationBars = 60;

// ---- divergence

constexpr const char* kOfResiduals = "residuals";
constexpr const char* kOfIterates = "iterates";

Figure draw_drift(const SolveFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  vega::LogRange iterations;
  vega::LogRange differences;
  const auto see = [&](const DivergencePoint& point, double value) {
    iterations.see(static_cast<double>(point.iteration));
    differences.see(value);
  };
  for (const DivergencePoint& point : finding.divergence) {
    see(point, point.residual.spread());
    if (point.iterate) see(point, point.iterate->max);
  }
  const auto add = [&](const DivergencePoint& point, const char* what, double value) {
    panel.rows.push_back({{"kind", "line"},
                          {"what", what},
                          {"iteration", point.iteration},
                          {"value", vega::number(value)},
                          {"place", vega::number(differences.place(value))},
                          {"runs", point.runs}});
  };
  for (const DivergencePoint& point : finding.divergence) {
    add(point, kOfResiduals, point.residual.spread());
    if (point.iterate) add(point, kOfIterates, point.iterate->max);
  }
  Json encoding{{"x", vega::log_channel("iteration", "iteration", iterations)},
                {"y", vega::log_channel("place", "relative difference", differences)},
                {"tooltip", Json::array({{{"field", "what"}},
                                         {{"field", "iteration"}, {"format", ",d"}},
                                         {{"field", "value"}, {"title", "difference"}, {"format", ".3~g"}},
                                         {{"field", "runs"}, {"format", ",d"}}})}};
  vega::add_series(encoding, "what", {kOfResiduals, kOfIterates}, false);
  panel.layers = {vega::layer("line", {{"type", "line"}, {"point", true}}, std::move(encoding))};
  Figure figure;
  figure.leads = true;
  std::vector<vega::Panel> panels{std::move(panel)};
  const double aside = vega::name_lines(panels, {"line"});
  figure.spec =
      vega::with_headline(vega::spec("Differences between runs by iteration", std::move(panels), {.aside = aside}), "");
  figure.caption =
      "Runs differ in nothing but the order of their sums. Residuals: the solver's own, (largest − smallest) / mean "
      "over the runs. Iterates: the largest |x − launch| / |launch|, where launch is that of the run in launch order.";
  for (const study::FirstDifference& first : finding.first_differences)
    if (first.iteration)
      figure.conclusions.push_back(
          fmt::format("The residual of the median run differs from launch order by {} from iteration {} (earliest {}).",
                      in_words(first.threshold, 1), count_in_words(static_cast<std::uint64_t>(first.iteration->median)),
                      count_in_words(static_cast<std::uint64_t>(first.iteration->min))));
  return figure;
}

// ---- residuals

constexpr const char* kLaunchLine = "launch order";
constexpr const char* kExactLine = "exact sums";

/// Iterations to draw, evenly apart, the last one among them.
std::vector<std::uint64_t> drawn_iterations(std::uint64_t last) {
  const std::uint64_t step = last / kMostPoints + 1;
  std::vector<std::uint64_t> iterations;
  for (std::uint64_t k = 0; k < last; k += step) iterations.push_back(k);
  iterations.push_back(last);
  return iterations;
}

std::uint64_t last_iteration(const SolveFinding& finding) {
  std::uint64_t last = finding.launch.iterations();
  if (finding.exact) last = std::max(last, finding.exact->iterations());
  for (const SolveRecord& run : finding.runs) last = std::max(last, run.iterations());
  return last;
}

/// Smallest and largest residual of the runs after iteration k.
vega::LogRange range_at(const SolveFinding& finding, std::uint64_t k) {
  vega::LogRange range;
  for (const SolveRecord& run : finding.runs)
    if (k < run.residuals.size()) range.see(run.residuals[k]);
  return range;
}

Json iteration_channel() {
  return {{"field", "iteration"},
          {"type", "quantitative"},
          {"title", "iteration"},
          {"scale", {{"nice", false}}},
          {"axis", {{"format", ",d"}, {"tickMinStep", 1}, {"tickCount", 6}}}};
}

std::vector<Json> history_layers(Json least, Json residual) {
  Json band{{"x", iteration_channel()}, {"y", std::move(least)}, {"y2", {{"field", "greatest"}}}};
  Json line{{"x", iteration_channel()},
            {"y", std::move(residual)},
            {"tooltip", Json::array({{{"field", "what"}},
                                     {{"field", "iteration"}, {"format", ",d"}},
                                     {{"field", "residual"}, {"format", ".3~g"}}})}};
  vega::add_series(line, "what", {kLaunchLine, kExactLine}, false);
  return {vega::layer("band", {{"type", "area"}, {"color", "@2"}, {"opacity", 0.4}}, std::move(band)),
          vega::layer("line", {{"type", "line"}, {"strokeWidth", 1.5}}, std::move(line))};
}

vega::Panel residuals_panel(const SolveFinding& finding) {
  vega::Panel panel{"residual", Json::array(), {}};
  vega::LogRange residuals;
  for (const std::uint64_t k : drawn_iterations(last_iteration(finding))) {
    const vega::LogRange runs = range_at(finding, k);
    if (!(runs.greatest > 0)) continue;
    residuals.see(runs.least);
    residuals.see(runs.greatest);
    panel.rows.push_back({{"kind", "band"},
                          {"iteration", k},
                          {"least", vega::number(runs.least)},
                          {"greatest", vega::number(runs.greatest)}});
  }
  std::vector<std::pair<const SolveRecord*, const char*>> lines{{&finding.launch, kLaunchLine}};
  if (finding.exact) lines.insert(lines.begin(), {&*finding.exact, kExactLine});  // below the other
  for (const auto& [run, what] : lines)
    for (const std::uint64_t k : drawn_iterations(run->iterations())) {
      const double residual = run->residuals[k];
      if (!(residual > 0)) continue;
      residuals.see(residual);
      panel.rows.push_back({{"kind", "line"}, {"what", what}, {"iteration", k}, {"residual", vega::number(residual)}});
    }
  panel.layers = history_layers(vega::log_channel("least", "|r| / |r₀|", residuals),
                                vega::log_channel("residual", "|r| / |r₀|", residuals));
  return panel;
}

constexpr double kRatiosApart = 10;  // ratios
constexpr double kRatiosEqual = 1.0001;

/// The same, divided by the residual in launch order, up to the end of that.
vega::Panel ratios_panel(const SolveFinding& finding) {
  vega::Panel panel{"residual / residual in launch order", Json::array(), {}};
  vega::LogRange ratios;
  const auto ratio = [&](double residual, std::uint64_t k) {
    ratios.see(residual / finding.launch.residuals[k]);
    return vega::number(residual / finding.launch.residuals[k]);
  };
  const std::vector<double>& launch = finding.launch.residuals;
  for (const std::uint64_t k : drawn_iterations(finding.launch.iterations())) {
    if (!(launch[k] > 0)) continue;
    const vega::LogRange runs = range_at(finding, k);
    if (runs.greatest > 0)
      panel.rows.push_back(
          {{"kind", "band"}, {"iteration", k}, {"least", ratio(runs.least, k)}, {"greatest", ratio(runs.greatest, k)}});
    panel.rows.push_back({{"kind", "line"}, {"what", kLaunchLine}, {"iteration", k}, {"residual", 1}});
    if (finding.exact && k < finding.exact->residuals.size())
      panel.rows.push_back({{"kind", "line"},
                            {"what", kExactLine},
                            {"iteration", k},
                            {"residual", ratio(finding.exact->residuals[k], k)}});
  }
  // ratios far apart, which a linear axis would press onto 1, and equal ones, which it would give seven digits
  const bool log = ratios.greatest > kRatiosApart * ratios.least || ratios.greatest < kRatiosEqual * ratios.least;
  const auto channel = [&](const char* field) {
    return log ? vega::log_channel(field, "ratio", ratios) : vega::linear_channel(field, "ratio");
  };
  panel.layers = history_layers(channel("least"), channel("residual"));
  return panel;
}

Figure draw_history(const SolveFinding& finding) {
  Figure figure;
  figure.spec =
      vega::spec("Residuals by iteration", {residuals_panel(finding), ratios_panel(finding)}, {.height = 260});
  figure.caption = fmt::format(
      "The solver's own residual, which says when it stops (|r| ≤ {} |r₀|). Shaded: from the smallest to the largest "
      "of the runs that go on.",
      in_words(finding.request.tolerance, 1));
  figure.conclusions.push_back(fmt::format("At the end the true residual |b − Ax| / |b| is {} to {}.",
                                           in_words(finding.true_residual.min, 3),
                                           in_words(finding.true_residual.max, 3)));
  return figure;
}

// ---- iterations

Figure draw_counts_of_iterations(const SolveFinding& finding) {
  const std::uint64_t least = finding.iterations.front().value;
  const std::uint64_t most = finding.iterations.back().value;
  const std::uint64_t width = (most - least) / kMostIterationBars + 1;
  std::vector<std::uint64_t> bars((most - least) / width + 1, 0);
  for (const study::IterationCount& one : finding.iterations) bars[(one.value - least) / width] += one.count;
  vega::Panel panel{"", Json::array(), {}};
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (bars[i] == 0) continue;
    const double from = static_cast<double>(least + i * width) - 0.5;
    const std::uint64_t last = least + (i + 1) * width - 1;
    panel.rows.push_back(
        {{"kind", "bar"},
         {"from", from},
         {"to", from + static_cast<double>(width)},
         {"iterations", width == 1 ? std::to_string(last) : fmt::format("{} to {}", least + i * width, last)},
         {"runs", bars[i]}});
  }
  const auto mark = [&](const SolveRecord& run, const char* what) {
    if (run.converged()) panel.rows.push_back({{"kind", "rule"}, {"at", run.iterations()}, {"what", what}});
  };
  mark(finding.launch, kLaunchLine);
  if (finding.exact) mark(*finding.exact, kExactLine);
  const Json axis{{"format", ",d"}, {"tickMinStep", 1}, {"tickCount", 8}};
  Json bar{{"x",
            {{"field", "from"},
             {"type", "quantitative"},
             {"title", "iterations"},
             {"scale", {{"zero", false}}},
             {"axis", axis}}},
           {"x2", {{"field", "to"}}},
           {"y", {{"field", "runs"}, {"type", "quantitative"}, {"title", "runs"}, {"axis", axis}}},
           {"y2", {{"datum", 0}}},
           {"tooltip", Json::array({{{"field", "iterations"}}, {{"field", "runs"}, {"format", ",d"}}})}};
  Json rule{
      {"x", {{"field", "at"}, {"type", "quantitative"}}},
      {"tooltip", Json::array({{{"field", "what"}}, {{"field", "at"}, {"title", "iterations"}, {"format", ",d"}}})}};
  vega::add_series(rule, "what", {kLaunchLine, kExactLine}, false);
  panel.layers = {vega::layer("bar", {{"type", "bar"}, {"color", "@2"}}, std::move(bar)),
                  vega::layer("rule", {{"type", "rule"}, {"strokeWidth", 2}}, std::move(rule))};
  Figure figure;
  figure.spec = vega::spec("Iterations that runs take", {std::move(panel)}, {.height = 220});
  figure.caption = "Runs that converged, by their number of iterations.";
  return figure;
}

}  // namespace

std::vector<DrawnChart> solve_charts(const SolveFinding& finding) {
  std::vector<DrawnChart> drawn;
  if (finding.divergence.empty()) return drawn;
  drawn.push_back({&kDriftChart, draw_drift(finding)});
  drawn.push_back({&kHistoryChart, draw_history(finding)});
  if (finding.iterations.size() > 1) drawn.push_back({&kCountChart, draw_counts_of_iterations(finding)});
  return drawn;
}

}  // namespace orderlab
