// In Highway's portable vectors: this file is compiled once for each extension.
#include "run/roundings.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/roundings.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "run/rounded_numbers.hpp"
#include "run/row_lanes.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Numbers that are rounded at once.
constexpr std::size_t kRoundedAtOnce = 64;

/// What a block of numbers becomes, and what that adds to the error bounds: nothing where a number stays what it is.
struct RoundedBlock {
  HWY_ALIGN double numbers[kRoundedAtOnce];
  HWY_ALIGN double linear[kRoundedAtOnce];
  HWY_ALIGN double square[kRoundedAtOnce];
};

/// Rounds the numbers of a block, as rounded_to() in rounded_numbers.hpp rounds one; returns how many changed. Negative
/// where some number is too large for that, or too small.
template <Format format>
HWY_FLATTEN std::int64_t round_block(RoundedBlock& block, double scale) {
  constexpr FormatInfo kInfo = info(format);
  constexpr int kCut = 53 - kInfo.precision;
  const Doubles doubles;
  const hn::RebindToUnsigned<Doubles> codes;
  const hn::RebindToSigned<Doubles> integers;
  const auto least = hn::Set(doubles, power_of_two(kInfo.e_min + 1));  // so that no allowance is needed
  const auto end = hn::Set(doubles, power_of_two(kInfo.e_max));
  const auto unit = hn::Set(doubles, kInfo.unit_roundoff());
  const auto scales = hn::Set(doubles, scale);
  auto normal = hn::Eq(scales, scales);
  auto changed = hn::Zero(integers);
  for (std::size_t i = 0; i < kRoundedAtOnce; i += hn::Lanes(doubles)) {
    const auto number = hn::Load(doubles, block.numbers + i);
    const auto magnitude = hn::Abs(number);
    normal = hn::And(normal, hn::Or(hn::And(hn::Ge(magnitude, least), hn::Lt(magnitude, end)),
                                    hn::Eq(magnitude, hn::Zero(doubles))));
    const auto bits = hn::BitCast(codes, number);
    const auto odd = hn::And(hn::ShiftRight<kCut>(bits), hn::Set(codes, 1));
    const auto up = hn::Add(bits, hn::Add(odd, hn::Set(codes, (std::uint64_t{1} << (kCut - 1)) - 1)));
    const auto near = hn::BitCast(doubles, hn::And(up, hn::Set(codes, ~((std::uint64_t{1} << kCut) - 1))));
    const auto differs = hn::Ne(near, number);
    const auto term = hn::IfThenElseZero(differs, hn::Mul(unit, hn::Abs(near)));
    const auto scaled = hn::Mul(term, scales);
    changed = hn::Sub(changed, hn::VecFromMask(integers, hn::RebindMask(integers, differs)));
    hn::Store(near, doubles, block.numbers + i);
    hn::Store(term, doubles, block.linear + i);
    hn::Store(hn::Mul(scaled, scaled), doubles, block.square + i);
  }
  return hn::AllTrue(doubles, normal) ? hn::GetLane(hn::SumOfLanes(integers, changed)) : -1;
}

/// The definition.
void round_one_by_one(Format format, std::span<double> numbers, RunningError& error) {
  RoundedNumbers arith(error);
  for (double& number : numbers) number = arith.rounded_to({number, 0}, format).number;
  error = arith.error();
}

template <Format format>
void round_some(std::span<double> numbers, RunningError& error) {
  RoundedBlock block;
  std::copy(numbers.begin(), numbers.end(), block.numbers);
  std::fill(block.numbers + numbers.size(), block.numbers + kRoundedAtOnce, 0.0);
  const std::int64_t changed = round_block<format>(block, error.scale);
  if (changed < 0) return round_one_by_one(format, numbers, error);
  std::copy_n(block.numbers, numbers.size(), numbers.begin());
  double linear = error.linear;
  double square = error.square;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    linear += block.linear[i];
    square += block.square[i];
  }
  error.linear = linear;
  error.square = square;
  error.roundings += static_cast<std::uint64_t>(changed);
}

