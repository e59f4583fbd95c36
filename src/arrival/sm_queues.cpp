// Thread blocks that wait in the queues of multiprocessors, which share the memory: those ahead of the others slow
// down.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arrival/multiprocessors.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {
namespace {

constexpr Parameter kSmQueuesParameters[] = {
    {.name = "sms", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 65536},
    {.name = "resident", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "bias", .kind = ParameterKind::real, .default_text = "", .low = 1, .high = 1e9},
    {.name = "burst", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1},
    {.name = "jitter", .kind = ParameterKind::count, .default_text = ""},
    {.name = "delay", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1e9},
    {.name = "length", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1e9},
    {.name = "first", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1},
};

/// Tries in turn, drawn in bulk.
///
/// A try takes a multiprocessor, each with equal probability, and one of kStops equally likely numbers from 0, its
/// reach. It succeeds if the next thread block of that multiprocessor is at most so far in front of the front.
class Tries {
 public:
  explicit Tries(const RandomStream& stream) : stream_(stream) {}

  /// The next ones: words 0 and 1 of each.
  std::span<const std::uint64_t> take_some() {
    std::array<std::uint64_t, kBlocks> low, high;
    philox_blocks(stream_, blocks_, SmQueues::kOfTries, low, high);
    for (std::size_t k = 0; k < kBlocks; ++k) {
      words_[2 * k] = low[k];
      words_[2 * k + 1] = high[k];
    }
    blocks_ += kBlocks;
    return words_;
  }

 private:
  static constexpr std::size_t kBlocks = 64;

  const RandomStream& stream_;
  std::uint64_t blocks_ = 0;  ///< drawn
  std::array<std::uint64_t, 2 * kBlocks> words_;
};

/// Chooses among all multiprocessors by their speeds; where all stand still, the one that is farthest behind.
std::size_t choose_by_speed(std::span<const std::int64_t> places, std::int64_t front, std::uint64_t word,
                            std::span<std::int64_t> speeds) {
  const std::int64_t standstill = front + SmQueues::kStops;
  std::int64_t total = 0;
  for (std::size_t sm = 0; sm < places.size(); ++sm) {
    speeds[sm] = std::min(std::max<std::int64_t>(standstill - places[sm], 0), SmQueues::kStops);
    total += speeds[sm];
  }
  if (total == 0) return static_cast<std::size_t>(std::min_element(places.begin(), places.end()) - places.begin());
  __extension__ using Wide = unsigned __int128;
  auto rest = static_cast<std::int64_t>((Wide{word} * static_cast<std::uint64_t>(total)) >> 64);
  std::size_t sm = 0;
  for (; rest >= speeds[sm]; ++sm) rest -= speeds[sm];
  return sm;
}

/// The front is the number of thread blocks finished. A multiprocessor whose next thread block has a place p <= front
/// runs at full speed; its speed falls linearly, to 0 at p = front + bias. A burst begins on one with a probability in
/// proportion to its speed, which is what tries give that are repeated until one succeeds.
void draw_bursts(const SmQueues& model, const RandomStream& stream, std::span<std::uint32_t> order) {
  // After so many tries in vain one is chosen among all, which does not change its distribution.
  constexpr int kMostInVain = 96;
  const std::size_t count = order.size();
  Multiprocessors grid(model, stream, order);
  Tries tries(stream);
  std::vector<std::int64_t> speeds(model.sms);
  const std::int64_t* const places = grid.next_places().data();
  std::size_t sms = model.sms;
  std::span<const std::uint64_t> drawn;
  std::size_t next = 0, finished = 0;
  std::uint64_t choices = 0;
  int in_vain = 0;
  // Fronts one and two thread blocks on are computed ahead: all tries after a burst wait for its front.
  std::int64_t front = 0, front_1 = model.front(1), front_2 = model.front(2);
  for (;;) {
    if (next == drawn.size()) {
      drawn = tries.take_some();
      next = 0;
    }
    // The first word times the number of multiprocessors has the multiprocessor in its high half, and in its low half
    // how far it is on the way to the next one: a word of its own, as there are far fewer of them than 2^32.
    const std::uint64_t word = drawn[next++];
    const std::uint64_t product = (word & 0xFFFFFFFF) * sms;
    std::size_t sm = product >> 32;
    auto burst_word = static_cast<std::uint32_t>(product);
    if (places[sm] - static_cast<std::int64_t>(word >> (64 - SmQueues::kStopBits)) > front) {
      if (++in_vain < kMostInVain) [[likely]]
        continue;
      const RandomStream::Block words = stream.block(choices++, SmQueues::kOfChoices);
      sm = choose_by_speed({places, sms}, front, words[0] | (static_cast<std::uint64_t>(words[1]) << 32), speeds);
      burst_word = words[2];
    }
    in_vain = 0;
    if (const std::size_t length = grid.short_burst(sm, burst_word); length != 0) [[likely]] {
      grid.finish_short_burst(sm, length);
      finished += length;
      front = length == 1 ? front_1 : front_2;
    } else {
      finished += grid.finish_burst(sm, burst_word);
      if (finished == count) return;
      sms = grid.next_places().size();
      front = model.front(finished);
    }
    front_1 = model.front(finished + 1);
    front_2 = model.front(finished + 2);
  }
}

void check_sm_queues(const Arguments&, std::size_t m) { check_order_size(m); }

void draw_sm_queues(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  if (!order.empty()) draw_bursts(SmQueues(arguments, order.size()), stream, order);
}

}  // namespace

extern constinit const ArrivalModel kSmQueuesArrival{
    .name = "sm_queues",
    .summary =
        "a queue of resident thread blocks on each multiprocessor; one ahead of the others by `bias` slows down, "
        "several finish in a burst, neighbours share a delay",
    .source = "orderlab, fitted to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kSmQueuesParameters,
    .random = true,
    .check = check_sm_queues,
    .draw = draw_sm_queues,
};

}  // namespace orderlab
