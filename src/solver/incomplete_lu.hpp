// The incomplete LU factorization without fill, ILU(0), and its triangular solves.
#pragma once

#include <vector>

#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// L and U with entries where the matrix has them: below the diagonal L, whose diagonal is 1, else U. Rows are
/// eliminated from the first on, each by the rows above it in ascending order, every product, difference and quotient
/// rounded to T. A level schedule computes the same numbers in parallel: it changes when a row is done, and not the
/// order of its additions.
///
/// Errors: usage where an entry of the diagonal is missing or a pivot becomes 0 or is not finite.
/// Source: [MeijerinkVanDerVorst1977].
template <class T>
SparseMatrix<T> incomplete_lu(SparseMatrix<T> matrix);

/// y = U^-1 L^-1 a: a forward and a backward substitution. Each row subtracts its products from left to right, each
/// rounded, and difference rounded; the backward one then divides by the pivot.
template <class T>
void solve_triangular(const SparseMatrix<T>& factors, const std::vector<T>& a, std::vector<T>& y);

}  // namespace orderlab
