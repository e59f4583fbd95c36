// An epoch of training with drawn orders beside one in launch order: a graph of the size of Cora, and a small one.
#include <benchmark/benchmark.h>

#include "orderlab/graph_sage.hpp"

namespace orderlab {

namespace {

const GraphSageProblem<float>& problem_of(bool large) {
  const auto make = [](const Communities& what) { return GraphSageProblem<float>(planted_communities(what), {}); };
  static const GraphSageProblem<float> kLarge =
      make({.nodes = 2708, .classes = 7, .features = 1433, .degree = 3.9, .features_each = 18.2});
  static const GraphSageProblem<float> kSmall = make({});
  return large ? kLarge : kSmall;
}

void train_epoch(benchmark::State& state) {
  GraphSage<float> model(problem_of(state.range(0) != 0),
                         ProgramRun(1, 0, state.range(1) != 0 ? Reductions::drawn : Reductions::launch));
  for (auto _ : state) benchmark::DoNotOptimize(model.epoch());
}

BENCHMARK(train_epoch)->ArgNames({"cora", "drawn"})->ArgsProduct({{0, 1}, {0, 1}})->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace orderlab
