// Recording when and where the units of a kernel arrive, for callers that know no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/recorded_launches.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab::cuda {

/// What one launch noted, each list by unit. Cycles are those of the unit's multiprocessor.
struct UnitNotes {
  std::vector<std::uint32_t> ticket;  ///< from 0
  std::vector<std::uint32_t> sm;
  std::vector<std::uint64_t> started_cycles;
  std::vector<std::uint64_t> ticket_cycles;
  std::vector<std::uint64_t> ticket_ns;
};

/// Launches to record; a view.
struct ArrivalRequest {
  const RecordedLaunches& what;  ///< kernel, shape, n, format, tiles and condition
  std::size_t launches;
  TermView terms;
  std::span<const std::int64_t> index = {};  ///< of index_add_large: a bin for each term
  std::size_t bins = 0;
};

/// The launches, and what only the GPU knows of them.
struct NotedLaunches {
  unsigned multiprocessors = 0;
  unsigned sm_ids = 0;
  unsigned resident = 0;
  std::vector<UnitNotes> launches;
};

/// Units that arrive in a launch of `what`.
constexpr std::size_t units_of(const RecordedLaunches& what) {
  return what.unit == ArrivalUnit::warp ? (what.n + kWarp - 1) / kWarp : thread_blocks(what.shape, what.n);
}

/// Makes the launches on the current GPU. Under condition cold, the context of the GPU is destroyed before each.
///
/// Errors: usage for a kernel that has no recording form; device: what CUDA says.
NotedLaunches record_on_gpu(const ArrivalRequest& request);

/// A function that makes launches: record_on_gpu, or a stand-in.
using ArrivalLauncher = std::function<NotedLaunches(const ArrivalRequest& request)>;

}  // namespace orderlab::cuda
