// Who takes which run of a work queue, drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/philox.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// For each run of m members the worker that takes it: its number among all workers in the order in which they finish.
/// Of workers without a run the place says nothing.
///
/// Uniformly: word i of the stream chooses the worker of run i. By service times: block i is the time of run i,
/// relative to its work; workers begin at times that are uniform below the mean of the runs' times plus `late` times
/// that of all runs, word j of the blocks after those of the runs that of worker j.
std::vector<std::uint32_t> draw_takers(const WorkQueue& queue, std::size_t m, const RandomStream& stream);

}  // namespace orderlab
