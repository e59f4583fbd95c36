// Runs of a language model as a page: answers that are still the same, margins beside the noise, and what each
// reduction does by itself.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/page.hpp"
#include "page/flip_charts.hpp"
#include "page/html_text.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/shell_word.hpp"
#include "page/vega_lite.hpp"
#include "show/infer_model.hpp"
#include "show/input_text.hpp"
#include "study/infer_model_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::AnswerFlip;
using study::LogitDifference;
using study::ModelComparison;
using study::ModelInferFinding;
using study::ReductionEffect;

constexpr Chart kReductionChart{.name = "infer_reductions", .title = "What each reduction does", .draw = nullptr};

/// One run that draws: answers of all of them.
FlipSeries drawn_series(const ModelInferFinding& finding) {
  const LogitDifference& difference = finding.drawn->difference;
  FlipSeries series{.name = finding.comparisons.empty() ? std::string() : "one drawn run",
                    .per_token = difference.expected / static_cast<double>(difference.tokens)};
  for (const study::DrawnAnswer& answer : finding.drawn->answers) {
    for (const std::uint64_t flip : answer.first_flips) series.ends.push_back({flip, true});
    series.ends.resize(series.ends.size() + finding.request.runs - answer.diverged(),
                       {finding.request.tokens, false});
  }
  return series;
}

std::vector<FlipSeries> series_of(const ModelInferFinding& finding) {
  std::vector<FlipSeries> all;
  for (const ModelComparison& comparison : finding.comparisons) {
    const LogitDifference& difference = comparison.difference;
    FlipSeries series{.name = finding.comparisons.size() > 1 ? comparison.changes : std::string(),
                      .per_token = difference.expected / static_cast<double>(difference.tokens)};
    for (const AnswerFlip& answer : comparison.answers)
      series.ends.push_back({answer.flip.value_or(finding.request.tokens), answer.flip.has_value()});
    all.push_back(std::move(series));
  }
  if (finding.drawn) all.push_back(drawn_series(finding));
  return all;
}

Figure survival_figure(const ModelInferFinding& finding) {
  Figure figure = draw_survival(series_of(finding), finding.request.tokens);
  if (finding.drawn)
    figure.caption += fmt::format(" Drawn: the answers of one run; observed are those of all {}.",
                                  plural(finding.request.runs, "drawn run"));
  return figure;
}

double largest_noise(const ModelInferFinding& finding) {
  double largest = 0;
  for (const ModelComparison& comparison : finding.comparisons)
    largest = std::max(largest, comparison.difference.mean_abs);
  if (finding.drawn) largest = std::max(largest, finding.drawn->difference.mean_abs);
  return largest;
}

Json effect_row(const std::string& reduction, std::string_view series, const LogitDifference& difference) {
  return {{"kind", "point"},
          {"series", std::string(series)},
          {"reduction", reduction},
          {"nats", vega::number(difference.mean_abs)},
          {"flips", difference.flips}};
}

/// One row for each reduction, and one for all of them.
Figure draw_reductions(const ModelComparison& comparison) {
  constexpr std::string_view kAlone = "changed alone";
  constexpr std::string_view kWithout = "all others changed";
  vega::Panel panel{"", Json::array(), {}};
  for (const ReductionEffect& effect : comparison.reductions) {
    panel.rows.push_back(effect_row(std::string(effect.name), kAlone, effect.alone));
    panel.rows.push_back(effect_row(std::string(effect.name), kWithout, effect.without));
  }
  Json encoding{{"x",
                 {{"field", "nats"},
                  {"type", "quantitative"},
                  {"title", "mean absolute change of a margin, nats"},
                  {"scale", {{"zero", true}}}}},
                {"y", {{"field", "reduction"}, {"type", "nominal"}, {"title", ""}, {"sort", Json::array()}}},
                {"tooltip", Json::array({{{"field", "reduction"}},
                                         {{"field", "series"}},
                                         {{"field", "nats"}, {"format", ".3~g"}},
                                         {{"field", "flips"}}})}};
  vega::add_series(encoding, "series", {std::string(kAlone), std::string(kWithout)}, false);
  panel.layers = {vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 80}}, std::move(encoding))};
  Figure figure;
  figure.spec = vega::spec("Mean absolute change of a margin by reduction", {std::move(panel)}, {});
  figure.caption = fmt::format("{}: all reductions together move margins by {:.3g} nats on average.",
                               comparison.changes, comparison.difference.mean_abs);
  return figure;
}

