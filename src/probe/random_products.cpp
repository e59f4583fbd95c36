#include "probe/random_products.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kProductsKey = 0x6675736564;

class ProductDraw {
 public:
  ProductDraw(Format factors, Format sums, std::size_t n, std::uint64_t number)
      : factors_(info(factors)), draw_(RandomStream(kProductsKey, 0, number), 0) {
    constexpr int kFar = 60;                                   // from 1: a step keeps no more bits
    const int bits = static_cast<int>(std::bit_width(n)) + 2;  // a product of exponent e is below 2^(e + 2)
    most_ = std::min({2 * factors_.e_max, info(sums).e_max - bits, kFar});
    least_ = std::max(2 * factors_.e_min, -kFar);
  }

  std::vector<Factors> all(std::size_t n, std::uint64_t kind) {
    const int top = between(std::max(least_, std::min(most_ - 4, -8)), most_);
    std::vector<Factors> products;
    for (std::size_t i = 0; i < n; ++i) products.push_back(one(kind, top));
    if (kind != 0) cancel(products);
    return products;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return draw_() % limit; }
  int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1))); }

  // A number with a last bit anywhere: sums of short ones are exact, or ties.
  double significand() {
    const int bits = below(2) == 0 ? factors_.precision : between(1, factors_.precision);
    const auto whole = (std::uint64_t{1} << (bits - 1)) + below(std::uint64_t{1} << (bits - 1));
    return (below(2) == 0 ? 1 : -1) * std::ldexp(static_cast<double>(whole), 1 - bits);
  }

  Factors of_exponent(int exponent) {
    exponent = std::clamp(exponent, least_, most_);
    const int low = std::max(factors_.e_min, exponent - factors_.e_max);
    const int high = std::min(factors_.e_max, exponent - factors_.e_min);
    const int first = std::clamp(exponent / 2 + between(-2, 2), low, high);
    return {number(first), number(exponent - first)};
  }

  // Of e4m3 with its greatest exponent, significands of 1.75 at most.
  double number(int exponent) {
    const double x = std::ldexp(significand(), exponent);
    const double rounded = value_of_bits(factors_.format, round_to_bits(factors_.format, x));
    return std::isfinite(rounded) ? rounded : std::ldexp(x < 0 ? -1.0 : 1.0, exponent);
  }

  // The first factor is subnormal, the second as large as it takes.
  Factors subnormal(int exponent) {
    const int first = factors_.e_min - between(1, factors_.precision - 1);
    const int second = std::clamp(exponent - first, factors_.e_min, std::min(factors_.e_max, most_ - first));
    return {number(first), number(second)};
  }

  Factors one(std::uint64_t kind, int top) {
    switch (kind) {
      case 0:
      case 1:  // equal exponents, or nearly
        return of_exponent(top - between(0, 1));
      case 2:
        return of_exponent(between(least_, most_));
      case 3: {  // levels some bits apart
        const int level = 11 * between(0, 3);
        return of_exponent(top - level - between(0, 1));
      }
      case 4:  // few that are not 0
        return below(6) != 0 ? Factors{0, 1} : of_exponent(top - between(0, 30));
      case 5:
        return below(2) == 0 ? subnormal(top - between(0, 12)) : of_exponent(top - between(0, 12));
      default:  // the smallest products
        return below(2) == 0 ? subnormal(least_) : of_exponent(least_ + between(0, 14));
    }
  }

  // Some products become the negatives of others.
  void cancel(std::vector<Factors>& products) {
    const std::size_t pairs = products.size() / 8 + 1;
    for (std::size_t i = 0; i < pairs; ++i) {
      const Factors& of = products[below(products.size())];
      products[below(products.size())] = {-of.x, of.y};
    }
  }

  const FormatInfo& factors_;
  IndexGenerator draw_;
  int most_;
  int least_;
};

}  // namespace

std::vector<Factors> random_products(Format factors, Format sums, std::size_t n, std::uint64_t number) {
  constexpr std::uint64_t kKinds = 7;
  return ProductDraw(factors, sums, n, number).all(n, number % kKinds);
}

}  // namespace orderlab
