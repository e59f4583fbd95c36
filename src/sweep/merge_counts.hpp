// Several files of counts become one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sweep/counts_file.hpp"

namespace orderlab {

struct MergedCounts {
  CountsFile file;
  std::vector<std::string> left_out;  ///< files that add nothing: other files have all their samples
};

/// The samples of all files together, each once: files whose samples are in others are left out, as far as the rest is
/// then without overlaps. One file is in memory at a time. `next(i)` is called before the i-th of 2 * paths.size()
/// readings; where it returns false, nothing more is done and the file is empty.
///
/// Errors: input for files of different samplings; for files that share samples, each of which has others, too
/// (counts cannot be taken apart); and those of read_counts_file.
MergedCounts merge_counts(std::span<const std::string> paths, const std::function<bool(std::size_t)>& next);

}  // namespace orderlab
