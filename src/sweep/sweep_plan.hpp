// The points of a sweep: what a config means, in a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "config/point_config.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/order.hpp"
#include "study/order_run.hpp"
#include "sweep/config_file.hpp"
#include "sweep/content_hash.hpp"

namespace orderlab {

class SweepAxes;

/// An operation with many outputs, before its inputs are drawn.
struct PlannedOperation {
  OperationCall call;
  Device device;
  std::optional<ArrivalCall> arrival;            ///< arrival model of its units; empty where its order has one
  std::shared_ptr<const OperationInputs> given;  ///< inputs from files; null: they are generated
};

/// What is drawn for a point that is an operation.
GeneratedInputs generated_inputs_of(const PointConfig& config);

/// One order on one input, or one operation.
struct SweepPoint {
  PointConfig config;
  std::shared_ptr<const Order> order;                 ///< for an operation, the order of its rows; null: its own
  std::shared_ptr<const Order> baseline;              ///< null: the order's own fixed form
  std::shared_ptr<const PlannedOperation> operation;  ///< null: a sum
  std::shared_ptr<const Terms> terms = {};            ///< of a sum, from a file; null: they are generated

  /// How many orders are drawn: a fixed one once, all at once count as one.
  std::uint64_t draws() const {
    return operation != nullptr || (order->random() && !config.all_orders) ? config.asked : 1;
  }

  /// JSON of `sample`'s config: the same sampling has the same text.
  std::string config_text() const { return config_json(config).dump(); }

  /// Hash of bits_version and config_text().
  ContentHash hash() const;
};

/// What a plan says of a point without working it out.
struct PlannedPoint {
  ContentHash hash;
  std::string_view order_text;    ///< these two as the config writes them; empty for an operation's own order
  std::string_view arrival_text;  ///< empty where the order takes none
};

/// A list of points that are computed on demand: a plan of millions keeps 24 bytes for each.
class SweepPoints {
 public:
  SweepPoints();
  ~SweepPoints();
  SweepPoints(SweepPoints&&) noexcept;
  SweepPoints& operator=(SweepPoints&&) noexcept;

  std::size_t size() const { return points_.size(); }
  SweepPoint operator[](std::size_t i) const;
  PlannedPoint planned(std::size_t i) const;
  const ContentHash& hash(std::size_t i) const { return points_[i].hash; }

 private:
  friend class SweepPlanner;
  struct Place {
    ContentHash hash;
    std::uint64_t product = 0;  ///< where the product of the axes has it
  };
  std::unique_ptr<const SweepAxes> axes_;
  std::vector<Place> points_;
};

struct SweepPlan {
  std::string title;
  std::string question;
  PublishedPoints published;
  bool has_operations = false;
  SweepPoints points;  ///< in the order of the product; equal ones once, where the first of them stands
};

/// Most points that a product of axes may have, excluded ones included. Planning ten million takes a minute or so and
/// half a gigabyte, and running them, at 0.3 ms each at least, most of an hour: whoever asks for more has slipped.
inline constexpr std::uint64_t kMostPoints = 10'000'000;

struct PlanOptions {
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// The points of a config; empty when stopped. Files that orders and arrival models name are looked for in the config's
/// folder.
///
/// Error(input), "FILE: ...": a value that cannot be read, an order that does not fit its terms, an arrival model that
/// no order takes, more than kMostPoints, no points left.
std::optional<SweepPlan> make_plan(ConfigFile config, const PlanOptions& options);
SweepPlan make_plan(ConfigFile config);

/// Hash of the hashes, orders and arrivals of all points in their order.
ContentHash plan_hash(const SweepPlan& plan);

/// Adds one point to what plan_hash hashes.
void add_to_plan_hash(ContentHasher& hasher, std::string_view hash_text, std::string_view order_text,
                      std::string_view arrival_text);

}  // namespace orderlab
