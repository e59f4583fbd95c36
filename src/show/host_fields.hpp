// What `host` finds, field by field.
#pragma once

#include "describe/table.hpp"
#include "show/host.hpp"

namespace orderlab::described {

extern const TableOf<HostFinding> kHostDocument;

}  // namespace orderlab::described
