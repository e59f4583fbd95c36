// A kernel's own source as an executor on the CPU. For translation units compiled with orderlab::kernel_flags, after
// orderlab/cuda_on_host.hpp and the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "orderlab/crosscheck.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace detail {

template <class T>
std::span<const T> numbers_of(const void* data, std::size_t n) {
  return {static_cast<const T*>(data), data == nullptr ? 0 : n};
}

/// Writes the units of `kernel` in the order of their float atomics, and what they added, to `run`, whose launch shape
/// is known. Warps: thread blocks of a multiple of 32 threads.
void note_arrivals(const KernelInfo& kernel, std::span<const simt::AtomicArrival> atomics, KernelRun& run);

/// Whether this CPU has a fused multiply-add instruction.
bool cpu_can_fuse();

/// Error(unsupported) unless `can_fuse`.
void require_fma(bool can_fuse);

template <class Kernel, class T>
KernelRun run_on_host(const KernelJob& job) {
  simt::Device device(job.schedule);
  const RunResult<T> result =
      Kernel::run(device, RunInput<T>{numbers_of<T>(job.terms.x, job.terms.n), numbers_of<T>(job.terms.y, job.terms.n),
                                      job.shape, job.record});
  KernelRun run{.bits = bits_of(result.sum), .shape = result.shape};
  note_arrivals(Kernel::kInfo, device.atomic_arrivals(), run);
  for (const T& value : result.returned) run.returned.push_back(bits_of(value));
  return run;
}

}  // namespace detail

/// `Kernel` has a `static constexpr KernelInfo kInfo` and
/// `template <class T, class Device> static RunResult<T> run(Device&, const RunInput<T>&)`.
///
/// Errors: unsupported where a translation unit compiled with orderlab::kernel_flags_fmad runs on a CPU without fused
///         multiply-add.
template <class Kernel>
Executor host_executor() {
#ifdef ORDERLAB_FMAD
  detail::require_fma(detail::cpu_can_fuse());
  constexpr Contraction kContraction = Contraction::wide;
#else
  constexpr Contraction kContraction = Contraction::never;
#endif
  return {.device = "host",
          .kernel = &Kernel::kInfo,
          .run =
              [](const KernelJob& job) {
                return with_type_of(job.terms.format, [&](auto* type) -> KernelRun {
                  using T = std::remove_pointer_t<decltype(type)>;
                  if constexpr (Kernel::kInfo.has(kFormatOf<T>))
                    return detail::run_on_host<Kernel, T>(job);
                  else
                    throw Error(ErrorKind::usage, std::string(Kernel::kInfo.name) + ": has no format " +
                                                      std::string(info(kFormatOf<T>).name));
                });
              },
          .contraction = kContraction};
}

}  // namespace orderlab
