#include "cli/documents.hpp"

#include "show/fit_fields.hpp"
#include "show/solve_fields.hpp"
#include "show/tolerance_fields.hpp"
#include "show/train_fields.hpp"
#include "show/worst_fields.hpp"

namespace orderlab::cli {

std::span<const described::Table* const> documents() {
  static constexpr const described::Table* kDocuments[] = {
      &described::kFitDocument,
      &described::kSolveDocument,
      &described::kToleranceDocument,
      &described::kTrainDocument,
      &described::kWorstDocument,
  };
  return kDocuments;
}

}  // namespace orderlab::cli
