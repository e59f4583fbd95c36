// Thread blocks that wait in the queues of multiprocessors, which share the memory: those ahead of the others slow
// down.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arrival/order_size.hpp"
#include "arrival/random_number_vectors.hpp"
#include "arrival/random_numbers.hpp"
#include "core/arithmetic_guard.hpp"
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

// Places are whole numbers of bias / kStops launch indices, so that speeds are whole numbers of 1 / kStops.
constexpr int kStopBits = 24;
constexpr std::int64_t kStops = std::int64_t{1} << kStopBits;

/// The arguments, with no more multiprocessors than thread blocks.
struct SmQueues {
  SmQueues(const Arguments& arguments, std::size_t m)
      : sms(static_cast<std::size_t>(std::min<std::uint64_t>(arguments.count(0), m))),
        resident(arguments.count(1)),
        bias(arguments.real(2)),
        burst(arguments.real(3)),
        jitter(arguments.count(4)),
        delay(arguments.real(5)),
        length(arguments.real(6)),
        first(arguments.real(7)),
        stops(static_cast<double>(kStops) / bias) {}

  std::size_t sms;
  std::uint64_t resident;
  double bias, burst;
  std::uint64_t jitter;
  double delay, length, first;
  double stops;  ///< places per launch index
};

// Attempts of the stream. Block i of kOfThreadBlocks: words 0 to 2 the normal number of the delay of thread block i,
// word 3 which one in flight gets ticket i. Block j of kOfTries: words 0 and 1 try 2 j, words 2 and 3 try 2 j + 1.
// Block c of kOfChoices, the c-th choice among all multiprocessors: words 0 and 1 the choice, word 2 the length of a
// burst.
constexpr std::uint16_t kOfThreadBlocks = 0;
constexpr std::uint16_t kOfTries = 1;
constexpr std::uint16_t kOfChoices = 2;

/// A number from 0 to count - 1, each with a probability that differs from 1 / count by less than 2^-32.
std::size_t number_below(std::size_t count, std::uint32_t word) { return (std::uint64_t{word} * count) >> 32; }

constexpr std::int64_t kNowhere = std::int64_t{1} << 62;

std::int64_t to_place(double index, double stops) {
  constexpr double kFarthest = 0x1p61;  // beyond what any thread block below 2^32 gets
  return static_cast<std::int64_t>(std::clamp(index * stops, -kFarthest, kFarthest));
}

/// Sets places[b] to that of b + its delay, and words[i] to the word that ticket i is drawn with.
///
/// The delay is delay f_b x_b: x_0 = N_0, x_b = a x_(b-1) + sqrt(1 - a^2) N_b, a = exp(-1 / length); f_b goes in equal
/// steps from `first` for b = 0 to 1 after kWavesToFull waves of sms * resident thread blocks.
void place_thread_blocks(const SmQueues& model, const RandomStream& stream, std::span<std::int64_t> places,
                         std::span<std::uint32_t> words) {
  constexpr double kWavesToFull = 2;
  const double wave = static_cast<double>(model.sms) * static_cast<double>(model.resident);
  const double growth = (1 - model.first) / (kWavesToFull * wave);
  const double kept = model.length > 0 ? fixed::exp(-1 / model.length) : 0.0;
  const double added = std::sqrt(1 - kept * kept);
  double x = 0;
  double b = 0;
  std::array<double, kBlocksAtOnce> numbers;
  visit_philox_blocks(
      stream, 0, places.size(),
      [&](std::size_t begin, auto low, auto high) {
        normals({low, high}, std::span(numbers).first(low.size()));
        for (std::size_t k = 0; k < low.size(); ++k) {
          words[begin + k] = static_cast<std::uint32_t>(high[k] >> 32);
          x = begin + k == 0 ? numbers[k] : kept * x + added * numbers[k];
          places[begin + k] = to_place(b + model.delay * std::min(model.first + growth * b, 1.0) * x, model.stops);
          b += 1;
        }
      },
      kOfThreadBlocks);
}

/// Tries in turn, drawn in bulk and looked at several at once, as nobody can predict which one succeeds.
///
/// A try takes a multiprocessor, each with equal probability, and one of kStops equally likely numbers from 0. It
/// succeeds if the next thread block of that multiprocessor is at most so far in front of the front.
class Tries {
 public:
  static constexpr std::size_t kAtOnce = 6;

  explicit Tries(const RandomStream& stream) : stream_(stream) {}

  /// Bit i is set if try i of the next kAtOnce succeeds.
  unsigned successes(std::span<const std::int64_t> places, std::int64_t front) {
    if (left_ < kAtOnce) draw();
    const std::uint64_t* next = &words_[kStored - left_];
    const auto bit = [&](std::size_t i) {
      const std::int64_t place = places[number_below(places.size(), static_cast<std::uint32_t>(next[i]))];
      return static_cast<unsigned>(place <= front + static_cast<std::int64_t>(next[i] >> (64 - kStopBits))) << i;
    };
    static_assert(kAtOnce == 6);
    return (bit(0) | bit(1) | bit(2)) | (bit(3) | bit(4) | bit(5));
  }

