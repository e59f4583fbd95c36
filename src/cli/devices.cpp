#include "cli/devices.hpp"

#include "core/text.hpp"
#include "crosscheck/known_kernels.hpp"
#include "cuda/gpu_kernels.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

std::vector<Executor> host() {
  const std::span<const Executor> executors = host_executors();
  return {executors.begin(), executors.end()};
}

std::vector<Executor> model() { return model_executors(known_kernels()); }

std::vector<Executor> gpu() {
  if (const std::optional<std::string> problem = cuda::gpu_problem())
    throw Error(ErrorKind::device, "--device cuda: " + *problem);
  std::vector<Executor> executors;
  for (const KernelInfo* kernel : cuda::gpu_kernels())
    executors.push_back(
        {"cuda", kernel, [kernel](const KernelJob& job) {
           const cuda::GpuRun run = cuda::run_on_gpu({kernel->name, job.terms, job.shape, job.record});
           const Format format = job.terms.format;
           return KernelRun{round_to_bits(format, value_of_bits(format, run.bits)), {}, run.returned, run.shape};
         }});
  return executors;
}

struct DeviceKind {
  std::string_view name;
  std::vector<Executor> (*executors)();
};

constexpr DeviceKind kDevices[] = {{"host", host}, {"model", model}, {"cuda", gpu}};

}  // namespace

std::vector<Executor> executors_on(const std::string& device) {
  std::vector<std::string> known;
  for (const DeviceKind& kind : kDevices) {
    if (kind.name == device) return kind.executors();
    known.emplace_back(kind.name);
  }
  throw Error(ErrorKind::usage, unknown_name("device", device, known));
}

std::vector<std::string> usable_devices() {
  std::vector<std::string> devices;
  for (const DeviceKind& kind : kDevices)
    if (kind.name != "cuda" || !cuda::gpu_problem()) devices.emplace_back(kind.name);
  return devices;
}

}  // namespace orderlab::cli
