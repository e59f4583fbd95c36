// What training says in a terminal.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "orderlab/arrival.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/train.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::MarginBin;
using study::ScoreOfEpoch;
using study::TrainEpoch;
using study::TrainFinding;

std::string limits(const std::optional<double>& low, const std::optional<double>& high, int digits) {
  if (!low || !high) return "-";
  return *low == *high ? number(low, digits) : fmt::format("{} to {}", number(low, digits), number(high, digits));
}

std::string interval(const std::optional<SdEstimate>& estimate) {
  if (estimate && !(estimate->sd > 0) && estimate->high == 0) return "none seen";
  return estimate ? limits(estimate->low, estimate->high, 2) : "-";
}

// ---- text

/// The name of a fitted model, else the text as it is.
std::string arrival_name(const std::string& canonical) {
  for (const NamedArrival& named : named_arrivals())
    if (named.expression == canonical) return std::string(named.name);
  return canonical;
}

std::string head(const TrainFinding& finding, bool color) {
  const study::TrainingFacts& in = finding.input;
  std::string text = bold("GraphSAGE, 2 layers, mean aggregation", color);
  text += fmt::format("\n{} graph: {}, {}, {}, {} classes; {} to train, {} to test\n",
                      in.communities ? "generated" : "given", plural(in.nodes, "node"), plural(in.edges, "edge"),
                      plural(in.features, "feature"), in.classes, in.train, in.test);
  text += fmt::format("hidden {}, dropout {}, Adam {}, weight decay {}, {}, fp32\n", finding.request.model.hidden,
                      finding.request.model.dropout, finding.request.model.learning_rate,
                      finding.request.model.weight_decay, plural(finding.request.epochs, "epoch"));
  text += finding.varies
              ? fmt::format("index_add of layer 2: {}; thread blocks arrive in an order drawn from {}\n",
                            finding.launch.kernel, arrival_name(finding.request.arrival))
              : fmt::format("index_add of layer 2: {}; no arrival order changes its sums\n", finding.launch.kernel);
  text += plural(finding.seeds.size(), "seed") + " of " + plural(finding.request.orders, "run") +
          (finding.request.orders > 1 ? ", which differ by order alone\n" : "\n");
  return text;
}

/// Epochs 1, 2, 5, 10, ..., and the last.
bool is_shown(std::uint64_t epoch, std::uint64_t epochs) {
  constexpr std::uint64_t kAll = 12;
  if (epochs <= kAll || epoch == epochs) return true;
  std::uint64_t decade = epoch;
  while (decade % 10 == 0) decade /= 10;
  return decade == 1 || decade == 2 || decade == 5;
}

std::string epoch_table(const TrainFinding& finding, const TextStyle& style) {
  std::vector<Column> columns{{"epoch"}, {"loss"}, {"sd seed"}, {"sd order"}, {"test"}, {"sd seed"}, {"sd order"}};
  const bool pairs = finding.request.orders > 1;
  if (pairs) columns.insert(columns.end(), {{"weights"}, {"classes"}});
  Table table(columns);
  for (const TrainEpoch& epoch : finding.by_epoch) {
    if (!is_shown(epoch.epoch, finding.request.epochs)) continue;
    const VarianceComponents& loss = epoch.loss.components;
    const VarianceComponents& test = epoch.test_accuracy.components;
    Table::Row row{std::to_string(epoch.epoch),      number(loss.mean, 5),
                   number(sd_of(loss.seed), 2),      number(sd_of(loss.order), 2),
                   fmt::format("{:.4f}", test.mean), number(sd_of(test.seed), 2),
                   number(sd_of(test.order), 2)};
    if (pairs) {
      row.push_back(fmt::format("{:.1f} %", 100 * epoch.weights_differ.mean));
      row.push_back(fmt::format("{:.2f} %", 100 * epoch.predictions_differ.mean));
    }
    table.add(std::move(row));
  }
  return table.text(style.color);
}

/// A score as tables name it.
struct NamedScore {
  std::string_view title;
  study::ScoreOfEpoch TrainEpoch::*member;
};
constexpr NamedScore kNamedScores[] = {{"loss", &TrainEpoch::loss},
                                       {"train accuracy", &TrainEpoch::train_accuracy},
                                       {"validation accuracy", &TrainEpoch::validation_accuracy},
                                       {"test accuracy", &TrainEpoch::test_accuracy}};

std::string score_table(const TrainFinding& finding, const TextStyle& style) {
  Table table({{fmt::format("epoch {}", finding.request.epochs), Align::left},
               {"mean"},
               {"sd"},
               {"sd seed (95 %)"},
               {"sd order (95 %)"}});
  const TrainEpoch& last = finding.by_epoch.back();
  for (const NamedScore& score : kNamedScores) {
    const ScoreOfEpoch& of = last.*score.member;
    table.add({std::string(score.title), number(of.components.mean, 4), number(of.components.sd, 2),
               interval(of.components.seed), interval(of.components.order)});
  }
  return table.text(style.color);
}

