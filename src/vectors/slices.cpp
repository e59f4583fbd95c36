// Slices in Highway's portable vectors: this file is compiled once for each extension.
#include "vectors/slices.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/slices.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <limits>

#include "core/arithmetic_guard.hpp"
#include "vectors/each_vector.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Zeros of their sign in place of subnormal numbers.
template <class Tag>
HWY_INLINE hn::Vec<Tag> flushed(Tag tag, hn::Vec<Tag> v) {
  const auto smallest = hn::Set(tag, std::numeric_limits<hn::TFromD<Tag>>::min());
  return hn::IfThenElse(hn::Lt(hn::Abs(v), smallest), hn::CopySign(hn::Zero(tag), v), v);
}

template <class T>
HWY_INLINE void add(T* to, const T* from, std::size_t n, bool flush) {
  if (flush)
    return each_vector<T>(n, [&](auto tag, std::size_t i) {
      const auto sum = hn::Add(flushed(tag, hn::LoadU(tag, to + i)), flushed(tag, hn::LoadU(tag, from + i)));
      hn::StoreU(flushed(tag, sum), tag, to + i);
    });
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), hn::LoadU(tag, from + i)), tag, to + i);
  });
}

template <class T>
HWY_INLINE void multiply(T* to, const T* x, const T* y, std::size_t n) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    hn::StoreU(hn::Mul(hn::LoadU(tag, x + i), hn::LoadU(tag, y + i)), tag, to + i);
  });
}

template <class T>
HWY_INLINE void add_scaled(T* to, T a, const T* from, std::size_t n) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    const auto product = hn::Mul(hn::Set(tag, a), hn::LoadU(tag, from + i));
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), product), tag, to + i);
  });
}

void add_floats(float* to, const float* from, std::size_t n, bool flush) { add(to, from, n, flush); }
void add_doubles(double* to, const double* from, std::size_t n, bool flush) { add(to, from, n, flush); }
void multiply_floats(float* to, const float* x, const float* y, std::size_t n) { multiply(to, x, y, n); }
void multiply_doubles(double* to, const double* x, const double* y, std::size_t n) { multiply(to, x, y, n); }
void add_scaled_floats(float* to, float a, const float* from, std::size_t n) { add_scaled(to, a, from, n); }
void add_scaled_doubles(double* to, double a, const double* from, std::size_t n) { add_scaled(to, a, from, n); }

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);
HWY_EXPORT(multiply_floats);
HWY_EXPORT(multiply_doubles);
HWY_EXPORT(add_scaled_floats);
HWY_EXPORT(add_scaled_doubles);

void add_slice(float* to, const float* from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_floats)(to, from, n, flush);
}
void add_slice(double* to, const double* from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(to, from, n, flush);
}
void multiply_slices(float* to, const float* x, const float* y, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(multiply_floats)(to, x, y, n);
}
void multiply_slices(double* to, const double* x, const double* y, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(multiply_doubles)(to, x, y, n);
}
void add_multiple(float* to, float a, const float* from, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_scaled_floats)(to, a, from, n);
}
void add_multiple(double* to, double a, const double* from, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_scaled_doubles)(to, a, from, n);
}

}  // namespace orderlab
#endif
