#include "cli/documents.hpp"

#include "show/alternatives_fields.hpp"
#include "show/check_operation_fields.hpp"
#include "show/enumerate_operation_fields.hpp"
#include "show/explain_fields.hpp"
#include "show/fit_operation_fields.hpp"
#include "show/sample_operation_fields.hpp"
#include "show/tolerance_fields.hpp"
#include "show/tolerance_operation_fields.hpp"
#include "show/worst_fields.hpp"
#include "sweep/export_operation_fields.hpp"

namespace orderlab::cli {

std::span<const described::Table* const> documents() {
  static constexpr const described::Table* kDocuments[] = {
      &described::kAlternativesDocument,       &described::kCheckOperationDocument,
      &described::kEnumerateOperationDocument, &described::kExplainDocument,
      &described::kExportOperationDocument,    &described::kFitOperationDocument,
      &described::kSampleOperationDocument,    &described::kToleranceDocument,
      &described::kToleranceOperationDocument, &described::kWorstDocument,
  };
  return kDocuments;
}

}  // namespace orderlab::cli
