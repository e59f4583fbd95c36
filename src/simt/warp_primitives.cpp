// Primitives that the lanes of a warp do together: a lane waits until all lanes of its mask that exist and have not
// ended are at the same place. PTX lets them meet from different places, and so does a __syncwarp here; what gives a
// value is stricter, since lanes at two shuffles of a source are nearly always a mistake.
#include <algorithm>
#include <array>
#include <bit>

#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

template <class F>
void for_each_lane(std::uint32_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The lane that lane `self` reads, of the group of `width` lanes that it belongs to; itself where there is none.
///
/// Source: PTX ISA, shfl.sync.
unsigned source_lane(Shuffle kind, unsigned self, unsigned lane, unsigned width) {
  const unsigned first = self & ~(width - 1);
  const unsigned last = first + width - 1;
  const unsigned b = lane % kWarp;
  switch (kind) {
    case Shuffle::index:
      return first + b % width;
    case Shuffle::up:
      return self - first >= b ? self - b : self;
    case Shuffle::down:
      return self + b <= last ? self + b : self;
    default:
      return (self ^ b) <= last ? self ^ b : self;  // a group in front can be read, one behind cannot
  }
}

/// Whether two lanes of a warp that wait, wait for each other.
bool meeting(const Lane& a, const Lane& b) {
  return a.wait == b.wait && a.mask == b.mask && (a.wait == Wait::warp_barrier || same_place(a.where, b.where));
}

}  // namespace

Switch Machine::begin_shuffle(Shuffle kind, std::uint32_t mask, std::uint64_t value, unsigned lane, int width,
                              const std::source_location& where) {
  if (width < 1 || width > static_cast<int>(kWarp) || !std::has_single_bit(static_cast<unsigned>(width)))
    fail({.kind = FailureKind::shuffle_width, .where = where, .index = width});
  const auto wait = static_cast<Wait>(static_cast<int>(Wait::shuffle_index) + static_cast<int>(kind));
  const unsigned source = source_lane(kind, lane_->in_warp(), lane, static_cast<unsigned>(width));
  return begin_meeting(wait, mask, value, static_cast<std::uint8_t>(source), where);
}

std::uint32_t Machine::active_mask(const std::source_location& where, bool whole) {
  Lane& lane = *lane_;
  lane.where = where;
  lane.source = whole ? 1 : 0;
  warp_->at_active_mask |= lane.bit();
  pass_on();
  return static_cast<std::uint32_t>(lane.value);
}

/// Lanes that diverged may reconverge late, on sm_70 and later: what __activemask returns is some set of lanes at its
/// place, the caller among them (CUDA C++ Programming Guide, "Warp Vote Functions"). In half of the draws all are
/// together, as they mostly are on a GPU; in the others they come in two groups.
void Machine::answer_active_masks(Warp& warp) {
  for (std::uint32_t rest = warp.at_active_mask; rest != 0;) {
    const Lane& first = warp.lanes[std::countr_zero(rest)];
    std::uint32_t together = 0;
    for_each_lane(rest, [&](unsigned l) {
      if (same_place(warp.lanes[l].where, first.where)) together |= warp.lanes[l].bit();
    });
    rest &= ~together;
    const bool whole = first.source != 0 || launch_->warp_synchronous;
    const std::uint32_t group = whole ? together : draw_group(together);
    warp.active_masks = {group, together & ~group};
    for_each_lane(together, [&](unsigned l) {
      Lane& lane = warp.lanes[l];
      lane.value = (group & lane.bit()) != 0 ? group : together & ~group;
    });
  }
  warp.ready |= warp.at_active_mask;
  warp.at_active_mask = 0;
}

/// One of the two groups in which `lanes` are: all of them, or some.
std::uint32_t Machine::draw_group(std::uint32_t lanes) {
  if (std::has_single_bit(lanes)) return lanes;
  if (draws_.below(2, turn_++) == 0) return lanes;
  constexpr std::uint32_t kHalf = 1 << 16;
  const std::uint32_t low = draws_.below(kHalf, turn_++);
  return lanes & (low | draws_.below(kHalf, turn_++) << 16);
}

/// Waits until all lanes of `mask` are at this place; met_value is then what the primitive has for the lane.
Switch Machine::begin_meeting(Wait wait, std::uint32_t mask, std::uint64_t value, std::uint8_t source,
                              const std::source_location& where) {
  Lane& lane = *lane_;
  lane.where = where;
  if ((mask & lane.bit()) == 0) fail_mask(FailureKind::caller_not_in_mask, mask, lane.in_warp(), where);
  lane.wait = wait;
  lane.mask = mask;
  lane.value = value;
  lane.source = source;
  warp_->at_primitive |= lane.bit();
  if (!all_meet(lane)) return begin_wait();
  complete(lane);
  return {};
}

