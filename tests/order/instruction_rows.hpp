// Rows of products of bf16 numbers for instructions of x86, biased to what cancels, underflows, overflows and is not
// finite. The sum of a row starts from +0.
#pragma once

#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/term_view.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

class InstructionRows {
 public:
  explicit InstructionRows(std::uint64_t seed) : draw_(RandomStream(seed, 0, 0), 0) {}

  std::vector<Factors> next() {
    const auto kind = static_cast<Kind>(below(draw_, 7));
    std::vector<Factors> row;
    const std::size_t n = 1 + below(draw_, chance(draw_, 4) ? 100 : 8);
    if (kind == Kind::least_normal) row = {{0x1p-63, with_random_sign(draw_, 0x1p-63)}, {0, 0}};
    while (row.size() < n) {
      const bool cancels = kind == Kind::cancels && !row.empty() && chance(draw_, 2);
      row.push_back(cancels ? opposite(row.back()) : Factors{factor(kind), factor(kind)});
    }
    if (kind != Kind::any && chance(draw_, 8)) row[below(draw_, row.size())].x = special();
    return row;
  }

 private:
  enum class Kind : std::uint8_t { equal, cancels, subnormal, least_normal, overflows, special, any };

  static double of(std::uint64_t bits) { return value_of_bits(Format::bf16, bits & 0xffff); }

  double with_exponent(int exponent) {
    const double significand = 1 + std::ldexp(static_cast<double>(below(draw_, 128)), -7);
    return with_random_sign(draw_, std::ldexp(significand, exponent));
  }
  int exponent(int least, int count) {
    return least + static_cast<int>(below(draw_, static_cast<std::uint64_t>(count)));
  }

  double factor(Kind kind) {
    if (chance(draw_, 16)) return with_random_sign(draw_, 0.0);
    switch (kind) {
      case Kind::subnormal:  // numbers, products, sums
        return chance(draw_, 2) ? of(draw_() & 0x80ff) : with_exponent(exponent(-66, 70));
      case Kind::least_normal:  // products about 2^-151, half of the last bit that 2^-126 has
        return with_exponent(exponent(-77, 4));
      case Kind::overflows:
        return with_exponent(exponent(61, 4));
      case Kind::special:
        return special();
      case Kind::any:
        return of(draw_());
      default:
        return with_exponent(exponent(-1, kind == Kind::equal ? 1 : 12));
    }
  }

  /// The same product with the other sign, or nearly the same.
  Factors opposite(const Factors& p) {
    return {-p.x, chance(draw_, 2) ? p.y : of(round_to_bits(Format::bf16, p.y) ^ 1)};
  }

  double special() {
    constexpr std::uint16_t kSpecials[] = {0x0000, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x0001, 0x807f,
                                           0x0080, 0x8080, 0x3f80, 0xbf80, 0x3f81, 0x7f7f, 0xff7f, 0x2000, 0x2001};
    return of(kSpecials[below(draw_, std::size(kSpecials))]);
  }

  IndexGenerator draw_;
};

}  // namespace orderlab::testing
