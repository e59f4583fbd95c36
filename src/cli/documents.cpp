#include "cli/documents.hpp"

#include "cli/listing.hpp"
#include "show/check_any_fields.hpp"
#include "show/check_fields.hpp"
#include "show/compare_fields.hpp"
#include "show/crosscheck_fields.hpp"
#include "show/probe_fields.hpp"
#include "show/tolerance_fields.hpp"
#include "show/verify_fields.hpp"
#include "show/worst_fields.hpp"

namespace orderlab::cli {

std::span<const described::Table* const> documents() {
  static constexpr const described::Table* kDocuments[] = {
      &described::kCheckAnyDocument,
      &described::kCheckDocument,
      &described::kCompareDocument,
      &described::kCrossCheckDocument,
      &kListDocument,
      &described::kProbeDocument,
      &described::kToleranceDocument,
      &described::kVerifyDocument,
      &described::kWorstDocument,
  };
  return kDocuments;
}

}  // namespace orderlab::cli
