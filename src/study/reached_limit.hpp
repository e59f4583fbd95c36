// What the draws that are done allow to say, where an interrupt left fewer than were planned.
#pragma once

#include <cstdint>

namespace orderlab::study {

struct ReachedLimit {
  std::uint64_t rank = 0;  ///< which draw is the limit, counted from the largest; 0: too few draws for any
  double coverage = 0;     ///< that it has with the confidence asked for
};

/// The limit by so many draws: of the coverage asked for if they suffice for it; else the largest of them, with the
/// coverage that it has, rounded down, if that is 0.9 or more.
ReachedLimit reached_limit(std::uint64_t draws, double coverage, std::uint64_t outputs, double confidence);

}  // namespace orderlab::study
