// The cost of a sum by each method. Plain C++: only the times come from a GPU.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// One method at one size.
struct Price {
  std::string kernel;
  Format format = Format::fp64;
  std::size_t n = 0;
  LaunchShape shape;
  bool fixed_order = false;       ///< no float atomics: run_to_run at least
  double terms_bytes = 0;         ///< that the method has to read
  double seconds = 0;             ///< median
  double copy_fraction = 0;       ///< its bytes a second over those that a device-to-device copy of the terms moves
  std::optional<double> penalty;  ///< time over that of spa, less 1; for a fixed order, where spa was timed
};

/// What to time.
struct PriceRequest {
  std::string_view kernel;  ///< only this one and spa; empty: all
  bool quick = false;       ///< up to 2^20 terms, not 2^28
  std::function<void(const std::string&)> progress;
};

/// Times kernels on the current GPU. Everything a method does is in its time, up to its sum on the device, or on the
/// host where the host adds; reserving memory is not.
std::vector<Price> gpu_prices(const PriceRequest& request);

/// Fills in the penalties.
void compare_with_spa(std::span<Price> prices);

/// A table for people, and one for programs: one line a price.
std::string price_table(std::span<const Price> prices);
std::string price_csv(std::span<const Price> prices);

}  // namespace orderlab::cuda
