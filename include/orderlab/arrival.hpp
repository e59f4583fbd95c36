// Arrival models: in which order m partial sums reach a shared accumulator.
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

/// One arrival model as it describes itself. A model knows m and a random stream, nothing else.
struct ArrivalModel {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  std::span<const Parameter> parameters;
  bool random;           ///< false: the same order in every sample
  bool uniform = false;  ///< every order equally likely: `draw` is shuffle_values of launch order

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
};

/// The built-in ones.
std::span<const ArrivalModel* const> arrival_models();
std::span<const NamedArrival> named_arrivals();

/// Kendall tau of an arrival order against launch order: 1 - 4 inversions / (m (m - 1)); m >= 2.
double kendall_tau(std::span<const std::uint32_t> order);

/// Kendall tau between two arrival orders of the same m >= 2.
double kendall_tau(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace orderlab
