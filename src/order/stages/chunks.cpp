// chunks: what t threads of a static schedule add.
#include "order/stages/chunks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "order/counts.hpp"
#include "order/each.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kChunksParameters[] = {
    {.name = "t", .kind = ParameterKind::count, .default_text = "", .low = 1},
    kAccumulateParameter,
    kFromParameter,
    {.name = "chunk", .kind = ParameterKind::count, .default_text = "-", .low = 1, .keyword_only = true},
    kEachParameter};
constexpr std::size_t kChunksAcc = 1;
constexpr int kChunksFrom = 2;
constexpr std::size_t kChunksChunk = 3;
constexpr std::size_t kChunksEach = 4;

Step regular(std::size_t threads, std::size_t chunk, const Combination& how) {
  return steps::add({.count = threads, .stride = chunk, .items = chunk, .pass = threads * chunk}, how);
}

// Where a last chunk has more partial sums left than the others: the order that moves those of each thread together,
// and their groups.
std::pair<Step, steps::Add> irregular(std::size_t threads, std::size_t chunks, std::size_t left, std::size_t last) {
  std::vector<std::size_t> order;
  steps::Add add;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t first = order.size();
    for (std::size_t chunk = thread; chunk < chunks; chunk += threads)
      for (std::size_t i = 0; i < (chunk + 1 < chunks ? left : last); ++i) order.push_back(chunk * left + i);
    add.groups.push_back({.first = first, .members = order.size() - first, .place = thread});
  }
  return {steps::move(order.size(), [&](std::size_t k) { return order[k]; }), std::move(add)};
}

// Chunk i of c partial sums goes to thread i mod t.
Steps deal_chunks(const Arguments& arguments, std::size_t m, Format accumulate) {
  const std::size_t c = std::min<std::size_t>(arguments.count(kChunksChunk), m);
  const std::size_t rest = m % c;
  const std::size_t chunks = ceil_div(m, c);
  const std::size_t threads = std::min<std::size_t>(arguments.count(0), chunks);
  if (!arguments.has(kChunksEach)) return {regular(threads, c, left_to_right(arguments, kChunksAcc, kChunksFrom))};
  const std::vector<StageCall>& each = arguments.order(kChunksEach);
  const Step reduced = reduce_each(each, {{m / c, c}, {1, rest}}, accumulate, false);
  const std::size_t left = count_left(steps_of_each(each, c, accumulate, false), c);
  const std::size_t last = rest > 0 ? count_left(steps_of_each(each, rest, accumulate, false), rest) : left;
  if (last <= left) return {reduced, {steps::Move{}}, regular(threads, left, {})};
  auto [together, add] = irregular(threads, chunks, left, last);
  return {reduced, std::move(together), {std::move(add)}};
}

Steps describe_chunks(const Arguments& arguments, std::size_t m, Format accumulate) {
  if (arguments.has(kChunksChunk)) return deal_chunks(arguments, m, accumulate);
  const std::size_t t = arguments.count(0);
  const std::size_t k = m / t;
  const std::size_t longer = m % t;
  if (arguments.has(kChunksEach))
    return {reduce_each(arguments.order(kChunksEach), {{longer, k + 1}, {t - longer, k}}, accumulate, true)};
  return {{steps::Add{{{.count = longer, .stride = k + 1, .members = k + 1},
                       {.first = longer * (k + 1), .count = t - longer, .stride = k, .members = k, .place = longer}},
                      left_to_right(arguments, kChunksAcc, kChunksFrom)}}};
}

void check_chunks(const Arguments& arguments) {
  check_left_to_right(arguments, kChunksAcc, kChunksFrom, "chunks");
  const bool in_turn = arguments.choice(kChunksAcc) == kAccumulateParameter.default_text &&
                       !arguments.has(static_cast<std::size_t>(kChunksFrom));
  if (arguments.has(kChunksEach) && !in_turn)
    throw Error(ErrorKind::usage,
                "chunks: acc= and from= say how a chunk is added term by term; leave them out beside each=");
}

void check_chunks_count(const Arguments& arguments, std::size_t m) {
  if (!arguments.has(kChunksEach)) return;
  const bool sized = arguments.has(kChunksChunk);
  const std::size_t parts = sized ? arguments.count(kChunksChunk) : arguments.count(0);
  const std::size_t size = sized ? std::min(parts, m) : m / parts;
  const auto check = [&](std::size_t of) {
    if (of > 0) check_each(arguments.order(kChunksEach), of, "chunks");
  };
  check(size);
  if (m % parts > 0) check(sized ? m % parts : size + 1);
}

}  // namespace

extern const Stage kChunks;

StageCall one_thread_call(const Argument& chunk, const Argument& each) {
  return {&kChunks, Arguments({Argument(std::uint64_t{1}), Argument(kAccumulateParameter.default_text), Argument(),
                               chunk, each})};
}

const Stage kChunks{
    .name = "chunks",
    .summary =
        "t consecutive chunks of as equal size as possible (the first m mod t one longer), each left to right; "
        "chunk=c: chunks of c, dealt to t threads in turn; each=stages reduce a chunk first, and its thread "
        "adds the partial sums that they leave, in turn",
    .source = "OpenMP 5.2, schedule(static) and schedule(static, c)",
    .parameters = kChunksParameters,
    .reduces = true,
    .guarantee = Guarantee::run_to_run,
    .check = check_chunks,
    .check_count = check_chunks_count,
    .describe = describe_chunks,
};

}  // namespace orderlab
