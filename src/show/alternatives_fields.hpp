// What `alternatives` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "orderlab/study/alternatives.hpp"

namespace orderlab::described {

extern const TableOf<study::AlternativesFinding> kAlternativesDocument;

}  // namespace orderlab::described
