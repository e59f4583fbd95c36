// Most rows are a few numbers, whose sum is exactly the double sum and its rounding errors. Those are added here, in
// two or three doubles, and it is checked that nothing is left; all other rows go to src/reference. Longer than most
// files: each step stands beside the reason why nothing is lost.
#include "operation/exact_rows.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "core/pass.hpp"
#include "operation/exact_chain.hpp"
#include "operation/row_results.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "reference/exact_loop.hpp"
#include "reference/exact_product.hpp"
#include "run/product.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

using detail::two_sum;
using detail::TwoSum;

/// (high + low) / divisor to 2^-104 and with the nearest double; false where that takes more digits.
bool divide_exactly(ExactPair& pair, double divisor) {
  constexpr double kSmall = 0x1p-900;  // above it nothing below underflows
  const double quotient = pair.high / divisor;
  if (pair.high == 0) {
    pair.high = quotient;
    return true;
  }
  if (!(std::fabs(quotient) > kSmall)) return false;
  const double remainder = std::fma(-quotient, divisor, pair.high);  // exact, as of every division
  if (remainder == 0 && pair.low == 0) {
    pair.high = quotient;
    return true;
  }
  // The correction has a relative error below 2^-51, as it is two roundings of the exact remainder over the divisor.
  const double correction = (remainder + pair.low) / divisor;
  const TwoSum sum = two_sum(quotient, correction);
  pair = {sum.sum, sum.rest};
  // The correction must be right to its sign, and must not leave it open which double is nearest.
  constexpr double kMore = 1 + 0x1p-48;
  return std::fabs(sum.rest) > 0x1p-100 * std::fabs(sum.sum) && sum.sum + kMore * sum.rest == sum.sum;
}

/// Combines the rows of one call: numbers of T, results of R.
template <class T, class R>
class ExactRowAdder {
 public:
  ExactRowAdder(const Contributions& rows, std::span<const std::uint32_t> divide_by, ExactRows& out)
      : begin_(rows.row_begin.data()),
        values_(reinterpret_cast<const T*>(rows.values.bytes().data())),
        last_(rows.values.size() - 1),
        initial_(rows.initial ? reinterpret_cast<const T*>(rows.initial->bytes().data()) : nullptr),
        divide_by_(divide_by),
        results_(out) {}

