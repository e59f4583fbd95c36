#include "study/bound_order.hpp"

#include "core/memory.hpp"
#include "engine/arena.hpp"
#include "engine/task_list.hpp"
#include "orderlab/sample.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

void require_evaluable(const Order& order, const InputFacts& input, int threads) {
  order.check(input.n, input.products, input.formats.accumulate);
  require_memory(evaluator_memory_bytes(order, input.n, input.products, input.formats, threads_used(threads)));
}

std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, std::uint64_t seed,
                                                int threads) {
  require_evaluable(order, input.facts, threads);
  return Evaluator::make(order, input.terms.view(), input.facts.formats, seed, loop_on(threads));
}

ResultCounts sample_range(const Evaluator& evaluator, const InputFacts& input, const SampledRange& range,
                          const Watch& watch) {
  const WatchedStage stage(watch, "sampling");
  SampleOptions options;
  options.begin = range.begin;
  options.end = range.end;
  options.threads = range.threads;
  stage.follow(options);
  return orderlab::sample(evaluator, CountingFrame::make(input.exact, input.formats.result, range.max_distinct),
                          options);
}

}  // namespace orderlab::study
