// Sweeps over a command whose runs are kept in a store, and reports of them.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "sweep/program_config.hpp"

namespace orderlab::cli {

/// Asks the command for every point of the config, and keeps its runs in the store. Returns the exit status.
int sweep_program(const ProgramConfig& config, const CommandLine& line, const Flag& store, Session& session);

/// The points of the config with their arguments, for --dry-run.
std::string program_plan_text(const ProgramConfig& config, Session& session);

/// The answers of a store of records as one page.
std::string recorded_page(const std::string& store, Session& session, bool quiet);

}  // namespace orderlab::cli
