// How an order that `worst` found is replayed.
#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "orderlab/order.hpp"

namespace orderlab::cli {

/// The command that sums in the order stored in `file`, ready to be pasted into a shell. `shuffled`: the order that was
/// searched.
std::string replay_command(const Order& shuffled, const CommandLine& line, const std::string& file);

}  // namespace orderlab::cli
