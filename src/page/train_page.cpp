// Training with several seeds and orders as a page.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/page.hpp"
#include "page/command_text.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/page_frame.hpp"
#include "page/train_charts.hpp"
#include "show/train.hpp"
#include "study/input_options.hpp"
#include "study/train_options.hpp"
#include "sweep/provenance.hpp"

namespace orderlab {

namespace {

using study::ScoreOfEpoch;
using study::TrainEpoch;
using study::TrainFinding;

std::string estimate_words(const std::optional<SdEstimate>& estimate) {
  if (!estimate) return "–";
  std::string text = in_words(estimate->sd, 2);
  if (estimate->low && estimate->high)
    text += fmt::format(" ({} to {})", in_words(*estimate->low, 2), in_words(*estimate->high, 2));
  return text;
}

std::string scores_html(const TrainFinding& finding) {
  std::vector<std::vector<std::string>> rows;
  const TrainEpoch& last = finding.by_epoch.back();
  const auto add = [&](const char* title, const ScoreOfEpoch& score) {
    const VarianceComponents& of = score.components;
    rows.push_back({title, in_words(of.mean, 4),
                    of.mean_low ? fmt::format("{} to {}", in_words(*of.mean_low, 4), in_words(*of.mean_high, 4)) : "–",
                    estimate_words(of.seed), estimate_words(of.order), in_words(score.least, 4),
                    in_words(score.greatest, 4)});
  };
  add("loss", last.loss);
  add("train accuracy", last.train_accuracy);
  add("validation accuracy", last.validation_accuracy);
  add("test accuracy", last.test_accuracy);
  return html_table({fmt::format("after epoch {}", finding.request.epochs), "mean", "95 %", "sd by seed (95 %)",
                     "sd by order (95 %)", "least", "greatest"},
                    rows);
}

std::string training_html(const TrainFinding& finding) {
  const study::TrainingFacts& in = finding.input;
  const GraphSageOptions& model = finding.request.model;
  return html_table(
      {},
      {{"model",
        fmt::format("GraphSAGE, 2 layers, mean aggregation, hidden {}, dropout {}", model.hidden, model.dropout)},
       {"optimizer", fmt::format("Adam, learning rate {}, weight decay {}", model.learning_rate, model.weight_decay)},
       {"graph", fmt::format("{}: {} nodes, {} edges, {} features, {} classes", in.communities ? "generated" : "given",
                             count_in_words(in.nodes), count_in_words(in.edges), count_in_words(in.features),
                             count_in_words(in.classes))},
       {"nodes", fmt::format("{} to train, {} to validate, {} to test", count_in_words(in.train),
                             count_in_words(in.validation), count_in_words(in.test))},
       {"what varies",
        fmt::format("index_add of layer 2: {}, arrivals {}", finding.launch.kernel, finding.request.arrival)},
       {"runs", fmt::format("{} seeds of {} runs, {} epochs", count_in_words(finding.seeds.size()),
                            count_in_words(finding.request.orders), count_in_words(finding.request.epochs))}});
}

std::string command_line_of(const TrainFinding& finding) {
  CommandText command("orderlab train");
  if (finding.input.communities)
    command.add_options(study::kGraphOptions, *finding.input.communities);
  else
    command.add(study::kData, "DIR");
  command.add_options(study::kTrainOptions, finding.request);
  command.add(study::kGpu, finding.request.device.name);
  return command.text();
}

std::string training_provenance(const TrainFinding& finding) {
  const Provenance by = provenance();
  return html_table({}, {{"program", "orderlab " + by.version},
                         {"compiler", by.flags},
                         {"processor", by.cpu},
                         {"graph", finding.input.hash},
                         {"to repeat", command_line_of(finding)}});
}

}  // namespace

PageContent page_content(const TrainFinding& finding) {
  PageContent page;
  page.title = fmt::format("GraphSAGE, {} seeds of {} orders", finding.seeds.size(), finding.request.orders);
  page.question = "How much of a model's score is the seed, and how much the order of its sums?";
  if (finding.partial)
    page.unfinished = fmt::format("{} of {} seeds are done; the answers may change.",
                                  count_in_words(finding.seeds.size()), count_in_words(finding.request.seeds));
  page.answers = {conclusion_of(finding)};
  if (!finding.by_epoch.empty()) page.moved = sd_of(finding.by_epoch.back().test_accuracy.components.order).value_or(0);
  page.drawn = train_charts(finding);
  page.points_title = "Numbers";
  page.points = scores_html(finding) + training_html(finding);
  page.provenance = training_provenance(finding);
  return page;
}

std::string html_page(const TrainFinding& finding) {
  const FloatEnvironment environment;
  return page_html(page_content(finding));
}

}  // namespace orderlab
