// The options that many questions have.
#pragma once

#include <string>

#include "describe/option.hpp"
#include "orderlab/order.hpp"

namespace orderlab::study {

/// The seed of a question that draws other things than terms and orders.
consteval Flag seed_flag(std::string_view help, std::string_view config_help = {}) {
  return {.key = "seed", .kind = FlagKind::count, .value = "COUNT", .help = help, .config_help = config_help};
}

inline constexpr Flag kSeed{.key = "seed",
                            .kind = FlagKind::count,
                            .value = "COUNT",
                            .fallback = "1",
                            .help = "seed of terms and orders",
                            .config_help = "Seed of everything that is drawn but the terms",
                            .group = "Input"};

inline constexpr Flag kThreads{.key = "threads",
                               .kind = FlagKind::count,
                               .value = "COUNT",
                               .fallback = "0",
                               .help = "threads, 0 for all; the results never depend on it",
                               .speed_only = true,
                               .high = 4096};

inline constexpr std::string_view kMemoryConfigHelp =
    "Memory that enumerating all orders may take, in bytes. It decides between all orders and samples";

inline constexpr Flag kMemory{.key = "memory",
                              .value = "BYTES",
                              .help = "memory for enumerating all orders, such as 2GiB; default: half of free memory",
                              .config_help = kMemoryConfigHelp};

/// For questions that enumerate where that is quick: this much will do, and being fixed it is the same on all machines.
inline constexpr Flag kQuickMemory{.key = "memory",
                                   .value = "BYTES",
                                   .help = "memory for enumerating all orders, such as 500MB or 2GiB",
                                   .config_help = kMemoryConfigHelp};

/// "2GiB", "500MB", "1e9", "2^30" in bytes. Error(usage).
double read_bytes(const Flag& flag, const std::string& text);

/// The inverse.
std::string bytes_text(const Flag& flag, double bytes);

/// Memory in bytes.
template <auto member>
consteval Option memory_option(const Flag& flag) {
  return option<member, read_bytes, bytes_text>(flag);
}

/// A request that cannot do without an order, which comes first in it.
template <class T>
const void* with_an_order() {
  static const T kRequest{parse_order("seq")};
  return &kRequest;
}

/// The most samples of an operation: a record of each is kept, and a count of each output has 32 bits.
inline constexpr double kMostOperationSamples = 10'000'000;

}  // namespace orderlab::study
