// The exact sum beside an unordered SIMD sum, mpfr_sum and its own scalar loop, in one run: quote ratios, not times.
#include <benchmark/benchmark.h>
#include <hwy/targets.h>
#include <mpfr.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench/unordered_sum.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/terms.hpp"
#include "reference/exact_loop.hpp"

#ifdef ORDERLAB_XSUM
extern "C" {
#define restrict __restrict
#include "xsum.h"
#undef restrict
}
#endif

namespace {

using namespace orderlab;

void unordered(const TermView& terms) {
  if (terms.format == Format::fp32)
    benchmark::DoNotOptimize(unordered_sum(static_cast<const float*>(terms.x), terms.n));
  else
    benchmark::DoNotOptimize(unordered_sum(static_cast<const double*>(terms.x), terms.n));
}

void exact(const TermView& terms) { benchmark::DoNotOptimize(exact_sum(terms).to_double()); }

void scalar_loop(const TermView& terms) {
  ExactSum sum;
  ExactLoop::add(sum, terms, false);
  benchmark::DoNotOptimize(sum.value().to_double());
}

#ifdef ORDERLAB_XSUM
void xsum_small(const TermView& terms) {
  xsum_small_accumulator sum;
  xsum_small_init(&sum);
  xsum_small_addv(&sum, static_cast<const double*>(terms.x), static_cast<xsum_length>(terms.n));
  benchmark::DoNotOptimize(xsum_small_round(&sum));
}

void xsum_large(const TermView& terms) {
  xsum_large_accumulator sum;
  xsum_large_init(&sum);
  xsum_large_addv(&sum, static_cast<const double*>(terms.x), static_cast<xsum_length>(terms.n));
  benchmark::DoNotOptimize(xsum_large_round(&sum));
}
#endif

struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// One way to add on vectors of at most the extension `targets`; 0 leaves Highway its choice.
void run(benchmark::State& state, void (*way)(const TermView&), std::int64_t targets, const std::string& distribution,
         Format format, bool products) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms(distribution, n, format, 1);
  std::vector<CacheLine> aligned(terms.bytes().size() / sizeof(CacheLine) + 1);  // on every run
  std::memcpy(aligned.data(), terms.bytes().data(), terms.bytes().size());
  TermView view = terms.view();
  view.x = aligned.data();
  if (products) view.y = view.x;
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  for (auto _ : state) way(view);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

/// mpfr_sum of numbers that were made beforehand, rounded to a double.
void mpfr(benchmark::State& state, const std::string& distribution) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms(distribution, n, Format::fp64, 1);
  constexpr mpfr_prec_t kPrecision = 53;
  std::vector<mpfr_t> numbers(n);
  std::vector<mpfr_ptr> pointers;
  for (std::size_t i = 0; i < n; ++i) {
    mpfr_init2(numbers[i], kPrecision);
    mpfr_set_d(numbers[i], terms.view().left(i), MPFR_RNDN);
    pointers.push_back(numbers[i]);
  }
  mpfr_t sum;
  mpfr_init2(sum, kPrecision);
  for (auto _ : state) benchmark::DoNotOptimize(mpfr_sum(sum, pointers.data(), n, MPFR_RNDN));
  for (mpfr_t& number : numbers) mpfr_clear(number);
  mpfr_clear(sum);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

void add_benchmark(const char* way_name, void (*way)(const TermView&), const char* distribution, Format format,
                   const char* extension, std::int64_t targets, bool products = false) {
  const std::string name = std::string(way_name) + (products ? "_products/" : "/") + distribution + "/" +
                           std::string(info(format).name) + extension;
  auto* const benchmark = benchmark::RegisterBenchmark(name.c_str(), run, way, targets, distribution, format, products);
  for (const std::int64_t n : {4, 8, 16, 1000, 10000, 1000000}) benchmark->Arg(n);
}

/// Every input with each way, one after the other, so that neighbours can be compared.
const bool kRegistered = [] {
#if HWY_ARCH_X86
  const std::int64_t avx2 = HWY_AVX2 | HWY_SSE4 | HWY_SSSE3;
#endif
  for (const char* distribution : {"uniform(0,10)", "normal(0,1)", "logspread(-1000,1000)"}) {
    add_benchmark("unordered", unordered, distribution, Format::fp64, "", 0);
    add_benchmark("exact", exact, distribution, Format::fp64, "", 0);
#if HWY_ARCH_X86
    add_benchmark("unordered", unordered, distribution, Format::fp64, "/avx2", avx2);
    add_benchmark("exact", exact, distribution, Format::fp64, "/avx2", avx2);
#endif
    add_benchmark("scalar_loop", scalar_loop, distribution, Format::fp64, "", 0);
#ifdef ORDERLAB_XSUM
    add_benchmark("xsum_small", xsum_small, distribution, Format::fp64, "", 0);
    add_benchmark("xsum_large", xsum_large, distribution, Format::fp64, "", 0);
#endif
    benchmark::RegisterBenchmark((std::string("mpfr_sum/") + distribution).c_str(), mpfr, distribution)
        ->Arg(1000)
        ->Arg(1000000);
  }
  add_benchmark("unordered", unordered, "uniform(0,10)", Format::fp32, "", 0);
  for (const Format format : {Format::fp32, Format::fp16, Format::bf16}) {
    add_benchmark("exact", exact, "uniform(0,10)", format, "", 0);
    add_benchmark("scalar_loop", scalar_loop, "uniform(0,10)", format, "", 0);
  }
  for (const Format format : {Format::fp64, Format::fp32}) {
    add_benchmark("exact", exact, "uniform(0,10)", format, "", 0, true);
    add_benchmark("scalar_loop", scalar_loop, "uniform(0,10)", format, "", 0, true);
  }
  return true;
}();

}  // namespace
