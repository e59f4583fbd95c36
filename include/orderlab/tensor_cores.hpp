// Tensor cores in kernels: mma.sync and wgmma, an instruction for each format of factors, with sums in fp32. nvcc
// compiles them to PTX; on the host, tensor_cores_on_host.hpp gives them the sums of a fused unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orderlab/format.hpp"

#ifdef __CUDACC__
#define ORDERLAB_ON_GPU __host__ __device__
#else
#define ORDERLAB_ON_GPU
#endif

namespace orderlab {

// ---- Which unit adds

enum class TensorInstruction : std::uint8_t {
  mma,    ///< mma.sync: a warp
  wgmma,  ///< wgmma.mma_async: a group of four warps, of factors in shared memory; compute capability 9.0 only
};

/// GPUs whose tensor cores add alike. That those of 12.0 add fp16, bf16 and tf32 as a B200 does is assumed.
struct TensorCores {
  unsigned architecture;        ///< least value of __CUDA_ARCH__
  std::string_view name;        ///< of the unit, "h100_fp16" without the format
  std::string_view fp8;         ///< the same for e4m3 and e5m2; empty: it has none
  std::string_view fp8_suffix;  ///< of mma.sync
};

inline constexpr TensorCores kTensorCores[] = {
    {700, "v100", "", ""},
    {750, "t4", "", ""},
    {800, "a100", "", ""},
    {890, "ada", "ada", ""},
    {900, "h100", "h100", "_mma"},
    {1000, "b200", "b200", "_mma"},
    {1200, "b200", "rtx_blackwell", ""},
};

/// Where nobody says which GPU: an H100.
inline constexpr unsigned kDefaultTensorCores = 900;

/// Name of the unit (orderlab/fused.hpp) by which a GPU adds products of such factors; no unit has it where the GPU has
/// no tensor cores for them. `architecture`: the value of __CUDA_ARCH__; 0: kDefaultTensorCores. Of GPUs that are not
/// listed, the next older one's.
///
/// Not said: which shapes there are. On 7.0 and 7.5 the fp16 unit is that of wmma; mma() of this file takes 16 x 8 x
/// 16, which needs 8.0 (KernelInfo::needs).
inline std::string tensor_unit(TensorInstruction instruction, Format factors, unsigned architecture) {
  if (architecture == 0) architecture = kDefaultTensorCores;
  const TensorCores* cores = &kTensorCores[0];
  for (const TensorCores& newer : kTensorCores)
    if (newer.architecture <= architecture) cores = &newer;
  const std::string format(info(factors).name);
  if (instruction == TensorInstruction::wgmma && architecture / 100 != 9) return "no_wgmma_" + format;
  if (info(factors).bits > 8) return std::string(cores->name) + "_" + format;
  if (cores->fp8.empty()) return "no_fp8_" + format;
  const std::string_view suffix = instruction == TensorInstruction::wgmma ? "_wgmma" : cores->fp8_suffix;
  return std::string(cores->fp8) + "_" + format + std::string(suffix);
}

// ---- Shapes and layouts. One instruction of a warp multiplies 16 rows of A by 8 columns of B and adds to 16 x 8 sums;
// wgmma does so for each of four warps, which have their own rows and the same columns.

/// Factors in a register of 32 bits, the first one in the lowest bits. tf32 is held as fp32.
template <Format F>
inline constexpr unsigned kFactorsPerRegister = info(F).bits > 16 ? 1 : 32 / static_cast<unsigned>(info(F).bits);

/// Products that one instruction adds to each sum.
template <Format F>
inline constexpr unsigned kMmaDepth = 8 * kFactorsPerRegister<F>;

inline constexpr unsigned kMmaRows = 16;
inline constexpr unsigned kMmaColumns = 8;
inline constexpr unsigned kWarpsOfGroup = 4;

/// A row and a column of a matrix. Columns of A and rows of B are products.
struct MatrixPlace {
  unsigned row;
  unsigned column;
};

/// The first factor in register r of a lane's part of A, 4 registers, and of B, 2 registers, and its sum i of 4. Other
/// factors of a register follow along the products.
///
/// Source: PTX ISA, "Matrix Fragments for mma.m16n8k16" and those of the other depths, which are this one layout in
///         registers of 32 bits.
template <Format F>
ORDERLAB_ON_GPU constexpr MatrixPlace mma_a_place(unsigned lane, unsigned r) {
  return {lane / 4 + 8 * (r % 2), kFactorsPerRegister<F> * (lane % 4 + 4 * (r / 2))};
}
template <Format F>
ORDERLAB_ON_GPU constexpr MatrixPlace mma_b_place(unsigned lane, unsigned r) {
  return {kFactorsPerRegister<F> * (lane % 4 + 4 * r), lane / 4};
}
ORDERLAB_ON_GPU constexpr MatrixPlace mma_sum_place(unsigned lane, unsigned i) {
  return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
}

/// kMmaDepth products of each row of A, or column of B, in shared memory: in blocks of 8 rows by 16 bytes, one row
/// behind the other, which begin at multiples of 16 bytes. No swizzling.
struct SharedTile {
  const void* first;
  unsigned along;   ///< bytes from a block to the one with the next products
  unsigned across;  ///< bytes from a block to the one with the next rows
};

#ifdef __CUDACC__

// ---- PTX

namespace detail {

#ifdef __CUDA_ARCH__
inline constexpr unsigned kCompiledFor = __CUDA_ARCH__;
#else
inline constexpr unsigned kCompiledFor = 0;
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
inline constexpr bool kHasWgmma = true;
#else
inline constexpr bool kHasWgmma = false;
#endif

/// PTX ISA, "Matrix Descriptor Format".
__device__ inline std::uint64_t descriptor_of(const SharedTile& tile) {
  const auto field = [](std::uint64_t bytes) { return (bytes & 0x3FFFF) >> 4; };
  return field(__cvta_generic_to_shared(tile.first)) | field(tile.along) << 16 | field(tile.across) << 32;
}

}  // namespace detail

/// Adds the products of A and B to the sums. All 32 lanes of the warp call it.
template <Format F>
__device__ void mma(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);

/// The same with wgmma for four warps, whose rows of A are each 16 of 64; returns when it is done. All 128 threads call
/// it, after publish_to_wgmma and a barrier behind what they wrote to the tiles.
template <Format F>
__device__ void wgmma(float (&sums)[4], const SharedTile& a, const SharedTile& b);

/// What this thread has written to shared memory can be read by wgmma, after a barrier.
__device__ inline void publish_to_wgmma() {
  if constexpr (detail::kHasWgmma) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// FORMAT, the least __CUDA_ARCH__, depth and type of mma.sync; what wgmma has at its end: whether A and B of 16-bit
// factors are transposed. GPUs without the instruction stop the kernel; its host code asks before.
#define ORDERLAB_TENSOR_INSTRUCTIONS(FORMAT, LEAST, DEPTH, TYPE, TRANSPOSED)                                \
  template <>                                                                                               \
  __device__ inline void mma<Format::FORMAT>(float(&sums)[4], const std::uint32_t(&a)[4],                   \
                                             const std::uint32_t(&b)[2]) {                                  \
    if constexpr (detail::kCompiledFor >= LEAST)                                                            \
      asm volatile("mma.sync.aligned.m16n8k" DEPTH ".row.col.f32." TYPE "." TYPE                            \
                   ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                   \
                   : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])                             \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                     \
    else                                                                                                    \
      __trap();                                                                                             \
  }                                                                                                         \
  template <>                                                                                               \
  __device__ inline void wgmma<Format::FORMAT>(float(&sums)[4], const SharedTile& a, const SharedTile& b) { \
    if constexpr (detail::kHasWgmma)                                                                        \
      asm volatile(                                                                                         \
          "{.reg .pred add;\n"                                                                              \
          "setp.ne.b32 add, 1, 0;\n"                                                                        \
          "wgmma.fence.sync.aligned;\n"                                                                     \
          "wgmma.mma_async.sync.aligned.m64n8k" DEPTH ".f32." TYPE "." TYPE                                 \
          " {%0, %1, %2, %3}, %4, %5, add, 1, 1" TRANSPOSED                                                 \
          ";\n"                                                                                             \
          "wgmma.commit_group.sync.aligned;\n"                                                              \
          "wgmma.wait_group.sync.aligned 0;}"                                                               \
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])                                      \
          : "l"(detail::descriptor_of(a)), "l"(detail::descriptor_of(b))                                    \
          : "memory");                                                                                      \
    else                                                                                                    \
      __trap();                                                                                             \
  }
ORDERLAB_TENSOR_INSTRUCTIONS(fp16, 800, "16", "f16", ", 0, 0")
ORDERLAB_TENSOR_INSTRUCTIONS(bf16, 800, "16", "bf16", ", 0, 0")
ORDERLAB_TENSOR_INSTRUCTIONS(tf32, 800, "8", "tf32", "")
ORDERLAB_TENSOR_INSTRUCTIONS(e4m3, 890, "32", "e4m3", "")
ORDERLAB_TENSOR_INSTRUCTIONS(e5m2, 890, "32", "e5m2", "")
#undef ORDERLAB_TENSOR_INSTRUCTIONS

#endif

}  // namespace orderlab
