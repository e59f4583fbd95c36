// What commands of terms and orders share.
#pragma once

#include <optional>

#include "cli/command.hpp"
#include "cli/input_flags.hpp"
#include "cli/order_flags.hpp"
#include "cli/output_options.hpp"
#include "study/shared_options.hpp"

namespace orderlab::cli {

using study::kMemory;
using study::kQuickMemory;
using study::kThreads;

/// The flags of a command that works on terms and one order.
inline constexpr auto kOneOrderFlags = joined(kInputFlags, std::array{&kOrder, &kArrival, &kThreads}, kOutputFlags);

/// --threads N: 0 is all.
int threads_of(const CommandLine& line);

/// Says that nothing was found yet: "orderlab: check: interrupted before any verdict". Returns kInterrupted.
int interrupted(Session& session, std::string_view command, std::string_view before);

}  // namespace orderlab::cli
