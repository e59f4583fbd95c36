// A kernel as a black box: each sum is a run.
#pragma once

#include <optional>

#include "orderlab/box.hpp"
#include "orderlab/crosscheck.hpp"

namespace orderlab {

/// Runs of a kernel in one launch shape, for study::probe or probe_setting: the executor's, with schedules drawn from
/// `seed`, another one in every call, or with `schedule` in all of them. An order that is named under drawn schedules
/// depends on none; what adds atomically is random, and has a fixed tree under launch_order().
///
/// Errors: usage for a kernel with many outputs; unsupported for one with a `map` or a `finish`, whose result is not
///         the sum of its terms. Of the box: device for a fault of the kernel; usage for terms in another format than
///         `formats`, for offsets and for threads.
BoxMaker kernel_box(const Executor& executor, const LaunchShape& shape, const Formats& formats,
                    const std::optional<simt::Schedule>& schedule = {}, std::uint64_t seed = 1);

/// Thread blocks run one after the other in launch order, and the threads of each do their atomics in turn.
simt::Schedule launch_order();

}  // namespace orderlab
