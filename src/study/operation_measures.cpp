// The table of what samples of an operation are found to do.
#include "orderlab/study/operation.hpp"

namespace orderlab::study {

namespace {

using M = OperationMeasures;

constexpr Field kRunSummaryFields[] = {
    field<&RunSummary::mean>("mean"),     field<&RunSummary::sd>("sd"),   field<&RunSummary::min>("min"),
    field<&RunSummary::median>("median"), field<&RunSummary::max>("max"),
};
constexpr Field kVcFields[] = {
    field_of<&M::vc, &RunSummary::mean>("mean"), field_of<&M::vc, &RunSummary::sd>("sd"),
    field_of<&M::vc, &RunSummary::min>("min"),   field_of<&M::vc, &RunSummary::median>("median"),
    field_of<&M::vc, &RunSummary::max>("max"),   field<&M::vc_expected>("exact_expectation"),
};
constexpr Field kOffsetFields[] = {
    field<&M::offset_vc>("vc"),
    field_of<&M::offset, &OutputDifferences::vermv_robust>("vermv_robust"),
    field_of<&M::offset, &OutputDifferences::largest_difference>("max_ulp"),
};
constexpr Field kVermvFields[] = {
    group<&M::vermv_paper>("paper", kRunSummaryFields),
    group<&M::vermv_code>("code", kRunSummaryFields),
    group<&M::vermv_robust>("robust", kRunSummaryFields),
};
constexpr Field kBaselineField{
    .name = "baseline",
    .member = &kMember<&M::baseline>,
    .get = [](const void* object) -> std::optional<Value> {
      return Value(std::string(name_of(static_cast<const M*>(object)->baseline)));
    },
    .set =
        [](void* object, const Value& value) {
          const auto* name = std::get_if<std::string>(&value);
          if (name != nullptr) static_cast<M*>(object)->baseline = output_baseline_of(*name);
          return name != nullptr;
        },
};
constexpr Field kMeasureFields[] = {
    field<&M::samples>("samples"),
    kBaselineField,
    field<&M::can_vary>("can_vary"),
    nested("vc", kVcFields),
    group<&M::vc_values>("vc_by_value", kRunSummaryFields),
    group<&M::vc_order>("vc_of_order", kRunSummaryFields),
    nested("method_offset", kOffsetFields),
    nested("vermv", kVermvFields),
    group<&M::largest_difference>("max_ulp", kRunSummaryFields),
    group<&M::largest_error>("max_error_ulp", kRunSummaryFields),
    field<&M::distinct>("distinct"),
    field<&M::unseen_mass>("unseen_mass"),
    field<&M::nonfinite_exact>("nonfinite_exact"),
};

}  // namespace

std::span<const Field> operation_measure_fields() { return kMeasureFields; }

}  // namespace orderlab::study
