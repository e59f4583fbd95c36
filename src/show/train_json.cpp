#include "show/train_json.hpp"

#include <string>

#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/train.hpp"
#include "training/dense_product.hpp"

namespace orderlab {

namespace {

using study::MarginBin;
using study::ScoreOfEpoch;
using study::TrainEpoch;
using study::TrainFinding;

}  // namespace

Json record_config(const study::TrainingFacts& in, const study::TrainRequest& request) {
  Json json = Json::object();
  if (in.generated)
    json["graph"] = {{"nodes", in.communities.nodes},
                     {"classes", in.communities.classes},
                     {"features", in.communities.features},
                     {"degree", in.communities.degree},
                     {"features_each", in.communities.features_each},
                     {"own", in.communities.own},
                     {"train_each", in.communities.train_each},
                     {"seed", in.communities.seed}};
  else
    json["graph"] = in.hash;
  json["hidden"] = request.model.hidden;
  json["dropout"] = request.model.dropout;
  json["learning_rate"] = request.model.learning_rate;
  json["weight_decay"] = request.model.weight_decay;
  json["epochs"] = request.epochs;
  json["orders"] = request.orders;
  json["evaluations"] = request.evaluations;
  json["arrival"] = request.arrival;
  json["gpu"] = request.device.name;
  json["dense_products"] = dense_product_version();
  return json;
}

namespace {

Json score_json(const ScoreOfEpoch& score) {
  const VarianceComponents& of = score.components;
  const auto limit = [](const std::optional<SdEstimate>& estimate, auto member) {
    return estimate ? or_null((*estimate).*member) : Json();
  };
  return {{"mean", json_number(of.mean)},
          {"low", or_null(of.mean_low)},
          {"high", or_null(of.mean_high)},
          {"sd", or_null(of.sd)},
          {"sd_seed", or_null(sd_of(of.seed))},
          {"sd_seed_low", limit(of.seed, &SdEstimate::low)},
          {"sd_seed_high", limit(of.seed, &SdEstimate::high)},
          {"sd_order", or_null(sd_of(of.order))},
          {"sd_order_low", limit(of.order, &SdEstimate::low)},
          {"sd_order_high", limit(of.order, &SdEstimate::high)},
          {"order_difference", or_null(of.order_difference)},
          {"seed_difference", or_null(of.seed_difference)},
          {"pairs", of.differing.pairs},
          {"pairs_that_differ", of.differing.differing},
          {"pairs_differ_high", or_null(of.differing.high_share)},
          {"least", json_number(score.least)},
          {"greatest", json_number(score.greatest)}};
}

Json difference_json(const RunSummary& difference) {
  return {{"mean", json_number(difference.mean)}, {"greatest", json_number(difference.max)}};
}

}  // namespace

Json question_json(const TrainFinding& question) {
  const study::TrainingFacts& in = question.input;
  Json json = Json::object();
  json["config"] = record_config(in, question.request);
  json["config"]["seed"] = question.request.seed;
  json["config"]["seeds"] = question.request.seeds;
  json["input"] = {
      {"hash", in.hash},       {"nodes", in.nodes}, {"edges", in.edges},           {"features", in.features},
      {"classes", in.classes}, {"train", in.train}, {"validation", in.validation}, {"test", in.test}};
  json["kernel"] = question.launch.kernel;
  json["varies"] = question.varies;
  return json;
}

TrainFinding train_question_from(const Json& json) {
  TrainFinding question;
  const Json& config = json["config"];
  study::TrainRequest& request = question.request;
  study::TrainingFacts& in = question.input;
  in.generated = config["graph"].is_object();
  if (in.generated) {
    const Json& graph = config["graph"];
    in.communities = {.nodes = graph["nodes"].count(),
                      .classes = graph["classes"].count(),
                      .features = graph["features"].count(),
                      .degree = graph["degree"].number(),
                      .features_each = graph["features_each"].number(),
                      .own = graph["own"].number(),
                      .train_each = graph["train_each"].count(),
                      .seed = graph["seed"].count()};
  }
  request.model = {.hidden = config["hidden"].count(),
                   .dropout = config["dropout"].number(),
                   .learning_rate = config["learning_rate"].number(),
                   .weight_decay = config["weight_decay"].number()};
  request.epochs = config["epochs"].count();
  request.orders = config["orders"].count();
  request.evaluations = config["evaluations"].count();
  request.arrival = config["arrival"].text();
  request.device.name = config["gpu"].text();
  request.seed = config["seed"].count();
  request.seeds = config["seeds"].count();
  study::validate_counts(request);
  const Json& about = json["input"];
  in.hash = about["hash"].text();
  in.nodes = about["nodes"].count();
  in.edges = about["edges"].count();
  in.features = about["features"].count();
  in.classes = about["classes"].count();
  in.train = about["train"].count();
  in.validation = about["validation"].count();
  in.test = about["test"].count();
  question.launch.kernel = json["kernel"].text();
  question.varies = json["varies"] == Json(true);
  return question;
}

std::string to_json(const TrainFinding& finding) {
  Json json = json_head("train");
  Json question = question_json(finding);
  json["config"] = std::move(question["config"]);
  if (finding.partial) json["partial"] = true;
  json["input"] = std::move(question["input"]);
  json["kernel"] = finding.launch.kernel;
  Json epochs = Json::array();
  for (const TrainEpoch& epoch : finding.by_epoch) {
    Json row = Json::object();
    row["epoch"] = epoch.epoch;
    for (const NamedScore& score : kNamedScores) row[score.name] = score_json(epoch.*score.member);
    if (finding.request.orders > 1) {
      row["weights_differ"] = difference_json(epoch.weights_differ);
      row["weight_distance"] = difference_json(epoch.weight_distance);
      row["predictions_differ"] = difference_json(epoch.predictions_differ);
    }
    epochs.push_back(std::move(row));
  }
  json["epochs"] = std::move(epochs);
  Json margins = Json::array();
  for (const MarginBin& bin : finding.margins)
    margins.push_back({{"low", bin.low},
                       {"high", json_number(bin.high)},
                       {"nodes", bin.nodes},
                       {"nodes_that_change", bin.flipping},
                       {"changes", bin.flips}});
  json["inference"] = {{"evaluations", finding.request.evaluations}, {"by_margin", std::move(margins)}};
  Json seeds = Json::array();
  for (const study::SeedRecord& seed : finding.seeds) seeds.push_back(seed_json(seed));
  json["seeds"] = std::move(seeds);
  return json_document(json);
}

std::string to_csv(const TrainFinding& finding) {
  std::string csv =
      "seed,order,epoch,loss,train_accuracy,validation_accuracy,test_accuracy,weights_differ,weight_distance,"
      "predictions_differ\n";
  for (const study::SeedRecord& seed : finding.seeds)
    for (std::uint64_t order = 0; order < seed.scores.size(); ++order)
      for (std::uint64_t e = 0; e < seed.scores[order].size(); ++e) {
        const EpochScores& s = seed.scores[order][e];
        const study::RunDifference d = order == 0 ? study::RunDifference{} : seed.differences[order - 1][e];
        csv += csv_line({seed.seed, order, e + 1, s.loss, s.train_accuracy, s.validation_accuracy, s.test_accuracy,
                         d.weights, d.distance, d.predictions});
      }
  return csv;
}

}  // namespace orderlab
