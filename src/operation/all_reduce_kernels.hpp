// Which algorithm adds an all-reduce, and in which order. No numerics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/enum_names.hpp"

namespace orderlab {

/// NVLS, where a switch adds, is not modelled: its order is not published.
enum class AllReduceAlgorithm : std::uint8_t { one_shot, two_shot, ring, tree };

constexpr std::string_view name_of(AllReduceAlgorithm algorithm) {
  switch (algorithm) {
    case AllReduceAlgorithm::one_shot:
      return "one_shot";
    case AllReduceAlgorithm::two_shot:
      return "two_shot";
    case AllReduceAlgorithm::ring:
      return "ring";
    case AllReduceAlgorithm::tree:
      return "tree";
  }
  return "";
}

inline constexpr const auto& kAllReduceAlgorithmNames = names_through<AllReduceAlgorithm::tree>();

enum class AllReduceLibrary : std::uint8_t { nccl, vllm };

constexpr std::string_view name_of(AllReduceLibrary library) {
  switch (library) {
    case AllReduceLibrary::nccl:
      return "nccl";
    case AllReduceLibrary::vllm:
      return "vllm";
  }
  return "";
}

inline constexpr const auto& kAllReduceLibraryNames = names_through<AllReduceLibrary::vllm>();

struct AllReduceKernel {
  AllReduceAlgorithm algorithm;
  std::string order;      ///< adds what the ranks have of an element of part `part`
  bool rounded_each_hop;  ///< every sum is rounded to the terms' format; else they are fp32 and rounded once
  bool nvls_faster;       ///< the same model prefers NVLS, where the switch and the communicator have it
  std::string reason;
  std::string_view source;
};

/// The kernel for `ranks` GPUs of one node with NVLink of Hopper (H100, H200), `bytes` bytes on each, for part `part`
/// of the array.
///
/// Shape: ranks is at least 2; part is below ranks.
AllReduceKernel all_reduce_kernel(AllReduceLibrary library, std::size_t ranks, std::size_t bytes, std::size_t part);

/// The part, or chunk, of as many as ranks, that has number `place` of the `elements` numbers of `bytes` bytes. Parts
/// of two_shot are whole vectors of 16 bytes, the last part the longest; all others are equal.
std::size_t all_reduce_part(AllReduceAlgorithm algorithm, std::size_t ranks, std::size_t elements, std::size_t bytes,
                            std::size_t place);

/// The kernel of an algorithm that was chosen otherwise.
AllReduceKernel all_reduce_kernel_of(AllReduceAlgorithm algorithm, std::size_t ranks, std::size_t part);

}  // namespace orderlab
