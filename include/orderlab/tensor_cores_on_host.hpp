// Tensor cores on the host: the intrinsics of tensor_cores.hpp, and fragments of nvcuda::wmma, in place of CUDA's
// <mma.h>. Sums have the bits of the fused unit of a GPU: an H100's, or that of Device::use_tensor_cores_of. Inline PTX
// cannot run here.
//
// wmma has factors in half, __nv_bfloat16 and precision::tf32, sums in float and, of half, in half. Which lane holds
// which number of a fragment, CUDA leaves open; here lane l holds numbers l, l + 32, ... of the matrix, row by row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

#include "orderlab/cuda_on_host.hpp"
#include "orderlab/tensor_cores.hpp"

namespace orderlab {

namespace detail {

/// Number of this thread in its thread block.
inline unsigned thread_of_block() {
  const auto thread = threadIdx;
  const auto extent = blockDim;
  return (thread.z * extent.y + thread.y) * extent.x + thread.x;
}

/// Factors of registers, in double precision. What tf32 lacks of fp32 is cut off.
template <Format F, std::size_t kRegisters, class Place>
auto factors_in(const std::array<std::uint32_t, kRegisters>& registers, bool along_row, Place&& place) {
  constexpr unsigned kCount = kFactorsPerRegister<F>;
  constexpr unsigned kCut = F == Format::tf32 ? 32 - info(F).bits : 0;
  std::array<simt::MatrixNumber, kRegisters * kCount> factors;
  for (unsigned i = 0; i < factors.size(); ++i) {
    const unsigned e = i % kCount;
    const MatrixPlace first = place(i / kCount);
    const std::uint64_t bits = std::uint64_t{registers[i / kCount]} >> (kCut + 32 / kCount * e);
    factors[i] = {first.row + (along_row ? 0 : e), first.column + (along_row ? e : 0),
                  value_of_bits(F, bits & ((std::uint64_t{1} << info(F).bits) - 1))};
  }
  return factors;
}

/// One instruction of a warp, whose lanes hold these registers.
template <Format F>
void multiply(TensorInstruction instruction, float (&sums)[4], const std::array<std::uint32_t, 4>& a,
              const std::array<std::uint32_t, 2>& b, const std::source_location& where) {
  const unsigned lane = thread_of_block() % kWarp;
  const auto of_a = factors_in<F>(a, true, [=](unsigned r) { return mma_a_place<F>(lane, r); });
  const auto of_b = factors_in<F>(b, false, [=](unsigned r) { return mma_b_place<F>(lane, r); });
  std::array<simt::MatrixNumber, 4> of_sums;
  for (unsigned i = 0; i < 4; ++i) {
    const MatrixPlace place = mma_sum_place(lane, i);
    of_sums[i] = {place.row, place.column, static_cast<double>(sums[i])};
  }
  simt::multiply_matrices({instruction, F, Format::fp32, kMmaRows, kMmaColumns, kMmaDepth<F>}, {of_a, of_b, of_sums},
                          where);
  for (unsigned i = 0; i < 4; ++i) sums[i] = static_cast<float>(of_sums[i].value);
}

/// Factors of any type, read four bytes at once: one checked access.
using TileWord [[gnu::may_alias]] = std::uint32_t;

/// Four bytes of a row of a tile, from byte `along` of its products on.
inline std::uint32_t tile_word(const SharedTile& tile, unsigned row, unsigned along) {
  const unsigned at = row / 8 * tile.across + along / 16 * tile.along + row % 8 * 16 + along % 16;
  return *reinterpret_cast<const TileWord*>(static_cast<const unsigned char*>(tile.first) + at);
}

/// A descriptor holds the start of a tile and the distances of its blocks as multiples of 16 bytes.
inline void check_tile(const SharedTile& tile, const std::source_location& where) {
  constexpr unsigned kStep = 16;
  for (const unsigned stride : {tile.along, tile.across})
    if (reinterpret_cast<std::uintptr_t>(tile.first) % kStep != 0 || stride % kStep != 0)
      simt::whole_warp(tile.first, kStep, stride, kStep, where);  // says what is wrong
}

}  // namespace detail

/// Adds the products of A and B to the sums. All 32 lanes of the warp call it.
template <Format F>
void mma(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
         const std::source_location& where = std::source_location::current()) {
  detail::multiply<F>(TensorInstruction::mma, sums, std::to_array(a), std::to_array(b), where);
}

/// The same with wgmma for four warps, whose rows of A are each 16 of 64. Here each warp does its own part: that the
/// others come along, and publish_to_wgmma, are not checked; barriers behind what was written are.
template <Format F>
void wgmma(float (&sums)[4], const SharedTile& a, const SharedTile& b,
           const std::source_location& where = std::source_location::current()) {
  constexpr unsigned kBytes = 4 / kFactorsPerRegister<F>;
  const unsigned thread = detail::thread_of_block();
  detail::check_tile(a, where);
  detail::check_tile(b, where);
  std::array<std::uint32_t, 4> of_a;
  for (unsigned r = 0; r < 4; ++r) {
    const MatrixPlace place = mma_a_place<F>(thread % kWarp, r);
    of_a[r] = detail::tile_word(a, thread / kWarp % kWarpsOfGroup * kMmaRows + place.row, kBytes * place.column);
  }
  std::array<std::uint32_t, 2> of_b;
  for (unsigned r = 0; r < 2; ++r) {
    const MatrixPlace place = mma_b_place<F>(thread % kWarp, r);
    of_b[r] = detail::tile_word(b, place.column, kBytes * place.row);
  }
  detail::multiply<F>(TensorInstruction::wgmma, sums, of_a, of_b, where);
}

inline void publish_to_wgmma() {}

}  // namespace orderlab

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}  // namespace precision

