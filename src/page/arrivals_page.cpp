// Arrival orders as a page: how far each source is from the recording, spread and correlation along the grid, and the
// first wave of one run.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/html_text.hpp"
#include "page/line_names.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/shell_word.hpp"
#include "page/vega_lite.hpp"
#include "show/arrivals.hpp"
#include "study/arrivals_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::ArrivalsColumn;
using study::ArrivalsFinding;

constexpr Chart kDistanceChart{
    .name = "arrival_differences", .title = "Differences from the recording", .draw = nullptr};
constexpr Chart kSpreadChart{.name = "arrival_spread", .title = "Spread along the grid", .draw = nullptr};
constexpr Chart kLagChart{.name = "arrival_lags", .title = "Thread blocks that are delayed together", .draw = nullptr};
constexpr Chart kWaveChart{.name = "arrival_first_wave", .title = "The first wave of one run", .draw = nullptr};

std::vector<std::string> column_names(const ArrivalsFinding& finding) {
  std::vector<std::string> names;
  for (const ArrivalsColumn& column : finding.columns) names.push_back(column.name);
  return names;
}

/// A line of each source: rows of "source", the field and "value".
Json series_lines(Json x, Json y, const ArrivalsFinding& finding, Json tooltip) {
  Json encoding{{"x", std::move(x)}, {"y", std::move(y)}, {"tooltip", std::move(tooltip)}};
  vega::add_series(encoding, "source", column_names(finding), false);
  return encoding;
}

// ---- differences

constexpr double kFeatureRow = 17;     // pixels
constexpr double kFeatureNames = 150;  // pixels

Figure draw_distances(const ArrivalsFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  std::vector<std::string> features;
  std::vector<std::string> compared;
  for (const ArrivalsColumn& column : finding.columns)
    if (column.misfit) compared.push_back(column.name);
  for (const std::size_t f : shown_features(finding)) {
    bool any = false;
    for (const ArrivalsColumn& column : finding.columns) {
      if (!column.differences[f]) continue;
      any = true;
      panel.rows.push_back({{"kind", "point"},
                            {"source", column.name},
                            {"feature", kArrivalFeatures[f].name},
                            {"difference", vega::number(*column.differences[f])},
                            {"value", feature_text(f, column.features[f])}});
    }
    if (any) features.emplace_back(kArrivalFeatures[f].name);
  }
  for (const double edge : {-2.0, 2.0}) panel.rows.push_back({{"kind", "edge"}, {"at", edge}});
  const Json scale{{"type", "symlog"}, {"constant", 1}, {"padding", 8}};
  const Json axis{{"values", Json::array({-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100})}, {"format", "+~g"}};
  const Json x{{"field", "difference"},
               {"type", "quantitative"},
               {"title", "difference from the recording, in standard errors"},
               {"scale", scale},
               {"axis", axis}};
  Json point{{"x", x},
             {"y",
              {{"field", "feature"},
               {"type", "nominal"},
               {"title", nullptr},
               {"sort", features},
               {"axis", {{"grid", true}, {"labelLimit", kFeatureNames}}}}},
             {"tooltip", Json::array({{{"field", "source"}},
                                      {{"field", "feature"}},
                                      {{"field", "value"}},
                                      {{"field", "difference"}, {"format", "+.1f"}}})}};
  vega::add_series(point, "source", compared, true, column_names(finding));
  panel.layers = {
      vega::layer("edge", {{"type", "rule"}, {"style", "reference"}},
                  {{"x", {{"field", "at"}, {"type", "quantitative"}, {"scale", scale}}}}),
      vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 0.85}}, std::move(point))};
  Figure figure;
  figure.leads = true;
  figure.spec = vega::spec("Differences of features from the recording", {std::move(panel)},
                           {.height = kFeatureRow * static_cast<double>(features.size()), .aside = kFeatureNames});
  figure.caption = fmt::format(
      "Each feature of the model less that of the recording, in standard errors of that difference; the dotted lines "
      "are at 2 of them. Standard errors are by a bootstrap of blocks of {} successive runs, and for this machine.",
      finding.reference->block_length);
  return figure;
}

