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

/// Four vectors of sums, which stay in registers.
template <bool flush, class Tag, class T>
HWY_INLINE void add_four_vectors(Tag tag, T* to, std::span<const T* const> from, std::size_t i) {
  const std::size_t lanes = hn::Lanes(tag);
  const auto maybe_flushed = [&](auto v) HWY_ATTR {
    if constexpr (flush) return flushed(tag, v);
    return v;
  };
  const auto start = [&](std::size_t v) HWY_ATTR { return maybe_flushed(hn::LoadU(tag, to + i + v * lanes)); };
  auto a = start(0), b = start(1), c = start(2), d = start(3);
  for (const T* const terms : from) {
    const auto next = [&](auto sum, std::size_t v) HWY_ATTR {
      return maybe_flushed(hn::Add(sum, maybe_flushed(hn::LoadU(tag, terms + i + v * lanes))));
    };
    a = next(a, 0);
    b = next(b, 1);
    c = next(c, 2);
    d = next(d, 3);
  }
  hn::StoreU(a, tag, to + i);
  hn::StoreU(b, tag, to + i + lanes);
  hn::StoreU(c, tag, to + i + 2 * lanes);
  hn::StoreU(d, tag, to + i + 3 * lanes);
}

template <class T>
HWY_INLINE void add_all(T* to, std::span<const T* const> from, std::size_t n, bool flush) {
  if (from.empty()) return;  // not even flushed
  const hn::ScalableTag<T> tag;
  const std::size_t block = 4 * hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + block <= n; i += block)
    if (flush)
      add_four_vectors<true>(tag, to, from, i);
    else
      add_four_vectors<false>(tag, to, from, i);
  for (const T* const terms : from) add(to + i, terms + i, n - i, flush);
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

template <class T>
HWY_INLINE void copy_with_one_nan(T* to, const T* from, std::size_t n) {
  each_vector<T>(n, [&](auto tag, std::size_t i) HWY_ATTR {
    const auto x = hn::LoadU(tag, from + i);
    hn::StoreU(hn::IfThenElse(hn::Eq(x, x), x, hn::Set(tag, std::numeric_limits<T>::quiet_NaN())), tag, to + i);
  });
}

void add_floats(float* to, const float* from, std::size_t n, bool flush) { add(to, from, n, flush); }
void add_doubles(double* to, const double* from, std::size_t n, bool flush) { add(to, from, n, flush); }
void add_all_floats(float* to, std::span<const float* const> from, std::size_t n, bool flush) {
  add_all(to, from, n, flush);
}
void add_all_doubles(double* to, std::span<const double* const> from, std::size_t n, bool flush) {
  add_all(to, from, n, flush);
}
void multiply_floats(float* to, const float* x, const float* y, std::size_t n) { multiply(to, x, y, n); }
void multiply_doubles(double* to, const double* x, const double* y, std::size_t n) { multiply(to, x, y, n); }
void add_scaled_floats(float* to, float a, const float* from, std::size_t n) { add_scaled(to, a, from, n); }
void add_scaled_doubles(double* to, double a, const double* from, std::size_t n) { add_scaled(to, a, from, n); }
void copy_floats(float* to, const float* from, std::size_t n) { copy_with_one_nan(to, from, n); }
void copy_doubles(double* to, const double* from, std::size_t n) { copy_with_one_nan(to, from, n); }

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);
HWY_EXPORT(add_all_floats);
HWY_EXPORT(add_all_doubles);
HWY_EXPORT(multiply_floats);
HWY_EXPORT(multiply_doubles);
HWY_EXPORT(add_scaled_floats);
HWY_EXPORT(add_scaled_doubles);
HWY_EXPORT(copy_floats);
HWY_EXPORT(copy_doubles);

void add_slice(float* to, const float* from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_floats)(to, from, n, flush);
}
void add_slice(double* to, const double* from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(to, from, n, flush);
}
void add_slices(float* to, std::span<const float* const> from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_all_floats)(to, from, n, flush);
}
void add_slices(double* to, std::span<const double* const> from, std::size_t n, bool flush) {
  HWY_DYNAMIC_DISPATCH(add_all_doubles)(to, from, n, flush);
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
void copy_canonical(float* to, const float* from, std::size_t n) { HWY_DYNAMIC_DISPATCH(copy_floats)(to, from, n); }
void copy_canonical(double* to, const double* from, std::size_t n) { HWY_DYNAMIC_DISPATCH(copy_doubles)(to, from, n); }

}  // namespace orderlab
#endif
