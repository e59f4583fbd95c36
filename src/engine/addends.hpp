// What one step of a left-to-right sum adds: a partial sum, or by fma a product.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/term_groups.hpp"
#include "orderlab/enumerate.hpp"
#include "run/addition.hpp"
#include "run/extended.hpp"
#include "run/product.hpp"

namespace orderlab {

/// A partial sum, added plainly or as atomics that flush do.
template <class T, bool kFlush>
struct PlainAddend {
  using Number = T;
  static constexpr bool kCommutes = true;  ///< the sum of the first two is the same whichever comes first

  T term;

  T first(bool from_zero) const { return kFlush || from_zero ? started<T, kFlush>(term) : term; }
  T added_to(T sum) const { return added<T, kFlush>(sum, term); }
};

/// A product, rounded if it comes first, else fused: x * y + sum, rounded once.
template <class T>
class FusedAddend {
 public:
  using Number = T;
  static constexpr bool kCommutes = false;

  explicit FusedAddend(const Factors& factors) : x_(factors.x), y_(factors.y), product_(x_ * y_) {
    // Without underflow, fma gives the exact error of the product.
    constexpr double kErrorIsExact = 0x1p-960;
    exact_ = x_ == 0 || y_ == 0 || (std::fabs(product_) >= kErrorIsExact && std::fma(x_, y_, -product_) == 0);
    exact_ = exact_ && std::isfinite(product_);
  }

  T first(bool from_zero) const { return from_zero ? added_to(round_to<T>(0.0)) : detail::round_product<T>(x_, y_); }

  T added_to(T sum) const {
    if constexpr (!std::is_same_v<T, double>) {  // products of narrow terms are doubles: the usual case
      const double addend = static_cast<double>(sum);
      if (exact_ && std::isfinite(addend)) {
        const detail::TwoSum both = detail::two_sum(product_, addend);
        return round_to<T>(detail::to_odd(both.sum, both.rest));
      }
    }
    return detail::fused<T>(x_, y_, sum);
  }

 private:
  double x_;
  double y_;
  double product_;  ///< nearest
  bool exact_;      ///< it is x * y
};

/// The first addend that makes every result inf or NaN: a partial sum that is, a product of which a factor is. A
/// product of finite factors may be too large for the format and still give a finite sum.
inline std::optional<std::size_t> first_not_finite(std::span<const double> partial_sums,
                                                   std::span<const Factors> products) {
  const auto finite = [&](std::size_t i) {
    return products.empty() ? std::isfinite(partial_sums[i])
                            : std::isfinite(products[i].x) && std::isfinite(products[i].y);
  };
  for (std::size_t i = 0; i < partial_sums.size(); ++i)
    if (!finite(i)) return i;
  return std::nullopt;
}

/// Calls `call` with the addends of the space, one for each group: a vector of PlainAddend or FusedAddend.
template <class Call>
decltype(auto) with_addends(const OrderSpace& space, const TermGroups& groups, Call call) {
  return with_accumulator_type(space.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const auto plain = [&]<bool kFlush>(std::bool_constant<kFlush>) {
      std::vector<PlainAddend<T, kFlush>> addends;
      for (const double value : groups.values) addends.push_back({round_to<T>(value)});
      return call(std::move(addends));
    };
    if constexpr (!std::is_same_v<T, Extended>)  // into which nothing is fused
      if (!space.products.empty()) {
        std::vector<FusedAddend<T>> addends;
        for (const auto& members : groups.members) addends.emplace_back(space.products[members.front()]);
        return call(std::move(addends));
      }
    if constexpr (std::is_same_v<T, float>)  // the one format that atomics flush
      if (space.flush) return plain(std::true_type{});
    return plain(std::false_type{});
  });
}

}  // namespace orderlab
