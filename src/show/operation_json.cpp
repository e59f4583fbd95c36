#include <cstring>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "show/input_json.hpp"
#include "show/operation.hpp"

namespace orderlab {

namespace {

PointConfig config_of_input(const study::OperationFacts& input) {
  PointConfig config;
  config.op = input.operation;
  config.gpu = input.device.name;
  config.formats = input.formats;
  config.given_terms = input.distribution.empty();
  if (!config.given_terms) {
    config.terms = input.distribution;
    config.shape = input.input_shape.empty() ? std::string() : to_string(input.input_shape);
    config.ratio = shortest(input.ratio);
    config.input_seed = input.input_seed;
    config.input = input.input_number;
  } else {
    config.terms = input.source_hash;
    config.factor.hash = input.factor_hash;
    config.index.hash = input.index_hash;
    config.self.hash = input.self_hash;
  }
  config.expression = input.order;
  return config;
}

}  // namespace

PointConfig operation_config(const study::OperationSampleFinding& finding) {
  PointConfig config = config_of_input(finding.input);
  config.arrival_model = finding.arrival;
  config.asked = finding.samples_asked;
  config.seed = finding.seed;
  config.baseline = study::name_of(finding.baseline);
  return config;
}

Json operation_config_json(const study::OperationFacts& input) {
  std::vector<const Axis*> axes;
  for (const Axis* axis : axes_in_operation_json())
    if (axis == &axes::kOp || axis == &axes::kGpu || (axis->part != AxisPart::sampling && axis != &axes::kArrival))
      axes.push_back(axis);
  const PointConfig config = config_of_input(input);
  return config_json({&config, 1}, axes);
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

Json operation_measures_json(const study::OperationMeasures& measures) {
  return fields_json(&measures, study::operation_measure_fields());
}

std::string to_json(const study::OperationSampleFinding& finding) {
  Json json = json_head("sample");
  json["config"] = config_json(operation_config(finding));
  if (finding.partial) json["partial"] = true;
  add_operation(json, finding.input);
  json.update(operation_measures_json(finding));
  json["outputs_by_frequency"] = bins_json(finding.by_frequency);
  json["outputs_by_movement_ulp"] = bins_json(finding.by_movement);
  Json parts = Json::array();
  for (const study::OutputPart& part : finding.by_place)
    parts.push_back({{"first", part.first},
                     {"outputs", part.outputs},
                     {"vc", json_number(part.vc)},
                     {"median_movement_ulp", json_number(part.movement)}});
  json["outputs_by_place"] = std::move(parts);
  const auto& first = finding.first_different;
  json["first_different"] = first ? Json{{"min", first->min}, {"median", first->median}, {"max", first->max}} : Json();
  return json_document(json);
}

std::string to_npy(const study::OperationSampleFinding& finding) {
  const OutputSums& sums = *finding.sums;
  const auto launch = sums.launch().bytes();
  const std::size_t each = launch.size() / sums.launch().size();
  std::vector<std::byte> all;
  all.reserve(launch.size() * finding.results.size());
  for (const std::vector<std::byte>& sample : finding.results) {
    const std::size_t begin = all.size();
    all.insert(all.end(), launch.begin(), launch.end());
    for (std::size_t i = 0; i < sums.varying().size(); ++i)
      std::memcpy(all.data() + begin + sums.varying()[i] * each, sample.data() + i * each, each);
  }
  Shape shape = finding.input.shape;
  shape.insert(shape.begin(), finding.results.size());
  return npy_bytes(sums.result_format(), shape, all);
}

}  // namespace orderlab
