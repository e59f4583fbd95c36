// The axes of a sweep: each value is read once, when the first point has it, and points are put together from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/config_file.hpp"
#include "experiment/sweep_plan.hpp"

namespace orderlab {

/// Keys of a config, as axis_keys() lists them.
enum class Axis : std::uint8_t {
  dist,
  n,
  format,
  order,
  arrival,
  baseline,
  samples,
  max_distinct,
  seed,
  input_seed,
  input,
};
inline constexpr std::size_t kAxes = 11;

class SweepAxes {
 public:
  /// For each axis the position of a value; 0 where the axis is absent.
  using Place = std::array<std::uint32_t, kAxes>;

  /// Error(input): more than kMostPoints; an arrival model that no order takes.
  explicit SweepAxes(ConfigFile config);

  /// Points of the product, excluded ones included.
  std::uint64_t product() const { return product_; }

  /// Where the product has a place, the last axis running fastest.
  Place place(std::uint64_t product) const;

  /// Moves on to the next place of the product.
  void advance(Place& at) const;

  bool excluded(const Place& at) const;

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

  static std::size_t of(Axis axis) { return static_cast<std::size_t>(axis); }
  const AxisValues& values(Axis axis) const { return config_.axes[of(axis)]; }
  const AxisValue& value(const Place& at, Axis axis) const;
  const AxisValue& arrival(const Place& at) const;
  std::uint64_t number(const Place& at, Axis axis) const { return *numbers_[of(axis)][at[of(axis)]]; }
  std::size_t order(const Place& at) const;  ///< in orders_
  bool walks_all(const Place& at) const;

  void require_few_points();
  void check_arrivals();
  Met met(const Condition& condition) const;
  bool takes(std::size_t order);
  void read_number(const Place& at, Axis axis, std::uint64_t low, std::uint64_t high);
  void read_orders(const Place& at);
  void check_once(const Place& at);

  ConfigFile config_;
  std::string folder_;
  std::uint64_t product_ = 1;
  std::vector<std::vector<Met>> excluded_;
  std::array<std::vector<std::optional<std::uint64_t>>, kAxes> numbers_;
  std::vector<std::optional<Formats>> formats_;
  std::vector<std::optional<std::string>> distributions_;
  std::vector<std::optional<bool>> takes_;            ///< of each order, whether an arrival model goes to it
  std::vector<std::shared_ptr<const Order>> orders_;  ///< of each order, with each arrival model
  std::vector<std::shared_ptr<const Order>> baselines_;
  std::vector<bool> checked_;  ///< combinations of all that decides whether an order fits its terms
};

}  // namespace orderlab
