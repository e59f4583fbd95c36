// Launch facts of GPUs: what enters the size of a grid.
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/operation.hpp"

namespace orderlab {

namespace {

constexpr Gpu kGpus[] = {
    {"v100", 80, "NVIDIA Tesla V100 GPU architecture, WP-08608-001"},
    {"a100", 108, "NVIDIA A100 Tensor Core GPU architecture, 2020"},
    {"h100", 132, "NVIDIA H100 Tensor Core GPU architecture, 2022 (SXM5)"},
    {"h100_pcie", 114, "NVIDIA H100 Tensor Core GPU architecture, 2022 (PCIe)"},
    {"h200", 132, "NVIDIA H200 Tensor Core GPU datasheet, 2023"},
    {"l40s", 142, "NVIDIA Ada GPU architecture, 2023"},
    {"rtx4090", 128, "NVIDIA Ada GPU architecture, 2023"},
};

constexpr std::string_view kCount = "sms=";
constexpr std::uint64_t kMostMultiprocessors = 4096;

}  // namespace

std::span<const Gpu> gpus() { return kGpus; }

Device parse_device(std::string_view text) {
  const FloatEnvironment environment;
  std::vector<std::string> names;
  for (const Gpu& gpu : kGpus) {
    if (gpu.name == text) return {std::string(text), gpu.multiprocessors};
    names.emplace_back(gpu.name);
  }
  if (text.starts_with(kCount)) {
    const auto count = parse_count("gpu sms", text.substr(kCount.size()), 1, kMostMultiprocessors);
    return {std::string(kCount) + std::to_string(count), static_cast<std::uint32_t>(count)};
  }
  throw Error(ErrorKind::usage, "gpu " + unknown_name("GPU, or sms=K", text, names));
}

}  // namespace orderlab
