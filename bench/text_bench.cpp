// Numbers as text to terms.
#include <benchmark/benchmark.h>

#include <charconv>
#include <string>

#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

/// Numbers separated by commas, of `digits` digits each, 0 for as many as it takes to read them back; items are
/// numbers.
void parse_text(benchmark::State& state, Format format, int digits) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms("normal(0,1)", n, Format::fp64, 1);
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    char number[40];
    const double x = terms.view().left(i);
    const auto [end, code] =
        digits == 0 ? std::to_chars(number, number + sizeof number, x)
                    : std::to_chars(number, number + sizeof number, x, std::chars_format::scientific, digits - 1);
    if (i > 0) text += ',';
    text.append(number, end);
  }
  for (auto _ : state) benchmark::DoNotOptimize(parse_terms(text, format));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}
BENCHMARK_CAPTURE(parse_text, fp64, Format::fp64, 0)->Arg(1000000);
BENCHMARK_CAPTURE(parse_text, fp32, Format::fp32, 0)->Arg(1000000);
BENCHMARK_CAPTURE(parse_text, fp16, Format::fp16, 0)->Arg(1000000);
BENCHMARK_CAPTURE(parse_text, fp64_19_digits, Format::fp64, 19)->Arg(1000000);
BENCHMARK_CAPTURE(parse_text, fp64_20_digits, Format::fp64, 20)->Arg(1000000);

}  // namespace