/// tf32 nearest to x, ties away from zero.
inline float __float_to_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const bool finite = (bits & 0x7F800000U) != 0x7F800000U;
  return finite ? std::bit_cast<float>((bits + 0x1000U) & ~0x1FFFU) : x;
}

namespace orderlab_host {

using orderlab::Format;

/// What a matrix is made of: as CUDA names it, and as it is stored.
template <class T>
struct Number;
template <>
struct Number<half> {
  using Stored = half;
  static constexpr Format format = Format::fp16;
};
template <>
struct Number<nv_bfloat16> {
  using Stored = nv_bfloat16;
  static constexpr Format format = Format::bf16;
};
template <>
struct Number<precision::tf32> {
  using Stored = float;
  static constexpr Format format = Format::tf32;
};
template <>
struct Number<float> {
  using Stored = float;
  static constexpr Format format = Format::fp32;
};

/// Extents of the products that factors of T can have.
struct Extents {
  int m, n, k;
  bool operator==(const Extents&) const = default;
};
template <class T>
constexpr bool multiplies(const Extents& extents) {
  if constexpr (std::is_same_v<T, precision::tf32>) return extents == Extents{16, 16, 8};
  for (const Extents& known : {Extents{16, 16, 16}, Extents{32, 8, 16}, Extents{8, 32, 16}})
    if (extents == known) return true;
  return false;
}
template <class T>
constexpr bool adds(const Extents& extents) {
  if constexpr (std::is_same_v<T, half>) return multiplies<half>(extents);
  return multiplies<half>(extents) || multiplies<precision::tf32>(extents);
}

/// Rows and columns of a matrix, and how often each of its numbers is held.
template <class Use, int m, int n, int k, class T>
struct Matrix {
  static constexpr bool is_a = std::is_same_v<Use, matrix_a>;
  static constexpr bool is_b = std::is_same_v<Use, matrix_b>;
  static constexpr bool is_sum = std::is_same_v<Use, accumulator>;
  static constexpr unsigned rows = is_b ? k : m;
  static constexpr unsigned columns = is_a ? k : n;
  static constexpr unsigned numbers = rows * columns / orderlab::kWarp;
  static constexpr unsigned held = std::is_same_v<T, half> && !is_sum ? 16 : numbers;  // some of half twice, as on GPUs
};

}  // namespace orderlab_host

/// A lane's part of a matrix.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  using Of = orderlab_host::Matrix<Use, m, n, k, T>;
  static_assert(Of::is_a || Of::is_b || Of::is_sum, "a fragment is of matrix_a, matrix_b or accumulator");
  static_assert(Of::is_sum ? std::is_void_v<Layout>
                           : std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major>,
                "factors are row_major or col_major, accumulators neither");
  static_assert(Of::is_sum ? std::is_same_v<T, float> || std::is_same_v<T, half> : !std::is_same_v<T, float>,
                "orderlab has factors in half, __nv_bfloat16 and precision::tf32, sums in float and half");
  static_assert(Of::is_sum ? orderlab_host::adds<T>({m, n, k}) : orderlab_host::multiplies<T>({m, n, k}),
                "CUDA has no such shape: 16x16x16, 32x8x16, 8x32x16; of tf32, 16x16x8");

 public:
  using element_type = T;
  using storage_element_type = typename orderlab_host::Number<T>::Stored;
  static constexpr int num_elements = Of::held;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[Of::held];
};

