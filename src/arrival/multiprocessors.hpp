// The grid of `sm_queues`: thread blocks in the queues of multiprocessors, and those on the way to their tickets.
// Longer than most files: what is in a hot loop stands together.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arrival/random_number_vectors.hpp"
#include "arrival/random_numbers.hpp"
#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {

/// The arguments of `sm_queues`, with no more multiprocessors than thread blocks, and its places: whole numbers of
/// bias / kStops launch indices, so that speeds are whole numbers of 1 / kStops.
struct SmQueues {
  static constexpr int kStopBits = 24;
  static constexpr std::int64_t kStops = std::int64_t{1} << kStopBits;
  static constexpr std::int64_t kNowhere = std::int64_t{1} << 62;

  // Attempts of the stream. Block i of kOfThreadBlocks: words 0 to 2 the normal number of the delay of thread block i,
  // word 3 which one in flight gets ticket i. Block j of kOfTries: words 0 and 1 try 2 j, words 2 and 3 try 2 j + 1.
  // Block c of kOfChoices, the c-th choice among all multiprocessors: words 0 and 1 the choice, word 2 the length of a
  // burst.
  static constexpr std::uint16_t kOfThreadBlocks = 0;
  static constexpr std::uint16_t kOfTries = 1;
  static constexpr std::uint16_t kOfChoices = 2;

  SmQueues(const Arguments& arguments, std::size_t m)
      : sms(static_cast<std::size_t>(std::min<std::uint64_t>(arguments.count(0), m))),
        resident(arguments.count(1)),
        burst(arguments.real(3)),
        jitter(arguments.count(4)),
        delay(arguments.real(5)),
        length(arguments.real(6)),
        first(arguments.real(7)),
        stops(static_cast<double>(kStops) / arguments.real(2)) {}

  /// The front is the number of thread blocks finished, below 2^32; stops <= kStops.
  std::int64_t front(std::size_t finished) const {
    return static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(finished)) * stops);
  }

  std::int64_t place(double index) const {
    constexpr double kFarthest = 0x1p61;  // beyond what any thread block below 2^32 gets
    return static_cast<std::int64_t>(std::min(std::max(index * stops, -kFarthest), kFarthest));
  }

  std::size_t sms;
  std::uint64_t resident;
  double burst;
  std::uint64_t jitter;
  double delay, length, first;
  double stops;  ///< places per launch index
};

/// Places of thread blocks in launch order; each is that of b + its delay.
///
/// The delay is delay f_b x_b: x_0 = N_0, x_b = a x_(b-1) + sqrt(1 - a^2) N_b, a = exp(-1 / length); f_b goes in equal
/// steps from `first` for b = 0 to 1 after kWavesToFull waves of sms * resident thread blocks.
class LaunchPlaces {
 public:
  /// Sets words[b] to the word that ticket b is drawn with, no later than the place of b is taken.
  LaunchPlaces(const SmQueues& model, const RandomStream& stream, std::span<std::uint32_t> words)
      : model_(model),
        stream_(stream),
        words_(words),
        growth_((1 - model.first) /
                (kWavesToFull * (static_cast<double>(model.sms) * static_cast<double>(model.resident)))),
        kept_(model.length > 0 ? fixed::exp(-1 / model.length) : 0.0),
        added_(std::sqrt(1 - kept_ * kept_)) {}

  /// That of thread block `b`; b goes up by 1 from call to call.
  std::int64_t operator[](std::size_t b) {
    if (b % kBlocksAtOnce == 0) compute(b);
    return places_[b % kBlocksAtOnce];
  }

 private:
  static constexpr double kWavesToFull = 2;

  /// Those of thread block `begin` and the next ones.
  [[gnu::noinline]] void compute(std::size_t begin) {
    std::array<std::uint64_t, kBlocksAtOnce> low_storage, high_storage;
    std::array<double, kBlocksAtOnce> numbers;
    const std::size_t count = std::min(kBlocksAtOnce, words_.size() - begin);
    const auto low = std::span(low_storage).first(count);
    const auto high = std::span(high_storage).first(count);
    philox_blocks(stream_, begin, SmQueues::kOfThreadBlocks, low, high);
    normals({low, high}, std::span(numbers).first(count));
    double x = x_;
    auto b = static_cast<double>(static_cast<std::int64_t>(begin));
    for (std::size_t k = 0; k < count; ++k) {
      words_[begin + k] = static_cast<std::uint32_t>(high[k] >> 32);
      x = begin + k == 0 ? numbers[k] : kept_ * x + added_ * numbers[k];
      places_[k] = model_.place(b + model_.delay * std::min(model_.first + growth_ * b, 1.0) * x);
      b += 1;
    }
    x_ = x;
  }

