// Rows that an order of the user's adds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/operation.hpp"

namespace orderlab {

/// TensorOperation::freedom where the order is named: OrderFreedom::named.
inline constexpr std::string_view kFreedomOfNamedOrder = "every arrival order of the order named by --order";

/// Makes `rows`, all of n terms, the operation's, each added by the order. `initial` starts each accumulator where the
/// order ends with one that adds in turn; else it is added to the sum last.
///
/// An order of which `arrive` is the first and only random stage gets one unit for each of its m partial sums, unit
/// r m + j for partial sum j of row r: the grid of one launch. Any other random order draws for each row by itself.
///
/// Errors: usage for an order that cannot add the terms; unsupported for 2^31 units and more.
void add_by_order(LoweredOperation& operation, const std::vector<TermRows>& rows, const Order& order,
                  std::optional<Terms> initial);

/// Makes the plans that add the rows of operation.terms, of any lengths, each by itself: nothing arrives, and an
/// order's own `arrive` draws for each row. Of any other random stages the rows of one length share what is drawn.
///
/// Errors: usage for an order that cannot add rows of one of the lengths.
void add_by_plans(LoweredOperation& operation, const Order& order);

/// How partial sums that `splits` thread blocks have of each output are added: by a fixed order, or by one of which
/// `arrive` is the first and only random stage. Sets operation.addition and operation.arrival.
///
/// Errors: usage for another order.
void add_splits(LoweredOperation& operation, const std::string& name, const Order& order, std::size_t splits,
                bool has_initial);

/// How the stages of `order` from `first` on add m partial sums of formats.accumulate: in turn, or by a tail.
OutputAddition addition_of(const Order& order, std::size_t first, std::size_t m, const Formats& formats,
                           bool has_initial);

/// What an order says of its launch, where the kernel is the user's.
Launch launch_by_order(const Order& order);

/// Formats of a library's kernel, which adds 16-bit terms in fp32, where they ask for sums in the terms' format.
inline Formats with_kernel_sums(Formats formats) {
  if (formats.accumulate == formats.terms && info(formats.terms).bits == 16) formats.accumulate = Format::fp32;
  return formats;
}

}  // namespace orderlab
