// orderlab sweep --status: what is done of a sweep, by shard.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "sweep/sweep_plan.hpp"

namespace orderlab::cli {

/// Prints what the stores have and what to run for the rest. `stores`: one, or its name with {shard}; `plan`, of the
/// file `config`, may be null. The exit status: kExitNo where something is missing.
int show_sweep_status(const std::string& stores, const std::string& config, const SweepPlan* plan, bool quiet,
                      Session& session);

}  // namespace orderlab::cli
