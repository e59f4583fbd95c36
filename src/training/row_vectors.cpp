// Rows in Highway's portable vectors: this file is compiled once for each extension.
#include "training/row_vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "training/row_vectors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "vectors/each_vector.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Four vectors of a row of a sparse product, from the same columns of the rows of `dense`, `stride` apart.
template <class Tag, class T>
HWY_INLINE void product_columns(Tag tag, const SparseMatrix<T>& matrix, std::uint32_t row, const T* dense,
                                std::size_t stride, T* out, bool add) {
  const std::size_t lanes = hn::Lanes(tag);
  auto a = hn::Zero(tag), b = a, c = a, d = a;
  for (std::uint32_t e = matrix.row_begin[row]; e < matrix.row_begin[row + 1]; ++e) {
    const auto value = hn::Set(tag, matrix.value[e]);
    const T* const from = dense + matrix.column[e] * stride;
    a = hn::Add(a, hn::Mul(value, hn::LoadU(tag, from)));
    b = hn::Add(b, hn::Mul(value, hn::LoadU(tag, from + lanes)));
    c = hn::Add(c, hn::Mul(value, hn::LoadU(tag, from + 2 * lanes)));
    d = hn::Add(d, hn::Mul(value, hn::LoadU(tag, from + 3 * lanes)));
  }
  const auto store = [&](auto sum, T* to) { hn::StoreU(add ? hn::Add(hn::LoadU(tag, to), sum) : sum, tag, to); };
  store(a, out);
  store(b, out + lanes);
  store(c, out + 2 * lanes);
  store(d, out + 3 * lanes);
}

/// One number of a row.
template <class T>
HWY_INLINE void product_column(const SparseMatrix<T>& matrix, std::uint32_t row, const T* dense, std::size_t stride,
                               T* out, bool add) {
  T sum{0};
  for (std::uint32_t e = matrix.row_begin[row]; e < matrix.row_begin[row + 1]; ++e)
    sum += matrix.value[e] * dense[matrix.column[e] * stride];
  *out = add ? *out + sum : sum;
}

// Some columns of all rows at a time, copied side by side: they stay in a near cache, where rows a power of two apart
// would take each other's places.
template <class T>
HWY_INLINE void multiply_sparse(const SparseMatrix<T>& matrix, std::span<const std::uint32_t> rows, const T* dense,
                                std::size_t width, T* out, bool add) {
  const hn::CappedTag<T, 16> tag;
  constexpr std::size_t kVectors = 4;
  const std::size_t block = kVectors * hn::Lanes(tag);
  std::vector<T> columns(matrix.columns * block);
  std::size_t c = 0;
  for (; c + block <= width; c += block) {
    stop_point();
    for (std::size_t i = 0; i < matrix.columns; ++i) std::copy_n(dense + i * width + c, block, &columns[i * block]);
    for (std::size_t i = 0; i < rows.size(); ++i)
      product_columns(tag, matrix, rows[i], columns.data(), block, out + i * width + c, add);
  }
  for (; c < width; ++c)
    for (std::size_t i = 0; i < rows.size(); ++i)
      product_column(matrix, rows[i], dense + c, width, out + i * width + c, add);
}

template <class T>
HWY_INLINE T product_of_rows(const T* x, const T* y, std::size_t n) {
  constexpr std::size_t kParts = 16;
  const hn::CappedTag<T, kParts> tag;
  const std::size_t lanes = hn::Lanes(tag);
  HWY_ALIGN T sums[kParts] = {};
  std::size_t i = 0;
  for (; i + kParts <= n; i += kParts)
    for (std::size_t p = 0; p < kParts; p += lanes)
      hn::Store(hn::Add(hn::Load(tag, sums + p), hn::Mul(hn::LoadU(tag, x + i + p), hn::LoadU(tag, y + i + p))), tag,
                sums + p);
  for (std::size_t p = 0; i + p < n; ++p) sums[p] += x[i + p] * y[i + p];
  for (std::size_t o = kParts / 2; o > 0; o /= 2)
    for (std::size_t p = 0; p < o; ++p) sums[p] += sums[p + o];
  return sums[0];
}

template <class T>
HWY_INLINE void divide_row(const T* x, T divisor, std::size_t n, T* to) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    hn::StoreU(hn::Div(hn::LoadU(tag, x + i), hn::Set(tag, divisor)), tag, to + i);
  });
}

template <class T>
HWY_INLINE void rectify_row(const T* x, std::size_t n, T* to) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    const auto v = hn::LoadU(tag, x + i);
    hn::StoreU(hn::IfThenElse(hn::Gt(v, hn::Zero(tag)), v, hn::Zero(tag)), tag, to + i);
  });
}

template <class T>
HWY_INLINE void unrectify_row(const T* y, T scale, std::size_t n, T* dy) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    const auto scaled = hn::Mul(hn::LoadU(tag, dy + i), hn::Set(tag, scale));
    hn::StoreU(hn::IfThenElseZero(hn::Gt(hn::LoadU(tag, y + i), hn::Zero(tag)), scaled), tag, dy + i);
  });
}

template <class T>
HWY_INLINE void unnormalize_row(const T* y, const T* dy, T inner, T norm, std::size_t n, T* to) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    const auto along = hn::Mul(hn::LoadU(tag, y + i), hn::Set(tag, inner));
    hn::StoreU(hn::Div(hn::Sub(hn::LoadU(tag, dy + i), along), hn::Set(tag, norm)), tag, to + i);
  });
}

