#include <cstring>

#include "orderlab/error.hpp"
#include "show/input_json.hpp"
#include "show/operation.hpp"

namespace orderlab {

namespace {

Json over_samples_json(const study::OverSamples& over) {
  return {{"mean", json_number(over.mean)},
          {"sd", or_null(over.sd)},
          {"min", json_number(over.min)},
          {"median", json_number(over.median)},
          {"max", json_number(over.max)}};
}

}  // namespace

Json operation_config_json(const study::OperationFacts& input) {
  Json json;
  json["op"] = input.operation;
  json["gpu"] = input.device.name;
  json["format"] = to_string(input.formats);
  if (!input.distribution.empty()) {
    json["shape"] = input.input_shape.empty() ? Json(nullptr) : Json(to_string(input.input_shape));
    json["ratio"] = json_number(input.ratio);
    json["dist"] = input.distribution;
    json["input_seed"] = input.input_seed;
    if (input.input_number != 0) json["input_number"] = input.input_number;
  } else {
    json["input"] = input.source_hash;
    if (!input.factor_hash.empty()) json["with"] = input.factor_hash;
    if (!input.index_hash.empty()) json["index"] = input.index_hash;
    if (!input.self_hash.empty()) json["self"] = input.self_hash;
  }
  if (!input.order.empty()) json["order"] = input.order;
  return json;
}

Json bins_json(const std::vector<study::OutputBin>& bins) {
  Json json = Json::array();
  for (const study::OutputBin& bin : bins)
    json.push_back({{"above", json_number(bin.low)}, {"to", json_number(bin.high)}, {"outputs", bin.outputs}});
  return json;
}

void add_operation(Json& json, const study::OperationFacts& input) {
  const Launch& launch = input.launch;
  json["op"] = input.operation;
  json["launch"] = {
      {"kernel", launch.kernel},     {"reason", launch.reason}, {"source", launch.source},
      {"addition", launch.addition}, {"unit", launch.unit},     {"threads_per_block", launch.threads_per_block},
      {"grid", launch.grid},         {"passes", launch.passes}, {"guarantee", name_of(launch.guarantee)}};
  json["shape"] = input.shape;
  json["outputs"] = input.outputs;
  json["contributions"] = input.contributions;
  json["units"] = input.units;
  json["inexact_conversions"] = input.inexact_conversions;
}

std::string to_json(const study::OperationSampleFinding& report) {
  Json json = json_head("sample");
  Json config = operation_config_json(report.input);
  config["arrival"] = text_or_null(report.arrival);
  config["samples"] = report.samples_asked;
  config["seed"] = report.seed;
  config["baseline"] = study::name_of(report.baseline);
  json["config"] = std::move(config);
  if (report.partial) json["partial"] = true;
  add_operation(json, report.input);
  json["samples"] = report.samples;
  json["baseline"] = study::name_of(report.baseline);
  json["can_vary"] = json_number(static_cast<double>(report.varying) / static_cast<double>(report.input.outputs));
  Json vc = over_samples_json(report.vc);
  vc["exact_expectation"] = or_null(report.vc_expected);
  json["vc"] = std::move(vc);
  json["vc_by_value"] = over_samples_json(report.vc_values);
  json["vc_of_order"] = over_samples_json(report.vc_order);
  json["method_offset"] = {{"vc", json_number(report.offset_vc)},
                           {"vermv_robust", json_number(report.offset.vermv_robust)},
                           {"max_ulp", json_number(report.offset.largest_difference)}};
  json["vermv"] = {{"paper", over_samples_json(report.vermv_paper)},
                   {"code", over_samples_json(report.vermv_code)},
                   {"robust", over_samples_json(report.vermv_robust)}};
  json["max_ulp"] = over_samples_json(report.largest_difference);
  json["max_error_ulp"] = over_samples_json(report.largest_error);
  json["distinct"] = report.distinct;
  json["unseen_mass"] = json_number(report.unseen_mass);
  json["nonfinite_exact"] = report.nonfinite_exact;
  json["outputs_by_frequency"] = bins_json(report.by_frequency);
  json["outputs_by_movement_ulp"] = bins_json(report.by_movement);
  return json_document(json);
}

std::string to_npy(const study::OperationSampleFinding& report) {
  const OutputSums& sums = *report.sums;
  const auto launch = sums.launch().bytes();
  const std::size_t each = launch.size() / sums.launch().size();
  std::vector<std::byte> all;
  all.reserve(launch.size() * report.results.size());
  for (const std::vector<std::byte>& sample : report.results) {
    const std::size_t begin = all.size();
    all.insert(all.end(), launch.begin(), launch.end());
    for (std::size_t i = 0; i < sums.varying().size(); ++i)
      std::memcpy(all.data() + begin + sums.varying()[i] * each, sample.data() + i * each, each);
  }
  Shape shape = report.input.shape;
  shape.insert(shape.begin(), report.results.size());
  return npy_bytes(sums.result_format(), shape, all);
}

}  // namespace orderlab
