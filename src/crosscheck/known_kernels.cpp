#include "crosscheck/known_kernels.hpp"

#include "crosscheck/instructions/instruction.hpp"
#include "cuda/library_list.hpp"
#include "orderlab/crosscheck.hpp"

namespace orderlab {

std::vector<const KernelInfo*> known_kernels() {
  std::vector<const KernelInfo*> kernels;
  for (const Executor& executor : host_executors()) kernels.push_back(executor.kernel);
#define ORDERLAB_ADDRESS(Kernel) &cuda::Kernel::kInfo,
  kernels.insert(kernels.end(), {ORDERLAB_LIBRARY_KERNELS(ORDERLAB_ADDRESS)});
  for (const Instruction* instruction : instructions()) kernels.push_back(&instruction->kernel);
  return kernels;
}

}  // namespace orderlab
