// Flips of tokens as a page: how many answers are still the same after so many tokens, and margins beside the noise.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/shell_word.hpp"
#include "page/vega_lite.hpp"
#include "show/infer.hpp"
#include "study/infer_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::ComparedAnswer;
using study::InferFinding;

constexpr Chart kSurvivalChart{.name = "infer_survival", .title = "Answers that are still the same", .draw = nullptr};
constexpr Chart kMarginChart{.name = "infer_margins", .title = "Margins beside the noise", .draw = nullptr};

constexpr std::string_view kObservedSeries = "observed";
constexpr std::string_view kExpectedSeries = "expected";
constexpr std::size_t kMostPoints = 400;

Json survival_row(std::string_view series, double tokens, double share) {
  return {{"kind", "line"}, {"series", series}, {"tokens", vega::number(tokens)}, {"share", vega::number(share)}};
}

/// The product-limit estimate: answers that end without a flip leave those at risk.
void add_observed_survival(const InferFinding& finding, Json& rows) {
  struct Ends {
    std::size_t flips = 0;
    std::size_t all = 0;
  };
  std::map<std::uint64_t, Ends> ends;
  for (const ComparedAnswer& answer : finding.answers) {
    ++ends[answer.compared].all;
    if (answer.flip) ++ends[answer.compared].flips;
  }
  const std::size_t every = ends.size() / kMostPoints + 1;
  double share = 1;
  auto at_risk = static_cast<double>(finding.answers.size());
  rows.push_back(survival_row(kObservedSeries, 0, 1));
  std::size_t i = 0;
  for (const auto& [tokens, there] : ends) {
    share *= 1 - static_cast<double>(there.flips) / at_risk;
    at_risk -= static_cast<double>(there.all);
    if (++i % every == 0 || i == ends.size())
      rows.push_back(survival_row(kObservedSeries, static_cast<double>(tokens), share));
  }
}

Figure draw_survival(const InferFinding& finding) {
  constexpr int kSteps = 100;
  vega::Panel panel{"", Json::array(), {}};
  std::uint64_t longest = 0;
  for (const ComparedAnswer& answer : finding.answers) longest = std::max(longest, answer.tokens);
  std::vector<std::string> series{std::string(kExpectedSeries)};
  if (finding.observed) {
    series.emplace_back(kObservedSeries);
    add_observed_survival(finding, panel.rows);
  }
  for (int i = 0; i <= kSteps; ++i) {
    const double tokens = static_cast<double>(longest) * i / kSteps;
    panel.rows.push_back(survival_row(kExpectedSeries, tokens, std::pow(1 - finding.per_1000.value / 1000, tokens)));
  }
  Json encoding{
      {"x", {{"field", "tokens"}, {"type", "quantitative"}, {"title", "tokens"}, {"scale", {{"nice", false}}}}},
      {"y",
       {{"field", "share"},
        {"type", "quantitative"},
        {"title", "share of the answers"},
        {"scale", {{"domain", Json::array({0, 1})}}}}},
      {"tooltip", Json::array({{{"field", "series"}},
                               {{"field", "tokens"}, {"format", ".4~g"}},
                               {{"field", "share"}, {"format", ".3~f"}}})}};
  vega::add_series(encoding, "series", series, false);
  panel.layers = {vega::layer("line", {{"type", "line"}, {"strokeWidth", 2}}, std::move(encoding))};
  Figure figure;
  figure.leads = true;
  figure.spec = vega::spec("Share of the answers without a flip by tokens", {std::move(panel)}, {});
  figure.caption = fmt::format(
      "Expected: each token flips with the same probability, {:.3g} of 1000, so that the share falls geometrically.{}",
      finding.per_1000.value,
      finding.observed ? " Observed: answers that end without a flip count as long as they last." : "");
  return figure;
}

