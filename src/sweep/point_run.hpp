// One point of a sweep, from its config to its row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "sweep/store.hpp"
#include "sweep/sweep_plan.hpp"

namespace orderlab {

struct PointRunOptions {
  double memory_bytes = 0x1p30;  ///< for walking all orders
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< called from one thread at a time
};

/// The point as a store keeps it, with the time that it took; empty when stopped. Its loops are of the task list
/// (kLoopThreads) that it is called from.
///
/// Error(unsupported): all orders were requested and cannot be enumerated.
std::optional<StoredPoint> run_point(const SweepPoint& point, const Provenance& made_by,
                                     const PointRunOptions& options);

}  // namespace orderlab