  template <bool kInitial>
  void sum(std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) {
      const T* x = values_ + begin_[row];
      const std::size_t n = begin_[row + 1] - begin_[row];
      const double no_start = std::bit_cast<double>(std::uint64_t{n != 0} << 63);  // -0, of an empty row +0
      const double start = kInitial ? static_cast<double>(initial_[row]) : no_start;
      ExactPair pair;
      double magnitude = std::fabs(start);
      const bool exact =
          n <= kBranchFree ? sum_few(start, x, n, pair, magnitude) : sum_longer(start, x, n, pair, magnitude);
      const double divisor = divide_by_.empty() ? 1 : divide_by_[row];
      if (!exact || (divisor != 1 && !divide_exactly(pair, divisor)))
        sum_exactly(row, magnitude);
      else
        results_.put(row, pair, magnitude / divisor);
    }
  }

  void multiply(std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) {
      gather(row);
      ExactPair pair;
      if (multiply_in_doubles(pair)) {
        results_.put(row, pair, std::fabs(pair.high));
        continue;
      }
      const ExactProduct product = exact_product(gathered_, kFormatOf<R>);
      const double ulp = std::isnan(product.high) || infinite_factor() ? std::numeric_limits<double>::quiet_NaN()
                         : zero_factor()                               ? RowResults<R>::ulp_of_zero(0)
                                         : std::ldexp(1.0, ulp_exponent(kFormatOf<R>, product.exponent));
      results_.put(row, {product.high, product.low}, std::fabs(product.high), product.bits, ulp);
    }
  }

 private:
  // A row of fewer numbers than these takes as many additions, of -0, which changes no sum: the length of a row is
  // what the machine would predict wrongly.
  static constexpr std::size_t kBranchFree = 3;
  static constexpr std::size_t kFew = 8;  // numbers of which the magnitudes are added one after the other

  // As ExactChain::sum, for start + x[0] + ... + x[n - 1]; adds the magnitudes.
  [[gnu::always_inline]] bool sum_few(double start, const T* x, std::size_t n, ExactPair& pair,
                                      double& magnitude) const {
    // Past the end of the row other numbers are read and masked, so that there is no jump to predict.
    const std::size_t at = static_cast<std::size_t>(x - values_);
    const auto number = [&](std::size_t i) {
      const auto value = std::bit_cast<std::uint64_t>(static_cast<double>(values_[std::min(at + i, last_)]));
      const std::uint64_t inside = -std::uint64_t{i < n};
      return std::bit_cast<double>((value & inside) | (std::bit_cast<std::uint64_t>(-0.0) & ~inside));
    };
    static_assert(kBranchFree == 3);
    const double a = number(0), b = number(1), c = number(2);
    const double size = ((magnitude + std::fabs(a)) + std::fabs(b)) + std::fabs(c);
    if constexpr (std::is_same_v<T, double>) {
      magnitude = size;
      ExactChain chain(start);
      chain.add(a);
      chain.add(b);
      chain.add(c);
      return chain.sum(pair);
    } else {  // most sums of narrow numbers are doubles
      const TwoSum first = two_sum(start, a);
      const TwoSum second = two_sum(first.sum, b);
      const TwoSum third = two_sum(second.sum, c);
      const double rest = (std::fabs(first.rest) + std::fabs(second.rest)) + std::fabs(third.rest);
      if (rest != 0) return sum_longer(start, x, n, pair, magnitude);  // NaN, too
      magnitude = size;
      pair = {third.sum, 0};
      return true;
    }
  }

  // The same, for any row.
  [[gnu::noinline]] bool sum_longer(double start, const T* x, std::size_t n, ExactPair& pair, double& magnitude) const {
    ExactChain chain(start);
    if (n < kFew) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto value = static_cast<double>(x[i]);
        chain.add(value);
        magnitude += std::fabs(value);
      }
      return chain.sum(pair);
    }
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto value = static_cast<double>(x[i]);
      chain.add(value);
      const TwoSum sizes = two_sum(magnitude, std::fabs(value));
      magnitude = sizes.sum;
      error += sizes.rest;
    }
    if (std::isfinite(magnitude)) magnitude += error;
    return chain.sum(pair);
  }

  [[gnu::noinline]] void sum_exactly(std::size_t row, double magnitude) {
    gather(row);
    ExactValue value = exact_sum(gathered_);
    if (!divide_by_.empty()) {
      if (value.finite()) value = ExactLoop::quotient(value, divide_by_[row]);
      magnitude /= divide_by_[row];
    }
    results_.put(row, value, magnitude);
  }

  // All numbers of a row, the initial value first.
  void gather(std::size_t row) {
    gathered_.clear();
    if (initial_ != nullptr) gathered_.push_back(static_cast<double>(initial_[row]));
    for (std::size_t i = begin_[row]; i < begin_[row + 1]; ++i) gathered_.push_back(static_cast<double>(values_[i]));
  }

  // The product of gathered_, where all of it but the last multiplication is exact in double, and that one's rounding
  // error is a double.
  bool multiply_in_doubles(ExactPair& pair) const {
    constexpr double kSmall = 0x1p-900;  // above it an error is a double
    pair = {1, 0};
    for (const double factor : gathered_) {
      if (pair.low != 0) return false;
      const double product = pair.high * factor;
      if (!(std::fabs(product) > kSmall) || !std::isfinite(product)) return false;
      pair.low = std::fma(pair.high, factor, -product);
      pair.high = product;
    }
    return true;
  }

  bool zero_factor() const {
    for (const double factor : gathered_)
      if (factor == 0) return true;
    return false;
  }
  bool infinite_factor() const {
    for (const double factor : gathered_)
      if (std::isinf(factor)) return true;
    return false;
  }

  const std::uint32_t* begin_;
  const T* values_;
  std::size_t last_;  // last index of values_
  const T* initial_;
  std::span<const std::uint32_t> divide_by_;
  RowResults<R> results_;
  std::vector<double> gathered_;
};

}  // namespace

void exact_rows(const Contributions& rows, Combine combine, ExactRows& out, const Loop& loop,
                std::span<const std::uint32_t> divide_by) {
  assert(out.high.size() == rows.outputs());
  assert(divide_by.empty() || (divide_by.size() == rows.outputs() && combine == Combine::add));
  constexpr std::size_t kRowsAPart = std::size_t{1} << 14;
  with_type_of(rows.values.format(), [&](auto* number) {
    with_type_of(out.rounded.format(), [&](auto* rounded) {
      using T = std::remove_pointer_t<decltype(number)>;
      using R = std::remove_pointer_t<decltype(rounded)>;
      Pass pass(rows.outputs());
      loop_over(
          rows.outputs(), loop,
          [&](std::size_t first, std::size_t count) {
            ExactRowAdder<T, R> reader(rows, divide_by, out);
            if (combine == Combine::multiply)
              reader.multiply(first, count);
            else if (rows.initial)
              reader.template sum<true>(first, count);
            else
              reader.template sum<false>(first, count);
            pass.did(count);
          },
          kRowsAPart);
    });
  });
}

ExactRows exact_rows(const Contributions& rows, Combine combine, Format result, const Loop& loop,
                     std::span<const std::uint32_t> divide_by) {
  ExactRows out(result, rows.outputs());
  exact_rows(rows, combine, out, loop, divide_by);
  return out;
}

}  // namespace orderlab
