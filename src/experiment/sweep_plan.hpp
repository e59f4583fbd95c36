// The points of a sweep: what a config means, resolved, in a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiment/config_file.hpp"
#include "experiment/order_run.hpp"

namespace orderlab {

/// One experiment: one order on one input.
struct SweepPoint {
  InputReport input;  ///< n, formats, distribution, seed and number; what the terms tell comes when they are made
  std::shared_ptr<const Order> order;
  std::shared_ptr<const Order> baseline;  ///< null: the order's own fixed form
  std::string order_text;                 ///< as the config writes it
  std::string arrival_text;               ///< as the config writes it; empty where the order takes none
  std::uint64_t seed = 1;
  bool all_orders = false;  ///< walked, each counted once, instead of `samples` draws
  std::uint64_t samples = 1;
  std::uint64_t max_distinct = 0;
  std::string config;  ///< JSON of `sample`'s config: the same experiment has the same text
  std::string hash;    ///< "xxh3:" and 32 hex digits: XXH3-128 of bits_version and `config`

  /// How many orders are drawn: a fixed one once, all at once count as one.
  std::uint64_t draws() const { return order->random() && !all_orders ? samples : 1; }
};

struct SweepPlan {
  std::string title;
  std::string question;
  std::vector<SweepPoint> points;  ///< in the order of the product; equal ones once, where the first of them stands
};

/// The points of a config. Files that orders and arrival models name are looked for in the config's folder.
///
/// Error(input), "FILE: ...": a value that cannot be read, an order that does not fit its terms, an arrival model that
/// no order takes, no points left.
SweepPlan make_plan(const ConfigFile& config);

/// XXH3-128 of the hashes of all points in their order.
std::string plan_hash(const SweepPlan& plan);

}  // namespace orderlab
