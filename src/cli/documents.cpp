#include "cli/documents.hpp"

#include "show/enumerate_fields.hpp"
#include "show/sample_fields.hpp"
#include "show/tolerance_fields.hpp"
#include "show/tree_fields.hpp"
#include "show/worst_fields.hpp"

namespace orderlab::cli {

std::span<const described::Table* const> documents() {
  static constexpr const described::Table* kDocuments[] = {
      &described::kEnumerateDocument,
      &described::kSampleDocument,
      &described::kSampleOrdersDocument,
      &described::kSumDocument,
      &described::kToleranceDocument,
      &described::kTreeDocument,
      &described::kWorstDocument,
  };
  return kDocuments;
}

}  // namespace orderlab::cli
