// Draws of tolerance() and check() that several processes share: some draw a part each and send its bytes, one has the
// parts and comes to the answer. The finding is that of one process, to the bit.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/counts.hpp"

namespace orderlab::study {

/// Draws of a range: a part, or what is still missing.
struct DrawRange {
  SampleRange draws;
  std::string of;  ///< terms, orders, formats, seeds: two processes draw the same where this is equal
};

/// Thrown by a process that draws a part, in place of an answer. Who sums up compares `range.of` with what was missing.
struct DrawnPart {
  DrawRange range;
  std::string bytes;  ///< what it found, for DividedDraws::made
};

/// Thrown in place of an answer, which needs draws that nobody has made yet. There may be more of them later: check()
/// draws again where the first samples leave a result open.
struct DrawsMissing {
  DrawRange range;
};

/// What Watch::divided points to: either `part` or what has been made so far, at first nothing. It is ignored for draws
/// of several outputs (ToleranceRequest::outputs) or of operations, and where a question needs no samples.
/// Shape: `made` is ascending; each part begins where the one before ends, others are ignored.
/// Error: input for parts that are damaged, or have more or fewer draws than they should.
struct DividedDraws {
  std::optional<SampleRange> part = {};                        ///< draws to make, not empty and in DrawsMissing::range
  std::vector<std::pair<SampleRange, std::string>> made = {};  ///< what others have made, as bytes
};

}  // namespace orderlab::study
