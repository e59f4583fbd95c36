// Enumerating an order from a command: its memory, its progress.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "orderlab/enumerate.hpp"

namespace orderlab::cli {

/// Adds --memory BYTES to `app`, to be read by memory_budget.
void add_memory_option(CLI::App& app, std::string& memory);

/// "2GiB", "1.5e9", "2^30" in bytes; half of what is free where the text is empty. Error(usage).
double memory_budget(const std::string& text);

/// Enumerates with a progress bar; empty after an interrupt. Errors as enumerate.
std::optional<Enumeration> enumerate_orders(Session& session, const OrderSpace& space, double memory_bytes, int threads,
                                            bool progress);

}  // namespace orderlab::cli