/// Calls some(first, count) for blocks of the numbers.
template <class Some>
void in_blocks(std::size_t count, Some some) {
  for (std::size_t i = 0; i < count; i += kRoundedAtOnce) some(i, std::min(kRoundedAtOnce, count - i));
}

template <Format format>
void round_blocks(std::span<double> numbers, RunningError& error) {
  in_blocks(numbers.size(), [&](std::size_t first, std::size_t count) {
    stop_point_at(first);
    round_some<format>(numbers.subspan(first, count), error);
  });
}

void round_in_vectors(Format format, std::span<double> numbers, RunningError& error) {
  error.plain = false;
  if (format == Format::fp32) return round_blocks<Format::fp32>(numbers, error);
  if (format == Format::fp16) return round_blocks<Format::fp16>(numbers, error);
  if (format == Format::bf16) return round_blocks<Format::bf16>(numbers, error);
  round_one_by_one(format, numbers, error);
}

/// A block of numbers as doubles, as floats and as codes.
struct CodedBlock {
  HWY_ALIGN double numbers[kRoundedAtOnce];
  HWY_ALIGN float floats[kRoundedAtOnce];
  HWY_ALIGN std::uint16_t codes[kRoundedAtOnce];
};

template <class T>
HWY_FLATTEN void store_block(CodedBlock& block) {
  const Doubles doubles;
  const Floats floats;
  for (std::size_t i = 0; i < kRoundedAtOnce; i += hn::Lanes(doubles)) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128  // whose conversions to float have no infinity
    block.floats[i] = static_cast<float>(block.numbers[i]);
#else
    const hn::Rebind<float, Doubles> as_many;
    hn::Store(hn::DemoteTo(as_many, hn::Load(doubles, block.numbers + i)), as_many, block.floats + i);
#endif
  }
  for (std::size_t i = 0; i < kRoundedAtOnce; i += hn::Lanes(floats))
    hn::Store(narrowed<T>(floats, hn::Load(floats, block.floats + i)), NarrowCodes<Floats>(), block.codes + i);
}

template <class T>
HWY_FLATTEN void load_block(CodedBlock& block) {
  const Doubles doubles;
  const Floats floats;
  for (std::size_t i = 0; i < kRoundedAtOnce; i += hn::Lanes(floats))
    hn::Store(widened<T>(floats, hn::Load(NarrowCodes<Floats>(), block.codes + i)), floats, block.floats + i);
  for (std::size_t i = 0; i < kRoundedAtOnce; i += hn::Lanes(doubles)) {
    const hn::Rebind<float, Doubles> as_many;
    hn::Store(hn::PromoteTo(doubles, hn::Load(as_many, block.floats + i)), doubles, block.numbers + i);
  }
}

void store_in_vectors(Format format, std::span<const double> numbers, std::uint16_t* codes) {
  CodedBlock block{};
  in_blocks(numbers.size(), [&](std::size_t first, std::size_t count) {
    std::copy_n(numbers.data() + first, count, block.numbers);
    format == Format::bf16 ? store_block<Bfloat16>(block) : store_block<Half>(block);
    std::copy_n(block.codes, count, codes + first);
  });
}

void load_in_vectors(Format format, const std::uint16_t* codes, std::span<double> numbers) {
  CodedBlock block{};
  in_blocks(numbers.size(), [&](std::size_t first, std::size_t count) {
    std::copy_n(codes + first, count, block.codes);
    format == Format::bf16 ? load_block<Bfloat16>(block) : load_block<Half>(block);
    std::copy_n(block.numbers, count, numbers.data() + first);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(round_in_vectors);
HWY_EXPORT(store_in_vectors);
HWY_EXPORT(load_in_vectors);

void round_all(Format format, std::span<double> numbers, RunningError& error) {
  HWY_DYNAMIC_DISPATCH(round_in_vectors)(format, numbers, error);
}

void store_codes(Format format, std::span<const double> numbers, std::uint16_t* codes) {
  HWY_DYNAMIC_DISPATCH(store_in_vectors)(format, numbers, codes);
}

void load_codes(Format format, const std::uint16_t* codes, std::span<double> numbers) {
  HWY_DYNAMIC_DISPATCH(load_in_vectors)(format, codes, numbers);
}

}  // namespace orderlab
#endif