bool Machine::all_meet(const Lane& caller) const {
  const std::uint32_t live = warp_->live(caller.mask);
  if ((live & ~warp_->at_primitive) != 0) return false;
  for (std::uint32_t rest = live; rest != 0; rest &= rest - 1) {
    if (!meeting(warp_->lanes[std::countr_zero(rest)], caller)) return false;
  }
  return true;
}

/// The lanes of the mask of `one` are together: those that do not run are ready.
void Machine::complete(const Lane& one) {
  const std::uint32_t mask = warp_->live(one.mask);
  if (one.wait == Wait::warp_barrier) {
    synchronise(mask);
  } else if (one.wait == Wait::ballot) {
    std::uint32_t votes = 0;
    for_each_lane(mask, [&](unsigned l) { votes |= warp_->lanes[l].value != 0 ? warp_->lanes[l].bit() : 0; });
    for_each_lane(mask, [&](unsigned l) { warp_->lanes[l].value = votes; });
  } else if (one.wait == Wait::whole_warp) {
    complete_whole_warp(mask);
  } else {
    complete_shuffle(mask);
  }
  for_each_lane(mask, [&](unsigned l) { warp_->lanes[l].wait = Wait::nothing; });
  warp_->at_primitive &= ~mask;
  warp_->ready |= mask & ~lane_->bit();
}

void Machine::complete_shuffle(std::uint32_t mask) {
  std::array<std::uint64_t, kWarp> given{};
  for_each_lane(mask, [&](unsigned l) { given[l] = warp_->lanes[l].value; });
  for_each_lane(mask, [&](unsigned l) {
    Lane& lane = warp_->lanes[l];
    const std::uint32_t source = std::uint32_t{1} << lane.source;
    if ((mask & source) == 0) {
      lane_ = &lane;
      fail_mask((lane.mask & source) == 0      ? FailureKind::shuffle_source
                : (warp_->ended & source) != 0 ? FailureKind::lane_ended
                                               : FailureKind::lane_absent,
                lane.mask, lane.source, lane.where);
    }
    lane.value = given[lane.source];
  });
}

/// After this each lane of `mask` knows what all of them had done before.
void Machine::synchronise(std::uint32_t mask) {
  std::uint32_t acquired = 0;
  for_each_lane(mask, [&](unsigned l) { acquired = std::max(acquired, warp_->lanes[l].acquired); });
  for_each_lane(mask, [&](unsigned l) { warp_->lanes[l].acquired = acquired; });
  const std::uint32_t number = warp_->last = ++warp_->block->clock;
  if (mask == warp_->existing) {
    warp_->full = number;
    warp_->partial = false;
    return;
  }
  if (!warp_->seen) warp_->seen = std::make_unique<Warp::Seen>();
  if (!warp_->partial) *warp_->seen = {};
  warp_->partial = true;
  std::array<std::uint32_t, kWarp> known{};
  for_each_lane(mask, [&](unsigned l) {
    for (unsigned k = 0; k < kWarp; ++k) known[k] = std::max(known[k], (*warp_->seen)[l][k]);
  });
  for_each_lane(mask, [&](unsigned l) { known[l] = number; });
  for_each_lane(mask, [&](unsigned l) { (*warp_->seen)[l] = known; });
}

/// No thread of the block can go on: one waits at a primitive for a lane that waits elsewhere.
void Machine::note_stuck(ThreadBlock& block) {
  for (Warp& warp : block.warps) {
    for (std::uint32_t waiting = warp.at_primitive; waiting != 0; waiting &= waiting - 1) {
      const Lane& lane = warp.lanes[std::countr_zero(waiting)];
      for (std::uint32_t named = warp.live(lane.mask); named != 0; named &= named - 1) {
        const Lane& other = warp.lanes[std::countr_zero(named)];
        if (meeting(other, lane)) continue;
        failure_ = {.kind = FailureKind::stuck,
                    .block = block.index,
                    .thread = lane.thread,
                    .where = lane.where,
                    .other_thread = other.thread,
                    .other_where = other.where,
                    .mask = lane.mask};
        return;
      }
    }
  }
}

}  // namespace orderlab::simt
