#include "cli/devices.hpp"

#include "core/text.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "crosscheck/known_kernels.hpp"
#include "cuda/gpu_kernels.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/crosscheck.hpp"

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
  for (const KernelInfo* kernel : cuda::gpu_kernels()) {
    if (cuda::gpu_problem(*kernel)) continue;
    const auto run = [kernel](const KernelJob& job) {
      const Format format = job.formats.result;
      const cuda::GpuRun gpu_run =
          cuda::run_on_gpu({kernel->name, job.terms, job.shape, job.record, job.arrays, format});
      const auto canonical = [&](std::uint64_t bits) { return round_to_bits(format, value_of_bits(format, bits)); };
      KernelRun result{canonical(gpu_run.bits), {}, gpu_run.returned, gpu_run.shape};
      for (const std::uint64_t bits : gpu_run.outputs) result.outputs.push_back(canonical(bits));
      result.looked_back = gpu_run.looked_back;
      return result;
    };
    executors.push_back({.device = "cuda", .kernel = kernel, .run = run, .tells_arrival = false});
  }
  return executors;
}

std::vector<Executor> cpu() {
  std::vector<Executor> executors = cpu_executors();
  if (!executors.empty()) return executors;
  std::string reasons;
  for (const std::string& line : skipped_instructions()) reasons += (reasons.empty() ? "" : "; ") + line;
  throw Error(ErrorKind::device, "--device cpu: nothing to check: " + reasons);
}

struct DeviceKind {
  std::string_view name;
  std::vector<Executor> (*executors)();
};

constexpr DeviceKind kDevices[] = {{"host", host}, {"model", model}, {"cuda", gpu}, {kCpuDevice, cpu}};

}  // namespace

std::vector<Executor> executors_on(const std::string& device) {
  for (const DeviceKind& kind : kDevices)
    if (kind.name == device) return kind.executors();
  if (device == "gpu") throw Error(ErrorKind::usage, "gpu: no such device; did you mean cuda?");
  throw Error(ErrorKind::usage, unknown_name("device", device, device_names()));
}

std::vector<std::string> skipped_kernels(const std::string& device) {
  if (device == kCpuDevice) return skipped_instructions();
  std::vector<std::string> lines;
  if (device != "cuda") return lines;
  for (const KernelInfo* kernel : cuda::gpu_kernels())
    if (const auto problem = cuda::gpu_problem(*kernel))
      lines.push_back(std::string(kernel->name) + ": skipped, " + *problem);
  return lines;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceKind& kind : kDevices) names.emplace_back(kind.name);
  for (std::string& name : study::runtime_devices()) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> usable_devices() {
  std::vector<std::string> devices;
  for (const DeviceKind& kind : kDevices)
    if (kind.name != kCpuDevice && (kind.name != "cuda" || !cuda::gpu_problem())) devices.emplace_back(kind.name);
  return devices;
}

}  // namespace orderlab::cli
