// What `worst` finds, field by field.
#pragma once

#include <string_view>

#include "describe/table.hpp"
#include "orderlab/study/worst.hpp"

namespace orderlab::described {

/// One of the two extremes, with the terms that it is measured by.
struct WorstRow {
  std::string_view name;
  const study::InputFacts& input;
  const study::WorstEnd& end;
};

extern const TableOf<WorstRow> kWorstRow;  ///< a row of CSV and of text
extern const TableOf<study::WorstFinding> kWorstDocument;

}  // namespace orderlab::described
