// Enumerating an order from a command: its memory, its progress.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "orderlab/enumerate.hpp"

namespace orderlab::cli {

inline constexpr Flag kMemory{.name = "--memory",
                              .value = "BYTES",
                              .help = "memory for enumerating all orders, such as 2GiB; default: half of free memory"};

/// Of a command that enumerates where that is quick: this much will do, and being fixed it is the same on all machines.
inline constexpr Flag kQuickMemory{.name = "--memory",
                                   .value = "BYTES",
                                   .fallback = "1GiB",
                                   .help = "memory for enumerating all orders, such as 500MB or 2GiB"};

/// The value of either in bytes: "2GiB", "1e9", "2^30"; without a value, half of the free memory. Error(usage).
double memory_budget(const CommandLine& line);

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
