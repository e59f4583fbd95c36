// Drawing samples that several processes share.
#pragma once

#include <cstdint>
#include <string>

#include "core/stop.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/study/divided_draws.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

inline bool draws_a_part(const Watch& watch) { return watch.divided != nullptr && watch.divided->part; }

/// DrawRange::of for draws from an input, whose hash has the terms. `orders`: all that else decides them.
inline std::string draws_of(const InputFacts& input, std::uint64_t seed, const std::string& orders) {
  return "bits " + std::to_string(kBitsVersion) + ", input " + input.hash + " as " + to_string(input.formats) +
         ", seed " + std::to_string(seed) + ", " + orders;
}

inline std::uint64_t number_of_draws(const ResultCounts& counts) { return counts.samples(); }
inline std::uint64_t number_of_draws(const DeviationTally& tally) { return tally.draws(); }

/// Adds draw(range) to `empty`, a tally without draws; where other processes take part, what they have drawn.
///
/// Throws DrawnPart or DrawsMissing where this process is not to answer, or cannot yet; Error(input) for parts that are
/// damaged, or have more or fewer draws than they should.
template <class Tally, class Draw>
Tally divided_draws(const Watch& watch, const DrawRange& all, Tally empty, Draw draw) {
  if (watch.divided == nullptr) return draw(all.draws);
  if (const auto& part = watch.divided->part) {
    const Tally tally = draw(*part);
    if (watch.stop.stop_requested()) throw Stopped{};  // there may be less than the part
    throw DrawnPart{{*part, all.of}, tally.wire()};
  }
  std::uint64_t next = all.draws.first;
  for (const auto& [range, bytes] : watch.divided->made) {
    if (range.first != next || range.second > all.draws.second) continue;
    const Tally tally = Tally::from_wire(bytes);
    if (number_of_draws(tally) != range.second - range.first)
      throw Error(ErrorKind::input, "a part of draws " + std::to_string(range.first) + ":" +
                                        std::to_string(range.second) + " has " +
                                        std::to_string(number_of_draws(tally)) + " of them");
    empty.merge(tally);
    next = range.second;
  }
  if (next < all.draws.second) throw DrawsMissing{{{next, all.draws.second}, all.of}};
  return empty;
}

}  // namespace orderlab::study
