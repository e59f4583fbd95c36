// Neighbouring numbers added to neighbouring numbers, by vectors: lanes never meet, so the bits are those of a loop.
#pragma once

#include <cstddef>
#include <span>

namespace orderlab {

/// to[i] += from[i], each rounded once; `flush`: subnormal operands and sums are zeros of their sign.
void add_slice(float* to, const float* from, std::size_t n, bool flush = false);
void add_slice(double* to, const double* from, std::size_t n, bool flush = false);

/// add_slice of each of `from`, one after the other.
void add_slices(float* to, std::span<const float* const> from, std::size_t n, bool flush);
void add_slices(double* to, std::span<const double* const> from, std::size_t n, bool flush);

/// to[i] = from[i], and the quiet NaN without payload for every NaN.
void copy_canonical(float* to, const float* from, std::size_t n);
void copy_canonical(double* to, const double* from, std::size_t n);

/// to[i] = x[i] * y[i].
void multiply_slices(float* to, const float* x, const float* y, std::size_t n);
void multiply_slices(double* to, const double* x, const double* y, std::size_t n);

/// to[i] += a * from[i], rounded twice.
void add_multiple(float* to, float a, const float* from, std::size_t n);
void add_multiple(double* to, double a, const double* from, std::size_t n);

}  // namespace orderlab
