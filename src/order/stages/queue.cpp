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
constexpr double kLatest = 1e6;  // one worker takes all long before
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
    {.name = "late", .kind = ParameterKind::real, .default_text = "-", .low = 0, .high = kLatest, .keyword_only = true},
    {.name = "sizes",
     .kind = ParameterKind::choice,
     .default_text = kEqualSizes,
     .choices = kQueueSizes,
     .keyword_only = true},
    kEachParameter};
constexpr std::size_t kQueueChunk = 1;
constexpr std::size_t kQueueVariation = 2;
constexpr std::size_t kQueueLate = 3;
constexpr std::size_t kQueueSizesAt = 4;
constexpr std::size_t kQueueEach = 5;

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
  if (arguments.has(kQueueVariation)) queue->variation = arguments.real(kQueueVariation);
  if (arguments.has(kQueueLate)) queue->late = arguments.real(kQueueLate);
  const Step taken = steps::add({}, {.tree = Combination::Tree::queued, .queue = queue});
  const bool each = arguments.has(kQueueEach);
  if (!each && !guided(arguments)) return {taken};
  const std::vector<EqualChunks> chunks = chunks_of(arguments, m);
  for (const auto [count, size] : chunks) {
    if (count == 0) continue;
    const std::size_t left =
        each ? count_left(steps_of_each(arguments.order(kQueueEach), size, accumulate, false), size) : size;
    queue->sizes.insert(queue->sizes.end(), count, left);
    if (each) queue->work.insert(queue->work.end(), count, size);
  }
  if (!each) return {taken};
  return {reduce_each(arguments.order(kQueueEach), chunks, accumulate, false), taken};
}

void check_queue(const Arguments& arguments) {
  if (!arguments.has(kQueueVariation)) {
    if (arguments.has(kQueueLate))
      throw Error(ErrorKind::usage,
                  "queue: late= needs cv=; give both, e.g. cv=0.2,late=" + shortest(arguments.real(kQueueLate)));
    return;
  }
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
  struct Times {
    std::optional<double> variation = {};
    std::optional<double> late = {};
  };
  // Chance alone; workers that begin together, with equal and unequal times, or with long pauses after many chunks in a
  // row, as where there are fewer cores than threads; workers that begin while others have done much of the work, or
  // all.
  constexpr Times kTimes[] = {{}, {0.0}, {1.0}, {100.0}, {0.2, 0.3}, {0.2, 1.0}, {0.2, 3.0}, {0.2, 20.0}, {100.0, 1.0}};
  if (call.stage != &kQueue) return {};
  const std::uint64_t workers = call.arguments.count(0);
  std::set<std::uint64_t> busy{workers};
  if (!guided(call.arguments))  // else the chunks would change
    for (const std::uint64_t some : {std::uint64_t{2}, std::uint64_t{3}, (workers + 1) / 2})
      busy.insert(std::min(some, workers));
  std::vector<StageCall> queues{*kQueue.fixed_form(call.arguments)};
  for (const std::uint64_t count : busy) {
    for (const Times& times : kTimes) {
      std::vector<Argument> arguments = call.arguments.values();
      arguments[0] = count;
      const auto set = [&](std::size_t at, std::optional<double> value) {
        arguments[at] = value ? Argument(*value) : Argument();
      };
      set(kQueueVariation, times.variation);
      set(kQueueLate, times.late);
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
        "the next chunk when it has finished one, with gamma service times of that coefficient of variation; late=: "
        "workers begin at times that are uniform below the mean time of a chunk plus this many times that of all; "
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
