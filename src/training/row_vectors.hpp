// What training does with rows of numbers, by vectors. Lanes never meet but in sums of squares
// and products, which are added in 16 parts whatever the machine: the bits are the same with every vector extension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// Row i of out, `width` numbers, is the sum over the entries e of row rows[i] of value[e] times row column[e] of
/// `dense`, from +0 in their order; `add`: added to what it is.
void sparse_product(const SparseMatrix<float>& matrix, std::span<const std::uint32_t> rows, const float* dense,
                    std::size_t width, float* out, bool add);
void sparse_product(const SparseMatrix<double>& matrix, std::span<const std::uint32_t> rows, const double* dense,
                    std::size_t width, double* out, bool add);

/// Sum of x[i] y[i].
float inner_product(const float* x, const float* y, std::size_t n);
double inner_product(const double* x, const double* y, std::size_t n);

/// to[i] = x[i] / divisor.
void divide(const float* x, float divisor, std::size_t n, float* to);
void divide(const double* x, double divisor, std::size_t n, double* to);

/// to[i] = max(x[i], 0).
void rectify(const float* x, std::size_t n, float* to);
void rectify(const double* x, std::size_t n, double* to);

/// dy[i] = dy[i] * scale where y[i] > 0, else 0: from derivatives by rectified numbers of which some were dropped, and
/// the others multiplied by `scale`, to those before.
void rectify_backward(const float* y, float scale, std::size_t n, float* dy);
void rectify_backward(const double* y, double scale, std::size_t n, double* dy);

/// to[i] = (dy[i] - y[i] * inner) / norm: derivatives by x of a loss with derivatives dy by y = x / norm(x), where
/// inner is their inner product with y.
void normalize_backward(const float* y, const float* dy, float inner, float norm, std::size_t n, float* to);
void normalize_backward(const double* y, const double* dy, double inner, double norm, std::size_t n, double* to);

/// Numbers of a step of Adam.
template <class T>
struct AdamStep {
  T weight_decay;
  T first;            ///< 1 - beta_1
  T second;           ///< 1 - beta_2
  T kept;             ///< beta_2
  T root_correction;  ///< sqrt(1 - beta_2^t)
  T epsilon;
  T step;  ///< learning rate / (1 - beta_1^t)
};

/// A step as torch.optim.Adam does it, with L2 weight decay.
///
/// Source: [KingmaBa2015]; PyTorch 2.3, torch/optim/adam.py, _single_tensor_adam.
void adam(const AdamStep<float>& how, std::size_t n, const float* gradient, float* weight, float* mean, float* square);
void adam(const AdamStep<double>& how, std::size_t n, const double* gradient, double* weight, double* mean,
          double* square);

}  // namespace orderlab
