#include "cli/documents.hpp"

#include "cli/listing.hpp"
#include "show/alternatives_fields.hpp"
#include "show/arrivals_fields.hpp"
#include "show/check_any_fields.hpp"
#include "show/check_difference_fields.hpp"
#include "show/check_fields.hpp"
#include "show/check_operation_fields.hpp"
#include "show/compare_fields.hpp"
#include "show/crosscheck_fields.hpp"
#include "show/enumerate_fields.hpp"
#include "show/enumerate_operation_fields.hpp"
#include "show/explain_fields.hpp"
#include "show/fit_fields.hpp"
#include "show/fit_operation_fields.hpp"
#include "show/fused_probe_fields.hpp"
#include "show/groups_fields.hpp"
#include "show/host_fields.hpp"
#include "show/infer_fields.hpp"
#include "show/infer_model_fields.hpp"
#include "show/probe_fields.hpp"
#include "show/sample_fields.hpp"
#include "show/sample_operation_fields.hpp"
#include "show/solve_fields.hpp"
#include "show/sum_operation_fields.hpp"
#include "show/tolerance_fields.hpp"
#include "show/tolerance_operation_fields.hpp"
#include "show/train_fields.hpp"
#include "show/tree_fields.hpp"
#include "show/verify_fields.hpp"
#include "show/worst_fields.hpp"
#include "sweep/export_operation_fields.hpp"

namespace orderlab::cli {

std::span<const described::Table* const> documents() {
  // clang-format off
  static constexpr const described::Table* kDocuments[] = {
      &described::kAlternativesDocument,
      &described::kArrivalsDocument,
      &described::kCheckAnyDocument,
      &described::kCheckDifferenceDocument,
      &described::kCheckDocument,
      &described::kCheckOperationDocument,
      &described::kCompareDocument,
      &described::kCrossCheckDocument,
      &described::kEnumerateDocument,
      &described::kEnumerateOperationDocument,
      &described::kExplainDocument,
      &described::kExportOperationDocument,
      &described::kFitDocument,
      &described::kFitOperationDocument,
      &described::kGroupsDocument,
      &described::kHostDocument,
      &described::kInferDocument,
      &described::kInferModelDocument,
      &kListDocument,
      &described::kProbeDocument,
      &described::kFusedProbeDocument,
      &described::kSampleDocument,
      &described::kSampleOperationDocument,
      &described::kSampleOrdersDocument,
      &described::kSolveDocument,
      &described::kSumDocument,
      &described::kSumOperationDocument,
      &described::kToleranceDocument,
      &described::kToleranceOperationDocument,
      &described::kTrainDocument,
      &described::kTreeDocument,
      &described::kVerifyDocument,
      &described::kWorstDocument,
  };
  // clang-format on
  return kDocuments;
}

}  // namespace orderlab::cli