template <class T>
HWY_INLINE void adam_row(const AdamStep<T>& how, std::size_t n, const T* gradient, T* weight, T* mean, T* square) {
  each_vector<T>(n, [&](auto tag, std::size_t i) {
    const auto set = [&](T x) { return hn::Set(tag, x); };
    const auto w = hn::LoadU(tag, weight + i);
    const auto g = hn::Add(hn::LoadU(tag, gradient + i), hn::Mul(set(how.weight_decay), w));
    auto m = hn::LoadU(tag, mean + i);
    auto v = hn::LoadU(tag, square + i);
    m = hn::Add(m, hn::Mul(set(how.first), hn::Sub(g, m)));
    v = hn::Add(hn::Mul(v, set(how.kept)), hn::Mul(hn::Mul(set(how.second), g), g));
    const auto root = hn::Add(hn::Div(hn::Sqrt(v), set(how.root_correction)), set(how.epsilon));
    hn::StoreU(m, tag, mean + i);
    hn::StoreU(v, tag, square + i);
    hn::StoreU(hn::Sub(w, hn::Div(hn::Mul(set(how.step), m), root)), tag, weight + i);
  });
}

// One function of each type for each of the templates above.
#define ORDERLAB_ROW_FUNCTIONS(T, NAME)                                                                           \
  void multiply_sparse_##NAME(const SparseMatrix<T>& matrix, std::span<const std::uint32_t> rows, const T* dense, \
                              std::size_t width, T* out, bool add) {                                              \
    multiply_sparse(matrix, rows, dense, width, out, add);                                                        \
  }                                                                                                               \
  T product_of_rows_##NAME(const T* x, const T* y, std::size_t n) { return product_of_rows(x, y, n); }            \
  void divide_row_##NAME(const T* x, T divisor, std::size_t n, T* to) { divide_row(x, divisor, n, to); }          \
  void rectify_row_##NAME(const T* x, std::size_t n, T* to) { rectify_row(x, n, to); }                            \
  void unrectify_row_##NAME(const T* y, T scale, std::size_t n, T* dy) { unrectify_row(y, scale, n, dy); }        \
  void unnormalize_row_##NAME(const T* y, const T* dy, T inner, T norm, std::size_t n, T* to) {                   \
    unnormalize_row(y, dy, inner, norm, n, to);                                                                   \
  }                                                                                                               \
  void adam_row_##NAME(const AdamStep<T>& how, std::size_t n, const T* gradient, T* weight, T* mean, T* square) { \
    adam_row(how, n, gradient, weight, mean, square);                                                             \
  }
ORDERLAB_ROW_FUNCTIONS(float, float)
ORDERLAB_ROW_FUNCTIONS(double, double)
#undef ORDERLAB_ROW_FUNCTIONS

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

#define ORDERLAB_EXPORT_ROW_FUNCTIONS(T)                                                                  \
  HWY_EXPORT(multiply_sparse_##T);                                                                        \
  HWY_EXPORT(product_of_rows_##T);                                                                        \
  HWY_EXPORT(divide_row_##T);                                                                             \
  HWY_EXPORT(rectify_row_##T);                                                                            \
  HWY_EXPORT(unrectify_row_##T);                                                                          \
  HWY_EXPORT(unnormalize_row_##T);                                                                        \
  HWY_EXPORT(adam_row_##T);                                                                               \
  void sparse_product(const SparseMatrix<T>& matrix, std::span<const std::uint32_t> rows, const T* dense, \
                      std::size_t width, T* out, bool add) {                                              \
    HWY_DYNAMIC_DISPATCH(multiply_sparse_##T)(matrix, rows, dense, width, out, add);                      \
  }                                                                                                       \
  T inner_product(const T* x, const T* y, std::size_t n) {                                                \
    return HWY_DYNAMIC_DISPATCH(product_of_rows_##T)(x, y, n);                                            \
  }                                                                                                       \
  void divide(const T* x, T divisor, std::size_t n, T* to) {                                              \
    HWY_DYNAMIC_DISPATCH(divide_row_##T)(x, divisor, n, to);                                              \
  }                                                                                                       \
  void rectify(const T* x, std::size_t n, T* to) { HWY_DYNAMIC_DISPATCH(rectify_row_##T)(x, n, to); }     \
  void rectify_backward(const T* y, T scale, std::size_t n, T* dy) {                                      \
    HWY_DYNAMIC_DISPATCH(unrectify_row_##T)(y, scale, n, dy);                                             \
  }                                                                                                       \
  void normalize_backward(const T* y, const T* dy, T inner, T norm, std::size_t n, T* to) {               \
    HWY_DYNAMIC_DISPATCH(unnormalize_row_##T)(y, dy, inner, norm, n, to);                                 \
  }                                                                                                       \
  void adam(const AdamStep<T>& how, std::size_t n, const T* gradient, T* weight, T* mean, T* square) {    \
    HWY_DYNAMIC_DISPATCH(adam_row_##T)(how, n, gradient, weight, mean, square);                           \
  }
ORDERLAB_EXPORT_ROW_FUNCTIONS(float)
ORDERLAB_EXPORT_ROW_FUNCTIONS(double)
#undef ORDERLAB_EXPORT_ROW_FUNCTIONS

}  // namespace orderlab
#endif
