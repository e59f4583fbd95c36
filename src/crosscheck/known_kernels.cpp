#include "crosscheck/known_kernels.hpp"

#include "orderlab/crosscheck.hpp"

namespace orderlab {

std::vector<const KernelInfo*> known_kernels() {
  std::vector<const KernelInfo*> kernels;
  for (const Executor& executor : host_executors()) kernels.push_back(executor.kernel);
  return kernels;
}

}  // namespace orderlab
