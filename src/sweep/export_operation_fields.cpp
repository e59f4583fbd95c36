#include "sweep/export_operation_fields.hpp"

#include <optional>

#include "config/point_config.hpp"
#include "core/enum_names.hpp"
#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "show/fields_json.hpp"
#include "show/operation_shared_fields.hpp"
#include "study/shared_options.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr Kind kInputNumber{
    Holds::text, R"({"anyOf": [{"$ref": "shared.json#/$defs/count"}, {"$ref": "shared.json#/$defs/hash"}]})", {}};
constexpr Kind kConfigInput{
    Holds::text, R"({"anyOf": [{"$ref": "shared.json#/$defs/hash"}, {"type": "integer", "minimum": 1}]})", {}};

Value number_or_hash(const study::OperationFacts& input) {
  return input.source_hash.empty() ? Value(input.input_number) : Value(input.source_hash);
}

constexpr Field kExportOperationConfigFields[] = {
    merged<&ExportedOperation::input>(kOperationTerms),
    value("input", kConfigInput, "Hash of the given input, or the number of the independent array of generated terms",
          [](const ExportedOperation& e) {
            const Value input = number_or_hash(e.input);
            return input == Value(std::uint64_t{0}) ? std::nullopt : std::optional(input);
          },
          {.absent = "for 0"}),
    merged<&ExportedOperation::input>(kOperationArrays),
    unit_arrival<&ExportedOperation::arrival>(),
    value<&ExportedOperation::samples_asked>("samples", k::kSome, "Number of runs to draw"),
    value<&ExportedOperation::seed>(study::kSeed, k::kCount),
    value("baseline", k::kText, "What samples are compared with, as the config says",
          [](const ExportedOperation& e) { return text_or_none(e.baseline); }, {.null = "where it does not"}),
};
constexpr TableOf<ExportedOperation> kExportOperationConfig{{.key = "config",
                                                             .title = "Operation sweep point config",
                                                             .help = kConfigSentence,
                                                             .fields = kExportOperationConfigFields}};

constexpr Field kExportOperationFields[] = {
    value<&ExportedOperation::position>("position", k::kCount, "Position of the point in the config's order, from 0"),
    value("order_text", k::kText, "The order as the config writes it",
          [](const ExportedOperation& e) { return text_or_none(e.order_text); }, {.null = "where it does not"}),
    value("arrival_text", k::kText, "The arrival model as the config writes it",
          [](const ExportedOperation& e) { return text_or_none(e.arrival_text); }, {.null = "where it does not"}),
    value("input_number", kInputNumber, "Number of the independent array of terms; the hash of a given input",
          [](const ExportedOperation& e) { return number_or_hash(e.input); }),
    group("config", kExportOperationConfig),
    merged<&ExportedOperation::input>(kOperation),
    merged<&ExportedOperation::measures>(kOperationMeasures),
};

}  // namespace

constexpr TableOf<ExportedOperation> kExportOperationDocument{
    {.key = "export_operation",
     .title = "Operation sweep point",
     .help = "One line of `orderlab export --json` of a sweep over operations: a point.",
     .fields = kExportOperationFields}};

}  // namespace orderlab::described

namespace orderlab {

namespace {

study::OperationFacts input_facts(const PointConfig& config) {
  study::OperationFacts input;
  input.device.name = config.gpu;
  input.operation = config.op;
  input.formats = config.formats;
  input.order = config.expression;
  if (config.given_terms) {
    input.source_hash = config.terms;
    input.factor_hash = config.factor.hash;
    input.index_hash = config.index.hash;
    input.self_hash = config.self.hash;
    return input;
  }
  input.distribution = config.terms;
  if (!config.shape.empty()) input.input_shape = parse_shape("shape", config.shape);
  input.ratio = read_real(config.ratio).value_or(1);
  input.input_seed = config.input_seed;
  input.input_number = config.input;
  return input;
}

}  // namespace

ExportedOperation exported_operation(const StoredRow& row, const Json& config) {
  const PointConfig point = point_config(config);
  ExportedOperation exported{row.position,       row.order_text,      row.arrival_text,
                             input_facts(point), point.arrival_model, point.asked,
                             point.seed,         point.baseline,      {}};
  read(described::kOperation, Json::parse(row.point.terms), exported.input);
  read(described::kOperationMeasures, Json::parse(row.point.metrics), exported.measures);
  return exported;
}

}  // namespace orderlab
