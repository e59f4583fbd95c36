// What a question finds of the groups of a table, field by field.
#pragma once

#include "describe/table.hpp"
#include "study/groups.hpp"

namespace orderlab::described {

extern const TableOf<study::GroupsFinding> kGroupsDocument;

}  // namespace orderlab::described
