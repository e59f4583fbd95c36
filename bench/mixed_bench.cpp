// Sums of several formats beside the same in fp32.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

constexpr Formats kSinglePrecision{Format::fp32, Format::fp32, Format::fp32};

/// What rounds to the format and adds in it from there on; nothing for fp32.
std::string changed_to(const std::string& format) {
  return format == "fp32" ? "" : "round(" + format + ") | in(" + format + ") | ";
}

/// Samples of an order; items are the partial sums that are drawn.
void mixed_samples(benchmark::State& state, const std::string& order, std::size_t n) {
  const Terms terms = generate_terms("normal(0,1)", n, Format::fp32, 1);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), kSinglePrecision, 1);
  const auto scratch = evaluator->make_scratch();
  std::vector<Evaluation> results(64);
  std::uint64_t sample = 0;
  for (auto _ : state) {
    evaluator->evaluate_all(sample, results, *scratch);
    sample += results.size();
    benchmark::DoNotOptimize(results.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(results.size() * evaluator->random_count()));
}

/// All work for terms and a fixed order; items are terms.
void mixed_order(benchmark::State& state, const std::string& order) {
  constexpr std::size_t kTerms = std::size_t{1} << 20;
  const Terms terms = generate_terms("normal(0,1)", kTerms, Format::fp32, 1);
  for (auto _ : state) {
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), kSinglePrecision, 1);
    benchmark::DoNotOptimize(evaluator->evaluate(0, *evaluator->make_scratch()).bits);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTerms));
}

int register_all() {
  for (const std::string format : {"fp32", "bf16", "fp16"}) {
    const std::string change = changed_to(format);
    const auto samples = [&](const std::string& name, const std::string& order, std::size_t n) {
      benchmark::RegisterBenchmark(("mixed_samples/" + name + "/" + format).c_str(), mixed_samples, order, n)
          ->Unit(benchmark::kMicrosecond);
    };
    const auto whole = [&](const std::string& name, const std::string& order) {
      benchmark::RegisterBenchmark(("mixed_order/" + name + "/" + format).c_str(), mixed_order, order)
          ->Unit(benchmark::kMicrosecond);
    };
    samples("64_partials", "chunks(64) | " + change + "arrive | seq", 1 << 20);
    samples("64_rounded_as_drawn", "chunks(64) | arrive | " + change + "seq", 1 << 20);
    samples("whole", change + "shuffle | seq", 1 << 16);
    samples("lanes", change + "shuffle | strided(128) | halving(128)", 1 << 16);
    whole("seq", change + "seq");
    whole("lanes", change + "strided(128) | halving(128)");
    whole("chunks", "chunks(64) | " + change + "seq");
  }
  return 0;
}

[[maybe_unused]] const int registered = register_all();

}  // namespace
