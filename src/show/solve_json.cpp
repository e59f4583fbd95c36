#include <cmath>
#include <limits>

#include "orderlab/error.hpp"
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/solve.hpp"

namespace orderlab {

Json record_config(const study::SystemFacts& input, const study::SolveSettings& request) {
  Json config = Json::object();
  config["solver"] = request.solver;
  config["matrix"] = input.matrix.empty() ? input.file_hash : input.matrix;
  config["scale"] = input.scale;
  config["rhs"] = input.right_hash.empty() ? std::string("uniform(-1,1)") : input.right_hash;
  config["format"] = std::string(info(request.format).name);
  config["order"] = request.order;
  config["spmv"] = std::string(study::name_of(request.spmv));
  config["row_order"] = request.row_order ? Json(*request.row_order) : Json();
  config["arrival"] = request.spmv == study::RowSums::coo ? Json(request.arrival) : Json();
  config["preconditioner"] = std::string(name_of(request.preconditioner));
  config["tolerance"] = request.tolerance;
  config["max_iterations"] = request.max_iterations;
  config["restart"] = find_solver(request.solver).restarts ? Json(request.restart) : Json();
  config["seed"] = request.seed;
  config["input_seed"] = input.seed;
  return config;
}

namespace {

using study::SolveRecord;

Json spread_json(const RunSummary& over) {
  return {{"min", json_number(over.min)},        {"quantile_0.05", json_number(over.low)},
          {"median", json_number(over.median)},  {"quantile_0.95", json_number(over.high)},
          {"max", json_number(over.max)},        {"mean", json_number(over.mean)},
          {"spread", json_number(over.spread())}};
}

Json iterations_json(const study::SolveFinding& finding) {
  const auto of = [](const SolveRecord& record) { return record.converged() ? Json(record.iterations()) : Json(); };
  Json iterations{{"exact", finding.exact ? of(*finding.exact) : Json()},
                  {"launch", of(finding.launch)},
                  {"results", Json::array()}};
  for (const study::IterationCount& one : finding.iterations)
    iterations["results"].push_back({{"value", one.value}, {"count", one.count}});
  return iterations;
}

Json divergence_json(const study::SolveFinding& finding) {
  Json list = Json::array();
  for (const study::DivergencePoint& point : finding.divergence) {
    Json residual = spread_json(point.residual);
    residual["launch"] = or_null(point.launch);
    residual["exact"] = or_null(point.exact);
    Json json{{"iteration", point.iteration}, {"runs", point.runs}};
    json["residual"] = std::move(residual);
    json["iterate"] = point.iterate ? spread_json(*point.iterate) : Json();
    list.push_back(std::move(json));
  }
  return list;
}

/// How a run ended; residuals by iteration are left out.
Json end_json(const SolveRecord& record) {
  Json json = Json::object();
  json["end"] = std::string(name_of(record.end));
  json["breakdown"] = text_or_null(record.breakdown);
  json["iterations"] = record.iterations();
  json["recursive_residual"] = json_number(record.residuals.back());
  json["true_residual"] = json_number(record.true_residual);
  json["solution_distance"] = json_number(record.solution_distance);
  return json;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(json_number(number));
  return list;
}

bool is_hash(const Json& json) { return json.text().starts_with("xxh3:"); }

/// Which of these has the name.
template <class T, class NameOf>
T named(const Json& json, std::initializer_list<T> all, NameOf name_of) {
  for (const T one : all)
    if (name_of(one) == json.text()) return one;
  throw Error(ErrorKind::input, "question of a solver: it has '" + json.text() + "'");
}

/// A residual or a distance: neither is negative or NaN.
double length_from(const Json& json) {
  const double number = number_from(json);
  if (!(number >= 0)) throw Error(ErrorKind::input, "record of a solver: it has a length of " + json.dump());
  return number;
}

std::vector<double> numbers_from(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json.elements()) numbers.push_back(length_from(number));
  return numbers;
}

SolveEnd end_from(const std::string& name) {
  for (const SolveEnd end : {SolveEnd::converged, SolveEnd::max_iterations, SolveEnd::breakdown})
    if (name_of(end) == name) return end;
  throw Error(ErrorKind::input, "record of a solver: no run ends as '" + name + "'");
}

/// A run as a row.
struct RunRow {
  std::string name;
  const SolveRecord* record;
};

constexpr ColumnOf<RunRow> kRunColumns[] = {
    {"run", [](const RunRow& row) { return Value(row.name); }},
    {"end", [](const RunRow& row) { return Value(std::string(name_of(row.record->end))); }},
    {"iterations", [](const RunRow& row) { return Value(row.record->iterations()); }},
    {"recursive_residual", [](const RunRow& row) { return Value(row.record->residuals.back()); }},
    {"true_residual", [](const RunRow& row) { return Value(row.record->true_residual); }},
    {"solution_distance", [](const RunRow& row) { return Value(row.record->solution_distance); }},
    {"solution_hash", [](const RunRow& row) { return Value(row.record->solution_hash); }},
};

}  // namespace