  const SmQueues& model_;
  const RandomStream& stream_;
  std::span<std::uint32_t> words_;
  double growth_, kept_, added_;
  double x_ = 0;
  std::array<std::int64_t, kBlocksAtOnce> places_;
};

/// Thread blocks on multiprocessors, each in the queue of one, in launch order, and those in flight.
///
/// Those that finish get their tickets many at a time: what is launched when a ticket is given goes to the end of a
/// queue, where it matters only once the multiprocessor gets there.
class Multiprocessors {
 public:
  /// `order` is filled with tickets as thread blocks arrive.
  Multiprocessors(const SmQueues& model, const RandomStream& stream, std::span<std::uint32_t> order)
      : order_(order),
        launch_places_(model, stream, order),
        burst_(model.burst),
        two_or_more_(words_below(burst_)),
        three_or_more_(words_below(burst_ * burst_)),
        capacity_(
            static_cast<std::size_t>(std::min<std::uint64_t>(model.resident, (order.size() - 1) / model.sms + 1))),
        flight_limit_(static_cast<std::size_t>(std::min<std::uint64_t>(model.jitter, order.size()))),
        empty_(model.sms),
        next_places_(model.sms, SmQueues::kNowhere),
        queues_(model.sms),
        places_(std::make_unique_for_overwrite<std::int64_t[]>(model.sms * capacity_)),
        blocks_(std::make_unique_for_overwrite<std::uint32_t[]>(model.sms * capacity_)),
        flight_(std::make_unique_for_overwrite<InFlight[]>(flight_limit_ + 1)) {
    for (std::size_t sm = 0; sm < model.sms; ++sm) queues_[sm].begin = sm * capacity_;
    for (std::size_t wave = 0; wave < capacity_; ++wave)
      for (std::size_t sm = 0; sm < model.sms && launched_ < order.size(); ++sm) launch(sm);
  }

  /// Places of the thread blocks that multiprocessors finish next; kNowhere without one.
  std::span<const std::int64_t> next_places() const { return next_places_; }

  /// The length of a burst of `sm` where it is 1 or 2 and leaves some resident, else 0.
  std::size_t short_burst(std::size_t sm, std::uint32_t word) const {
    const std::size_t length = std::size_t{1} + static_cast<std::size_t>(word < two_or_more_);
    return static_cast<int>(word < three_or_more_) | static_cast<int>(length >= queues_[sm].size) ? 0 : length;
  }

  /// Finishes a burst of that length.
  void finish_short_burst(std::size_t sm, std::size_t length) {
    Queue& queue = queues_[sm];
    // Nobody can predict whether a second one finishes: it is copied anyway.
    const std::size_t first = queue.begin + queue.next;
    const std::size_t second = queue.begin + wrapped(queue.next + 1);
    const auto sm_word = static_cast<std::uint32_t>(sm);
    waiting_[waiting_count_] = {blocks_[first], sm_word};
    waiting_[waiting_count_ + 1] = {blocks_[second], sm_word};
    waiting_count_ += length;
    queue.next = wrapped(queue.next + length);
    queue.size -= length;
    finished_ += length;
    next_places_[sm] = places_[queue.begin + queue.next];
    if (waiting_count_ >= waiting_limit_) give_tickets();
  }

  /// Finishes thread blocks of `sm`, which has one: a first, and after k of them another if open_uniform(word) is below
  /// burst^k, of those that were resident when the burst began. Returns how many. All have their tickets once all have
  /// finished.
  [[gnu::noinline]] std::size_t finish_burst(std::size_t sm, std::uint32_t word) {
    Queue& queue = queues_[sm];
    if (burst_length(word, queue.size) == queue.size) give_tickets();  // which may launch more
    const std::size_t length = burst_length(word, queue.size);
    for (std::size_t i = 0; i < length; ++i) finish(queue, static_cast<std::uint32_t>(sm));
    finished_ += length;
    if (queue.size == 0) {
      end_queue(sm);
    } else {
      next_places_[sm] = places_[queue.begin + queue.next];
      if (waiting_count_ >= waiting_limit_) give_tickets();
    }
    return length;
  }

 private:
  static constexpr std::size_t kMostWaiting = 64;

  /// A ring of capacity_ slots: those resident, in launch order, as far as tickets have been given.
  struct Queue {
    std::size_t begin;
    std::size_t next = 0;
    std::size_t size = 0;
  };

