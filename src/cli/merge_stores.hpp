// `merge --db`: the stores of shards become one.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace orderlab::cli {

/// Joins the stores `from` into `to`. With `complete`, status 1 while points are missing, which are then named.
int merge_stores_into(const std::string& to, const std::vector<std::string>& from, bool complete, bool quiet,
                      Session& session);

}  // namespace orderlab::cli