  struct Taken {
    std::size_t sm;
    double burst;  ///< uniform number that decides the length of the burst
  };

  /// Try i of these, which succeeded; the next one comes after it.
  ///
  /// Its first word times the number of multiprocessors has the multiprocessor in its high half, and in its low half
  /// how far it is on the way to the next one: a uniform number of its own, as there are far fewer of them than 2^32.
  Taken take(std::size_t sms, std::size_t i) {
    const std::uint64_t product = (words_[kStored - left_ + i] & 0xFFFFFFFF) * sms;
    left_ -= i + 1;
    return {static_cast<std::size_t>(product >> 32), open_uniform(static_cast<std::uint32_t>(product))};
  }

  void drop_all() { left_ -= kAtOnce; }

 private:
  static constexpr std::size_t kDrawn = 2 * kBlocksAtOnce;
  static constexpr std::size_t kStored = kAtOnce + kDrawn;

  /// Puts more tries after those left.
  void draw() {
    std::copy(words_.end() - static_cast<std::ptrdiff_t>(left_), words_.end(),
              words_.begin() + static_cast<std::ptrdiff_t>(kAtOnce - left_));
    std::array<std::uint64_t, kBlocksAtOnce> low, high;
    philox_blocks(stream_, blocks_, kOfTries, low, high);
    for (std::size_t k = 0; k < kBlocksAtOnce; ++k) {
      words_[kAtOnce + 2 * k] = low[k];
      words_[kAtOnce + 2 * k + 1] = high[k];
    }
    blocks_ += kBlocksAtOnce;
    left_ += kDrawn;
  }

  const RandomStream& stream_;
  std::array<std::uint64_t, kStored> words_;  ///< two of each try
  std::uint64_t blocks_ = 0;                  ///< drawn
  std::size_t left_ = 0;                      ///< tries, at the end of words_
};

/// Thread blocks on multiprocessors, each in the queue of one, in launch order, and those in flight.
class Multiprocessors {
 public:
  /// `places` has one more, kNowhere. `order` holds the words of the tickets, each until the ticket is given.
  Multiprocessors(const SmQueues& model, std::span<const std::int64_t> places, std::span<std::uint32_t> order)
      : places_(places),
        order_(order),
        launched_(model.sms * static_cast<std::size_t>(
                                  std::min<std::uint64_t>(model.resident, (order.size() + model.sms - 1) / model.sms))),
        flight_limit_(static_cast<std::size_t>(std::min<std::uint64_t>(model.jitter, order.size()))),
        next_places_(model.sms),
        queues_(model.sms),
        after_(std::make_unique_for_overwrite<std::uint32_t[]>(order.size() + model.sms)),
        flight_(std::make_unique_for_overwrite<InFlight[]>(flight_limit_ + 1)) {
    launched_ = std::min(launched_, order.size());
    for (std::size_t b = 0; b < launched_; ++b)
      after_[b] = static_cast<std::uint32_t>(b + model.sms < launched_ ? b + model.sms : order.size());
    for (std::size_t sm = 0; sm < model.sms; ++sm) {
      const std::size_t before = order.size() + sm;  // stands for the one that finished before the first
      after_[before] = static_cast<std::uint32_t>(sm);
      queues_[sm] = {before, sm + (launched_ - 1 - sm) / model.sms * model.sms};
      next_places_[sm] = places[sm];
    }
  }

  std::size_t arrived() const { return arrived_; }
  std::size_t finished() const { return finished_; }
  bool idle() const { return finished_ == launched_; }

  /// Places of the thread blocks that multiprocessors finish next; kNowhere without one.
  std::span<const std::int64_t> next_places() const { return next_places_; }

  /// Finishes thread blocks of `sm`, which has one: a first, and after k of them another if `uniform` is below burst^k,
  /// of those that were resident when the burst began.
  void finish_burst(std::size_t sm, double burst, double uniform) {
    const std::size_t newest = queues_[sm].newest;
    double power = burst;
    while (finish(sm) != newest && uniform < power) power *= burst;
    if (launched_ == order_.size() && queues_[sm].finished == queues_[sm].newest) remove(sm);
  }

  /// Gives the next ticket to one in flight; the next thread block of the grid takes its place on the multiprocessor.
  void give_ticket() {
    const std::size_t i = number_below(in_flight_, order_[arrived_]);
    const InFlight ticketed = flight_[i];
    flight_[i] = flight_[--in_flight_];
    order_[arrived_++] = ticketed.block;
    if (launched_ < order_.size()) launch(ticketed.sm);
  }

