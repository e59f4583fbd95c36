// `merge --counts`: files of counts become one.
#pragma once

#include "cli/command.hpp"

namespace orderlab::cli {

inline constexpr Flag kMergedCounts{.name = "--counts",
                                    .kind = FlagKind::writes_store,
                                    .value = "OUT",
                                    .help = "in place of --db: file of counts to merge into, created if missing"};
inline constexpr Flag kComplete{
    .name = "--complete", .kind = FlagKind::toggle, .help = "exit status 1 while anything is missing, and say what"};

/// Joins the files `from` into --counts, and reports the samples as `sample` does.
int merge_counts_into(const CommandLine& line, const Flag& from, Session& session);

}  // namespace orderlab::cli
