// Drawing arrival orders, beside the plainest way to draw the same ones; items are arriving partial sums.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"
#include "tests/arrival/plain_draws.hpp"

namespace {

using namespace orderlab;

constexpr std::uint64_t kSlots = 1280;  // slots of the V100
constexpr double kVariation = 0.2;
constexpr double kStagger = 0.5;

template <class Draw>
void draw_orders(benchmark::State& state, Draw draw) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(state.range(0)));
  std::uint64_t sample = 0;
  for (auto _ : state) {
    draw(RandomStream(1, streams::kFirstStage, sample++), order);
    benchmark::DoNotOptimize(order.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void draw_model(benchmark::State& state, std::string_view name, const Arguments& arguments) {
  for (const ArrivalModel* model : arrival_models())
    if (model->name == name)
      draw_orders(state, [&](const RandomStream& stream, auto& order) { model->draw(arguments, stream, order); });
}

void slots(benchmark::State& state) { draw_model(state, "slots", Arguments({kSlots, kVariation, kStagger})); }
BENCHMARK(slots)->Arg(7813)->Arg(1000000);

/// A heap of times, service times drawn one by one, std::stable_sort.
void slots_plainly(benchmark::State& state) {
  draw_orders(state, [](const RandomStream& stream, auto& order) {
    testing::slots_plainly(kSlots, kVariation, kStagger, stream, order);
  });
}
BENCHMARK(slots_plainly)->Arg(7813)->Arg(1000000);

double spread(const benchmark::State& state) { return static_cast<double>(state.range(1)); }

void jitter(benchmark::State& state) { draw_model(state, "jitter", Arguments({spread(state)})); }
BENCHMARK(jitter)->ArgsProduct({{7813, 1000000}, {1, 100, 10000}});

void drift(benchmark::State& state) { draw_model(state, "drift", Arguments({spread(state), spread(state)})); }
BENCHMARK(drift)->ArgsProduct({{7813, 1000000}, {100}});

void batches(benchmark::State& state) { draw_model(state, "batches", Arguments({107.0, 413.0, 130.0, 0.25, 0.1})); }
BENCHMARK(batches)->Arg(7813)->Arg(1000000);

void passes(benchmark::State& state) { draw_model(state, "passes", Arguments({std::uint64_t{1056}, 100.0, 30.0})); }
BENCHMARK(passes)->Arg(7813)->Arg(1000000);

void steady_jitter(benchmark::State& state) {
  const auto jitter = std::make_shared<const Arguments>(std::vector<Argument>{100.0});
  for (const ArrivalModel* model : arrival_models())
    if (model->name == "jitter") draw_model(state, "steady", Arguments({ArrivalCall{model, jitter, nullptr}, 0.3}));
}
BENCHMARK(steady_jitter)->Arg(7813)->Arg(1000000);

void sm_queues(benchmark::State& state) {
  draw_model(state, "sm_queues",
             Arguments({std::uint64_t{80}, std::uint64_t{18}, 511.0, 0.32, std::uint64_t{3}, 382.0, 55.0, 0.37}));
}
BENCHMARK(sm_queues)->Arg(782)->Arg(7813)->Arg(1000000);

/// Normal numbers one by one, std::stable_sort.
void jitter_plainly(benchmark::State& state) {
  draw_orders(state, [s = spread(state)](const RandomStream& stream, auto& order) {
    testing::delay_plainly(stream, order, [s](std::size_t) { return s; });
  });
}
BENCHMARK(jitter_plainly)->ArgsProduct({{7813, 1000000}, {1, 100, 10000}});

/// A sample of `spa` as a V100 runs it, on one thread: what drawing the order costs beside adding in it.
void spa_slots(benchmark::State& state) {
  const Terms terms = generate_terms("uniform(0,10)", static_cast<std::size_t>(state.range(0)), Format::fp64, 1);
  const Order order = parse_order("tile(64,2) | halving(64) | arrive(slots(1280,0.2)) | seq(acc=atomic)");
  const auto evaluator = Evaluator::make(order, terms.view(), {}, 1);
  const auto scratch = evaluator->make_scratch();
  std::uint64_t sample = 0;
  for (auto _ : state) benchmark::DoNotOptimize(evaluator->evaluate(sample++, *scratch));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(evaluator->random_count()));
}
BENCHMARK(spa_slots)->Arg(1000000);

}  // namespace
