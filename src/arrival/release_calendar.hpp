// The moments at which slots become free, in order of time: a calendar of days and a small heap for the current one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "arrival/release_heap.hpp"
#include "core/arithmetic_guard.hpp"

namespace orderlab {

/// At most one release for each slot, the earliest first, of equal times the least index.
///
/// Time is cut into days, so short that most have one release or none. A bucket lists those of one day in every year; a
/// bit says whether it has any. A day with several goes by way of a heap. How well days and years fit the times is a
/// matter of speed only: the day of a later time is never earlier, and releases of another year stay in their bucket.
///
/// Shape: times * days_a_unit < 2^63.
/// Cost:  a step for every 64 days that pass, and one for every year that a release waits.
class ReleaseCalendar {
 public:
  /// `days_a_unit` of time, 0 makes all time one day; a year has at least `days`.
  ReleaseCalendar(std::size_t slots, double days_a_unit, std::size_t days)
      : days_a_unit_(days_a_unit),
        buckets_(std::bit_ceil(std::max(kWordBits, days))),
        waiting_(std::make_unique_for_overwrite<Waiting[]>(slots)),
        first_(std::make_unique_for_overwrite<std::uint32_t[]>(buckets_)),
        occupied_(buckets_ / kWordBits),
        today_(slots) {
    std::fill_n(first_.get(), buckets_, kEnd);
  }

  /// Adds a release, of a slot that has none, that is not before the one that visit_all() is at.
  void push(const Release& release) {
    const std::uint64_t day = day_of(release.time);
    if (day == day_)
      today_.push(release);
    else
      put_off(release, day);
  }

  /// Calls visit(release) for each release, removed before, until there is none; `visit` may push others.
  template <class Visit>
  void visit_all(Visit visit) {
    for (;;) {
      while (today_.size() > 0) visit(today_.pop());
      if (put_off_ == 0) return;
      const std::size_t bucket = next_bucket();
      const std::uint32_t slot = first_[bucket];
      const Waiting alone = waiting_[slot];
      if (alone.next == kEnd && day_of(alone.time) == day_) {
        empty(bucket);
        --put_off_;
        visit(Release{alone.time, alone.index, slot});
      } else {
        open(bucket);
      }
    }
  }

 private:
  struct Waiting {
    double time;
    std::uint32_t index;
    std::uint32_t next;  // slot, or kEnd
  };

  static constexpr std::size_t kWordBits = 64;
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};  // no slot: there are fewer than 2^32

  std::uint64_t day_of(double time) const {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(time * days_a_unit_));
  }

  /// Moves on to the next day with an occupied bucket. There is one.
  std::size_t next_bucket() {
    std::uint64_t day = day_ + 1;
    for (;;) {
      const std::size_t bucket = day & (buckets_ - 1);
      const std::uint64_t from_there = occupied_[bucket / kWordBits] >> (bucket % kWordBits);
      if (from_there != 0) {
        day_ = day + static_cast<unsigned>(std::countr_zero(from_there));
        return day_ & (buckets_ - 1);
      }
      day += kWordBits - bucket % kWordBits;
    }
  }

  void put_off(const Release& release, std::uint64_t day) {
    const std::size_t bucket = day & (buckets_ - 1);
    occupied_[bucket / kWordBits] |= std::uint64_t{1} << (bucket % kWordBits);
    waiting_[release.slot] = {release.time, release.index, first_[bucket]};
    first_[bucket] = release.slot;
    ++put_off_;
  }

  void empty(std::size_t bucket) {
    first_[bucket] = kEnd;
    occupied_[bucket / kWordBits] &= ~(std::uint64_t{1} << (bucket % kWordBits));
  }

  /// Takes the releases of today out of their bucket.
  void open(std::size_t bucket) {
    std::uint32_t slot = first_[bucket];
    empty(bucket);
    while (slot != kEnd) {
      const Waiting waiting = waiting_[slot];
      --put_off_;
      push({waiting.time, waiting.index, slot});
      slot = waiting.next;
    }
  }

  double days_a_unit_;
  std::size_t buckets_;
  std::unique_ptr<Waiting[]> waiting_;      // one for each slot
  std::unique_ptr<std::uint32_t[]> first_;  // slot of each bucket, or kEnd
  std::vector<std::uint64_t> occupied_;     // a bit for each bucket
  ReleaseHeap today_;
  std::size_t put_off_ = 0;
  std::uint64_t day_ = 0;
};

}  // namespace orderlab
