// Enumerating an order from a command: its memory, its progress.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "orderlab/enumerate.hpp"

namespace orderlab::cli {

/// Where a command enumerates if that is quick, this much memory will do; being fixed, it is the same on all machines.
inline constexpr std::string_view kQuickMemory = "1GiB";

/// Adds --memory BYTES to `app`, to be read by memory_budget; shows what `memory` holds as the default.
void add_memory_option(CLI::App& app, std::string& memory);

/// "2GiB", "1e9", "2^30" in bytes; half of what is free where the text is empty. Error(usage).
double memory_budget(const std::string& text);

/// Enumerates with a progress bar; empty after an interrupt. Errors as enumerate.
std::optional<Enumeration> enumerate_orders(Session& session, const OrderSpace& space, double memory_bytes, int threads,
                                            bool progress);

/// All results of an order that is quick to enumerate.
struct QuickEnumeration {
  std::optional<Enumeration> all;  ///< empty also after an interrupt
  std::string note;                ///< why not, where it was tried
};
QuickEnumeration enumerate_if_quick(Session& session, const Evaluator& evaluator, double memory_bytes, int threads,
                                    bool progress);

}  // namespace orderlab::cli
