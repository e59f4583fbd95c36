#include "orderlab/host_kernel.hpp"

namespace orderlab {

namespace {

/// Writes the units of `kernel` in the order of their float atomics, and what they added, to `run`, whose launch shape
/// is known. Warps: thread blocks of a multiple of 32 threads.
void note_arrivals(const KernelInfo& kernel, std::span<const simt::AtomicArrival> atomics, KernelRun& run) {
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

}  // namespace

void detail::refuse_formats(const KernelInfo& kernel, const Formats& formats) {
  throw Error(ErrorKind::usage, std::string(kernel.name) + ": does not run in " + to_string(formats));
}

std::function<KernelRun(const KernelJob& job)> detail::host_run(const KernelInfo& kernel,
                                                                std::span<const RunOnHost> runs) {
  return [&kernel, runs](const KernelJob& job) {
    std::size_t i = 0;
    while (i < runs.size() && formats_of(kernel, i) != job.formats) ++i;
    if (i == runs.size()) refuse_formats(kernel, job.formats);
    simt::Device device(job.schedule);
    device.use_tensor_cores_of(job.shape.architecture);
    KernelRun run = runs[i](device, job);
    note_arrivals(kernel, device.atomic_arrivals(), run);
    return run;
  };
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
