// The axes of a sweep: each value is read once, when the first point has it, and points are put together from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/axis.hpp"
#include "sweep/config_file.hpp"
#include "sweep/sweep_plan.hpp"

namespace orderlab {

/// What one axis means alone, its entry in axis_list() says. What axes mean together is here: an arrival model goes
/// only to an order that takes one; a baseline is fixed; an order fits its terms, and is one that can be enumerated
/// where all its orders are asked for; terms without a seed of their own have that of the orders.
class SweepAxes {
 public:
  /// For each axis the position of a value; 0 where the axis is absent.
  using Place = std::vector<std::uint32_t>;

  /// Error(input): more than kMostPoints; an arrival model that no order takes; a key that none of the operations
  /// takes.
  explicit SweepAxes(ConfigFile config);

  /// Points of the product, excluded ones included.
  std::uint64_t product() const { return product_; }

  /// Where the product has a place, the last axis running fastest.
  Place place(std::uint64_t product) const;

  /// Moves on to the next place of the product.
  void advance(Place& at) const;

  bool excluded(const Place& at) const;

  /// Whether some of its points are operations with many outputs.
  bool has_operations() const { return has_operations_; }

  /// Reads what the point has for the first time, and checks that its order fits its terms. Error(input).
  void read(const Place& at);

  /// The point, once it is read.
  SweepPoint point(const Place& at) const;

  /// The texts of its order and its arrival model as the config writes them; the latter empty where it takes none.
  std::pair<std::string_view, std::string_view> texts(const Place& at) const;

 private:
  /// Which values of one axis meet a condition.
  struct Met {
    std::size_t axis;
    std::vector<bool> values;
  };

  /// An order as it was read.
  struct Read {
    std::shared_ptr<const Order> order;
    std::string expression;
    std::string arrival_model;
    std::optional<ArrivalCall> arrival = {};  ///< arrival model of an operation's units
    bool takes_arrival = false;               ///< the order takes the config's arrival model
  };

  /// Arrays of files, each with its hash.
  struct GivenArrays {
    std::shared_ptr<const OperationInputs> inputs;
    std::string source, factor, index, self;
  };

  const AxisValues& values(const Axis& axis) const { return config_.axes[axis_position(axis)]; }
  std::uint32_t position(const Place& at, const Axis& axis) const { return at[axis_position(axis)]; }
  const AxisValue& value(const Place& at, const Axis& axis) const;
  const AxisValue& arrival(const Place& at) const;
  const Read& rows_order(const Place& at) const { return rows_orders_.at(order_key(at)); }
  std::size_t order(const Place& at) const;               ///< in orders_
  const OperationCall* operation(const Place& at) const;  ///< null: a sum
  bool given(const Axis& axis) const { return config_.given[axis_position(axis)]; }

  void require_few_points();
  void check_arrivals();
  Met met(const Condition& condition) const;
  bool takes(std::size_t order);
  void read_value(std::size_t axis, std::size_t value);
  void read_orders(const Place& at);
  void check_once(const Place& at);

  /// Terms of a file, with their hash, and the formats of their sums.
  struct GivenTerms {
    std::shared_ptr<const Terms> terms;
    std::string hash;
    Formats formats;
  };
  void check_files_of_sums() const;
  void read_terms_of(const Place& at);

  // ---- of points that are operations (operation_axes.cpp)
  void read_operations();
  void check_keys() const;
  [[noreturn]] void refuse(const Axis& axis, std::string_view why) const;
  bool has_sums() const;
  bool operations_take_arrival() const;
  bool from_files(const Place& at) const;
  void read_operation(const Place& at);
  void read_rows_order(const Place& at);
  void read_files(const Place& at);
  void check_operation(const Place& at);
  std::vector<std::size_t> order_key(const Place& at) const;
  std::vector<std::size_t> key(const Place& at, std::span<const Axis* const> axes) const;
  std::string operation_text(const Place& at, const Axis& axis) const;
  SweepPoint operation_point(const Place& at) const;

  ConfigFile config_;
  std::string folder_;
  std::uint64_t product_ = 1;
  std::vector<std::vector<Met>> excluded_;
  std::vector<std::vector<bool>> read_;     ///< by axis: the values whose text in config_ is now canonical
  std::vector<std::optional<bool>> takes_;  ///< by order: whether it takes an arrival model
  std::vector<Read> orders_;                ///< each order with each arrival model
  std::vector<Read> baselines_;
  bool has_operations_ = false;
  std::vector<std::optional<OperationCall>> operations_;   ///< by value of `op`; empty: a sum
  std::map<std::vector<std::size_t>, Read> rows_orders_;   ///< orders of operations' rows, by order_key
  std::map<std::vector<std::size_t>, GivenArrays> files_;  ///< by positions on axes that name them
  std::map<std::vector<std::size_t>, GivenTerms> terms_;   ///< of sums, by positions of input and format
  std::set<std::vector<std::size_t>> checked_operations_;  ///< positions on axes that decide whether inputs fit
  std::vector<bool> checked_;  ///< combinations of all that decides whether an order fits its terms
};

}  // namespace orderlab
