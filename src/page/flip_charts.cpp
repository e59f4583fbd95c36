#include "page/flip_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "metrics/statistics.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kMostPoints = 400;

std::string series_name(const FlipSeries& run, std::string_view what) {
  return run.name.empty() ? std::string(what) : run.name + ", " + std::string(what);
}

Json survival_row(const std::string& series, double tokens, double share) {
  return {{"kind", "line"}, {"series", series}, {"tokens", vega::number(tokens)}, {"share", vega::number(share)}};
}

/// The product-limit estimate: answers that end without a flip leave those at risk.
void add_observed_survival(const FlipSeries& run, Json& rows) {
  struct Ends {
    std::size_t flips = 0;
    std::size_t all = 0;
  };
  std::map<std::uint64_t, Ends> ends;
  for (const AnswerEnd& answer : run.ends) {
    ++ends[answer.tokens].all;
    if (answer.flip) ++ends[answer.tokens].flips;
  }
  const std::string series = series_name(run, "observed");
  const std::size_t every = ends.size() / kMostPoints + 1;
  double share = 1;
  auto at_risk = static_cast<double>(run.ends.size());
  rows.push_back(survival_row(series, 0, 1));
  std::size_t i = 0;
  for (const auto& [tokens, there] : ends) {
    share *= 1 - static_cast<double>(there.flips) / at_risk;
    at_risk -= static_cast<double>(there.all);
    if (++i % every == 0 || i == ends.size()) rows.push_back(survival_row(series, static_cast<double>(tokens), share));
  }
}

void add_expected_survival(const FlipSeries& run, std::uint64_t longest, Json& rows) {
  constexpr int kSteps = 100;
  for (int i = 0; i <= kSteps; ++i) {
    const double tokens = static_cast<double>(longest) * i / kSteps;
    rows.push_back(survival_row(series_name(run, "expected"), tokens, std::pow(1 - run.per_token, tokens)));
  }
}

}  // namespace

constexpr Chart kSurvivalChart{.name = "infer_survival", .title = "Answers that are still the same", .draw = nullptr};
constexpr Chart kMarginChart{.name = "infer_margins", .title = "Margins beside the noise", .draw = nullptr};

Figure draw_survival(const std::vector<FlipSeries>& runs, std::uint64_t longest) {
  vega::Panel panel{"", Json::array(), {}};
  std::vector<std::string> series;
  bool observed = false;
  for (const FlipSeries& run : runs) {
    series.push_back(series_name(run, "expected"));
    if (!run.ends.empty()) {
      observed = true;
      series.push_back(series_name(run, "observed"));
      add_observed_survival(run, panel.rows);
    }
    add_expected_survival(run, longest, panel.rows);
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
  figure.caption =
      fmt::format("Expected: each token flips with the same probability{}, so that the share falls geometrically.{}",
                  runs.size() == 1 ? fmt::format(", {:.3g} of 1000", 1000 * runs[0].per_token) : "",
                  observed ? " Observed: answers that end without a flip count as long as they last." : "");
  return figure;
}

Figure draw_margins(std::vector<double> margins, double mean_abs) {
  constexpr std::size_t kBins = 40;
  std::sort(margins.begin(), margins.end());
  const double end = std::max(quantile(margins, 0.75), 4 * mean_abs);
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
  panel.rows.push_back({{"kind", "noise"}, {"low", vega::number(mean_abs)}});
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
      ties, mean_abs);
  return figure;
}

}  // namespace orderlab
