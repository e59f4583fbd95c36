// One integer of 128 bits holds the sum. Its lowest bit is chosen from the first term that is not 0.
#include "reference/short_sum.hpp"

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "reference/exact_loop.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

__extension__ using Unsigned128 = unsigned __int128;

// Significands have 53 bits at most, of terms as of products of narrow formats. Shifted by 63 they are below 2^116, so
// 2^10 of them stay below 2^126.
constexpr unsigned kShifts = 64;
constexpr unsigned kBelowFirst = 40;  // how many of the shifts are left for terms smaller than the first one

/// A finite number that is not subnormal is significand() * 2^(field() + kUnit).
template <class T>
struct Number {
  static constexpr FormatInfo kInfo = info(kFormatOf<T>);
  static constexpr int kUnit = kInfo.e_min - kInfo.precision;
  static constexpr std::uint64_t kHidden = std::uint64_t{1} << (kInfo.precision - 1);
  static constexpr unsigned kFieldMask = (1U << (kInfo.bits - kInfo.precision)) - 1;

  explicit Number(T value) : bits(pattern_of(value)) {}

  std::uint64_t significand() const { return (bits & (kHidden - 1)) | kHidden; }
  unsigned field() const { return static_cast<unsigned>(bits >> (kInfo.precision - 1)) & kFieldMask; }
  bool normal() const { return field() - 1 < kFieldMask - 1; }
  bool finite() const { return field() != kFieldMask; }
  bool zero() const { return bits << (64 - kInfo.bits + 1) == 0; }

  std::uint64_t bits;
};

template <bool kProducts, class T>
std::optional<ExactValue> sum_near(const T* x, const T* y, std::size_t n, bool absolute) {
  using N = Number<T>;
  const std::uint64_t signs = absolute ? 0 : 1;
  std::uint64_t sum_low = 0, sum_high = 0;
  unsigned lowest = 0;
  bool any = false;
  bool positive_zero = n == 0;
  for (std::size_t i = 0; i < n; ++i) {
    const N a(x[i]), b(kProducts ? y[i] : x[i]);
    const std::uint64_t negative = ((kProducts ? a.bits ^ b.bits : a.bits) >> (N::kInfo.bits - 1)) & signs;
    if (!a.normal() || (kProducts && !b.normal())) {
      if (!a.finite() || !b.finite() || !(a.zero() || b.zero())) return std::nullopt;
      positive_zero |= negative == 0;
      continue;
    }
    const unsigned field = a.field() + (kProducts ? b.field() : 0);
    if (!any) lowest = field - kBelowFirst;
    any = true;
    const unsigned shift = field - lowest;
    if (shift >= kShifts) return std::nullopt;
    const std::uint64_t significand = a.significand() * (kProducts ? b.significand() : 1);
    const std::uint64_t piece = (significand ^ (0 - negative)) + negative;
    const auto high = static_cast<std::uint64_t>(static_cast<std::int64_t>(piece) >> 1 >> (kShifts - 1 - shift));
    const std::uint64_t low = piece << shift;
    sum_low += low;
    sum_high += high + std::uint64_t{sum_low < low};
  }
  if (!any && !positive_zero) return ExactLoop::negative_zero();
  const auto sum = static_cast<Integer128>(Unsigned128{sum_high} << kShifts | sum_low);
  return ExactLoop::value_of(sum, static_cast<int>(lowest) + (kProducts ? 2 : 1) * N::kUnit);
}

}  // namespace

std::optional<ExactValue> short_sum(const TermView& terms, bool absolute) {
  assert(terms.n <= kMostShortTerms);
  return with_type_of(terms.format, [&](auto* type) -> std::optional<ExactValue> {
    using T = std::remove_pointer_t<decltype(type)>;
    const auto* x = static_cast<const T*>(terms.x);
    const auto* y = static_cast<const T*>(terms.y);
    if (!terms.products()) return sum_near<false>(x, y, terms.n, absolute);
    if constexpr (kFormatOf<T> == Format::fp64)
      return std::nullopt;
    else
      return sum_near<true>(x, y, terms.n, absolute);
  });
}

}  // namespace orderlab
