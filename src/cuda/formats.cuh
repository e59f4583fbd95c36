// The types of the GPU that hold orderlab's formats. Half and Bfloat16 of the core are their twins of the same bits.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "orderlab/format.hpp"

namespace orderlab::cuda {

/// The format of a type of the GPU.
template <class T>
struct FormatOf;
template <>
struct FormatOf<double> {
  static constexpr Format value = Format::fp64;
};
template <>
struct FormatOf<float> {
  static constexpr Format value = Format::fp32;
};
template <>
struct FormatOf<__half> {
  static constexpr Format value = Format::fp16;
};
template <>
struct FormatOf<__nv_bfloat16> {
  static constexpr Format value = Format::bf16;
};

/// Calls `f` with a null pointer to the GPU's type that holds `format`, as with_type_of.
template <class F>
decltype(auto) with_gpu_type_of(Format format, F&& f) {
  switch (format) {
    case Format::fp32:
    case Format::tf32:
      return f(static_cast<float*>(nullptr));
    case Format::fp16:
    case Format::e4m3:
    case Format::e5m2:
      return f(static_cast<__half*>(nullptr));
    case Format::bf16:
      return f(static_cast<__nv_bfloat16*>(nullptr));
    default:
      return f(static_cast<double*>(nullptr));
  }
}

/// The bits of `value` as they are, of a NaN too.
template <class T>
__host__ __device__ std::uint64_t raw_bits(const T& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);  // little endian
  return bits;
}

/// The value of these bits.
template <class T>
T of_raw_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

}  // namespace orderlab::cuda
