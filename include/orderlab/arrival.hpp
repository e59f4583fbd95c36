// Arrival models: in which order m partial sums reach a shared accumulator. Look-back models: how far back each tile of
// a single-pass scan finds a sum of all tiles before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/parameters.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Neighbours that are delayed together: delay_i = sqrt(1 - share) z_i + sqrt(share) g_b, where g_b is the normal
/// number of the batch b of unit i, and z_i = near z_(i-1) + sqrt(1 - near^2) N_i with the normal number N_i of the
/// unit, z_0 = N_0. Every unit but the first begins a new batch with probability 1 / size.
struct Batches {
  double size = 1;   ///< mean units in a batch, at least 1
  double share = 0;  ///< share of the variance that a batch has in common, in [0, 1]
  double near = 0;   ///< correlation of next neighbours in what batches do not share, in [0, 1]
};

/// What a model sorts units by: first by pass, then by key_i = i + f s_i delay_i, ties by i. delay_i is a standard
/// normal number; f = e^(run N) with a normal number N is one factor for all units of a sample, as a whole run is more
/// or less disordered.
struct SortKey {
  /// Sets s[k] to the spread of unit first + k of m, in positions. None is NaN.
  void (*spreads)(const Arguments& arguments, std::size_t m, std::size_t first, std::span<double> s);

  /// Units in a pass, at least 1: unit i is in pass i / units. Null: all are in one.
  std::uint64_t (*pass)(const Arguments& arguments) = nullptr;

  /// Null: every unit has a delay of its own.
  Batches (*batches)(const Arguments& arguments) = nullptr;

  /// Standard deviation of ln f, in [0, kGreatestRun]; null: f = 1 in every sample.
  double (*run)(const Arguments& arguments) = nullptr;

  /// A normal number of a stream is below 8.6, so f is below e^86.
  static constexpr double kGreatestRun = 10;
};

/// One arrival model as it describes itself. A model knows m and a random stream, nothing else.
struct ArrivalModel {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::span<const Parameter> parameters;
  bool random;                   ///< false: the same order in every sample
  bool uniform = false;          ///< every order equally likely: `draw` is shuffle_values of launch order
  bool steady = false;           ///< samples of one seed share a part of what is drawn
  const SortKey* key = nullptr;  ///< what `draw` sorts by; null: by no key

  /// Checks arguments against each other and against m (a recording has one length). Error(usage) or Error(input).
  void (*check)(const Arguments& arguments, std::size_t m);

  /// Fills `order`, of length m: order[k] is the launch index of the k-th to arrive.
  void (*draw)(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order);
};

/// A fitted parameter set with a name of its own.
struct NamedArrival {
  std::string_view name;
  std::string_view expression;  ///< what it stands for, e.g. "drift(107,413)"
  std::string_view summary;
  std::string_view source;
  std::uint64_t threads_per_block;  ///< threads per thread block in the recordings it was fitted to
  std::uint64_t thread_blocks;      ///< thread blocks in these recordings: the grid
  std::string_view operation = {};  ///< fitted to results of this operation, of many sizes; empty: to recorded orders
};

/// The built-in ones.
std::span<const ArrivalModel* const> arrival_models();
std::span<const NamedArrival> named_arrivals();

/// Kendall tau of an arrival order against launch order: 1 - 4 inversions / (m (m - 1)); m >= 2.
double kendall_tau(std::span<const std::uint32_t> order);

/// Kendall tau between two arrival orders of the same m >= 2.
double kendall_tau(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

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
