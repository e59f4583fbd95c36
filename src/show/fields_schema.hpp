// JSON Schemas of what tables of fields describe.
#pragma once

#include "config/json.hpp"
#include "describe/field.hpp"

namespace orderlab::described {

/// The schema of a whole document. A table that stands in it more than once is one of its definitions.
Json schema(const Table& document);

}  // namespace orderlab::described
