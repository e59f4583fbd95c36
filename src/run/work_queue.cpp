#include "run/work_queue.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "arrival/random_numbers.hpp"
#include "arrival/service_time.hpp"
#include "core/stop.hpp"

namespace orderlab {

namespace {

using Free = std::pair<double, std::uint32_t>;  // when a worker is free; of two at once the first takes the next run

double work_of(const WorkQueue& queue, std::size_t run, std::size_t m) {
  return static_cast<double>(queue.work.empty() ? queue.size(run, m) : queue.work[run]);
}

std::vector<std::uint32_t> takers_by_time(const WorkQueue& queue, std::size_t m, const RandomStream& stream) {
  const std::size_t runs = queue.count(m);
  double total = 0;
  for (std::size_t i = 0; i < runs; ++i) total += work_of(queue, i, m);
  const double mean = total / static_cast<double>(runs);

  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::uint32_t worker = 0; worker < queue.workers; ++worker)
    free.emplace(mean * open_uniform(stream.block(runs + worker / 4)[worker % 4]), worker);
  const ServiceTime service(*queue.variation);
  std::vector<std::uint32_t> takers(runs);
  StopCounter stop;
  for (std::size_t i = 0; i < runs; ++i, stop.step()) {
    const auto [time, worker] = free.top();
    free.pop();
    takers[i] = worker;
    free.emplace(time + service(stream, i) * work_of(queue, i, m), worker);
  }
  std::vector<std::uint32_t> places(queue.workers);
  for (std::uint32_t place = 0; !free.empty(); ++place, free.pop()) places[free.top().second] = place;
  for (std::uint32_t& taker : takers) taker = places[taker];
  return takers;
}

}  // namespace

std::vector<std::uint32_t> draw_takers(const WorkQueue& queue, std::size_t m, const RandomStream& stream) {
  if (queue.variation) return takers_by_time(queue, m, stream);
  std::vector<std::uint32_t> takers(queue.count(m));
  WordReader words(stream);
  StopCounter stop;
  for (std::size_t i = 0; i < takers.size(); ++i, stop.step())
    takers[i] = words.below(static_cast<std::uint32_t>(queue.workers), i);
  return takers;
}

}  // namespace orderlab
