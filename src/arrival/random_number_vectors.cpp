// Highway's portable vectors: this file is compiled once for each extension. Every function has its scalar twin in
// fixed_math.hpp, random_numbers.hpp or service_time.hpp, where the derivations are, and does the same operations in
// the same order. A product is never fused with a sum: the twins round both.
#include "arrival/random_number_vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "arrival/random_number_vectors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "arrival/fixed_math.hpp"
#include "arrival/service_time.hpp"
#include "core/arithmetic_guard.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Words = hn::RebindToUnsigned<Doubles>;
using Integers = hn::RebindToSigned<Doubles>;
using Double = hn::Vec<Doubles>;
using Word = hn::Vec<Words>;

HWY_INLINE Double set(double x) { return hn::Set(Doubles(), x); }

/// Converts integers below 2^53: exact.
HWY_INLINE Double to_doubles(Word integers) { return hn::ConvertTo(Doubles(), hn::BitCast(Integers(), integers)); }

template <std::size_t First, std::size_t Size>
HWY_INLINE Double horner(const std::array<double, Size>& c, Double x) {
  Double p = set(c[Size - 1]);
  for (std::size_t k = Size - 1; k > First; --k) p = hn::Add(hn::Mul(p, x), set(c[k - 1]));
  return p;
}

HWY_INLINE Double log(Double x) {
  using namespace fixed::constants;
  const Words words;
  const Word above =
      hn::Add(hn::BitCast(words, x), hn::Set(words, (std::uint64_t{kExponentBias} << 52) - kRootHalfBits));
  const Double e = hn::Sub(to_doubles(hn::ShiftRight<52>(above)), set(kExponentBias));
  const Word fraction = hn::And(above, hn::Set(words, kFractionMask));
  const Double f = hn::BitCast(Doubles(), hn::Add(fraction, hn::Set(words, kRootHalfBits)));
  const Double z = hn::Div(hn::Sub(f, set(1)), hn::Add(f, set(1)));
  const Double z2 = hn::Mul(z, z);
  const Double log_f = hn::Add(hn::Mul(set(2), z), hn::Mul(z, hn::Mul(z2, horner<1>(kAtanh, z2))));
  return hn::Add(hn::Mul(e, set(kLn2High)), hn::Add(hn::Mul(e, set(kLn2Low)), log_f));
}

HWY_INLINE Double cos_turns(Double t) {
  using namespace fixed::constants;
  const Double s = hn::Sub(hn::Abs(hn::Sub(t, set(0.5))), set(0.25));
  const Double angle = hn::Mul(set(kTwoPi), s);
  const Double square = hn::Mul(angle, angle);
  return hn::Add(angle, hn::Mul(angle, hn::Mul(square, horner<1>(kSine, square))));
}

HWY_INLINE Double exp(Double x) {
  using namespace fixed::constants;
  const Integers integers;
  const Double lowest = set(kLowestExponential);
  const auto too_low = hn::Lt(x, lowest);
  const Double bounded = hn::IfThenElse(too_low, lowest, x);
  const auto k = hn::ConvertTo(integers, hn::Sub(set(0.5), hn::Div(bounded, set(kLn2High + kLn2Low))));
  const Double whole = hn::ConvertTo(Doubles(), k);
  const Double r = hn::Add(hn::Add(bounded, hn::Mul(whole, set(kLn2High))), hn::Mul(whole, set(kLn2Low)));
  const Double y = hn::Add(set(1), hn::Mul(r, horner<1>(kExponential, r)));
  const auto scale = hn::ShiftLeft<52>(hn::Sub(hn::Set(integers, kExponentBias), k));
  return hn::IfThenZeroElse(too_low, hn::Mul(y, hn::BitCast(Doubles(), scale)));
}

/// open_uniform of two words.
HWY_INLINE Double open_uniform(Word pair) {
  const Word odd = hn::Or(hn::ShiftRight<11>(pair), hn::Set(Words(), 1));
  return hn::Mul(to_doubles(odd), set(0x1p-53));
}

/// open_uniform of one word.
HWY_INLINE Double open_uniform_of_word(Word word) {
  const Words words;
  return hn::Mul(to_doubles(hn::Add(hn::ShiftLeft<1>(word), hn::Set(words, 1))), set(0x1p-33));
}

/// Normal numbers from blocks whose words 0 and 1 are in `low`, 2 and 3 in `high`.
HWY_INLINE Double normal(Word low, Word high) {
  const Double radius = hn::Sqrt(hn::Mul(set(-2), log(open_uniform(low))));
  const Word angle = hn::And(high, hn::Set(Words(), 0xFFFFFFFF));
  return hn::Mul(radius, cos_turns(open_uniform_of_word(angle)));
}

