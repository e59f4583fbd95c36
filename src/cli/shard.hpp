// --shard: which part of the work this process does, as typed or as the scheduler that started it says.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "core/shard.hpp"

namespace orderlab::cli {

/// Larger numbers of shards are typing errors.
inline constexpr std::uint64_t kMostShards = 10'000'000;

inline constexpr Flag kShard{.key = "shard",
                             .value = "i/N",
                             .help =
                                 "only the i-th of N parts; auto, or auto/N: what Slurm, MPI or Kubernetes says; "
                                 "`{shard}` in names of files that are written is i"};

/// The value of a variable; null where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// "3/8", or for "auto" and "auto/N" what these variables say, the first with a count above 1:
///
///     OMPI_COMM_WORLD_RANK, _SIZE; PMI_RANK, _SIZE    ranks from 0
///     SLURM_PROCID, SLURM_STEP_NUM_TASKS or _NTASKS   ranks from 0; a batch script itself is none of its job's tasks
///     SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX, _STEP  a job array without gaps
///     JOB_COMPLETION_INDEX                            from 0, with auto/N
///
/// With N, the ID of an array's task is the shard's number, so that single tasks can be submitted again. Where every
/// count is 1 there is one shard.
///
/// Errors: usage for any other text, where no variable is set, where both an array and ranks number the process, and
/// for variables that contradict each other or N.
Shard parse_shard(const std::string& text, const Environment& environment);

/// Where --shard is given: works it out, and puts its number in place of `{shard}` in the names of files that are
/// written. Error(usage) as parse_shard.
void name_shard(CommandLine& line, const Environment& environment);

/// Error(usage) for `{shard}` in the name of a file that is written.
void refuse_marks(const CommandLine& line);

/// The shard that was given, after name_shard. Error(usage) for `{shard}` in a name where there is none.
std::optional<Shard> shard_of(const CommandLine& line);

}  // namespace orderlab::cli
