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

std::vector<double> work_of_runs(const WorkQueue& queue, std::size_t m) {
  if (!queue.work.empty()) return {queue.work.begin(), queue.work.end()};
  std::vector<double> work(queue.count(m));
  for (std::size_t i = 0, at = 0; i < work.size(); ++i) {
    const std::size_t end = queue.end_of(i, at, m);
    work[i] = static_cast<double>(end - at);
    at = end;
  }
  return work;
}

std::vector<std::uint32_t> takers_by_time(const WorkQueue& queue, std::size_t m, const RandomStream& stream) {
  const std::vector<double> work = work_of_runs(queue, m);
  const std::size_t runs = work.size();
  const double total = std::accumulate(work.begin(), work.end(), 0.0);  // exact: whole numbers
  const double begin = total / static_cast<double>(runs) + queue.late * total;

  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::uint32_t worker = 0; worker < queue.workers; ++worker)
    free.emplace(begin * open_uniform(stream.block(runs + worker / 4)[worker % 4]), worker);
  const ServiceTime service(*queue.variation);
  std::vector<std::uint32_t> takers(runs);
  StopCounter stop;
  for (std::size_t i = 0; i < runs; ++i, stop.step()) {
    const auto [time, worker] = free.top();
    free.pop();
    takers[i] = worker;
    free.emplace(time + service(stream, i) * work[i], worker);
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
