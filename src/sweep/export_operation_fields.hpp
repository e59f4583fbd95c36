// A point of a sweep over operations, field by field.
#pragma once

#include <cstdint>
#include <string>

#include "config/json.hpp"
#include "describe/table.hpp"
#include "orderlab/study/operation.hpp"
#include "sweep/store.hpp"

namespace orderlab {

/// A point as its row has it.
struct ExportedOperation {
  std::uint64_t position = 0;
  std::string order_text;
  std::string arrival_text;
  study::OperationFacts input;
  std::string arrival;
  std::uint64_t samples_asked = 0;
  std::uint64_t seed = 0;
  std::string baseline;  ///< as the config says; empty: it does not
  study::OperationMeasures measures;
};

/// Error(input) for a value of another type.
ExportedOperation exported_operation(const StoredRow& row, const Json& config);

namespace described {

extern const TableOf<ExportedOperation> kExportOperationDocument;

}  // namespace described

}  // namespace orderlab
