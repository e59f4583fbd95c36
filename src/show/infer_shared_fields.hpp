// Tables that both documents of `infer` have.
#pragma once

#include "describe/table.hpp"
#include "orderlab/flips.hpp"
#include "orderlab/study/infer.hpp"

namespace orderlab::described {

extern const TableOf<study::Interval95> kInterval95;  ///< an estimate with its interval
extern const TableOf<MarginDensity> kMarginDensity;

}  // namespace orderlab::described