 private:
  /// Finishes the next thread block of `sm` and returns it.
  std::size_t finish(std::size_t sm) {
    Queue& queue = queues_[sm];
    const std::uint32_t block = after_[queue.finished];
    queue.finished = block;
    next_places_[sm] = places_[after_[block]];
    ++finished_;
    flight_[in_flight_++] = {block, static_cast<std::uint32_t>(sm)};
    if (in_flight_ > flight_limit_) give_ticket();
    return block;
  }

  struct Queue {
    std::size_t finished;  ///< last
    std::size_t newest;    ///< launched last; as `finished` where none is resident
  };

  struct InFlight {
    std::uint32_t block, sm;
  };

  /// Of a multiprocessor that gets no more thread blocks: another takes its number, as nothing is launched any more.
  void remove(std::size_t sm) {
    next_places_[sm] = next_places_.back();
    queues_[sm] = queues_.back();
    next_places_.pop_back();
    queues_.pop_back();
  }

  void launch(std::uint32_t sm) {
    Queue& queue = queues_[sm];
    if (queue.newest == queue.finished) next_places_[sm] = places_[launched_];
    after_[queue.newest] = static_cast<std::uint32_t>(launched_);
    after_[launched_] = static_cast<std::uint32_t>(order_.size());
    queue.newest = launched_++;
  }

  std::span<const std::int64_t> places_;
  std::span<std::uint32_t> order_;
  std::size_t launched_;
  std::size_t flight_limit_;
  std::size_t finished_ = 0;
  std::size_t arrived_ = 0;
  std::size_t in_flight_ = 0;
  std::vector<std::int64_t> next_places_;
  std::vector<Queue> queues_;
  std::unique_ptr<std::uint32_t[]> after_;  ///< the next one in the queue, by thread block; order.size() where none is
  std::unique_ptr<InFlight[]> flight_;
};

/// The speed of a multiprocessor whose next thread block is at `place`, in units of 1 / kStops.
std::uint64_t speed_at(std::int64_t place, std::int64_t front) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(kStops - (place - front), 0, kStops));
}

/// Chooses among all multiprocessors by their speeds; where all stand still, the one that is farthest behind.
std::size_t choose_by_speed(std::span<const std::int64_t> places, std::int64_t front, std::uint64_t word) {
  std::uint64_t total = 0;
  for (const std::int64_t place : places) total += speed_at(place, front);
  if (total == 0) return static_cast<std::size_t>(std::min_element(places.begin(), places.end()) - places.begin());
  __extension__ using Wide = unsigned __int128;
  auto rest = static_cast<std::uint64_t>((Wide{word} * total) >> 64);
  std::size_t sm = 0;
  for (; rest >= speed_at(places[sm], front); ++sm) rest -= speed_at(places[sm], front);
  return sm;
}

void check_sm_queues(const Arguments&, std::size_t m) { check_order_size(m); }

/// The front is the number of thread blocks finished. A multiprocessor whose next thread block has a place p <= front
/// runs at full speed; its speed falls linearly, to 0 at p = front + bias. A burst begins on one with a probability in
/// proportion to its speed, which is what tries give that are repeated until one succeeds.
void draw_sm_queues(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  // After so many looks at tries, all in vain, one is chosen among all, which does not change its distribution.
  constexpr int kMostLooks = 16;
  if (order.empty()) return;
  const std::size_t m = order.size();
  const SmQueues model(arguments, m);
  const auto storage = std::make_unique_for_overwrite<std::int64_t[]>(m + 1);
  const std::span<std::int64_t> places(storage.get(), m + 1);
  place_thread_blocks(model, stream, places.first(m), order);
  places[m] = kNowhere;
  Multiprocessors grid(model, places, order);
  Tries tries(stream);
  int in_vain = 0;
  std::uint64_t choices = 0;
  while (grid.arrived() < m) {
    if (grid.idle()) {
      grid.give_ticket();
      continue;
    }
    const std::int64_t front = to_place(static_cast<double>(static_cast<std::int64_t>(grid.finished())), model.stops);
    if (const unsigned successes = tries.successes(grid.next_places(), front); successes != 0) {
      const auto i = static_cast<std::size_t>(std::countr_zero(successes));
      const Tries::Taken taken = tries.take(grid.next_places().size(), i);
      grid.finish_burst(taken.sm, model.burst, taken.burst);
      in_vain = 0;
      continue;
    }
    tries.drop_all();
    if (++in_vain < kMostLooks) continue;
    in_vain = 0;
    const RandomStream::Block words = stream.block(choices++, kOfChoices);
    const std::size_t sm =
        choose_by_speed(grid.next_places(), front, words[0] | (static_cast<std::uint64_t>(words[1]) << 32));
    grid.finish_burst(sm, model.burst, open_uniform(words[2]));
  }
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
