// The fields of `arrivals`.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/arrivals.hpp"

namespace orderlab::described {

extern const TableOf<study::ArrivalsFinding> kArrivalsDocument;

}  // namespace orderlab::described
