// In Highway's portable vectors: this file is compiled once for each extension.
#include "inference/narrow_floats.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/narrow_floats.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
inline constexpr std::size_t kMostFloats = 16;

template <class T>
void round_in_vectors(float* numbers, std::size_t count) {
  const FloatTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(rounded<T>(tag, hn::LoadU(tag, numbers + i)), tag, numbers + i);
  if (i == count) return;
  std::array<float, kMostFloats> rest{};
  std::copy_n(numbers + i, count - i, rest.data());
  hn::StoreU(rounded<T>(tag, hn::LoadU(tag, rest.data())), tag, rest.data());
  std::copy_n(rest.data(), count - i, numbers + i);
}

/// Codes that need not be aligned.
template <class Codes>
HWY_INLINE hn::Vec<Codes> codes_at(Codes codes, const std::byte* from) {
  std::array<std::uint16_t, kMostFloats> copy;
  std::memcpy(copy.data(), from, hn::Lanes(codes) * sizeof(std::uint16_t));
  return hn::LoadU(codes, copy.data());
}

template <class T>
void read_in_vectors(const std::byte* from, float* numbers, std::size_t count) {
  constexpr std::size_t kBytes = sizeof(std::uint16_t);
  const FloatTag tag;
  const NarrowCodes<FloatTag> codes;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(widened<T>(tag, codes_at(codes, from + kBytes * i)), tag, numbers + i);
  if (i == count) return;
  std::array<std::byte, kBytes * kMostFloats> last{};
  std::array<float, kMostFloats> rest;
  std::copy_n(from + kBytes * i, kBytes * (count - i), last.data());
  hn::StoreU(widened<T>(tag, codes_at(codes, last.data())), tag, rest.data());
  std::copy_n(rest.data(), count - i, numbers + i);
}

void round_bf16(float* numbers, std::size_t count) { round_in_vectors<Bfloat16>(numbers, count); }
void round_fp16(float* numbers, std::size_t count) { round_in_vectors<Half>(numbers, count); }
void read_bf16(const std::byte* from, float* numbers, std::size_t count) {
  read_in_vectors<Bfloat16>(from, numbers, count);
}
void read_fp16(const std::byte* from, float* numbers, std::size_t count) {
  read_in_vectors<Half>(from, numbers, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(round_bf16);
HWY_EXPORT(round_fp16);
HWY_EXPORT(read_bf16);
HWY_EXPORT(read_fp16);

void round_to(Format format, std::span<float> numbers) {
  if (format == Format::bf16)
    HWY_DYNAMIC_DISPATCH(round_bf16)(numbers.data(), numbers.size());
  else if (format == Format::fp16)
    HWY_DYNAMIC_DISPATCH(round_fp16)(numbers.data(), numbers.size());
}

void read_numbers(const std::byte* from, Format format, std::span<float> numbers) {
  if (format == Format::bf16)
    HWY_DYNAMIC_DISPATCH(read_bf16)(from, numbers.data(), numbers.size());
  else if (format == Format::fp16)
    HWY_DYNAMIC_DISPATCH(read_fp16)(from, numbers.data(), numbers.size());
  else
    std::memcpy(numbers.data(), from, numbers.size_bytes());
}

}  // namespace orderlab
#endif
