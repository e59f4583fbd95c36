#include "orderlab/host_kernel.hpp"

namespace orderlab {

std::vector<std::uint32_t> detail::arriving_units(const KernelInfo& kernel, const LaunchShape& shape,
                                                  std::span<const simt::AtomicArrival> atomics) {
  std::vector<std::uint32_t> units;
  if (kernel.unit == ArrivalUnit::none) return units;
  units.reserve(atomics.size());
  for (const simt::AtomicArrival& atomic : atomics) {
    const std::uint32_t thread = atomic.block * shape.threads + atomic.thread;
    units.push_back(kernel.unit == ArrivalUnit::thread ? thread
                    : kernel.unit == ArrivalUnit::warp ? thread / kWarp
                                                       : atomic.block);
  }
  return units;
}

}  // namespace orderlab
