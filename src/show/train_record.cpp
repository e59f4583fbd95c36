// Records of training as JSON.
#include <cmath>

#include "orderlab/error.hpp"
#include "show/input_json.hpp"
#include "show/train.hpp"
#include "show/train_json.hpp"

namespace orderlab {

namespace {

using study::MarginBin;
using study::RunDifference;
using study::SeedRecord;

struct ScoreField {
  std::string_view name;
  double EpochScores::*member;
};
constexpr ScoreField kScores[] = {{"loss", &EpochScores::loss},
                                  {"train_accuracy", &EpochScores::train_accuracy},
                                  {"validation_accuracy", &EpochScores::validation_accuracy},
                                  {"test_accuracy", &EpochScores::test_accuracy}};

struct DifferenceField {
  std::string_view name;
  double RunDifference::*member;
};
constexpr DifferenceField kDifferences[] = {{"weights_differ", &RunDifference::weights},
                                            {"weight_distance", &RunDifference::distance},
                                            {"predictions_differ", &RunDifference::predictions}};

/// One member of each element of each list.
template <class T>
Json member_of_all(const std::vector<std::vector<T>>& lists, double T::*member) {
  Json json = Json::array();
  for (const std::vector<T>& list : lists) {
    Json numbers = Json::array();
    for (const T& element : list) numbers.push_back(json_number(element.*member));
    json.push_back(std::move(numbers));
  }
  return json;
}

/// Training ends where one is not finite.
double score_from(const Json& json) {
  const double score = number_from(json);
  if (!std::isfinite(score)) throw Error(ErrorKind::input, "record of training: it has a score of " + json.dump());
  return score;
}

template <class T>
void read_member_of_all(const Json& json, std::vector<std::vector<T>>& lists, double T::*member) {
  lists.resize(json.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lists[i].resize(json.at(i).size());
    for (std::size_t k = 0; k < lists[i].size(); ++k) lists[i][k].*member = score_from(json.at(i).at(k));
  }
}

}  // namespace

Json seed_json(const SeedRecord& record) {
  Json json = Json::object();
  json["seed"] = record.seed;
  for (const ScoreField& field : kScores) json[field.name] = member_of_all(record.scores, field.member);
  for (const DifferenceField& field : kDifferences) json[field.name] = member_of_all(record.differences, field.member);
  Json margins = Json::array();
  for (const MarginBin& bin : record.margins) margins.push_back(Json::array({bin.nodes, bin.flipping, bin.flips}));
  json["margins"] = std::move(margins);
  return json;
}

std::string record_text(const SeedRecord& record) { return seed_json(record).dump(); }

SeedRecord seed_record(std::string_view text) {
  const Json json = Json::parse(text);
  SeedRecord record;
  record.seed = json["seed"].count();
  for (const ScoreField& field : kScores) read_member_of_all(json[field.name], record.scores, field.member);
  for (const DifferenceField& field : kDifferences)
    read_member_of_all(json[field.name], record.differences, field.member);
  const std::vector<double> limits = study::margin_limits();
  const Json& margins = json["margins"];
  if (margins.size() != limits.size()) throw Error(ErrorKind::input, "record of training: other margins");
  for (std::size_t i = 0; i < limits.size(); ++i)
    record.margins.push_back({i == 0 ? 0 : limits[i - 1], limits[i], margins.at(i).at(0).count(),
                              margins.at(i).at(1).count(), margins.at(i).at(2).count()});
  return record;
}

}  // namespace orderlab
