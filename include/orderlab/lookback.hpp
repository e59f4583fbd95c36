// Look-back models: how far back each tile of a single-pass scan finds a sum of all tiles before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// What a tile reads in one step of its look-back: the descriptors of the 32 tiles before those that it has read.
inline constexpr std::size_t kLookbackWindow = 32;

/// One look-back model as it describes itself.
///
/// Tile t >= 1 adds the inclusive sum of tile t - k and the partial sums of the k - 1 tiles between, 1 <= k <= t: k is
/// its distance, all that can change between runs.
struct LookbackModel {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::span<const Parameter> parameters;
  bool random;      ///< draws from a stream of its own
  bool by_arrival;  ///< distances follow from the order in which tiles arrive

  /// Checks arguments against each other: Error(usage). Null: any go together.
  void (*check)(const Arguments& arguments) = nullptr;

  /// Sets distances[t] for t >= 1, and distances[0] = 0. arrival[i] is the i-th tile to arrive. Without a stream, the
  /// fixed form of a random model.
  ///
  /// Shape: two spans of one length.
  void (*draw)(const Arguments& arguments, const std::optional<RandomStream>& stream,
               std::span<const std::uint32_t> arrival, std::span<std::uint32_t> distances);
};

/// The built-in ones.
std::span<const LookbackModel* const> lookback_models();

}  // namespace orderlab
