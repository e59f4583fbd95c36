// One addition to memory for each term. A bin wraps at 2^64, after 2^11 terms or more; that carry is all that can
// happen.
#include "reference/exponent_bins.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "reference/exact_loop.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

constexpr int kFractionBits = 52;
constexpr std::uint64_t kHidden = std::uint64_t{1} << kFractionBits;

constexpr std::size_t kPiece = 1024;

/// The lowest and the highest exponent field, with either sign.
constexpr std::array<std::size_t, 4> kNotNormal{0x000, 0x7ff, 0x800, 0xfff};

/// Exponent of the last bit of the terms of a bin, and their sign.
Parts unit_of(std::size_t bin) { return parts_of_bits<Format::fp64>(std::uint64_t{bin} << kFractionBits); }

}  // namespace

void ExponentBins::add(ExactSum& sum, const double* x, std::size_t n) {
  for (std::size_t begin = 0; begin < n; begin += kPiece) add_piece(sum, x + begin, std::min(kPiece, n - begin));
}

void ExponentBins::add_piece(ExactSum& sum, const double* x, std::size_t n) {
  std::uint64_t* const bins = bins_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(x[i]);
    const std::size_t bin = bits >> kFractionBits;
    const std::uint64_t significand = (bits & (kHidden - 1)) | kHidden;
    bins[bin] += significand;
    if (bins[bin] < significand) [[unlikely]] {  // wrapped
      const Parts unit = unit_of(bin);
      ExactLoop::add_scaled(sum, 1, unit.exponent + 64, unit.negative);
    }
  }

  // Zeros, subnormals, infinities and NaN have no hidden bit. Their bins are empty before every piece, and are not
  // after one that has such terms: 2^10 of them do not wrap.
  std::uint64_t odd = 0;
  for (const std::size_t bin : kNotNormal) odd |= std::exchange(bins[bin], 0);
  for (std::size_t i = 0; odd != 0 && i < n; ++i) {
    const std::size_t bin = std::bit_cast<std::uint64_t>(x[i]) >> kFractionBits;
    if (std::ranges::find(kNotNormal, bin) != kNotNormal.end()) ExactLoop::add(sum, view_of(x + i, 1), false);
  }
}

void ExponentBins::drain(ExactSum& sum) {
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (bins_[bin] == 0) continue;
    const Parts unit = unit_of(bin);
    ExactLoop::add_scaled(sum, bins_[bin], unit.exponent, unit.negative);
    bins_[bin] = 0;
  }
}

}  // namespace orderlab
