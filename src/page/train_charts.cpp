#include "page/train_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "page/number_words.hpp"
#include "page/operation_cells.hpp"
#include "page/vega_lite.hpp"
#include "show/train.hpp"

namespace orderlab {

namespace {

using study::MarginBin;
using study::SeedRecord;
using study::TrainEpoch;
using study::TrainFinding;

constexpr Chart kEpochChart{.name = "train_epochs", .title = "Scores by epoch", .draw = nullptr};
constexpr Chart kSeedChart{.name = "train_seeds", .title = "Test accuracy of every run", .draw = nullptr};
constexpr Chart kApartChart{.name = "train_apart", .title = "How far runs of one seed drift apart", .draw = nullptr};
constexpr Chart kMarginChart{.name = "train_margins", .title = "Predictions that order changes", .draw = nullptr};

// Whole numbers, with room for marks at the ends.
Json counted_channel(const std::string& field, const std::string& title) {
  Json channel = vega::padded_channel(field, title);
  channel["scale"]["nice"] = false;
  channel["axis"] = {{"format", ",d"}, {"tickMinStep", 1}};
  return channel;
}

// ---- scores by epoch

constexpr const char* kAccuracyPanel = "test accuracy";
constexpr const char* kLossPanel = "training loss";
constexpr const char* kSeedBand = "seed and order: 1.96 sd";
constexpr const char* kOrderBand = "order alone: 1.96 sd";
constexpr double kNormalQuantile = 1.96;

Figure draw_epochs(const TrainFinding& finding) {
  Json rows = Json::array();
  const auto add = [&](const char* panel, std::uint64_t epoch, const VarianceComponents& of) {
    const auto band = [&](const char* what, double sd) {
      rows.push_back({{"facet", panel},
                      {"kind", "band"},
                      {"what", what},
                      {"epoch", epoch},
                      {"low", vega::number(of.mean - kNormalQuantile * sd)},
                      {"high", vega::number(of.mean + kNormalQuantile * sd)},
                      {"sd", vega::number(sd)}});
    };
    if (of.run) band(kSeedBand, of.run->sd);
    if (of.order) band(kOrderBand, of.order->sd);
    rows.push_back({{"facet", panel}, {"kind", "mean"}, {"epoch", epoch}, {"mean", vega::number(of.mean)}});
  };
  for (const TrainEpoch& epoch : finding.by_epoch) {
    add(kAccuracyPanel, epoch.epoch, epoch.test_accuracy.components);
    add(kLossPanel, epoch.epoch, epoch.loss.components);
  }
  Json x = counted_channel("epoch", "epoch");
  x["scale"]["domain"] = Json::array({1, std::max<std::uint64_t>(finding.request.epochs, 2)});
  Json band{{"x", x},
            {"y", vega::linear_channel("low", "")},
            {"y2", {{"field", "high"}}},
            {"tooltip", Json::array({{{"field", "what"}},
                                     {{"field", "epoch"}, {"format", ",d"}},
                                     {{"field", "sd"}, {"format", ".3~g"}}})}};
  vega::add_series(band, "what", {kSeedBand, kOrderBand}, false);
  Json mean{
      {"x", x},
      {"y", vega::linear_channel("mean", "")},
      {"tooltip", Json::array({{{"field", "epoch"}, {"format", ",d"}}, {{"field", "mean"}, {"format", ".4~g"}}})}};
  const std::vector<Json> layers{vega::layer("band", {{"type", "area"}, {"opacity", 0.35}}, std::move(band)),
                                 vega::layer("mean", {{"type", "line"}, {"point", true}}, std::move(mean))};
  Figure figure;
  figure.leads = true;
  figure.spec = vega::with_headline(
      vega::spec("Scores by epoch", vega::panels_of(rows, {kAccuracyPanel, kLossPanel}, layers), {}), kAccuracyPanel);
  figure.caption =
      "Line: mean over the seeds. Bands: 1.96 standard deviations to both sides, of one run of a new seed, and of a "
      "new "
      "order of the same seed, estimated by analysis of variance.";
  return figure;
}

// ---- every run

Figure draw_seeds(const TrainFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  std::vector<const SeedRecord*> seeds;
  for (const SeedRecord& seed : finding.seeds) seeds.push_back(&seed);
  const auto mean = [](const SeedRecord* seed) {
    double sum = 0;
    for (const auto& run : seed->scores) sum += run.back().test_accuracy;
    return sum / static_cast<double>(seed->scores.size());
  };
  std::stable_sort(seeds.begin(), seeds.end(), [&](auto a, auto b) { return mean(a) < mean(b); });
  for (std::size_t i = 0; i < seeds.size(); ++i)
    for (std::size_t order = 0; order < seeds[i]->scores.size(); ++order)
      panel.rows.push_back({{"kind", "run"},
                            {"place", i + 1},
                            {"seed", seeds[i]->seed},
                            {"order", order},
                            {"accuracy", vega::number(seeds[i]->scores[order].back().test_accuracy)}});
  Json encoding{{"x", counted_channel("place", "seeds, by mean accuracy")},
                {"y", vega::padded_channel("accuracy", "test accuracy")},
                {"tooltip", Json::array({{{"field", "seed"}, {"format", ",d"}},
                                         {{"field", "order"}, {"format", ",d"}},
                                         {{"field", "accuracy"}, {"format", ".4~f"}}})}};
  panel.layers = {vega::layer("run", {{"type", "point"}, {"filled", true}, {"opacity", 0.7}}, std::move(encoding))};
  Figure figure;
  figure.spec = vega::spec("Test accuracy of every run", {std::move(panel)}, {.height = 240});
  figure.caption =
      "Runs above each other have one seed and differ by the order of their sums alone; equal accuracies cover each "
      "other.";
  return figure;
}

// ---- runs apart

constexpr const char* kWeights = "weights whose bits differ";
constexpr const char* kDistance = "distance of weights, |w − w′| / |w|";
constexpr const char* kPredictions = "predictions that differ";

Figure draw_apart(const TrainFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  vega::LogRange range;
  const auto each = [&](auto take) {
    for (const TrainEpoch& epoch : finding.by_epoch) {
      take(epoch.epoch, kWeights, epoch.weights_differ.mean);
      take(epoch.epoch, kDistance, epoch.weight_distance.mean);
      take(epoch.epoch, kPredictions, epoch.predictions_differ.mean);
    }
  };
  each([&](std::uint64_t, const char*, double value) { range.see(value); });
  each([&](std::uint64_t epoch, const char* what, double value) {
    panel.rows.push_back({{"kind", "line"},
                          {"what", what},
                          {"epoch", epoch},
                          {"value", vega::number(value)},
                          {"place", vega::number(range.place(value))}});
  });
  Json encoding{{"x", counted_channel("epoch", "epoch")},
                {"y", vega::log_channel("place", "mean over pairs of runs", range)},
                {"tooltip", Json::array({{{"field", "what"}},
                                         {{"field", "epoch"}, {"format", ",d"}},
                                         {{"field", "value"}, {"format", ".3~g"}}})}};
  vega::add_series(encoding, "what", {kWeights, kDistance, kPredictions}, true);
  panel.layers = {vega::layer("line", {{"type", "line"}, {"point", true}}, std::move(encoding))};
  Figure figure;
  figure.spec = vega::spec("Differences between runs of one seed by epoch", {std::move(panel)}, {.height = 280});
  figure.caption = "Every run beside the first run of its seed: they differ by the order of their sums alone.";
  const TrainEpoch& last = finding.by_epoch.back();
  figure.conclusions.push_back(
      fmt::format("After {} epochs {} of the weights differ, by {} of their length, and {} of the predictions.",
                  count_in_words(finding.request.epochs), percent_in_words(last.weights_differ.mean),
                  in_words(last.weight_distance.mean, 2), percent_in_words(last.predictions_differ.mean)));
  return figure;
}

// ---- inference

Figure draw_margins(const TrainFinding& finding) {
  vega::Panel panel{"", Json::array(), {}};
  Figure figure;
  figure.columns = {"margin", "nodes", "nodes whose class changes", "share of evaluations that change it"};
  Json places = Json::array();
  for (const MarginBin& bin : finding.margins) {
    if (bin.nodes == 0) continue;
    const std::string name = std::isfinite(bin.high) ? fmt::format("up to {}", in_words(bin.high, 1))
                                                     : fmt::format("above {}", in_words(bin.low, 1));
    const double share = static_cast<double>(bin.flips) /
                         (static_cast<double>(bin.nodes) * static_cast<double>(finding.request.evaluations));
    places.push_back(name);
    panel.rows.push_back({{"kind", "bar"}, {"margin", name}, {"share", vega::number(share)}, {"nodes", bin.nodes}});
    figure.rows.push_back({name, count_in_words(bin.nodes), count_in_words(bin.flipping), percent_in_words(share)});
  }
  Json encoding{{"x",
                 {{"field", "margin"},
                  {"type", "ordinal"},
                  {"title", "margin of the node"},
                  {"sort", places},
                  {"axis", {{"labelAngle", 0}}}}},
                {"y",
                 {{"field", "share"},
                  {"type", "quantitative"},
                  {"title", "evaluations that change the class"},
                  {"axis", {{"format", "~p"}}}}},
                {"tooltip", Json::array({{{"field", "margin"}},
                                         {{"field", "nodes"}, {"format", ",d"}},
                                         {{"field", "share"}, {"format", ".3~p"}}})}};
  panel.layers = {vega::layer("bar", {{"type", "bar"}, {"color", "@0"}}, std::move(encoding))};
  figure.spec = vega::spec("Predictions that order changes, by margin", {std::move(panel)}, {.height = 200});
  figure.caption = fmt::format(
      "One trained model of each seed, evaluated {} times in drawn orders and compared with its evaluation in launch "
      "order. Margin: greatest log probability less the second.",
      count_in_words(finding.request.evaluations));
  return figure;
}

}  // namespace

std::vector<DrawnChart> train_charts(const TrainFinding& finding) {
  std::vector<DrawnChart> drawn;
  drawn.push_back({&kEpochChart, draw_epochs(finding)});
  drawn.push_back({&kSeedChart, draw_seeds(finding)});
  if (finding.request.orders > 1) drawn.push_back({&kApartChart, draw_apart(finding)});
  const auto flips = [](const MarginBin& bin) { return bin.flips > 0; };
  if (std::any_of(finding.margins.begin(), finding.margins.end(), flips))
    drawn.push_back({&kMarginChart, draw_margins(finding)});
  return drawn;
}

}  // namespace orderlab
