// Eigen, so that its bits depend on nothing but the sizes: one thread, no vectors of its own (dense_rows.hpp has ours,
// with its bits), and cache sizes, which its blocks of sums follow, fixed. The namespace has another name, so
// that a program with an Eigen of its own does not get these functions for its own.
// CMakeLists.txt defines the macros of Eigen that say so.
#include "training/dense_product.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <mutex>

#include "core/stop.hpp"
#include "training/dense_rows.hpp"

#if !defined(EIGEN_DONT_PARALLELIZE) || !defined(EIGEN_DONT_VECTORIZE)
#error "orderlab: dense products must be compiled with EIGEN_DONT_PARALLELIZE and EIGEN_DONT_VECTORIZE"
#endif

namespace orderlab {

namespace {

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Eigen::Map<const Dense<T>> dense(const T* numbers, std::size_t rows, std::size_t columns) {
  return {numbers, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

void fix_cache_sizes() {
  static std::once_flag once;
  constexpr std::ptrdiff_t kKibi = 1024;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 * kKibi, 256 * kKibi, 2048 * kKibi); });
}

template <class T, class Product>
void store(const Product& product, std::size_t m, std::size_t n, T* c) {
  stop_point();
  fix_cache_sizes();
  Eigen::Map<Dense<T>>(c, static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n)).noalias() = product;
}

/// c = a b by vectors, in a quarter of the time; false, and nothing done, where Eigen does not add as add_dense_rows:
/// in products of few numbers or few rows, and perhaps in other versions.
template <class T>
bool multiplied_by_vectors(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c) {
  using Kernel = Eigen::internal::gebp_traits<T, T>;
  constexpr bool kKnown = EIGEN_WORLD_VERSION == 3 && EIGEN_MAJOR_VERSION == 4 && EIGEN_MINOR_VERSION == 0 &&
                          Kernel::mr == 1 && Kernel::nr == kRowsTogether;
  if (!kKnown || m < kRowsTogether || k < 1 || n < 2 || m + k + n < EIGEN_GEMM_TO_COEFFBASED_THRESHOLD) return false;
  stop_point();
  fix_cache_sizes();
  auto depth = static_cast<Eigen::Index>(k), columns = static_cast<Eigen::Index>(n),
       rows = static_cast<Eigen::Index>(m);
  Eigen::internal::computeProductBlockingSizes<T, T>(depth, columns, rows);
  const auto block = static_cast<std::size_t>(depth);
  if (static_cast<std::size_t>(rows) < m && static_cast<std::size_t>(rows) % kRowsTogether != 0) return false;
  std::fill_n(c, m * n, T{0});
  for (std::size_t first = 0; first < k; first += block)
    add_dense_rows(m, std::min(block, k - first), n, a + first, k, b + first * n, c);
  return true;
}

template <class T>
void multiply_rows(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c, bool by_vectors) {
  // Some rows at a time, between which it can be stopped: Eigen's blocks of a sum follow k alone. Never one row, which
  // it would multiply in another way.
  constexpr std::size_t kProducts = std::size_t{1} << 24;
  const std::size_t most = std::max<std::size_t>(2, kProducts / std::max<std::size_t>(1, k * n));
  for (std::size_t row = 0, rows = 0; row < m; row += rows) {
    rows = m - row > most + 1 ? most : m - row;
    if (!by_vectors || !multiplied_by_vectors(rows, k, n, a + row * k, b, c + row * n))
      store(dense(a + row * k, rows, k) * dense(b, k, n), rows, n, c + row * n);
  }
}

}  // namespace

template <class T>
void dense_product(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c) {
  multiply_rows(m, k, n, a, b, c, true);
}

template <class T>
void dense_product_by_eigen(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c) {
  multiply_rows(m, k, n, a, b, c, false);
}

template <class T>
void transposed_product(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c) {
  store(dense(a, k, m).transpose() * dense(b, k, n), m, n, c);
}

template <class T>
void product_transposed(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c) {
  store(dense(a, m, k) * dense(b, n, k).transpose(), m, n, c);
}

std::string dense_product_version() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

template void dense_product(std::size_t, std::size_t, std::size_t, const float*, const float*, float*);
template void dense_product(std::size_t, std::size_t, std::size_t, const double*, const double*, double*);
template void dense_product_by_eigen(std::size_t, std::size_t, std::size_t, const float*, const float*, float*);
template void dense_product_by_eigen(std::size_t, std::size_t, std::size_t, const double*, const double*, double*);
template void transposed_product(std::size_t, std::size_t, std::size_t, const float*, const float*, float*);
template void transposed_product(std::size_t, std::size_t, std::size_t, const double*, const double*, double*);
template void product_transposed(std::size_t, std::size_t, std::size_t, const float*, const float*, float*);
template void product_transposed(std::size_t, std::size_t, std::size_t, const double*, const double*, double*);

}  // namespace orderlab
