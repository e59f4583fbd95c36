// JSON Schemas of what tables of fields describe.
#pragma once

#include <span>

#include "config/json.hpp"
#include "describe/table.hpp"

namespace orderlab::described {

/// The schema of a whole document. A table that stands in it more than once is one of its definitions.
Json schema(const Table& document);

/// Adds to the definitions of shared.json those of the shared tables that the documents have, but for those that are
/// there already.
void add_shared(Json& definitions, std::span<const Table* const> documents);

}  // namespace orderlab::described
