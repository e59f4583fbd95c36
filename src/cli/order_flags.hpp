// ORDER: the orders that a command works on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/file_table.hpp"
#include "orderlab/order.hpp"
#include "orderlab/tolerance.hpp"
#include "study/input_options.hpp"

namespace orderlab::cli {

using study::kAgainstFormat;
using study::kArrival;
using study::kBaseline;
using study::kOrder;
using study::kOrders;

/// The order of kOrder and kArrival; as for all orders here, the table gets to know the files that it names.
/// Error(usage) where none is given, or --arrival has no `arrive` to go to. `against` names another order, or is null:
/// where that takes --arrival, the first one need not.
Order order_of(const CommandLine& line, FileTable& files, const Flag* against = nullptr);

/// The orders of kOrders; --arrival goes to every one that can take it, and it is an error when none can.
std::vector<Order> orders_of(const CommandLine& line, FileTable& files);

/// --baseline, where it is given.
std::optional<Order> baseline_of(const CommandLine& line, FileTable& files);

/// The order of `against`, in the formats of --against-format; --arrival goes to it, too, where it takes one. `words`: what
/// the flag takes in place of an order, for the error that names the nearest. Errors: as order_of and check_order.
OtherOrder other_order_of(const CommandLine& line, const Flag& against, FileTable& files,
                          std::span<const std::string> words = {});

/// Error(usage) where --against-format is given, to be called where no order is compared with.
void refuse_formats_alone(const CommandLine& line);

/// Error(usage) where the order cannot add `--n` terms: before they are made. Nothing where only the input tells n.
void check_order(const Order& order, const CommandLine& line);

}  // namespace orderlab::cli
