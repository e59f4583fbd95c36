// `merge --counts`: files of counts become one.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace orderlab::cli {

/// Joins the files `from` into `to`, and reports the samples as `sample` does, by the flags of the line. With
/// `complete`, status 1 while samples are missing, which are then named, and files may be absent or empty.
int merge_counts_into(const std::string& to, const std::vector<std::string>& from, bool complete,
                      const CommandLine& line, Session& session);

}  // namespace orderlab::cli