// ---- spread

constexpr std::string_view kSpreadName = "displacement_sd_";

Figure draw_spread(const ArrivalsFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  for (const ArrivalsColumn& column : finding.columns)
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
      if (kArrivalFeatures[f].name.starts_with(kSpreadName) && column.features[f])
        panel.rows.push_back({{"kind", "line"},
                              {"source", column.name},
                              {"decile", std::stoi(std::string(kArrivalFeatures[f].name.substr(kSpreadName.size())))},
                              {"sd", vega::number(*column.features[f])}});
  panel.layers = {vega::layer(
      "line", {{"type", "line"}, {"point", true}},
      series_lines(
          {{"field", "decile"},
           {"type", "quantitative"},
           {"title", "decile of the grid"},
           {"axis", {{"tickCount", 10}}}},
          {{"field", "sd"}, {"type", "quantitative"}, {"title", "sd of displacement, tickets"}}, finding,
          Json::array({{{"field", "source"}}, {{"field", "decile"}}, {{"field", "sd"}, {"format", ".4~g"}}})))};
  std::vector<vega::Panel> panels{std::move(panel)};
  const double aside = vega::name_lines(panels, {"line"});
  Figure figure;
  figure.seconds = true;
  figure.leads = !finding.reference;
  figure.spec = vega::spec("Standard deviation of displacement by decile", std::move(panels), {.aside = aside});
  figure.caption =
      "A displacement is the ticket of a thread block, its position in the arrival order, less its launch index. Its "
      "standard deviation over all runs and the thread blocks of each tenth of the grid.";
  return figure;
}

// ---- correlation by lag

Figure draw_lags(const ArrivalsFinding& finding) {
  const std::uint64_t sms = *finding.request.sms;
  vega::Panel panel{"", Json::array(), {}};
  for (const ArrivalsColumn& column : finding.columns)
    for (std::size_t i = 0; i < column.correlations.size(); ++i)
      panel.rows.push_back({{"kind", "line"},
                            {"source", column.name},
                            {"lag", i + 1},
                            {"correlation", vega::number(column.correlations[i])}});
  for (std::uint64_t row = 1; row * sms <= finding.columns[0].correlations.size(); ++row)
    panel.rows.push_back({{"kind", "sms"}, {"lag", row * sms}});
  const Json x{
      {"field", "lag"}, {"type", "quantitative"}, {"title", "lag, thread blocks"}, {"scale", {{"nice", false}}}};
  panel.layers = {
      vega::layer("sms", {{"type", "rule"}, {"style", "reference"}}, {{"x", x}}),
      vega::layer(
          "line", {{"type", "line"}, {"strokeWidth", 1.5}},
          series_lines(
              x, {{"field", "correlation"}, {"type", "quantitative"}, {"title", "correlation"}}, finding,
              Json::array(
                  {{{"field", "source"}}, {{"field", "lag"}}, {{"field", "correlation"}, {"format", ".3~f"}}})))};
  Figure figure;
  figure.spec = vega::spec("Correlation of displacements by lag", {std::move(panel)}, {});
  figure.caption = fmt::format(
      "Correlation of the displacements of thread blocks launched so many apart, around their means over runs. Dotted: "
      "multiples of {}, which run on one multiprocessor in the first wave.",
      sms);
  return figure;
}

// ---- the first wave

