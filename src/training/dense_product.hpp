// Dense products of float or double. The same bits on every machine: see the source.
#pragma once

#include <cstddef>
#include <string>

namespace orderlab {

/// c = a b, in C order.
///
/// Shape: a is m x k, b k x n, c m x n.
template <class T>
void dense_product(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c);

/// The same without vectors of ours, for tests.
template <class T>
void dense_product_by_eigen(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c);

/// c = transposed(a) b.
///
/// Shape: a is k x m, b k x n, c m x n.
template <class T>
void transposed_product(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c);

/// c = a transposed(b).
///
/// Shape: a is m x k, b n x k, c m x n.
template <class T>
void product_transposed(std::size_t m, std::size_t k, std::size_t n, const T* a, const T* b, T* c);

/// "Eigen 3.4.0": another version may add in another order.
std::string dense_product_version();

}  // namespace orderlab