Figure draw_margins(const InferFinding& finding) {
  constexpr std::size_t kBins = 40;
  std::vector<double> margins = finding.margins;
  std::sort(margins.begin(), margins.end());
  const double end = std::max(quantile(margins, 0.75), 4 * finding.mean_abs);
  std::vector<std::size_t> counts(kBins);
  std::size_t ties = 0;
  for (const double margin : margins) {
    if (margin == 0) ++ties;
    const double bin = end > 0 ? margin / end * kBins : kBins;
    if (margin > 0 && bin < kBins) ++counts[static_cast<std::size_t>(bin)];
  }
  vega::Panel panel{"", Json::array(), {}};
  for (std::size_t i = 0; i < kBins; ++i)
    panel.rows.push_back({{"kind", "bin"},
                          {"low", vega::number(end * static_cast<double>(i) / kBins)},
                          {"high", vega::number(end * static_cast<double>(i + 1) / kBins)},
                          {"count", counts[i]},
                          {"zero", 0}});
  panel.rows.push_back({{"kind", "noise"}, {"low", vega::number(finding.mean_abs)}});
  const Json x{{"field", "low"},
               {"type", "quantitative"},
               {"title", "margin of the two likeliest tokens, nats"},
               {"scale", {{"nice", false}}}};
  panel.layers = {vega::layer("bin", {{"type", "rect"}},
                              {{"x", x},
                               {"x2", {{"field", "high"}}},
                               {"y", {{"field", "count"}, {"type", "quantitative"}, {"title", "tokens"}}},
                               {"y2", {{"field", "zero"}}},
                               {"tooltip", Json::array({{{"field", "low"}, {"format", ".3~g"}},
                                                        {{"field", "high"}, {"format", ".3~g"}},
                                                        {{"field", "count"}}})}}),
                  vega::layer("noise", {{"type", "rule"}, {"style", "reference"}}, {{"x", x}})};
  Figure figure;
  figure.spec = vega::spec("Margins of the two likeliest tokens", {std::move(panel)}, {});
  figure.caption = fmt::format(
      "Margins from 0 on; {} exact ties are not in it. Dotted: the mean absolute change of a margin, {:.3g} nats. Only "
      "margins of about that size can flip.",
      ties, finding.mean_abs);
  return figure;
}

/// The answers that changed most, or where flips are likeliest.
std::string answers_html(const InferFinding& finding) {
  constexpr std::size_t kMostShown = 50;
  std::vector<const ComparedAnswer*> shown;
  for (const ComparedAnswer& answer : finding.answers) shown.push_back(&answer);
  std::stable_sort(shown.begin(), shown.end(), [](const ComparedAnswer* a, const ComparedAnswer* b) {
    return a->largest.value_or(a->expected) > b->largest.value_or(b->expected);
  });
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::vector<std::vector<std::string>> rows;
  for (const ComparedAnswer* answer : shown)
    rows.push_back({answer->name, std::to_string(answer->tokens), answer->flip ? std::to_string(*answer->flip) : "–",
                    answer->largest ? fmt::format("{:.3g}", *answer->largest) : "–",
                    fmt::format("{:.3g}", answer->expected)});
  return html_table({"answer", "tokens", "first flip", "largest change, nats", "expected flips"}, rows);
}

std::string infer_provenance(const InferFinding& finding) {
  const Provenance by = provenance();
  CommandText command("orderlab infer --logprobs " + shell_word(finding.run) +
                      (finding.against.empty() ? "" : " --against " + shell_word(finding.against)));
  command.add_options(study::kInferOptions, finding.request);
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"to repeat", command.text()}});
}

}  // namespace

PageContent page_content(const InferFinding& finding) {
  PageContent page;
  page.title = finding.against.empty() ? fmt::format("Flips of {}", finding.run)
                                       : fmt::format("{} against {}", finding.run, finding.against);
  page.question = finding.against.empty() ? "How often does the answer of this model change?"
                                          : "Is the change of these answers rounding?";
  page.answers = conclusions_of(finding);
  page.drawn.push_back({&kSurvivalChart, draw_survival(finding)});
  page.drawn.push_back({&kMarginChart, draw_margins(finding)});
  page.points_title = "Answers";
  page.points = answers_html(finding);
  page.provenance = infer_provenance(finding);
  return page;
}

std::string html_page(const InferFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