namespace orderlab_host {

using Where = std::source_location;

/// Calls f(number, row, column) for the numbers of a fragment that this lane holds.
template <class Use, int m, int n, int k, class T, class Layout, class F>
void for_each_number(fragment<Use, m, n, k, T, Layout>& part, F&& f) {
  using Of = Matrix<Use, m, n, k, T>;
  const unsigned lane = orderlab::detail::thread_of_block() % orderlab::kWarp;
  for (unsigned i = 0; i < Of::held; ++i) {
    const unsigned place = i % Of::numbers * orderlab::kWarp + lane;
    f(part.x[i], place / Of::columns, place % Of::columns);
  }
}

/// Rows of a matrix in memory are `ldm` numbers apart, or its columns; both are multiples of 16 bytes.
template <class Part, class Stored, class Access>
void access(Part& part, const Stored* memory, unsigned ldm, bool by_rows, const Where& where, Access&& done) {
  constexpr std::size_t kAlignment = 32;
  constexpr std::size_t kStep = 16;
  orderlab::simt::whole_warp(memory, kAlignment, ldm * sizeof(Stored), kStep, where);
  for_each_number(part, [&](Stored& number, unsigned row, unsigned column) {
    done(number, by_rows ? std::size_t{row} * ldm + column : std::size_t{column} * ldm + row);
  });
}

/// The numbers of a fragment, each once, as multiply_matrices takes them.
template <class Use, int m, int n, int k, class T, class Layout>
auto numbers_in(const fragment<Use, m, n, k, T, Layout>& part) {
  constexpr Format kFormat = Number<T>::format;
  std::array<orderlab::simt::MatrixNumber, Matrix<Use, m, n, k, T>::numbers> numbers;
  auto copy = part;
  std::size_t count = 0;
  for_each_number(copy, [&](auto number, unsigned row, unsigned column) {
    if (count == numbers.size()) return;
    auto value = static_cast<double>(static_cast<float>(number));
    if constexpr (kFormat == Format::tf32)  // what it lacks of fp32 is cut off
      value =
          orderlab::value_of_bits(kFormat, std::bit_cast<std::uint32_t>(number) >> (32 - orderlab::info(kFormat).bits));
    numbers[count++] = {row, column, value};
  });
  return numbers;
}

}  // namespace orderlab_host

#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

template <class Use, int m, int n, int k, class T, class Layout>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& part,
                   const std::type_identity_t<typename orderlab_host::Number<T>::Stored>& value) {
  for (auto& number : part.x) number = value;
}

template <class Use, int m, int n, int k, class T, class Layout>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& part, const typename orderlab_host::Number<T>::Stored* memory,
                      unsigned ldm, ORDERLAB_WHERE) {
  orderlab_host::access(part, memory, ldm, std::is_same_v<Layout, row_major>, where,
                        [=](auto& number, std::size_t i) { number = memory[i]; });
}

template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& part, const T* memory, unsigned ldm, layout_t layout,
                      ORDERLAB_WHERE) {
  orderlab_host::access(part, memory, ldm, layout == mem_row_major, where,
                        [=](T& number, std::size_t i) { number = memory[i]; });
}

template <int m, int n, int k, class T>
void store_matrix_sync(T* memory, const fragment<accumulator, m, n, k, T>& part, unsigned ldm, layout_t layout,
                       ORDERLAB_WHERE) {
  auto copy = part;
  orderlab_host::access(copy, memory, ldm, layout == mem_row_major, where,
                        [=](T& number, std::size_t i) { memory[i] = number; });
}

/// d = a b + c: each sum starts from its number of c. A sum of float may start from one of half.
template <int m, int n, int k, class T, class ALayout, class BLayout, class D, class C>
void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, ALayout>& a,
              const fragment<matrix_b, m, n, k, T, BLayout>& b, const fragment<accumulator, m, n, k, C>& c,
              ORDERLAB_WHERE) {
  static_assert(std::is_same_v<D, C> || std::is_same_v<D, float>, "orderlab has no half sums that start from float");
  static_assert(std::is_same_v<D, float> || std::is_same_v<T, half>, "only factors in half have sums in half");
  const auto of_a = orderlab_host::numbers_in(a);
  const auto of_b = orderlab_host::numbers_in(b);
  auto sums = orderlab_host::numbers_in(c);
  orderlab::simt::multiply_matrices(
      {orderlab::TensorInstruction::mma, orderlab_host::Number<T>::format, orderlab_host::Number<D>::format, m, n, k},
      {of_a, of_b, sums}, where);
  for (std::size_t i = 0; i < sums.size(); ++i) d.x[i] = static_cast<D>(static_cast<float>(sums[i].value));
}

#undef ORDERLAB_WHERE

}  // namespace nvcuda::wmma
// NOLINTEND(readability-identifier-naming)
