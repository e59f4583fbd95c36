// What the dot products on tensor cores do alike. Each thread block makes one of the same terms: in instructions one
// after the other, whose sums it keeps. x is in some rows of A and y in some columns of B, the other rows and columns
// are 0: thread block b of g has rows and columns of the b-th of g parts. Where these meet, all sums are the dot
// product. The zeros that fill up the last instruction may be a step of the unit of their own, which turns a sum of -0
// into +0; so +0.0 is added at the end, which does so always.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/shared_memory.cuh"
#include "orderlab/error.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/tensor_cores.hpp"

namespace orderlab::cuda {

/// A factor as the tensor cores take it.
template <Format F>
using TensorCode = std::conditional_t<kFactorsPerRegister<F> == 1, std::uint32_t,
                                      std::conditional_t<kFactorsPerRegister<F> == 2, std::uint16_t, std::uint8_t>>;

/// Factors k, k + 1, ... in a register; zeros behind the last of n.
template <Format F>
__device__ std::uint32_t packed_factors(const TensorCode<F>* codes, std::size_t n, std::size_t k) {
  constexpr unsigned kCount = kFactorsPerRegister<F>;
  std::uint32_t bits = 0;
  for (unsigned e = 0; e < kCount; ++e)
    if (k + e < n) bits |= std::uint32_t{codes[k + e]} << (32 / kCount * e);
  return bits;
}

/// Which of g thread blocks has row or column `index` of `extent`.
ORDERLAB_ON_GPU constexpr unsigned owner_of(unsigned index, unsigned extent, unsigned g) { return index * g / extent; }

/// The first that thread block b has; those of `b + 1` begin behind its own.
ORDERLAB_ON_GPU constexpr unsigned first_of(unsigned b, unsigned extent, unsigned g) { return (b * extent + g - 1) / g; }

/// Stores sums plus +0.0 of a thread block of `warps` warps, the rows of warp w behind those of the warps before it.
__device__ inline void store_sums(const float (&d)[4], float* sums) {
  const unsigned rows = blockDim.x / kWarp * kMmaRows;
  for (unsigned i = 0; i < 4; ++i) {
    const MatrixPlace place = mma_sum_place(threadIdx.x % kWarp, i);
    const unsigned row = threadIdx.x / kWarp * kMmaRows + place.row;
    sums[(blockIdx.x * rows + row) * kMmaColumns + place.column] = __fadd_rn(d[i], 0.0F);
  }
}

template <Format F>
__global__ void mma_dot(const TensorCode<F>* x, const TensorCode<F>* y, std::size_t n, float* sums) {
  const unsigned lane = threadIdx.x % kWarp;
  float d[4] = {};
  for (std::size_t first = 0; first < n; first += kMmaDepth<F>) {
    std::uint32_t a[4] = {};
    for (unsigned r = 0; r < 4; ++r) {
      const MatrixPlace place = mma_a_place<F>(lane, r);
      if (owner_of(place.row, kMmaRows, gridDim.x) == blockIdx.x) a[r] = packed_factors<F>(x, n, first + place.column);
    }
    std::uint32_t b[2] = {};
    for (unsigned r = 0; r < 2; ++r) {
      const MatrixPlace place = mma_b_place<F>(lane, r);
      if (owner_of(place.column, kMmaColumns, gridDim.x) == blockIdx.x)
        b[r] = packed_factors<F>(y, n, first + place.row);
    }
    mma<F>(d, a, b);
  }
  store_sums(d, sums);
}

inline constexpr unsigned kGroupRows = kWarpsOfGroup * kMmaRows;
inline constexpr unsigned kTileWords = 8;  ///< of 4 bytes, in a row of a tile of any format
inline constexpr unsigned kBlockBytes = 8 * 16;

/// Puts kMmaDepth factors from `first` on into the rows of a tile that this thread block has.
template <Format F>
__device__ void fill_tile(const SharedTile& tile, std::uint32_t* words, unsigned rows, const TensorCode<F>* codes,
                          std::size_t n, std::size_t first) {
  const unsigned row_0 = first_of(blockIdx.x, rows, gridDim.x);
  const unsigned count = first_of(blockIdx.x + 1, rows, gridDim.x) - row_0;
  for (unsigned i = threadIdx.x; i < count * kTileWords; i += blockDim.x) {
    const unsigned row = row_0 + i / kTileWords;
    const unsigned word = i % kTileWords;
    words[(row / 8 * tile.across + word / 4 * tile.along) / 4 + row % 8 * 4 + word % 4] =
        packed_factors<F>(codes, n, first + word * kFactorsPerRegister<F>);
  }
}

template <Format F>
__global__ void wgmma_dot(const TensorCode<F>* x, const TensorCode<F>* y, std::size_t n, float* sums) {
  __shared__ __align__(kBlockBytes) std::uint32_t a[kGroupRows * kTileWords];
  __shared__ __align__(kBlockBytes) std::uint32_t b[kMmaColumns * kTileWords];
  for (unsigned i = threadIdx.x; i < kGroupRows * kTileWords; i += blockDim.x) a[i] = 0;
  for (unsigned i = threadIdx.x; i < kMmaColumns * kTileWords; i += blockDim.x) b[i] = 0;
  __syncthreads();
  const SharedTile of_x{a, kBlockBytes, 2 * kBlockBytes};
  const SharedTile of_y{b, kBlockBytes, 2 * kBlockBytes};
  float d[4] = {};
  for (std::size_t first = 0; first < n; first += kMmaDepth<F>) {
    fill_tile<F>(of_x, a, kGroupRows, x, n, first);
    fill_tile<F>(of_y, b, kMmaColumns, y, n, first);
    publish_to_wgmma();
    __syncthreads();
    wgmma<F>(d, of_x, of_y);
    __syncthreads();
  }
  store_sums(d, sums);
}

/// The numbers, which are ones of F, as the tensor cores take them.
template <Format F, class T>
std::vector<TensorCode<F>> tensor_codes(std::span<const T> numbers) {
  constexpr Format kFormat = F == Format::tf32 ? Format::fp32 : F;  // its lower bits are 0
  std::vector<TensorCode<F>> codes;
  codes.reserve(numbers.size());
  for (const T& number : numbers)
    codes.push_back(
        static_cast<TensorCode<F>>(round_to_bits(kFormat, static_cast<double>(static_cast<float>(number)))));
  return codes;
}

/// A kernel that adds products of F by an instruction.
template <TensorInstruction I, Format F>
struct TensorDot {
  static constexpr bool kGroups = I == TensorInstruction::wgmma;
  static constexpr unsigned kThreads = kGroups ? kWarpsOfGroup * kWarp : kWarp;
  static constexpr unsigned kRows = kThreads / kWarp * kMmaRows;
  static constexpr std::array kShapes{LaunchShape{kThreads, 1, 1}, LaunchShape{kThreads, 1, 8}};
  static constexpr std::array kMixed{Formats{F, Format::fp32, Format::fp32}};