Figure draw_first_wave(const ArrivalsFinding& finding) {
  const std::uint64_t sms = *finding.request.sms;
  std::vector<vega::Panel> panels;
  for (const ArrivalsColumn& column : finding.columns) {
    vega::Panel panel{column.name, Json::array(), {}};
    for (std::size_t b = 0; b < column.displacements.size(); ++b)
      panel.rows.push_back({{"kind", "block"},
                            {"sm", b % sms},
                            {"row", b / sms},
                            {"block", b},
                            {"displacement", column.displacements[b]}});
    Json cell{{"x",
               {{"field", "sm"},
                {"type", "quantitative"},
                {"title", "multiprocessor"},
                {"scale", {{"nice", false}, {"padding", 6}}}}},
              {"y",
               {{"field", "row"},
                {"type", "quantitative"},
                {"title", "round"},
                {"scale", {{"nice", false}, {"padding", 8}, {"reverse", true}}}}},
              {"color",
               {{"field", "displacement"},
                {"type", "quantitative"},
                {"title", "displacement, tickets"},
                {"scale", {{"scheme", "blueorange"}, {"domainMid", 0}}}}},
              {"tooltip", Json::array({{{"field", "block"}, {"title", "thread block"}},
                                       {{"field", "sm"}, {"title", "multiprocessor"}},
                                       {{"field", "displacement"}, {"format", "+d"}}})}};
    panel.layers = {
        vega::layer("block", {{"type", "point"}, {"shape", "square"}, {"filled", true}, {"size", 26}, {"opacity", 1}},
                    std::move(cell))};
    panels.push_back(std::move(panel));
  }
  Figure figure;
  figure.spec =
      vega::spec("Displacements in the first wave of one run", std::move(panels), {.height = 220, .columns = 2});
  figure.caption = fmt::format(
      "The first run of each source: thread blocks by multiprocessor (launch index modulo their number) and round, "
      "for {}. Columns of one color are multiprocessors that are late or early for the whole wave; single spots "
      "share nothing.",
      first_wave_text(finding));
  return figure;
}

std::string features_html(const ArrivalsFinding& finding) {
  std::vector<std::string> head{"feature", "meaning", "unit"};
  for (const ArrivalsColumn& column : finding.columns) {
    head.push_back(column.name);
    if (column.misfit) head.emplace_back("difference");
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t f : shown_features(finding)) {
    const ArrivalFeatureInfo& info = kArrivalFeatures[f];
    std::vector<std::string> row{std::string(info.name), std::string(info.meaning), std::string(name_of(info.unit()))};
    for (const ArrivalsColumn& column : finding.columns) {
      row.push_back(feature_text(f, column.features[f]));
      if (column.misfit)
        row.push_back(column.differences[f] ? fmt::format("{:+.1f}", *column.differences[f] + 0.0) : "–");
    }
    rows.push_back(std::move(row));
  }
  return html_table(head, rows);
}

std::string arrivals_provenance(const ArrivalsFinding& finding) {
  const Provenance by = provenance();
  CommandText command("orderlab arrivals");
  std::string sources;
  for (const ArrivalsColumn& column : finding.columns) sources += " " + shell_word(column.name);
  command.add_options(study::kArrivalsOptions, finding.request);
  std::string text = command.text();
  text.insert(std::string("orderlab arrivals").size(), sources);
  return html_table(
      {}, {{"program", "orderlab " + by.version}, {"compiler", by.flags}, {"processor", by.cpu}, {"to repeat", text}});
}

}  // namespace

PageContent page_content(const ArrivalsFinding& finding) {
  PageContent page;
  page.title = fmt::format("Arrival orders: {}", listed(column_names(finding)));
  page.question = finding.reference ? "Which arrival model has the features of the recording?"
                                    : "What are arrival orders of these models like?";
  if (finding.partial())
    page.unfinished = fmt::format("{} of {} sources were looked at.", finding.columns.size(), finding.sources);
  page.answers = conclusions_of(finding);
  const bool compared = std::any_of(finding.columns.begin(), finding.columns.end(),
                                    [](const ArrivalsColumn& column) { return column.misfit.has_value(); });
  if (compared) page.drawn.push_back({&kDistanceChart, draw_distances(finding)});
  page.drawn.push_back({&kSpreadChart, draw_spread(finding)});
  page.drawn.push_back({&kLagChart, draw_lags(finding)});
  page.drawn.push_back({&kWaveChart, draw_first_wave(finding)});
  page.points_title = "Features";
  page.points = features_html(finding);
  page.provenance = arrivals_provenance(finding);
  return page;
}

std::string html_page(const ArrivalsFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
