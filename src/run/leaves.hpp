// The terms in the form that the first step reads: converted to the accumulate format, or products kept for fma.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/term_view.hpp"
#include "run/arithmetic.hpp"
#include "vectors/largest_magnitude.hpp"

namespace orderlab {

/// x * y, of which each is a Source, as a leaf: rounded once, or kept.
template <class N, class Source = double>
N leaf_of(double x, double y) {
  using T = typename NumberTraits<N>::Rounded;
  if constexpr (!std::is_same_v<N, T>)
    return N{x, y};
  else if constexpr (!std::is_same_v<Source, double>)
    return round_to<T>(x * y);  // that product is exact
  else
    return detail::round_product<T>(x, y);
}

/// Sets leaves[i] to term i.
template <class N>
void convert_terms(const TermView& terms, std::span<N> leaves) {
  with_type_of(terms.format, [&](auto* type) {
    using Source = std::remove_pointer_t<decltype(type)>;
    const auto* x = static_cast<const Source*>(terms.x);
    const auto* y = static_cast<const Source*>(terms.y);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      leaves[i] = leaf_of<N, Source>(static_cast<double>(x[i]), y == nullptr ? 1.0 : static_cast<double>(y[i]));
  });
}

/// Leaves::converted of the leaves of a plan.
inline bool converts_terms(const Plan& plan, const TermView& terms) {
  return !plan.fuses() && (terms.products() || terms.format != plan.formats().accumulate);
}

template <class N>
class Leaves {
 public:
  using T = typename NumberTraits<N>::Rounded;

  Leaves(const Leaves&) = delete;
  Leaves& operator=(const Leaves&) = delete;

  explicit Leaves(const TermView& terms) {
    if constexpr (std::is_same_v<N, T>) {
      if (!terms.products() && terms.format == kFormatOf<T>) {
        view_ = std::span(static_cast<const T*>(terms.x), terms.n);
        return;
      }
    }
    with_type_of(terms.format, [&](auto* type) {
      using Source = std::remove_pointer_t<decltype(type)>;
      const auto* x = static_cast<const Source*>(terms.x);
      const auto* y = static_cast<const Source*>(terms.y);
      owned_.reserve(terms.n);
      for (std::size_t i = 0; i < terms.n; ++i)
        owned_.push_back(convert(static_cast<double>(x[i]), y == nullptr ? 1.0 : static_cast<double>(y[i])));
    });
    converted_ = std::is_same_v<N, T>;
    view_ = owned_;
  }

  std::span<const N> view() const { return view_; }

  /// Whether every leaf passed through a rounding (a `round` node of the tree), exact or not.
  bool converted() const { return converted_; }

  /// What the conversion contributes to the error bounds; its scale is 1.
  const RunningError& error() const { return error_; }

  /// A scale with which no square can overflow, and only small ones underflow; a pass over all terms.
  double scale() const {
    if constexpr (kInfo.precision < 53) return 1;  // (2^-24 2^128)^2 and (2^-24 2^-149)^2 are doubles
    double largest = 0;
    if constexpr (std::is_same_v<N, double>) {
      largest = largest_magnitude(view_);
    } else {
      for (const N& leaf : view_) {
        const double magnitude = std::fabs(static_cast<double>(NumberTraits<N>::rounded(leaf)));
        largest = largest < magnitude ? magnitude : largest;
      }
    }
    if (!(largest > 0) || !std::isfinite(largest)) return 1;
    const int exponent = std::ilogb(largest) + static_cast<int>(std::bit_width(view_.size()));
    return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
  }

 private:
  static constexpr FormatInfo kInfo = info(kFormatOf<T>);

  N convert(double x, double y) {
    const N leaf = leaf_of<N>(x, y);
    if constexpr (std::is_same_v<N, Extended>)
      if (y == 1) return leaf;  // every term is a number of fp80
    if constexpr (std::is_same_v<N, T>) {
      const auto value = static_cast<double>(leaf);
      const double rest = std::fma(x, y, -value);
      // Near underflow fma may have lost the remainder, so the allowance is added there too.
      if (rest != 0 || std::fabs(value) < 0x1p-960) {
        error_.extra += kInfo.unit_roundoff() * std::fabs(value) + kInfo.underflow_unit();
        ++error_.allowances;
      }
    }
    return leaf;
  }

  std::vector<N> owned_;
  std::span<const N> view_;
  bool converted_ = false;
  RunningError error_;
};

}  // namespace orderlab