std::vector<std::string> difference_cells(std::string name, const LogitDifference& d) {
  return {std::move(name),
          fmt::format("{:.3g} %", 100 * static_cast<double>(d.equal) / static_cast<double>(d.tokens)),
          fmt::format("{:.2g}", d.mean_abs_logit),
          fmt::format("{:.2g}", d.mean_abs),
          std::to_string(d.flips),
          fmt::format("{:.3g}", d.expected)};
}

std::string runs_html(const ModelInferFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  for (const ModelComparison& comparison : finding.comparisons) {
    rows.push_back(difference_cells(comparison.changes, comparison.difference));
    for (const ReductionEffect& effect : comparison.reductions) {
      if (effect.alone.tokens == 0) continue;
      rows.push_back(difference_cells(comparison.changes + ": " + std::string(effect.name) + " alone", effect.alone));
      rows.push_back(difference_cells(comparison.changes + ": all but " + std::string(effect.name), effect.without));
    }
  }
  if (finding.drawn) rows.push_back(difference_cells("drawn runs", finding.drawn->difference));
  return html_table({"run", "equal logits", "mean |difference| of a logit", "mean |change| of a margin, nats", "flips",
                     "expected flips"},
                    rows);
}

std::string command_of(const ModelInferFinding& finding) {
  std::string text =
      "orderlab infer " + shell_word(finding.model) + " --set " + shell_word(to_string(finding.request.settings));
  for (const ModelComparison& comparison : finding.comparisons) text += " --against " + shell_word(comparison.changes);
  if (!finding.request.prompts.empty()) text += " --prompts " + shell_word(finding.request.prompts);
  if (!finding.request.contributions) text += " --whole";
  std::string batches;
  for (const std::uint64_t batch : finding.request.neighbours)
    batches += (batches.empty() ? "" : ",") + std::to_string(batch);
  if (!batches.empty()) text += " --neighbours " + batches;
  if (finding.drawn) text += fmt::format(" --runs {} --seed {}", finding.request.runs, finding.request.seed);
  if (finding.request.parts > 1) text += fmt::format(" --shard {}/{}", finding.request.part, finding.request.parts);
  return text + " --tokens " + std::to_string(finding.request.tokens);
}

std::string model_provenance(const ModelInferFinding& finding) {
  const Provenance by = provenance();
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"to repeat", command_of(finding)}});
}

}  // namespace

PageContent page_content(const ModelInferFinding& finding) {
  PageContent page;
  page.title = fmt::format("Answers of {}", finding.model);
  if (finding.request.parts > 1)
    page.title += fmt::format(", part {}/{} of {} prompts", finding.request.part, finding.request.parts, finding.prompts);
  page.question = "How often does the answer of this model change?";
  page.answers = conclusions_of(finding);
  for (std::string& limit : limits_of(finding)) page.answers.push_back(std::move(limit));
  page.drawn.push_back({&kSurvivalChart, survival_figure(finding)});
  page.drawn.push_back({&kMarginChart, draw_margins(finding.margins, largest_noise(finding))});
  for (const ModelComparison& comparison : finding.comparisons)
    if (!comparison.reductions.empty() && comparison.reductions.front().alone.tokens > 0)
      page.drawn.push_back({&kReductionChart, draw_reductions(comparison)});
  page.points_title = "Runs";
  page.moved = largest_noise(finding);
  page.points = runs_html(finding);
  page.provenance = model_provenance(finding);
  return page;
}

std::string html_page(const ModelInferFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
