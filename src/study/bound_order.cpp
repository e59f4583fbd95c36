#include "study/bound_order.hpp"

#include "core/memory.hpp"
#include "engine/arena.hpp"
#include "engine/task_list.hpp"
#include "orderlab/sample.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

void require_evaluable_in(const Formats& formats, const Order& order, const InputFacts& input, int threads) {
  order.check(input.n, input.products, formats.accumulate);
  require_memory(evaluator_memory_bytes(order, input.n, input.products, formats, threads_used(threads)));
}

}  // namespace

void require_evaluable(const Order& order, const InputFacts& input, int threads) {
  require_evaluable_in(input.formats, order, input, threads);
}

std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, std::uint64_t seed,
                                                int threads) {
  return make_evaluator(order, input, input.facts.formats, seed, threads);
}

std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, const Formats& formats,
                                                std::uint64_t seed, int threads) {
  require_evaluable_in(formats, order, input.facts, threads);
  return Evaluator::make(order, input.terms.view(), formats, seed, loop_on(threads));
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