Json question_json(const study::SolveFinding& question) {
  Json json = Json::object();
  json["config"] = record_config(question.input, question.request);
  json["config"]["samples"] = question.request.samples;
  json["input"] = {{"rows", question.input.rows},
                   {"entries", question.input.entries},
                   {"symmetric", question.input.symmetric},
                   {"hash", question.input.hash}};
  return json;
}

study::SolveFinding solve_question_from(const Json& json) {
  const Json& config = json["config"];
  study::SolveFinding question;
  study::SystemFacts& input = question.input;
  study::SolveSettings& request = question.request;
  request.solver = config["solver"].text();
  const bool restarts = find_solver(request.solver).restarts;
  (is_hash(config["matrix"]) ? input.file_hash : input.matrix) = config["matrix"].text();
  input.scale = config["scale"].number();
  if (is_hash(config["rhs"])) input.right_hash = config["rhs"].text();
  request.format = named(config["format"], {Format::fp64, Format::fp32}, [](Format f) { return info(f).name; });
  request.order = config["order"].text();
  request.spmv = named(config["spmv"], {study::RowSums::rows, study::RowSums::coo},
                       [](study::RowSums sums) { return study::name_of(sums); });
  if (!config["row_order"].is_null()) request.row_order = config["row_order"].text();
  if (request.spmv == study::RowSums::coo) request.arrival = config["arrival"].text();
  request.preconditioner = named(config["preconditioner"], {Preconditioner::none, Preconditioner::jacobi},
                                 [](Preconditioner one) { return name_of(one); });
  request.tolerance = config["tolerance"].number();
  request.max_iterations = config["max_iterations"].count();
  if (restarts) request.restart = config["restart"].count();
  request.samples = config["samples"].count();
  request.seed = config["seed"].count();
  input.seed = config["input_seed"].count();
  const Json& about = json["input"];
  input.rows = about["rows"].count();
  input.entries = about["entries"].count();
  input.symmetric = about["symmetric"] == Json(true);
  input.hash = about["hash"].text();
  return question;
}

std::string to_json(const study::SolveFinding& finding) {
  Json json = json_head("solve");
  Json question = question_json(finding);
  json["config"] = std::move(question["config"]);
  if (finding.partial) json["partial"] = true;
  json["input"] = std::move(question["input"]);
  json["samples"] = finding.samples;
  json["iterations"] = iterations_json(finding);
  json["not_converged"] = {{"runs", finding.not_converged.size()}, {"breakdowns", finding.breakdowns}};
  json["not_converged"]["samples"] = Json(finding.not_converged);
  json["launch"] = end_json(finding.launch);
  json["exact"] = finding.exact ? end_json(*finding.exact) : Json();
  json["recursive_residual"] = spread_json(finding.recursive_residual);
  json["true_residual"] = spread_json(finding.true_residual);
  json["solution_distance"] = spread_json(finding.solution_distance);
  json["distinct_solutions"] = finding.distinct_solutions;
  Json differences = Json::array();
  for (const study::FirstDifference& first : finding.first_differences)
    differences.push_back({{"threshold", first.threshold},
                           {"runs", first.runs},
                           {"iteration", first.iteration ? spread_json(*first.iteration) : Json()}});
  json["first_differences"] = std::move(differences);
  json["divergence"] = divergence_json(finding);
  return json_document(json);
}

std::string to_csv(const study::SolveFinding& finding) {
  std::vector<RunRow> rows{{"launch", &finding.launch}};
  if (finding.exact) rows.push_back({"exact", &*finding.exact});
  for (std::size_t i = 0; i < finding.runs.size(); ++i) rows.push_back({std::to_string(i), &finding.runs[i]});
  return csv_table<RunRow>(kRunColumns, rows);
}

std::string to_json(const study::SolveRecord& record) {
  Json json = Json::object();
  json["end"] = std::string(name_of(record.end));
  json["breakdown"] = record.breakdown;
  json["true_residual"] = json_number(record.true_residual);
  json["solution_distance"] = json_number(record.solution_distance);
  json["solution_hash"] = record.solution_hash;
  json["distances"] = numbers_json(record.distances);
  json["residuals"] = numbers_json(record.residuals);
  return json.dump();
}

study::SolveRecord solve_record_from(const std::string& text) {
  const Json json = Json::parse(text);
  study::SolveRecord record;
  record.end = end_from(json["end"].text());
  record.breakdown = json["breakdown"].text();
  record.true_residual = length_from(json["true_residual"]);
  record.solution_distance = length_from(json["solution_distance"]);
  record.solution_hash = json["solution_hash"].text();
  record.distances = numbers_from(json["distances"]);
  record.residuals = numbers_from(json["residuals"]);
  if (record.residuals.empty()) throw Error(ErrorKind::input, "record of a solver: it has no residuals");
  return record;
}

}  // namespace orderlab
