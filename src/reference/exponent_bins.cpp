// A piece of terms at a time: vectors take them apart into bins and what to add there, then one addition to memory does
// each. This file is compiled once for each vector extension.
#include "reference/exponent_bins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/exponent_bins.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/exact_loop.hpp"
#include "reference/extraction.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kPiece = ExponentBins::kPiece;

/// Terms as integers: term i is addends[i] in units of bin bins[i].
struct Piece {
  alignas(64) std::uint64_t bins[kPiece];
  alignas(64) std::int64_t addends[kPiece];
};

/// Takes apart n terms, at most kPiece; false if one of them is infinite or NaN.
HWY_INLINE bool take_apart(const double* x, std::size_t n, Piece& piece) {
  const hn::CappedTag<std::uint64_t, kMostLanes> words;
  const hn::RebindToSigned<decltype(words)> integers;
  const hn::RebindToFloat<decltype(words)> doubles;
  constexpr int kFractionBits = 52;
  const std::size_t lanes = hn::Lanes(words);
  const auto magnitude_bits = hn::Set(words, ~std::uint64_t{0} >> 1);
  const auto fraction_bits = hn::Set(words, (std::uint64_t{1} << kFractionBits) - 1);
  const auto hidden = hn::Set(words, std::uint64_t{1} << kFractionBits);
  const auto field_in_bin = hn::Set(words, 3);
  const auto row_bits = hn::Set(words, (ExponentBins::kRows - 1) * ExponentBins::kColumns);
  auto special = hn::Zero(words);
  double last[kMostLanes] = {};
  for (std::size_t i = 0; i < n; i += lanes) {
    const double* from = x + i;
    if (n - i < lanes) {
      std::memcpy(last, from, (n - i) * sizeof(double));
      from = last;
    }
    const auto bits = hn::BitCast(words, hn::LoadU(doubles, from));
    const auto magnitude = hn::And(bits, magnitude_bits);
    special = hn::Or(special, hn::Add(magnitude, hidden));  // only the highest exponent field reaches the sign bit
    // A subnormal has no hidden bit, and the exponent of field 1.
    const auto subnormal = hn::VecFromMask(words, hn::Eq(hn::ShiftRight<kFractionBits>(magnitude), hn::Zero(words)));
    const auto significand = hn::Or(hn::And(bits, fraction_bits), hn::AndNot(subnormal, hidden));
    const auto shift = hn::Sub(hn::And(hn::ShiftRight<kFractionBits>(bits), field_in_bin), subnormal);
    const auto unsigned_addend = hn::BitCast(integers, hn::Shl(significand, shift));
    const auto flip = hn::BroadcastSignBit(hn::BitCast(integers, bits));
    hn::Store(hn::Sub(hn::Xor(unsigned_addend, flip), flip), integers, piece.addends + i);
    // Row field / 4 % 16, which counts in 32, and column field / 64.
    const auto row = hn::And(hn::ShiftRight<kFractionBits + 2 - 5>(magnitude), row_bits);
    const auto column = hn::ShiftRight<kFractionBits + 2 + 4>(magnitude);
    hn::Store(hn::Or(row, column), words, piece.bins + i);
  }
  const auto infinite = hn::And(special, hn::Set(words, std::uint64_t{1} << 63));
  return hn::AllTrue(words, hn::Eq(infinite, hn::Zero(words)));
}

/// Adds leading terms to the bins: all, or those before an infinity or NaN or a piece that has one; their number.
std::size_t add_to_bins(std::int64_t* bins, ExactSum& sum, const double* x, std::size_t n) {
  Piece piece;
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t count = std::min(kPiece, n - begin);
    if (!take_apart(x + begin, count, piece)) return begin;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bin = piece.bins[i];
      const std::int64_t addend = piece.addends[i];
      if (__builtin_add_overflow(bins[bin], addend, &bins[bin])) [[unlikely]]
        ExactLoop::add_scaled(sum, addend < 0 ? -1 : 1, ExponentBins::unit_of(bin) + 64);
    }
  }
  return n;
}

/// What the bins of each column come to, from the lower or the upper half of its rows: low + high * 2^32.
void add_up_columns(const std::int64_t* bins, std::int64_t* low, std::int64_t* high) {
  const hn::CappedTag<std::int64_t, kMostLanes> integers;
  const auto low_half = hn::Set(integers, 0xffffffff);
  for (std::size_t column = 0; column < ExponentBins::kColumns; column += hn::Lanes(integers)) {
    auto low_sum = hn::Zero(integers), high_sum = low_sum;
    for (std::size_t row = ExponentBins::kRows / 2; row-- > 0;) {
      const auto bin = hn::LoadU(integers, bins + row * ExponentBins::kColumns + column);
      low_sum = hn::Add(hn::ShiftLeft<ExponentBins::kFieldsPerBin>(low_sum), hn::And(bin, low_half));
      high_sum = hn::Add(hn::ShiftLeft<ExponentBins::kFieldsPerBin>(high_sum), hn::ShiftRight<32>(bin));
    }
    hn::StoreU(low_sum, integers, low + column);
    hn::StoreU(high_sum, integers, high + column);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_to_bins);
HWY_EXPORT(add_up_columns);

void ExponentBins::add(ExactSum& sum, const double* x, std::size_t n) {
  while (n > 0) {
    std::size_t count = HWY_DYNAMIC_DISPATCH(add_to_bins)(bins_.data(), sum, x, n);
    if (count == 0) {  // there is an infinity or NaN
      count = std::min(n, kPiece);
      ExactLoop::add(sum, view_of(x, count), false);
    }
    x += count;
    n -= count;
  }
}

void ExponentBins::drain(ExactSum& sum) const {
  // Each row counts 2^4 times as much as the one before: the halves of 32 bits of eight rows come to less than 2^61,
  // all bits of sixteen to less than 2^125.
  std::int64_t low[2][kColumns], high[2][kColumns];
  for (std::size_t half = 0; half < 2; ++half)
    HWY_DYNAMIC_DISPATCH(add_up_columns)(bins_.data() + half * bins_.size() / 2, low[half], high[half]);
  constexpr std::int64_t kHalfWord = std::int64_t{1} << 32;
  for (std::size_t column = 0; column < kColumns; ++column) {
    const Integer128 upper = Integer128{high[1][column]} * kHalfWord + low[1][column];
    const Integer128 lower = Integer128{high[0][column]} * kHalfWord + low[0][column];
    ExactLoop::add_scaled(sum, upper * kHalfWord + lower, unit_of(column));
  }
}

}  // namespace orderlab
#endif
