// How the kernels of inference libraries add the squares of a row of an RMSNorm. No numerics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/enum_names.hpp"

namespace orderlab {

enum class NormLibrary : std::uint8_t { vllm, flashinfer, triton, torch };

constexpr std::string_view name_of(NormLibrary library) {
  switch (library) {
    case NormLibrary::vllm:
      return "vllm";
    case NormLibrary::flashinfer:
      return "flashinfer";
    case NormLibrary::triton:
      return "triton";
    case NormLibrary::torch:
      return "torch";
  }
  return "";
}

/// Blocks of columns of Triton's kernels of rows, and threads of a thread block: 4 warps, Triton's default.
inline constexpr std::size_t kTritonColumns = 1024;
inline constexpr std::size_t kTritonThreads = 128;

inline constexpr const auto& kNormLibraryNames = names_through<NormLibrary::torch>();

struct NormKernel {
  std::string order;      ///< adds the squares of one row, as products x * x, in fp32
  std::size_t threads;    ///< of the thread block of a row
  bool residual_rounded;  ///< x + residual is rounded to the terms' format first; else it stays in fp32
  bool scaled_rounded;    ///< x * rstd is rounded to the terms' format before it is multiplied by the weight
  std::string reason;     ///< why these threads
  std::string_view source;
};

/// The kernel for rows of `hidden` numbers of `bytes` bytes, `tokens` of them. `residual`: the kernel that adds a
/// residual first.
///
/// Shape: hidden and tokens are at least 1; bytes are 1, 2, 4 or 8.
NormKernel norm_kernel(NormLibrary library, std::size_t hidden, std::size_t tokens, bool residual, bool batch_invariant,
                       std::size_t bytes = 2);

/// The same with a thread block of `threads`, whatever the library would choose.
///
/// Errors: usage for Triton and a number of threads that is no power of two.
NormKernel norm_kernel_of(NormLibrary library, std::size_t hidden, std::size_t threads, bool residual,
                          bool batch_invariant, std::size_t bytes = 2);

enum class LayerNormLibrary : std::uint8_t { torch, triton };

constexpr std::string_view name_of(LayerNormLibrary library) {
  return library == LayerNormLibrary::torch ? "torch" : "triton";
}

inline constexpr const auto& kLayerNormLibraryNames = names_through<LayerNormLibrary::triton>();

/// How a LayerNorm finds mean and variance of a row.
struct LayerNormKernel {
  bool running;         ///< a mean and a sum of squares move from number to number (Welford); else in two passes
  std::string order;    ///< adds the numbers, then the squares of their deviations; of two passes
  std::size_t threads;  ///< of the thread block of a row
  std::size_t vector;   ///< numbers that a thread takes at a time
  std::size_t rows;     ///< of a thread block
  std::string reason;
  std::string_view source;
};

struct RowsOnGpu {
  std::size_t rows = 1;
  std::size_t multiprocessors = 132;
};

/// The kernel for rows of `hidden` numbers of `bytes` bytes.
///
/// Errors: unsupported for Triton and rows of more than 64 KB, or several rows of a thread block that are shorter than
/// what a warp loads.
LayerNormKernel layer_norm_kernel(LayerNormLibrary library, std::size_t hidden, std::size_t bytes,
                                  const RowsOnGpu& grid = {});

}  // namespace orderlab
