// Samples of operations with many outputs; items are contributions.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/output_outcomes.hpp"
#include "operation/exact_outputs.hpp"
#include "order/resolve.hpp"
#include "orderlab/output_differences.hpp"
#include "orderlab/study/operation.hpp"

namespace {

using namespace orderlab;

std::shared_ptr<const LoweredOperation> million(const char* text) {
  const OperationCall call = parse_operation(text);
  const bool slices = std::string(text) == "index_add";
  const GeneratedInputs what{.shape = slices ? Shape{1000, 1000} : Shape{1'000'000}};
  return std::make_shared<const LoweredOperation>(lower(call, generated_inputs(call, what)));
}

/// One sample of all outputs, on one thread.
void operation_sample(benchmark::State& state, const char* text, const char* arrival) {
  const auto operation = million(text);
  const auto sums = OutputSums::make(operation, parse_arrival(arrival), {});
  const auto scratch = sums->make_scratch();
  std::vector<std::byte> results(sums->result_bytes());
  std::uint64_t sample = 0;
  for (auto _ : state) {
    sums->evaluate(sample++, results, *scratch);
    benchmark::DoNotOptimize(results.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operation->contributions()));
}

/// The same with all that is measured of it, of sixteen samples at once.
void operation_measured(benchmark::State& state, const char* text, const char* arrival) {
  const auto operation = million(text);
  const auto sums = OutputSums::make(operation, parse_arrival(arrival), {});
  const ExactRows exact = exact_outputs(*operation);
  const Terms baseline = operation->deterministic->results(*operation);
  const OutputComparison comparison(*sums, baseline, exact);
  OutputTally tally(*sums);
  const auto scratch = sums->make_scratch();
  constexpr std::size_t kTogether = 16;
  std::vector<OutputDifferences> found(kTogether);
  std::vector<ComparedSample> samples(kTogether);
  std::uint64_t sample = 0;
  for (auto _ : state) {
    SampleComparison together(comparison, tally, found);
    sums->evaluate_parts(sample, kTogether, *scratch, [&](auto results) {
      for (std::size_t s = 0; s < kTogether; ++s) samples[s].results = results[s];
      together.add(samples);
    });
    together.finish();
    sample += kTogether;
    benchmark::DoNotOptimize(found.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTogether * operation->contributions()));
}

/// The program's loop: `threads` of them, 100 samples.
void operation_sampling(benchmark::State& state) {
  const GeneratedInputs what{.shape = {1000, 1000}};
  const study::OperationInput input = study::operation_input(parse_operation("index_add"), what);
  study::OperationSampleRequest request{.arrival = "jitter(200)", .samples = 100};
  request.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(study::sample_operation(input, request)->vc.mean);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(request.samples * input.facts.contributions));
}

/// One sample of a convolution, on one thread.
void convolution_sample(benchmark::State& state, const char* text, const char* order_text) {
  const OperationCall call = parse_operation(text);
  const Order order = parse_order(order_text);
  const auto operation = std::make_shared<const LoweredOperation>(lower(call, generated_inputs(call, {}), {}, &order));
  const auto sums = OutputSums::make(operation, parse_arrival("uniform"), {});
  const auto scratch = sums->make_scratch();
  std::vector<std::byte> results(sums->result_bytes());
  std::uint64_t sample = 0;
  for (auto _ : state) {
    sums->evaluate(sample++, results, *scratch);
    benchmark::DoNotOptimize(results.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operation->terms.count()));
}

/// Every result of every output that varies; items are outputs.
void operation_outcomes(benchmark::State& state) {
  const auto operation = million("scatter_add");
  const auto sums = OutputSums::make(operation, parse_arrival("uniform"), {});
  OutputOutcomeFinder finder(*sums);
  OutputResults results;
  for (auto _ : state)
    for (const std::uint32_t r : sums->varying()) benchmark::DoNotOptimize(finder.find(r, results));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operation->outputs()));
}

/// A plain loop over the same contributions in launch order: out[index] += x.
void plain_scatter(benchmark::State& state) {
  const OperationCall call = parse_operation("scatter_add");
  const OperationInputs inputs = generated_inputs(call, {.shape = {1'000'000}});
  const float* const x = static_cast<const float*>(inputs.source.terms.view().x);
  std::vector<float> out(1'000'000);
  for (auto _ : state) {
    for (std::size_t i = 0; i < out.size(); ++i) out[static_cast<std::size_t>(inputs.index->values[i])] += x[i];
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

BENCHMARK_CAPTURE(operation_sample, index_add, "index_add", "jitter(200)");
BENCHMARK_CAPTURE(operation_sample, scatter_add, "scatter_add", "jitter(200)");
BENCHMARK_CAPTURE(operation_measured, index_add, "index_add", "jitter(200)");
BENCHMARK_CAPTURE(operation_measured, scatter_add, "scatter_add", "jitter(200)");
BENCHMARK(operation_sampling)->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime()->ArgName("threads");
BENCHMARK_CAPTURE(convolution_sample, transposed_3x3, "conv_transpose2d(1,1,300,300,3,1,0,2)",
                  "shuffle | seq(acc=fma)");
BENCHMARK_CAPTURE(convolution_sample, transposed_11x11, "conv_transpose2d(1,1,100,100,11,1,0,2)",
                  "shuffle | seq(acc=fma)");
BENCHMARK_CAPTURE(convolution_sample, transposed_64_channels, "conv_transpose2d(64,16,14,14,3,2,1)",
                  "shuffle | seq(acc=fma)");
BENCHMARK_CAPTURE(convolution_sample, filter, "conv_filter(16,16,56,56,3,1,1)", "shuffle | seq(acc=fma)");
BENCHMARK_CAPTURE(convolution_sample, own_orders, "conv_transpose2d(1,1,100,100,11,1,0,2)",
                  "arrive(uniform) | seq(acc=fma)");
BENCHMARK_CAPTURE(operation_sample, cumsum, "cumsum", "jitter(20)");
BENCHMARK_CAPTURE(operation_measured, cumsum, "cumsum", "uniform");
BENCHMARK_CAPTURE(operation_sample, cumsum_last, "cumsum(outputs=last)", "jitter(20)");
BENCHMARK(operation_outcomes);
BENCHMARK(plain_scatter);

}  // namespace
