// What `verify` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "show/verify.hpp"

namespace orderlab::described {

extern const TableOf<VerifyFinding> kVerifyDocument;

}  // namespace orderlab::described
