// The model as an executor, and what kernels and model have in common.
#include <memory>

#include "orderlab/crosscheck.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/host_kernel.hpp"
#include "orderlab/order.hpp"
#include "orderlab/tree.hpp"

namespace orderlab {

namespace {

KernelRun run_model(const KernelInfo& kernel, const KernelJob& job) {
  const Order order = parse_order(kernel.claim(job.shape, job.terms.n));
  const Format format = job.terms.format;
  const auto evaluator = Evaluator::make(order, job.terms, {format, format, format}, job.schedule.seed);
  const SummationTree tree = evaluator->tree(job.schedule.sample);
  const double sum = evaluate(tree, job.terms)[tree.roots()[0]];
  return {round_to_bits(format, sum), evaluator->arrival(job.schedule.sample), {}, job.shape};
}

}  // namespace

std::vector<Executor> model_executors(std::span<const KernelInfo* const> kernels) {
  std::vector<Executor> executors;
  for (const KernelInfo* kernel : kernels)
    executors.push_back({"model", kernel, [kernel](const KernelJob& job) { return run_model(*kernel, job); }});
  return executors;
}

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
