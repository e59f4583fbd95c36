#include "orderlab/host_kernel.hpp"

namespace orderlab {

void detail::note_arrivals(const KernelInfo& kernel, std::span<const simt::AtomicArrival> atomics, KernelRun& run) {
  run.float_atomics = atomics.size();
  if (kernel.unit == ArrivalUnit::none) return;
  run.arrival.reserve(atomics.size());
  run.added.reserve(atomics.size());
  for (const simt::AtomicArrival& atomic : atomics) {
    const std::uint32_t thread = atomic.block * run.shape.threads + atomic.thread;
    run.arrival.push_back(kernel.unit == ArrivalUnit::thread ? thread
                          : kernel.unit == ArrivalUnit::warp ? thread / kWarp
                                                             : atomic.block);
    run.added.push_back(atomic.added);
  }
}

void detail::refuse_formats(const KernelInfo& kernel, const Formats& formats) {
  throw Error(ErrorKind::usage, std::string(kernel.name) + ": does not run in " + to_string(formats));
}

bool detail::cpu_can_fuse() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

void detail::require_fma(bool can_fuse) {
  if (!can_fuse)
    throw Error(ErrorKind::unsupported,
                "kernels compiled with orderlab::kernel_flags_fmad need a CPU with fused multiply-add (FMA3), and this "
                "one has none; run on another machine, or compile with orderlab::kernel_flags, which never fuses");
}

}  // namespace orderlab
