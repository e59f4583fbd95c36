// Thread blocks served by resident slots: a block starts when a slot is free and arrives when its service ends.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "arrival/order_size.hpp"
#include "arrival/service_time.hpp"
#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {
namespace {

constexpr Parameter kParameters[] = {
    {.name = "r", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "cv", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = ServiceTime::kGreatestVariation},
    {.name = "stagger", .kind = ParameterKind::real, .default_text = "0.5", .low = 0, .high = 1},
};

/// A moment at which a slot becomes free, and the thread block whose service ends then, as one integer: the bits of the
/// time (non-negative, so they compare as it does) above the index. Integers compare without branches, and which of two
/// releases is earlier is a coin toss to a branch predictor.
__extension__ using Release = unsigned __int128;

constexpr std::uint32_t kNobody = ~std::uint32_t{0};  // of a slot that has not started; no index, as m < 2^32

constexpr Release release_at(double time, std::uint32_t index) {
  return (Release{std::bit_cast<std::uint64_t>(time)} << 64) | index;
}
constexpr double time_of(Release release) { return std::bit_cast<double>(static_cast<std::uint64_t>(release >> 64)); }
constexpr std::uint32_t index_of(Release release) { return static_cast<std::uint32_t>(release); }

/// Replaces the least of a min-heap by `next`.
void replace_least(std::span<Release> heap, Release next) {
  const std::size_t size = heap.size();
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size) child += static_cast<std::size_t>(heap[child + 1] < heap[child]);
    if (!(heap[child] < next)) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = next;
}

void check(const Arguments& arguments, std::size_t m) {
  check_order_size(m);
  const double cv = arguments.real(1);
  if (cv > 0 && cv < ServiceTime::kLeastVariation)
    throw Error(ErrorKind::usage,
                fmt::format("slots: cv is {}, too small to draw gamma times with; give 0 or at least {}", cv,
                            ServiceTime::kLeastVariation));
}

/// Releases come off the heap by (time, index), each handing its slot to the next thread block in launch order. A block
/// never ends before the release that starts it and has a greater index, so the releases are the sorted service ends.
/// Which of several slots free at the same time takes a block changes no end and thus no order.
void draw(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const std::uint64_t r = arguments.count(0);
  const ServiceTime service(arguments.real(1));
  const double stagger = arguments.real(2);
  const std::size_t m = order.size();

  // Slots start in order, so slot m and those after it never get a block. The starts ascend: they are a heap already.
  std::vector<Release> storage(static_cast<std::size_t>(std::min<std::uint64_t>(r, m)));
  for (std::size_t j = 0; j < storage.size(); ++j)
    storage[j] = release_at(stagger * static_cast<double>(j) / static_cast<double>(r), kNobody);

  std::span<Release> heap(storage);
  std::size_t started = 0;
  for (std::size_t arrived = 0; arrived < m;) {
    const Release release = heap.front();
    if (index_of(release) != kNobody) order[arrived++] = index_of(release);
    if (started < m) {
      const double end = time_of(release) + service(stream, started);
      replace_least(heap, release_at(end, static_cast<std::uint32_t>(started)));
      ++started;
    } else {
      const Release last = heap.back();
      heap = heap.first(heap.size() - 1);
      if (!heap.empty()) replace_least(heap, last);
    }
  }
}

}  // namespace

extern constinit const ArrivalModel kSlotsArrival{
    .name = "slots",
    .summary = "r resident slots take thread blocks in launch order; gamma service times, first wave staggered",
    .source = "orderlab, fitted to the recordings of [Shanmugavelu2024]; gamma times of [MarsagliaTsang2000]",
    .parameters = kParameters,
    .random = true,
    .check = check,
    .draw = draw,
};

}  // namespace orderlab