/// decide(u, x^2, v) of gamma_attempt().
template <class Decide>
HWY_INLINE Double decided(Word low, Word high, double c, Decide decide) {
  const Double x = normal(low, high);
  const Double root = hn::Add(set(1), hn::Mul(set(c), x));
  const Double v = hn::Mul(hn::Mul(root, root), root);
  return decide(open_uniform_of_word(hn::ShiftRight<32>(high)), hn::Mul(x, x), v);
}

constexpr double kOpen = -1;  // instead of a number, which is not negative

/// v if the first test accepts it, 0 if v <= 0, else kOpen.
HWY_INLINE Double first_test(Double u, Double x2, Double v) {
  const auto accepted = hn::Lt(u, hn::Sub(set(1), hn::Mul(set(kSqueeze), hn::Mul(x2, x2))));
  return hn::IfThenElseZero(hn::Gt(v, set(0)), hn::IfThenElse(accepted, v, set(kOpen)));
}

/// Decides what the first test leaves open: v if the second accepts it, else 0.
HWY_INLINE Double second_test(Double u, Double x2, Double v, double d) {
  const Double excess = hn::Mul(set(d), hn::Add(hn::Sub(set(1), v), log(v)));
  return hn::IfThenElseZero(hn::Lt(log(u), hn::Add(hn::Mul(set(0.5), x2), excess)), v);
}

/// Sets each of a vector of numbers to map(words 0 and 1, words 2 and 3 of its block, number).
template <class Map>
HWY_INLINE void for_vector(const std::uint64_t* low, const std::uint64_t* high, double* numbers, Map map) {
  const Doubles doubles;
  const Words words;
  const Double old = hn::LoadU(doubles, numbers);
  hn::StoreU(map(hn::LoadU(words, low), hn::LoadU(words, high), old), doubles, numbers);
}

template <class Map>
HWY_INLINE void for_all(const BlockWords& blocks, std::span<double> numbers, Map map) {
  const std::size_t lanes = hn::Lanes(Doubles());
  const std::size_t n = numbers.size();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) for_vector(&blocks.low[i], &blocks.high[i], &numbers[i], map);
  if (i == n) return;
  std::uint64_t low[8] = {}, high[8] = {};
  double last[8] = {};
  std::copy_n(&blocks.low[i], n - i, low);
  std::copy_n(&blocks.high[i], n - i, high);
  std::copy_n(&numbers[i], n - i, last);
  for_vector(low, high, last, map);
  std::copy_n(last, n - i, &numbers[i]);
}

void normals(const BlockWords& blocks, std::span<double> x) {
  for_all(blocks, x, [](Word low, Word high, Double) HWY_ATTR { return normal(low, high); });
}

/// The first test decides nine of ten; the others are gathered for the second and its two logarithms.
void gamma_attempts(const BlockWords& blocks, double c, double d, std::span<double> v) {
  const auto first = [](Double u, Double x2, Double w) HWY_ATTR { return first_test(u, x2, w); };
  const auto second = [d](Double u, Double x2, Double w) HWY_ATTR { return second_test(u, x2, w, d); };
  for_all(blocks, v, [c, first](Word low, Word high, Double) HWY_ATTR { return decided(low, high, c, first); });
  constexpr std::size_t kAtOnce = 64;
  std::uint64_t low[kAtOnce], high[kAtOnce];
  double left[kAtOnce] = {};
  std::size_t places[kAtOnce];
  for (std::size_t i = 0; i < v.size();) {
    std::size_t count = 0;
    for (; i < v.size() && count < kAtOnce; ++i) {
      low[count] = blocks.low[i];
      high[count] = blocks.high[i];
      places[count] = i;
      count += static_cast<std::size_t>(v[i] == kOpen);  // no branch: nobody can predict it
    }
    for_all({{low, count}, {high, count}}, {left, count},
            [c, second](Word a, Word b, Double) HWY_ATTR { return decided(a, b, c, second); });
    for (std::size_t k = 0; k < count; ++k) v[places[k]] = left[k];
  }
}

void multiply_by_powers(const BlockWords& blocks, double power, std::span<double> times) {
  for_all(blocks, times, [power](Word low, Word, Double time) HWY_ATTR {
    return hn::Mul(time, exp(hn::Mul(set(power), log(open_uniform(low)))));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(normals);
HWY_EXPORT(gamma_attempts);
HWY_EXPORT(multiply_by_powers);

void normals(const BlockWords& blocks, std::span<double> x) { HWY_DYNAMIC_DISPATCH(normals)(blocks, x); }

void gamma_attempts(const BlockWords& blocks, double c, double d, std::span<double> v) {
  HWY_DYNAMIC_DISPATCH(gamma_attempts)(blocks, c, d, v);
}

void multiply_by_powers(const BlockWords& blocks, double power, std::span<double> times) {
  HWY_DYNAMIC_DISPATCH(multiply_by_powers)(blocks, power, times);
}

}  // namespace orderlab
#endif
