// queue: workers take chunks from a queue, a dynamic schedule.
#include "order/stages/queue.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "arrival/service_time.hpp"
#include "core/text.hpp"
#include "order/counts.hpp"
#include "order/each.hpp"
#include "order/stages/chunks.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kEqualSizes = "equal";
constexpr std::string_view kQueueSizes[] = {kEqualSizes, "guided"};
constexpr Parameter kQueueParameters[] = {
    {.name = "workers", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 65535},
    {.name = "chunk", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    {.name = "cv",
     .kind = ParameterKind::real,
     .default_text = "-",
     .low = 0,
     .high = ServiceTime::kGreatestVariation,
     .keyword_only = true},
    {.name = "sizes",
     .kind = ParameterKind::choice,
     .default_text = kEqualSizes,
     .choices = kQueueSizes,
     .keyword_only = true},
    kEachParameter};
constexpr std::size_t kQueueChunk = 1;
constexpr std::size_t kQueueVariation = 2;
constexpr std::size_t kQueueSizesAt = 3;
constexpr std::size_t kQueueEach = 4;

// libgomp, gomp_iter_guided_next: an equal share of what is left, but no less than the chunk.
std::vector<std::size_t> guided_sizes(std::size_t m, std::size_t workers, std::size_t chunk) {
  std::vector<std::size_t> sizes;
  while (m > 0) {
    sizes.push_back(std::min(m, std::max(chunk, ceil_div(m, workers))));
    m -= sizes.back();
  }
  return sizes;
}

bool guided(const Arguments& arguments) { return arguments.choice(kQueueSizesAt) != kEqualSizes; }

// Chunks of each size, in turn.
std::vector<EqualChunks> chunks_of(const Arguments& arguments, std::size_t m) {
  const std::size_t chunk = std::min<std::size_t>(arguments.count(kQueueChunk), m);
  if (!guided(arguments)) return {{m / chunk, chunk}, {m % chunk > 0 ? std::size_t{1} : 0, m % chunk}};
  std::vector<EqualChunks> chunks;
  for (const std::size_t size : guided_sizes(m, arguments.count(0), chunk)) {
    if (chunks.empty() || chunks.back().size != size) chunks.push_back({0, size});
    ++chunks.back().count;
  }
  return chunks;
}

Steps describe_queue(const Arguments& arguments, std::size_t m, Format accumulate) {
  const auto queue = std::make_shared<WorkQueue>();
  queue->workers = arguments.count(0);
  queue->run = arguments.count(kQueueChunk);
  if (guided(arguments)) queue->sizes = guided_sizes(m, queue->workers, queue->run);
  if (arguments.has(kQueueVariation)) queue->variation = arguments.real(kQueueVariation);
  const Step taken = steps::add({}, {.tree = Combination::Tree::queued, .queue = queue});
  if (!arguments.has(kQueueEach)) return {taken};
  const std::vector<EqualChunks> chunks = chunks_of(arguments, m);
  queue->sizes = {};
  for (const auto [count, size] : chunks) {
    if (count == 0) continue;
    const std::size_t left = count_left(steps_of_each(arguments.order(kQueueEach), size, accumulate, false), size);
    queue->sizes.insert(queue->sizes.end(), count, left);
    queue->work.insert(queue->work.end(), count, size);
  }
  return {reduce_each(arguments.order(kQueueEach), chunks, accumulate, false), taken};
}

void check_queue(const Arguments& arguments) {
  if (!arguments.has(kQueueVariation)) return;
  const double cv = arguments.real(kQueueVariation);
  if (cv > 0 && cv < ServiceTime::kLeastVariation)
    throw Error(ErrorKind::usage, "queue: cv is " + shortest(cv) +
                                      ", too small to draw gamma times with; give 0 or at "
                                      "least " +
                                      shortest(ServiceTime::kLeastVariation));
}

void check_queue_count(const Arguments& arguments, std::size_t m) {
  if (!arguments.has(kQueueEach)) return;
  for (const auto [count, size] : chunks_of(arguments, m))
    if (count > 0) check_each(arguments.order(kQueueEach), size, "queue");
}

}  // namespace

extern const Stage kQueue;

std::vector<StageCall> usual_queues(const StageCall& call) {
  constexpr double kVariations[] = {0, 0.2, 1, 3};
  if (call.stage != &kQueue) return {};
  const std::uint64_t workers = call.arguments.count(0);
  std::set<std::uint64_t> busy{workers};
  if (!guided(call.arguments))
    busy.insert({std::min<std::uint64_t>(2, workers), (workers + 1) / 2});  // else the chunks would change
  std::vector<StageCall> queues{*kQueue.fixed_form(call.arguments)};
  for (const std::uint64_t count : busy) {
    for (const double variation : kVariations) {
      std::vector<Argument> arguments = call.arguments.values();
      arguments[0] = count;
      arguments[kQueueVariation] = variation;
      queues.push_back({&kQueue, Arguments(std::move(arguments))});
    }
  }
  return queues;
}

const Stage kQueue{
    .name = "queue",
    .summary =
        "workers take chunks from a queue, and each adds its chunks to a sum of its own; these sums are added to +0.0 "
        "in the order in which the workers finish. Each worker takes a chunk with the same probability; cv=: it takes "
        "the next chunk when it has finished one, with gamma service times of that coefficient of variation; "
        "sizes=guided: a chunk is 1/workers of what is left, at least `chunk`; each=stages reduce a chunk first, and "
        "its worker adds the partial sums that they leave, in turn",
    .source = "OpenMP 5.2, schedule(dynamic, chunk) and schedule(guided, chunk), libgomp; thread pools",
    .parameters = kQueueParameters,
    .reduces = true,
    .guarantee = Guarantee::not_guaranteed,
    .fixed_form = [](const Arguments& arguments) -> std::optional<StageCall> {
      return one_thread_call(arguments.values()[kQueueChunk], arguments.values()[kQueueEach]);
    },
    .check = check_queue,
    .check_count = check_queue_count,
    .describe = describe_queue,
};

}  // namespace orderlab
