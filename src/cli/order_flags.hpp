// ORDER: the orders that a command works on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/file_table.hpp"
#include "cli/listing.hpp"
#include "orderlab/order.hpp"

namespace orderlab::cli {

/// For commands of one order.
inline constexpr Flag kOrder{.name = "--order",
                             .value = "ORDER",
                             .help = "named order or expression, see `orderlab list orders`; `check` takes any too",
                             .group = "Order",
                             .names = [] { return names_in("orders"); }};

/// For commands that compare several.
inline constexpr Flag kOrders{.name = "--order",
                              .value = "ORDER",
                              .help = "named order or expression; several are compared",
                              .group = "Order",
                              .repeats = true,
                              .names = [] { return names_in("orders"); }};

inline constexpr Flag kArrival{.name = "--arrival",
                               .value = "MODEL",
                               .help = "arrival model of every `arrive` that is written without one; default: uniform",
                               .group = "Order",
                               .names = [] { return names_in("arrivals"); }};

inline constexpr Flag kBaseline{
    .name = "--baseline",
    .value = "ORDER",
    .help =
        "fixed order that Vs compares with; default: same order, arrivals in launch order; of an operation: "
        "deterministic, launch, exact or run",
    .names = [] { return names_in("orders"); }};

/// The order of kOrder and kArrival; as for all orders here, the table gets to know the files that it names.
/// Error(usage) where none is given, or --arrival has no `arrive` to go to.
Order order_of(const CommandLine& line, FileTable& files);

/// The orders of kOrders; --arrival goes to every one that can take it, and it is an error when none can.
std::vector<Order> orders_of(const CommandLine& line, FileTable& files);

/// --baseline, where it is given.
std::optional<Order> baseline_of(const CommandLine& line, FileTable& files);

/// Error(usage) where the order cannot add `--n` terms: before they are made. Nothing where only the input tells n.
void check_order(const Order& order, const CommandLine& line);

}  // namespace orderlab::cli