  struct InFlight {
    std::uint32_t block, sm;
  };

  /// The number of words that give an open_uniform() below p: 2 word + 1 < 2^33 p.
  static std::uint64_t words_below(double p) {
    return static_cast<std::uint64_t>(std::max(std::ceil((p * 0x1p33 - 1) / 2), 0.0));
  }

  std::size_t wrapped(std::size_t slot) const { return slot < capacity_ ? slot : slot - capacity_; }

  std::size_t burst_length(std::uint32_t word, std::size_t most) const {
    std::size_t length = 1;
    for (double power = burst_; length < most && open_uniform(word) < power; power *= burst_) ++length;
    return length;
  }

  void finish(Queue& queue, std::uint32_t sm) {
    if (waiting_count_ >= kMostWaiting) give_tickets();
    waiting_[waiting_count_++] = {blocks_[queue.begin + queue.next], sm};
    queue.next = wrapped(queue.next + 1);
    --queue.size;
  }

  /// After the last one of a queue has finished.
  void end_queue(std::size_t sm) {
    next_places_[sm] = SmQueues::kNowhere;
    ++empty_;
    give_tickets();
    if (launched_ == order_.size() && queues_[sm].size == 0) remove(sm);
    while (finished_ == launched_ && in_flight_ > 0) {
      const InFlight last = flight_[--in_flight_];
      give_tickets_to(std::span(&last, 1));
    }
  }

  [[gnu::noinline]] void give_tickets() {
    std::size_t i = 0;
    for (; i < waiting_count_ && in_flight_ < flight_limit_; ++i) flight_[in_flight_++] = waiting_[i];
    give_tickets_to(std::span(waiting_).subspan(i, waiting_count_ - i));
    waiting_count_ = 0;
    waiting_limit_ = empty_ > 0 && launched_ < order_.size() ? 1 : kMostWaiting;
  }

  /// Gives a ticket for each of `finished` to one of those in flight and itself, which takes the place of the other;
  /// the next thread block of the grid takes its place on the multiprocessor.
  void give_tickets_to(std::span<const InFlight> finished) {
    InFlight* const flight = flight_.get();
    std::uint32_t* const order = order_.data();
    const std::size_t in_flight = in_flight_, m = order_.size();
    std::size_t arrived = arrived_;
    for (const InFlight last : finished) {
      flight[in_flight] = last;
      const std::size_t i = number_below(in_flight + 1, order[arrived]);
      const InFlight ticketed = flight[i];
      flight[i] = last;
      order[arrived++] = ticketed.block;
      if (launched_ < m) launch(ticketed.sm);
    }
    arrived_ = arrived;
  }

  /// A number from 0 to count - 1, each with a probability that differs from 1 / count by less than 2^-32.
  static std::size_t number_below(std::size_t count, std::uint32_t word) { return (std::uint64_t{word} * count) >> 32; }

  void launch(std::size_t sm) {
    Queue& queue = queues_[sm];
    const std::size_t slot = queue.begin + wrapped(queue.next + queue.size);
    const std::int64_t place = launch_places_[launched_];
    places_[slot] = place;
    blocks_[slot] = static_cast<std::uint32_t>(launched_++);
    if (queue.size++ > 0) return;
    next_places_[sm] = place;
    --empty_;
  }

  /// Of a multiprocessor that gets no more thread blocks: another takes its number, as nothing is launched any more.
  void remove(std::size_t sm) {
    next_places_[sm] = next_places_.back();
    queues_[sm] = queues_.back();
    next_places_.pop_back();
    queues_.pop_back();
    --empty_;
  }

  std::span<std::uint32_t> order_;  ///< words of tickets, each until the ticket is given
  LaunchPlaces launch_places_;
  double burst_;
  std::uint64_t two_or_more_, three_or_more_;  ///< words of bursts of such lengths are below
  std::size_t capacity_;
  std::size_t flight_limit_;
  std::size_t launched_ = 0, finished_ = 0, arrived_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t empty_;  ///< queues
  std::size_t waiting_count_ = 0;
  std::size_t waiting_limit_ = kMostWaiting;  ///< 1 where a queue is empty and something may be launched into it
  std::vector<std::int64_t> next_places_;
  std::vector<Queue> queues_;
  std::unique_ptr<std::int64_t[]> places_;          ///< by slot
  std::unique_ptr<std::uint32_t[]> blocks_;         ///< by slot
  std::array<InFlight, kMostWaiting + 2> waiting_;  ///< finished, not yet in flight
  std::unique_ptr<InFlight[]> flight_;
};

}  // namespace orderlab
