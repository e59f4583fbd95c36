#include "bench/unordered_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/unordered_sum.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T sum(const T* x, std::size_t n) {
  const hn::ScalableTag<T> numbers;
  const std::size_t lanes = hn::Lanes(numbers);
  auto a = hn::Zero(numbers), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  std::size_t i = 0;
  for (; i + 8 * lanes <= n; i += 8 * lanes) {
    a = hn::Add(a, hn::LoadU(numbers, x + i));
    b = hn::Add(b, hn::LoadU(numbers, x + i + lanes));
    c = hn::Add(c, hn::LoadU(numbers, x + i + 2 * lanes));
    d = hn::Add(d, hn::LoadU(numbers, x + i + 3 * lanes));
    e = hn::Add(e, hn::LoadU(numbers, x + i + 4 * lanes));
    f = hn::Add(f, hn::LoadU(numbers, x + i + 5 * lanes));
    g = hn::Add(g, hn::LoadU(numbers, x + i + 6 * lanes));
    h = hn::Add(h, hn::LoadU(numbers, x + i + 7 * lanes));
  }
  for (; i + lanes <= n; i += lanes) a = hn::Add(a, hn::LoadU(numbers, x + i));
  a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  T total = hn::GetLane(hn::SumOfLanes(numbers, a));
  for (; i < n; ++i) total += x[i];
  return total;
}

double sum_doubles(const double* x, std::size_t n) { return sum(x, n); }
float sum_floats(const float* x, std::size_t n) { return sum(x, n); }

/// Numbers of 16 bits, four vectors of floats at a time; widen(codes) makes one vector of one of half its length.
template <class Widen>
HWY_INLINE float sum_of_codes(const std::uint16_t* x, std::size_t n, Widen widen) {
  const hn::ScalableTag<float> floats;
  const hn::Rebind<std::uint16_t, hn::ScalableTag<float>> codes;
  const std::size_t lanes = hn::Lanes(floats);
  auto a = hn::Zero(floats), b = a, c = a, d = a;
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    a = hn::Add(a, widen(hn::LoadU(codes, x + i)));
    b = hn::Add(b, widen(hn::LoadU(codes, x + i + lanes)));
    c = hn::Add(c, widen(hn::LoadU(codes, x + i + 2 * lanes)));
    d = hn::Add(d, widen(hn::LoadU(codes, x + i + 3 * lanes)));
  }
  std::uint16_t last[4 * 64 / sizeof(float)] = {};
  for (std::size_t l = 0; i + l < n; ++l) last[l] = x[i + l];
  for (std::size_t l = 0; i + l < n; l += lanes) a = hn::Add(a, widen(hn::LoadU(codes, last + l)));
  return hn::GetLane(hn::SumOfLanes(floats, hn::Add(hn::Add(a, b), hn::Add(c, d))));
}

float sum_halves(const std::uint16_t* x, std::size_t n) {
  const hn::ScalableTag<float> floats;
  const hn::Rebind<hwy::float16_t, hn::ScalableTag<float>> halves;
  return sum_of_codes(x, n, [&](auto codes) { return hn::PromoteTo(floats, hn::BitCast(halves, codes)); });
}

float sum_bfloats(const std::uint16_t* x, std::size_t n) {
  const hn::ScalableTag<float> floats;
  const hn::RebindToUnsigned<hn::ScalableTag<float>> wide;
  return sum_of_codes(x, n,
                      [&](auto codes) { return hn::BitCast(floats, hn::ShiftLeft<16>(hn::PromoteTo(wide, codes))); });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(sum_doubles);
HWY_EXPORT(sum_floats);
HWY_EXPORT(sum_halves);
HWY_EXPORT(sum_bfloats);

double unordered_sum(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sum_doubles)(x, n); }
float unordered_sum(const float* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sum_floats)(x, n); }

float unordered_sum_of_halves(const std::uint16_t* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sum_halves)(x, n); }
float unordered_sum_of_bfloats(const std::uint16_t* x, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(sum_bfloats)(x, n);
}

}  // namespace orderlab
#endif
