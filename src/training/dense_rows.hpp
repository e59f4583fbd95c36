// Dense products by vectors, in the order in which Eigen's kernel without vectors adds.
#pragma once

#include <cstddef>

namespace orderlab {

/// Rows of a that Eigen's kernel multiplies side by side.
inline constexpr std::size_t kRowsTogether = 4;

/// Adds a b to c: a is m x k, its rows `stride` apart, b is k x n and c m x n, and a sum of k products is one block of
/// Eigen's. In rows by fours, products of even and of odd numbers below the greatest multiple of 8 are added apart,
/// then together, and the rest to them; in up to three last rows all are added in turn.
void add_dense_rows(std::size_t m, std::size_t k, std::size_t n, const float* a, std::size_t stride, const float* b,
                    float* c);
void add_dense_rows(std::size_t m, std::size_t k, std::size_t n, const double* a, std::size_t stride, const double* b,
                    double* c);

}  // namespace orderlab
