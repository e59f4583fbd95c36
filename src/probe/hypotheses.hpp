// Orders that an unknown sum may have: the named orders and further pipelines that libraries use.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

/// A fixed order, and others with the same tree for this number of terms.
struct Hypothesis : WrittenOrder {
  std::vector<WrittenOrder> also;
};

/// A fixed order that programs add in, with its steps.
struct KnownOrder : WrittenOrder {
  OrderDevice device = OrderDevice::any;
  std::vector<Steps> stages = {};
  bool idles = false;  ///< a stage adds nothing: another way to write an order without it
};

/// All fixed orders that are valid for n terms as `hypotheses` lists them, in its order; several may add the same tree.
/// Empty when stopped. Errors: usage for no terms.
std::vector<KnownOrder> known_orders(std::size_t n, bool products, Format accumulate, const Loop& loop = serial_loop,
                                     const std::stop_token& stop = {});

/// Fixed orders that are valid for n terms (`products`: x*y) added in the format `accumulate`, the best known first:
/// common ones, the named orders with their defaults, pipelines without a name, named orders with other arguments, and
/// last the random named orders with arrivals in launch order. Of those that add the same tree (order_key) the first
/// has the others with it. Several are looked at at once where the loop does so; when stopped, the list is empty.
///
/// Errors: usage for no terms.
/// Cost:   about 1000 orders are tried, 16 n bytes for each of those that are looked at side by side.
std::vector<Hypothesis> hypotheses(std::size_t n, bool products, Format accumulate, const Loop& loop = serial_loop,
                                   const std::stop_token& stop = {});

/// The same, made once for the last few n, formats and kinds of terms: probes ask for them again and again. Null when
/// stopped. On any thread.
std::shared_ptr<const std::vector<Hypothesis>> remembered_hypotheses(std::size_t n, bool products, Format accumulate,
                                                                     const Loop& loop, const std::stop_token& stop);

/// Orders of n terms that compensate in parts and add these plainly. They are no hypotheses of check.
std::vector<std::string> partly_compensated(std::size_t n);

}  // namespace orderlab
