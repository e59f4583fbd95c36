// Dense products in Highway's portable vectors: this file is compiled once for each extension.
#include "training/dense_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "training/dense_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "core/arithmetic_guard.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A vector of sums of four rows of a, of consecutive columns of b, whose rows are `columns` apart.
template <class Tag, class T = hn::TFromD<Tag>>
HWY_INLINE void sums_of_four_rows(Tag tag, std::size_t k, const T* a, std::size_t stride, const T* b,
                                  std::size_t columns, T* sums) {
  constexpr std::size_t kPeeled = 8;
  auto even0 = hn::Zero(tag), even1 = even0, even2 = even0, even3 = even0;
  auto odd0 = even0, odd1 = even0, odd2 = even0, odd3 = even0;
  const auto add = [&](std::size_t i, auto& sum0, auto& sum1, auto& sum2, auto& sum3) HWY_ATTR {
    const auto row = hn::LoadU(tag, b + i * columns);
    sum0 = hn::Add(sum0, hn::Mul(hn::Set(tag, a[i]), row));
    sum1 = hn::Add(sum1, hn::Mul(hn::Set(tag, a[i + stride]), row));
    sum2 = hn::Add(sum2, hn::Mul(hn::Set(tag, a[i + 2 * stride]), row));
    sum3 = hn::Add(sum3, hn::Mul(hn::Set(tag, a[i + 3 * stride]), row));
  };
  std::size_t i = 0;
  for (; i < k / kPeeled * kPeeled; i += 2) {
    add(i, even0, even1, even2, even3);
    add(i + 1, odd0, odd1, odd2, odd3);
  }
  even0 = hn::Add(even0, odd0);
  even1 = hn::Add(even1, odd1);
  even2 = hn::Add(even2, odd2);
  even3 = hn::Add(even3, odd3);
  for (; i < k; ++i) add(i, even0, even1, even2, even3);
  const std::size_t lanes = hn::Lanes(tag);
  hn::StoreU(even0, tag, sums);
  hn::StoreU(even1, tag, sums + lanes);
  hn::StoreU(even2, tag, sums + 2 * lanes);
  hn::StoreU(even3, tag, sums + 3 * lanes);
}

template <class T>
HWY_INLINE void add_rows(std::size_t m, std::size_t k, std::size_t n, const T* a, std::size_t stride, const T* b,
                         T* c) {
  constexpr std::size_t kLanes = 8;
  const hn::CappedTag<T, kLanes> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t columns = (n + lanes - 1) / lanes * lanes;
  std::vector<T> padded(k * columns);  // whole vectors
  for (std::size_t i = 0; i < k; ++i) std::copy_n(b + i * n, n, &padded[i * columns]);
  T sums[kRowsTogether * kLanes];
  std::size_t row = 0;
  for (; row + kRowsTogether <= m; row += kRowsTogether)
    for (std::size_t j = 0; j < n; j += lanes) {
      sums_of_four_rows(tag, k, a + row * stride, stride, &padded[j], columns, sums);
      for (std::size_t r = 0; r < kRowsTogether; ++r)
        for (std::size_t l = 0; l < std::min(lanes, n - j); ++l) c[(row + r) * n + j + l] += sums[r * lanes + l];
    }
  for (; row < m; ++row)
    for (std::size_t j = 0; j < n; ++j) {
      T sum{0};
      for (std::size_t i = 0; i < k; ++i) sum += a[row * stride + i] * b[i * n + j];
      c[row * n + j] += sum;
    }
}

void add_rows_float(std::size_t m, std::size_t k, std::size_t n, const float* a, std::size_t stride, const float* b,
                    float* c) {
  add_rows(m, k, n, a, stride, b, c);
}
void add_rows_double(std::size_t m, std::size_t k, std::size_t n, const double* a, std::size_t stride, const double* b,
                     double* c) {
  add_rows(m, k, n, a, stride, b, c);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_rows_float);
HWY_EXPORT(add_rows_double);

void add_dense_rows(std::size_t m, std::size_t k, std::size_t n, const float* a, std::size_t stride, const float* b,
                    float* c) {
  HWY_DYNAMIC_DISPATCH(add_rows_float)(m, k, n, a, stride, b, c);
}
void add_dense_rows(std::size_t m, std::size_t k, std::size_t n, const double* a, std::size_t stride, const double* b,
                    double* c) {
  HWY_DYNAMIC_DISPATCH(add_rows_double)(m, k, n, a, stride, b, c);
}

}  // namespace orderlab
#endif