  static constexpr KernelInfo info_of(std::string_view name, std::string_view summary) {
    return {
        .name = name,
        .summary = summary,
        .source = "PTX ISA",
        .formats = {},
        .shapes = kShapes,
        .products = true,
        .uncontracted = true,
        .mixed_formats = kMixed,
        .claim = [](const LaunchShape& shape,
                    std::size_t) { return "fused(" + tensor_unit(I, F, shape.architecture) + ") | seq(from=zero)"; },
        .needs = kGroups ? Architecture{900, true} : Architecture{info(F).bits == 8 ? 890U : 800U}};
  }

  template <class T, class Sum, class Result, class Device>
  static RunResult<Result, Sum> run(Device& device, const RunInput<T>& in) {
    const std::vector<TensorCode<F>> x = tensor_codes<F>(in.x);
    const std::vector<TensorCode<F>> y = tensor_codes<F>(in.y);
    const std::size_t count = std::size_t{in.shape.grid} * kRows * kMmaColumns;
    float* const sums = device.template uninitialised<float>(count, "sums");
    device.launch(kGroups ? "wgmma_dot" : "mma_dot", kGroups ? wgmma_dot<F> : mma_dot<F>, in.shape.grid, kThreads, 0,
                  device.input(std::span(x), "x"), device.input(std::span(y), "y"), in.x.size(), sums);
    return {.sum = common_sum(device.read(sums, count), in.shape.grid), .shape = in.shape};
  }

 private:
  static float common_sum(const std::vector<float>& sums, unsigned grid) {
    const std::uint64_t bits = bits_of(sums[0]);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto column = static_cast<unsigned>(i % kMmaColumns);
      const auto row = static_cast<unsigned>(i / kMmaColumns % kRows);
      const auto block = static_cast<unsigned>(i / kMmaColumns / kRows);
      if (owner_of(row, kRows, grid) != block || owner_of(column, kMmaColumns, grid) != block) continue;
      if (bits_of(sums[i]) != bits)
        throw Error(ErrorKind::device,
                    "row " + std::to_string(row) + ", column " + std::to_string(column) + " of thread block " +
                        std::to_string(block) + " has the sum " + bits_text(Format::fp32, bits_of(sums[i])) +
                        ", row 0, column 0 of the first " + bits_text(Format::fp32, bits) + " of the same products");
    }
    return sums[0];
  }
};

}  // namespace orderlab::cuda
