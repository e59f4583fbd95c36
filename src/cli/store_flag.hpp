// The store that a command reads.
#pragma once

#include "cli/command_line.hpp"
#include "describe/flag.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

inline constexpr Flag kStore{.key = "store",
                             .positional = true,
                             .kind = FlagKind::reads_store,
                             .value = "FILE",
                             .help = "store of a sweep",
                             .required = true};

/// Error(usage) unless one is named.
inline void require_store(const CommandLine& line) {
  if (!line.has(kStore)) throw Error(ErrorKind::usage, "no store: give the file of a sweep, such as quick.sqlite");
}

}  // namespace orderlab::cli