std::string margin_table(const TrainFinding& finding, const TextStyle& style) {
  Table table({{"margin up to"}, {"nodes"}, {"class changes"}, {"share of evaluations"}});
  for (const MarginBin& bin : finding.margins) {
    if (bin.nodes == 0) continue;
    table.add({std::isfinite(bin.high) ? number(bin.high, 1) : "any", std::to_string(bin.nodes),
               std::to_string(bin.flipping),
               number(static_cast<double>(bin.flips) /
                          (static_cast<double>(bin.nodes) * static_cast<double>(finding.request.evaluations)),
                      2)});
  }
  return table.text(style.color);
}

std::string percent(double share) {
  constexpr double kLeast = 0.001;
  if (share > 0 && share < kLeast) return "less than 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 1 ? 1 : 0);
}

// With fewer seeds limits are so wide that they say nothing.
constexpr std::uint64_t kLeastSeeds = 5;

/// What order does to the test accuracy.
std::string order_sentence(const TrainFinding& finding, const VarianceComponents& test) {
  const std::string arrivals = "With arrivals " + arrival_name(finding.request.arrival) + ", ";
  if (!(test.order->sd > 0)) {
    std::string text = arrivals + "runs of one seed had equal test accuracies";
    if (test.differing.high_share)
      text += fmt::format(" ({}): two runs of these seeds differ with probability {} at most (95 % confidence)",
                          plural(test.differing.pairs, "independent pair"), percent(*test.differing.high_share));
    return text + ". ";
  }
  return arrivals + fmt::format(
                        "order alone moves the test accuracy by at most {} (95 % of pairs of runs of one seed, "
                        "95 % confidence, for normal scores). ",
                        number(test.order_difference, 2));
}

/// What the seed does beside it, and what follows.
std::string seed_sentence(const VarianceComponents& test) {
  if (test.seeds < kLeastSeeds)
    return fmt::format("{} are too few to say what the seed does: take {} or more. ", plural(test.seeds, "seed"),
                       kLeastSeeds);
  std::string text = fmt::format(
      "Another seed {} the test accuracy by at most {} (95 % of pairs of runs of two seeds, 95 % confidence, for "
      "normal scores). ",
      test.order->sd > 0 ? "and another order move" : "moves", number(test.seed_difference, 2));
  const double all = test.seed->sd * test.seed->sd + test.order->sd * test.order->sd;
  if (!(all > 0)) return text;
  const double share = test.order->sd * test.order->sd / all;
  constexpr double kSmall = 0.1;
  text += fmt::format("Order is an estimated {} of the variance", percent(share));
  if (share < kSmall && test.seed->low && *test.seed->low > 0) text += ": repeat over seeds, not over runs of a seed";
  return text + ". ";
}

}  // namespace

std::string conclusion_of(const TrainFinding& finding) {
  const TrainEpoch& last = finding.by_epoch.back();
  const VarianceComponents& test = last.test_accuracy.components;
  std::string text;
  if (!finding.varies) text = "No order changes a sum of this training: every run of a seed is the same. ";
  if (finding.varies && test.order) text += order_sentence(finding, test);
  if (test.order && test.seed && test.seed_difference) text += seed_sentence(test);
  if (finding.request.orders > 1)
    text += fmt::format("After {}, {} of the weights differ between two runs of one seed, and {} of the predictions. ",
                        plural(finding.request.epochs, "epoch"), percent(last.weights_differ.mean),
                        percent(last.predictions_differ.mean));
  std::uint64_t nodes = 0, flips = 0;
  for (const MarginBin& bin : finding.margins) {
    nodes += bin.nodes;
    flips += bin.flips;
  }
  if (finding.request.evaluations > 0 && nodes > 0)
    text += fmt::format("Inference with one trained model: order changed {} of {} predictions. ", flips,
                        nodes * finding.request.evaluations);
  if (text.empty())
    text = fmt::format("Test accuracy {} after {}: one run of each seed says nothing about order. ",
                       number(test.mean, 4), plural(finding.request.epochs, "epoch"));
  text.pop_back();
  return text;
}

std::string to_text(const TrainFinding& finding, const TextStyle& style) {
  std::string text = wrapped(head(finding, style.color), style.width) + "\n";
  text += epoch_table(finding, style) + "\n" + score_table(finding, style) + "\n";
  if (finding.request.evaluations > 0)
    text += wrapped(fmt::format("{} of one trained model of each seed, beside that in launch order; margin: greatest "
                                "log probability less the second\n",
                                plural(finding.request.evaluations, "evaluation")),
                    style.width) +
            margin_table(finding, style) + "\n";
  if (finding.partial)
    text += wrapped(fmt::format("Interrupted: {} of {} seeds are done.\n", finding.seeds.size(), finding.request.seeds),
                    style.width);
  return text + wrapped(bold(conclusion_of(finding), style.color) + "\n", style.width);
}

}  // namespace orderlab
