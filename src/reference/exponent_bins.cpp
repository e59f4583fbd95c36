// One addition to memory for each term. A bin wraps at 2^64, after 2^11 terms or more; that carry is all that can
// happen.
#include "reference/exponent_bins.hpp"

#include <bit>

#include "reference/exact_loop.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

constexpr int kFractionBits = 52;
constexpr std::uint64_t kHidden = std::uint64_t{1} << kFractionBits;

/// Exponent of the last bit of the terms of a bin, and their sign.
Parts unit_of(std::size_t bin) { return parts_of_bits<Format::fp64>(std::uint64_t{bin} << kFractionBits); }

}  // namespace

void ExponentBins::add(ExactSum& sum, const double* x, std::size_t n, bool all_normal) {
  all_normal ? add<true>(sum, x, n) : add<false>(sum, x, n);
}

template <bool kAllNormal>
void ExponentBins::add(ExactSum& sum, const double* x, std::size_t n) {
  constexpr std::size_t kExponentField = 0x7ff;
  std::uint64_t* const bins = bins_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(x[i]);
    const std::size_t bin = bits >> kFractionBits;
    const std::uint64_t hidden = kAllNormal || (bin & kExponentField) != 0 ? kHidden : 0;
    const std::uint64_t significand = (bits & (kHidden - 1)) | hidden;
    bins[bin] += significand;
    if (bins[bin] < significand) [[unlikely]] {  // wrapped
      const Parts unit = unit_of(bin);
      ExactLoop::add_scaled(sum, 1, unit.exponent + 64, unit.negative);
    }
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
