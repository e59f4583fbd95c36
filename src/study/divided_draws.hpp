// Draws that several processes share. Some draw a part each, as bytes; one has the parts, and comes to the answer.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Draws of a range, as bytes that merge exactly: wire() of their tally.
struct DrawnPart {
  SampleRange draws;
  std::string bytes;
};

struct DividedDraws {
  std::optional<SampleRange> part = {};  ///< this process makes these draws, and comes to no answer
  std::vector<DrawnPart> drawn = {};     ///< what others have drawn, ascending
};

/// Thrown in place of an answer, which needs these draws.
struct DrawsLeft {
  SampleRange draws;
};

/// Tally of the draws, those of draw(range) where no other process takes part. Where one does, throws what this process
/// has done, a DrawnPart, or what others have to do before it can answer, a DrawsLeft.
///
/// Errors: those of Tally::from_wire and of merge for parts that are damaged or of other draws.
template <class Tally, class Draw>
Tally divided_draws(const Watch& watch, const SampleRange& draws, Draw draw) {
  if (watch.divided == nullptr) return draw(draws);
  if (const auto& part = watch.divided->part) {
    const Tally tally = draw(*part);
    if (watch.stop.stop_requested()) throw Stopped{};  // there may be less than the part
    throw DrawnPart{*part, tally.wire()};
  }
  std::optional<Tally> all;
  std::uint64_t next = draws.first;
  for (const DrawnPart& part : watch.divided->drawn) {
    if (part.draws.first != next || part.draws.second > draws.second) continue;
    Tally tally = Tally::from_wire(part.bytes);
    if (all)
      all->merge(tally);
    else
      all = std::move(tally);
    next = part.draws.second;
  }
  if (next < draws.second) throw DrawsLeft{{next, draws.second}};
  return *std::move(all);
}

}  // namespace orderlab::study
