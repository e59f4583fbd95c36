// Thread blocks served by resident slots: a block starts when a slot is free and arrives when its service ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "arrival/order_size.hpp"
#include "arrival/random_number_vectors.hpp"
#include "arrival/release_calendar.hpp"
#include "arrival/service_time.hpp"
#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {
namespace {

constexpr Parameter kSlotsParameters[] = {
    {.name = "r", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "cv", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = ServiceTime::kGreatestVariation},
    {.name = "stagger", .kind = ParameterKind::real, .default_text = "0.5", .low = 0, .high = 1},
};

constexpr std::uint32_t kNobody = ~std::uint32_t{0};  // marks a slot that has not started; no index, as m < 2^32

/// A calendar for `slots` slots. Four days for each release in a unit of time, as the mean service is 1, leave few days
/// with several. A year of two units is passed by few services, where services vary little.
ReleaseCalendar calendar_for(std::size_t slots, double cv) {
  // Measured: with fewer slots a heap is faster. With more variation releases of far years, looked at every year, cost
  // more than a heap.
  constexpr std::size_t kLeastSlots = 32;
  constexpr double kMostVariation = 3;
  constexpr std::size_t kDaysASlot = 4;
  constexpr std::size_t kUnitsAYear = 2;
  if (slots < kLeastSlots || cv > kMostVariation) return {slots, 0, 0};
  const std::size_t days_a_unit = kDaysASlot * slots;
  return {slots, static_cast<double>(days_a_unit), kUnitsAYear * days_a_unit};
}

/// Service times in launch order, drawn in bulk ahead.
class ServiceTimes {
 public:
  ServiceTimes(const ServiceTime& time, const RandomStream& stream, std::size_t count)
      : time_(time), stream_(stream), count_(count) {}

  /// The time of thread block i; i goes up by 1 from call to call.
  double operator[](std::size_t i) {
    const std::size_t k = i % drawn_.size();
    if (k == 0) time_.fill(stream_, i, std::span(drawn_).first(std::min(drawn_.size(), count_ - i)));
    return drawn_[k];
  }

 private:
  const ServiceTime& time_;
  const RandomStream& stream_;
  std::size_t count_;
  std::array<double, kBlocksAtOnce> drawn_;
};

void check_slots(const Arguments& arguments, std::size_t m) {
  check_order_size(m);
  const double cv = arguments.real(1);
  if (cv > 0 && cv < ServiceTime::kLeastVariation)
    throw Error(ErrorKind::usage,
                fmt::format("slots: cv is {}, too small to draw gamma times with; give 0 or at least {}", cv,
                            ServiceTime::kLeastVariation));
}

/// Releases come by (time, index), each handing its slot to the next thread block in launch order. A block never ends
/// before the release that starts it and has a greater index, so the releases are the sorted service ends. Which of
/// several slots free at the same time takes a block changes no end and thus no order.
void draw_slots(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const std::uint64_t r = arguments.count(0);
  const double cv = arguments.real(1);
  const double stagger = arguments.real(2);
  const std::size_t m = order.size();
  const ServiceTime service(cv);
  ServiceTimes times(service, stream, m);

  // Slots start in order, so slot m and those after it never get a block.
  const auto slots = static_cast<std::size_t>(std::min<std::uint64_t>(r, m));
  ReleaseCalendar calendar = calendar_for(slots, cv);
  for (std::size_t j = 0; j < slots; ++j)
    calendar.push({stagger * static_cast<double>(j) / static_cast<double>(r), kNobody, static_cast<std::uint32_t>(j)});

  std::size_t arrived = 0;
  std::size_t started = 0;
  calendar.visit_all([&](const Release& release) {
    if (release.index != kNobody) order[arrived++] = release.index;
    if (started == m) return;
    const double end = release.time + times[started];
    calendar.push({end, static_cast<std::uint32_t>(started), release.slot});
    ++started;
  });
}

}  // namespace

extern constinit const ArrivalModel kSlotsArrival{
    .name = "slots",
    .summary = "r resident slots take thread blocks in launch order; gamma service times, first wave staggered",
    .source = "orderlab, fitted to the recordings of [Shanmugavelu2024]; gamma times of [MarsagliaTsang2000]",
    .parameters = kSlotsParameters,
    .random = true,
    .check = check_slots,
    .draw = draw_slots,
};

}  // namespace orderlab
