// Which runs a capture holds. Plain C++: the plan is made without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dyadic.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

inline constexpr std::uint64_t kTermSeed = 1;
inline constexpr std::uint64_t kFactorSeed = 2;  ///< seed of the second factors of products
inline constexpr std::uint64_t kSelfSeed = 2;    ///< seed of the first values of many outputs
inline constexpr std::uint64_t kIndexSeed = 1;

/// One run to make.
struct PlannedRun {
  const KernelInfo* kernel = nullptr;
  Format format = Format::fp64;
  LaunchShape shape;
  Dyadic input;
  std::size_t n = 0;
  bool record = false;
  std::uint64_t repeat = 0;
  ArrayExtents extents = {};        ///< for a kernel with many outputs, of n elements
  std::optional<Format> sums = {};  ///< format of sum and result where it is not that of the terms
};

/// Terms of `format` in four kinds: whole significands, exponents far apart, subnormals, small integers.
std::vector<Dyadic> capture_inputs(Format format);

/// The runs of one kernel.
///
/// A kernel without float atomics runs in each shape on every input, and twice on the first. One with float atomics
/// runs in shape i on input i and records what its atomics returned, up to kMostRecorded units; further runs of the
/// first shape, without a record, are of the kernel as one would write it.
std::vector<PlannedRun> plan_of(const KernelInfo& kernel, bool quick);

/// Launches with more units than this are not recorded, so that a capture stays at some megabytes.
inline constexpr std::size_t kMostRecorded = 2048;

/// A kernel with float atomics is not run with more units than this: verifying a run without a record takes thousands
/// of sums.
inline constexpr std::size_t kMostUnits = std::size_t{1} << 17;

/// Float atomics of a launch over n terms; 0 for a kernel without.
std::size_t arriving_units(const KernelInfo& kernel, const LaunchShape& shape, std::size_t n);

}  // namespace orderlab::cuda
