// What commands of terms and orders share.
#pragma once

#include <optional>

#include "cli/command.hpp"
#include "cli/input_flags.hpp"
#include "cli/order_flags.hpp"
#include "cli/output_options.hpp"

namespace orderlab::cli {

inline constexpr Flag kThreads{.name = "--threads",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .fallback = "0",
                               .help = "threads, 0 for all; the results never depend on it"};

inline constexpr Flag kMemory{.name = "--memory",
                              .value = "BYTES",
                              .help = "memory for enumerating all orders, such as 2GiB; default: half of free memory"};

/// Of a command that enumerates where that is quick: this much will do, and being fixed it is the same on all machines.
inline constexpr Flag kQuickMemory{.name = "--memory",
                                   .value = "BYTES",
                                   .fallback = "1GiB",
                                   .help = "memory for enumerating all orders, such as 500MB or 2GiB"};

/// The flags of a command that works on terms and one order.
inline constexpr auto kOneOrderFlags = joined(kInputFlags, std::array{&kOrder, &kArrival, &kThreads}, kOutputFlags);

/// More samples than this are drawn only if the user gives their number.
inline constexpr std::uint64_t kMostSamples = 1'000'000'000;

/// --threads N: 0 is all.
int threads_of(const CommandLine& line);

/// The value of kMemory in bytes: "2GiB", "1e9", "2^30"; empty where it was left out. Error(usage).
std::optional<double> memory_of(const CommandLine& line);

/// The value of kQuickMemory in bytes.
double quick_memory_of(const CommandLine& line);

/// Says that nothing was found yet: "orderlab: check: interrupted before any verdict". Returns kInterrupted.
int interrupted(Session& session, std::string_view command, std::string_view before);

}  // namespace orderlab::cli
