// What `sample` and `sum` find, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::described {

extern const TableOf<study::SampleFinding> kSampleDocument;        ///< one order
extern const TableOf<study::SampleFinding> kSampleOrdersDocument;  ///< several
extern const TableOf<study::SampleFinding> kSumDocument;

}  // namespace orderlab::described
