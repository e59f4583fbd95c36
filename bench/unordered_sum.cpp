#include "unordered_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unordered_sum.cpp"
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

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(sum_doubles);
HWY_EXPORT(sum_floats);

double unordered_sum(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sum_doubles)(x, n); }
float unordered_sum(const float* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(sum_floats)(x, n); }

}  // namespace orderlab
#endif
