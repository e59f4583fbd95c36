// The model as an executor.
#include <memory>

#include "core/float_environment.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

KernelRun run_model(const KernelInfo& kernel, const KernelJob& job, const Vocabulary& vocabulary) {
  const Order order = parse_order(kernel.claim(job.shape, job.terms.n), {}, vocabulary);
  const auto evaluator = Evaluator::make(order, job.terms, job.formats, job.schedule.seed);
  const SummationTree tree = evaluator->tree(job.schedule.sample);
  const double sum = evaluate(tree, job.terms)[tree.roots()[0]];
  return {round_to_bits(job.formats.result, sum), evaluator->arrival(job.schedule.sample), {}, job.shape};
}

}  // namespace

std::vector<Executor> model_executors(std::span<const KernelInfo* const> kernels, const Vocabulary& vocabulary) {
  const FloatEnvironment environment;
  std::vector<Executor> executors;
  for (const KernelInfo* kernel : kernels) {
    if (kernel->outputs != nullptr) continue;  // the operation is no pipeline
    if (kernel->claim == nullptr) continue;
    executors.push_back(
        {.device = "model",
         .kernel = kernel,
         .run = [kernel, vocabulary](const KernelJob& job) { return run_model(*kernel, job, vocabulary); },
         .tells_returned = false});
  }
  return executors;
}

}  // namespace orderlab
