#include "operation/all_reduce_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace orderlab {

namespace {

constexpr std::string_view kNcclTuning = "NCCL, src/graph/tuning.cc (5067397c)";
constexpr std::string_view kVllmAllReduce = "vLLM, csrc/custom_all_reduce.cuh (c9eabec7), custom_all_reduce.py";

/// The protocols LL, LL128 and Simple.
constexpr std::size_t kProtocols = 3;
using PerProtocol = std::array<double, kProtocols>;

/// NCCL's constants for one node with NVLink of Hopper: us, GB/s.
constexpr PerProtocol kRingStart{6.6, 14.0, 8.4};
constexpr PerProtocol kRingHop{0.6, 1.9, 3.4};
constexpr PerProtocol kTreeStart{6.8, 14.0, 8.4};
constexpr PerProtocol kTreeHop{0.6, 1.25, 4.0};
constexpr double kMostLowLatency = 141.0;
constexpr double kNvlsLatency = 25.0;

/// Assumed: 12 channels of 30 GB/s, which the search finds on 8 GPUs behind NVSwitch. Nothing that depends on the
/// number of channels alone limits them.
constexpr double kBusBandwidth = 360.0;

/// What part of a tree's bandwidth is left for sizes of 2^(6 + i) bytes.
constexpr std::array<std::array<double, 24>, kProtocols> kTreeCorrection{{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

double least_of(const PerProtocol& times) { return *std::min_element(times.begin(), times.end()); }

/// Microseconds of so many bytes at GB/s.
double transfer_us(std::size_t bytes, double bandwidth) { return static_cast<double>(bytes) / (1000 * bandwidth); }

double ring_us(std::size_t ranks, std::size_t bytes) {
  const auto steps = static_cast<double>(2 * (ranks - 1));
  const PerProtocol bus{std::min(kMostLowLatency, kBusBandwidth * 0.5), kBusBandwidth * 0.92, kBusBandwidth};
  PerProtocol times{};
  for (std::size_t p = 0; p < kProtocols; ++p)
    times[p] = kRingStart[p] + steps * kRingHop[p] + transfer_us(bytes, bus[p] * static_cast<double>(ranks) / steps);
  return least_of(times);
}

double tree_us(std::size_t ranks, std::size_t bytes) {
  const auto steps = static_cast<double>(2 * (ranks - 1));
  const double bus = kBusBandwidth * 0.92;
  const PerProtocol of_protocol{std::min(bus / 3.8, kMostLowLatency), bus * 7.0 / 9.0, bus};
  const std::size_t units = bytes >> 6U;
  const std::size_t size = units == 0 ? kTreeCorrection[0].size() : static_cast<std::size_t>(std::bit_width(units)) - 1;
  PerProtocol times{};
  for (std::size_t p = 0; p < kProtocols; ++p) {
    // NCCL leaves out the last entry.
    const double correction = size + 1 < kTreeCorrection[p].size() ? kTreeCorrection[p][size] : 1;
    times[p] = kTreeStart[p] + steps * kTreeHop[p] + transfer_us(bytes, of_protocol[p] * 0.5 * correction);
  }
  return least_of(times);
}

double nvls_us(std::size_t ranks, std::size_t bytes) {
  constexpr std::size_t kFewestRanks = 3;
  constexpr double kEfficiency = 0.85;
  constexpr double kChannels = 16;
  if (ranks < kFewestRanks) return std::numeric_limits<double>::infinity();
  const double bus = kBusBandwidth * kEfficiency * (kChannels - 1) / kChannels * 2;
  return kNvlsLatency + transfer_us(bytes, bus * static_cast<double>(ranks) / static_cast<double>(2 * (ranks - 1)));
}

AllReduceKernel nccl_all_reduce(std::size_t ranks, std::size_t bytes, std::size_t part) {
  const double ring = ring_us(ranks, bytes);
  const double tree = tree_us(ranks, bytes);
  const bool by_tree = tree <= ring;  // NCCL looks at the tree first
  AllReduceKernel kernel =
      all_reduce_kernel_of(by_tree ? AllReduceAlgorithm::tree : AllReduceAlgorithm::ring, ranks, part);
  kernel.nvls_faster = nvls_us(ranks, bytes) < std::min(ring, tree);
  kernel.reason = "the least of latency + bytes / bandwidth, for one node with NVLink of Hopper; " +
                  std::string(kernel.nvls_faster ? "NVLS would be faster where the switch has it, and is not modelled"
                                                 : "NVLS would be slower");
  return kernel;
}

constexpr std::size_t kKilobyte = 1024;
constexpr std::size_t kMostCustomBytes = 8192 * kKilobyte;
constexpr std::size_t kCustomMultiple = 16;  // bytes of a vector

AllReduceKernel vllm_all_reduce(std::size_t ranks, std::size_t bytes, std::size_t part) {
  const bool known = ranks == 2 || ranks == 4 || ranks == 6 || ranks == 8;
  if (!known || bytes >= kMostCustomBytes || bytes % kCustomMultiple != 0) {
    AllReduceKernel kernel = nccl_all_reduce(ranks, bytes, part);
    kernel.reason =
        "vLLM's own kernels are for 2, 4, 6 or 8 GPUs and less than 8 MB, a multiple of 16 bytes; so NCCL: " +
        kernel.reason;
    return kernel;
  }
  const bool one_shot = ranks == 2 || (ranks <= 4 && bytes < 512 * kKilobyte) || bytes < 256 * kKilobyte;
  AllReduceKernel kernel =
      all_reduce_kernel_of(one_shot ? AllReduceAlgorithm::one_shot : AllReduceAlgorithm::two_shot, ranks, part);
  kernel.reason = ranks == 2 ? "2 GPUs"
                  : ranks == 4
                      ? std::string(one_shot ? "4 GPUs and less than 512 KB" : "4 GPUs and 512 KB or more")
                      : std::to_string(ranks) + (one_shot ? " GPUs and less than 256 KB" : " GPUs and 256 KB or more");
  return kernel;
}

}  // namespace

std::size_t all_reduce_part(AllReduceAlgorithm algorithm, std::size_t ranks, std::size_t elements, std::size_t bytes,
                            std::size_t place) {
  if (algorithm != AllReduceAlgorithm::two_shot) return place * ranks / elements;
  const std::size_t vector = kCustomMultiple / bytes;
  const std::size_t part = elements / vector / ranks;
  return part == 0 ? ranks - 1 : std::min(place / vector / part, ranks - 1);
}

AllReduceKernel all_reduce_kernel_of(AllReduceAlgorithm algorithm, std::size_t ranks, std::size_t part) {
  const std::string place = std::to_string(part);
  switch (algorithm) {
    case AllReduceAlgorithm::one_shot:
      return {algorithm, "seq", false, false, {}, kVllmAllReduce};
    case AllReduceAlgorithm::two_shot:
      return {algorithm, "rotate(" + place + ") | seq", false, false, {}, kVllmAllReduce};
    case AllReduceAlgorithm::ring:
      return {algorithm, "nccl_ring(" + place + ")", true, false, {}, kNcclTuning};
    case AllReduceAlgorithm::tree:
      return {algorithm, "nccl_tree(" + std::to_string(ranks) + ")", true, false, {}, kNcclTuning};
  }
  return {};
}

AllReduceKernel all_reduce_kernel(AllReduceLibrary library, std::size_t ranks, std::size_t bytes, std::size_t part) {
  return library == AllReduceLibrary::nccl ? nccl_all_reduce(ranks, bytes, part) : vllm_all_reduce(ranks, bytes, part);
}

}  // namespace orderlab
