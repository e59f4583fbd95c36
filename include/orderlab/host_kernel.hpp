// A kernel's own source as an executor on the CPU. For translation units compiled with orderlab::kernel_flags, after
// orderlab/cuda_on_host.hpp and the kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/error.hpp"
#include "orderlab/narrow_on_host.hpp"

namespace orderlab {

namespace detail {

template <class T>
std::span<const T> numbers_of(const void* data, std::size_t n) {
  return {static_cast<const T*>(data), data == nullptr ? 0 : n};
}

/// Whether this CPU has a fused multiply-add instruction.
bool cpu_can_fuse();

/// Error(unsupported) unless `can_fuse`.
void require_fma(bool can_fuse);

/// The type that kernels have for numbers of the core's type T.
template <class T>
struct NumberOnHost {
  using type = T;
};
template <Format F>
struct NumberOnHost<Narrow<F>> {
  using type = simt::Narrow16<F>;
};

/// A null pointer to the type that kernels have for numbers of format F.
template <Format F>
constexpr auto number_on_host() {
  if constexpr (held_format(F) == Format::fp32)
    return static_cast<float*>(nullptr);
  else if constexpr (held_format(F) == Format::fp16)
    return static_cast<NumberOnHost<Half>::type*>(nullptr);
  else if constexpr (held_format(F) == Format::bf16)
    return static_cast<NumberOnHost<Bfloat16>::type*>(nullptr);
  else if constexpr (held_format(F) == Format::fp64)
    return static_cast<double*>(nullptr);
  else
    static_assert(held_format(F) == Format::fp64, "kernels have no type for numbers of this format");
}
template <Format F>
using NumberOf = std::remove_pointer_t<decltype(number_on_host<F>())>;

[[noreturn]] void refuse_formats(const KernelInfo& kernel, const Formats& formats);

/// Calls `f` with a null pointer to the type that kernels have for `format`.
template <class F>
decltype(auto) with_number_on_host(Format format, F&& f) {
  return with_type_of(format, [&]<class T>(T*) { return f(static_cast<typename NumberOnHost<T>::type*>(nullptr)); });
}

/// Whether it has terms that are held in the format, or sums of it.
constexpr bool takes(const KernelInfo& kernel, Format held) {
  for (const Formats& mixed : kernel.mixed_formats)
    if (held_format(mixed.terms) == held) return true;
  return kernel.has(held);
}
constexpr bool adds_in(const KernelInfo& kernel, Format accumulate) {
  for (const Formats& mixed : kernel.mixed_formats)
    if (mixed.accumulate == accumulate) return true;
  return kernel.has(accumulate);
}

template <class Kernel, class T, class Sum, class Result>
auto result_on_host(simt::Device& device, const RunInput<T>& input) {
  if constexpr (requires { Kernel::template run<T, Sum, Result>(device, input); })
    return Kernel::template run<T, Sum, Result>(device, input);
  else
    return Kernel::run(device, input);
}

template <class T>
RunInput<T> input_of(const KernelJob& job) {
  return {.x = numbers_of<T>(job.terms.x, job.terms.n),
          .y = numbers_of<T>(job.terms.y, job.terms.n),
          .shape = job.shape,
          .record = job.record,
          .extents = job.arrays.extents,
          .self = numbers_of<T>(job.arrays.self, job.arrays.extents.outputs()),
          .index = job.arrays.index};
}

template <class T, class Sum>
KernelRun run_of(RunResult<T, Sum> result) {
  KernelRun run{.bits = bits_of(result.sum), .shape = result.shape, .looked_back = std::move(result.looked_back)};
  for (const auto& value : result.returned) run.returned.push_back(bits_of(value));
  for (const auto& value : result.outputs) run.outputs.push_back(bits_of(value));
  return run;
}

/// The formats that a kernel runs in, from 0: each of its formats alone, then the mixed ones.
constexpr std::size_t number_of_formats(const KernelInfo& kernel) {
  return kernel.formats.size() + kernel.mixed_formats.size();
}
constexpr Formats formats_of(const KernelInfo& kernel, std::size_t i) {
  if (i >= kernel.formats.size()) return kernel.mixed_formats[i - kernel.formats.size()];
  return {kernel.formats[i], kernel.formats[i], kernel.formats[i]};
}

/// Runs a kernel in formats_of(kernel, i).
using RunOnHost = KernelRun (*)(simt::Device& device, const KernelJob& job);
template <class Kernel, std::size_t i>
KernelRun run_on_host(simt::Device& device, const KernelJob& job) {
  constexpr Formats kFormats = formats_of(Kernel::kInfo, i);
  using Result = NumberOf<kFormats.result>;
  using T = NumberOf<kFormats.terms>;
  auto result = result_on_host<Kernel, T, NumberOf<kFormats.accumulate>, Result>(device, input_of<T>(job));
  static_assert(std::is_same_v<decltype(result.sum), Result>,
                "run must return RunResult<RESULT, SUM> in the formats that it is asked for");
  return run_of(std::move(result));
}

template <class Kernel, std::size_t... i>
constexpr std::array<RunOnHost, sizeof...(i)> runs_on_host(std::index_sequence<i...>) {
  return {run_on_host<Kernel, i>...};
}
template <class Kernel>
inline constexpr auto kRunsOnHost = runs_on_host<Kernel>(std::make_index_sequence<number_of_formats(Kernel::kInfo)>{});

/// Executor::run: runs entry i of `runs` for the job's formats, formats_of(kernel, i). Both must outlive it.
std::function<KernelRun(const KernelJob& job)> host_run(const KernelInfo& kernel, std::span<const RunOnHost> runs);

template <class Kernel, class T>
auto mapped_term(const RunInput<T>& inputs, std::size_t i) {
  if constexpr (Kernel::kInfo.products)
    return Kernel::map(inputs.x[i], inputs.y[i]);
  else
    return Kernel::map(inputs.x[i]);
}

template <class X>
inline constexpr bool kIsPair = false;
template <class X, class Y>
inline constexpr bool kIsPair<std::pair<X, Y>> = true;

/// What `map` makes of all inputs.
template <class Kernel, class T>
Terms mapped_terms(const TermView& view) {
  const RunInput<T> inputs{.x = numbers_of<T>(view.x, view.n), .y = numbers_of<T>(view.y, view.n), .shape = {}};
  using Mapped = decltype(mapped_term<Kernel, T>(inputs, 0));
  if constexpr (kIsPair<Mapped>) {
    Terms x(kFormatOf<typename Mapped::first_type>, view.n);
    Terms y(kFormatOf<typename Mapped::second_type>, view.n);
    for (std::size_t i = 0; i < view.n; ++i) {
      const Mapped factors = mapped_term<Kernel, T>(inputs, i);
      x.set(i, static_cast<double>(factors.first));
      y.set(i, static_cast<double>(factors.second));
    }
    x.multiply_by(std::move(y));
    return x;
  } else {
    Terms terms(kFormatOf<Mapped>, view.n);
    for (std::size_t i = 0; i < view.n; ++i) terms.set(i, static_cast<double>(mapped_term<Kernel, T>(inputs, i)));
    return terms;
  }
}

template <class Kernel>
Terms map_on_host(const TermView& inputs) {
  return with_number_on_host(inputs.format, [&]<class T>(T*) -> Terms {
    if constexpr (takes(Kernel::kInfo, kFormatOf<T>))
      return mapped_terms<Kernel, T>(inputs);
    else
      refuse_formats(Kernel::kInfo, {inputs.format, inputs.format, inputs.format});
  });
}

template <class Kernel>
std::uint64_t finish_on_host(const Formats& formats, std::uint64_t sum, std::size_t n) {
  return with_number_on_host(formats.accumulate, [&]<class Sum>(Sum*) -> std::uint64_t {
    if constexpr (adds_in(Kernel::kInfo, kFormatOf<Sum>)) {
      const auto result = Kernel::finish(static_cast<Sum>(value_of_bits(formats.accumulate, sum)), n);
      return round_to_bits(formats.result, static_cast<double>(result));
    } else {
      refuse_formats(Kernel::kInfo, formats);
    }
  });
}

template <class Kernel, class T>
concept MapsTerms = requires(T x) {
  Kernel::map(x);
}
|| requires(T x) { Kernel::map(x, x); };
template <class Kernel, class Sum>
concept FinishesSum = requires(Sum sum) {
  Kernel::finish(sum, std::size_t{1});
};

/// Whether it does so for terms, or sums, of type T: asked only where the kernel has them.
template <class Kernel, class T>
constexpr bool maps() {
  if constexpr (takes(Kernel::kInfo, kFormatOf<T>)) return MapsTerms<Kernel, T>;
  return false;
}
template <class Kernel, class Sum>
constexpr bool finishes() {
  if constexpr (adds_in(Kernel::kInfo, kFormatOf<Sum>)) return FinishesSum<Kernel, Sum>;
  return false;
}

using HalfOnHost = NumberOnHost<Half>::type;
using Bfloat16OnHost = NumberOnHost<Bfloat16>::type;
template <class Kernel>
inline constexpr bool kMaps =
    maps<Kernel, float>() || maps<Kernel, double>() || maps<Kernel, HalfOnHost>() || maps<Kernel, Bfloat16OnHost>();
template <class Kernel>
inline constexpr bool kFinishes = finishes<Kernel, float>() || finishes<Kernel, double>() ||
                                  finishes<Kernel, HalfOnHost>() || finishes<Kernel, Bfloat16OnHost>();

}  // namespace detail

/// `Kernel` has a `static constexpr KernelInfo kInfo` and
/// `template <class T, class Device> static RunResult<T> run(Device&, const RunInput<T>&)`, or, to run in formats that
/// are not one, `template <class T, class Sum, class Result, class Device> static RunResult<Result, Sum> run(...)`.
/// It may have
/// - `static M map(T x)`, or map(T x, T y) where kInfo.products is set: the number of any format that the claimed order
///   adds for an input, such as x * x; a std::pair of factors stands for their product, not rounded, which the claim
///   may fuse (acc=fma);
/// - `static Result finish(Sum sum, std::size_t n)`: the result made of the sum of n terms, such as sum / n.
/// Both are computed by the host with the flags of this translation unit.
///
/// Errors: unsupported where a translation unit compiled with orderlab::kernel_flags_fmad runs on a CPU without fused
///         multiply-add.
template <class Kernel>
Executor host_executor() {
  Executor executor{.device = "host", .kernel = &Kernel::kInfo, .contraction = Contraction::never};
#ifdef ORDERLAB_FMAD
  detail::require_fma(detail::cpu_can_fuse());
  executor.contraction = Contraction::wide;
#endif
  executor.run = detail::host_run(Kernel::kInfo, detail::kRunsOnHost<Kernel>);
  if constexpr (detail::kMaps<Kernel>) executor.map = detail::map_on_host<Kernel>;
  if constexpr (detail::kFinishes<Kernel>) executor.finish = detail::finish_on_host<Kernel>;
  return executor;
}

}  // namespace orderlab
