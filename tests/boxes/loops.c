/* Loops for a compiler to vectorise, or not: functions for `orderlab probe --library`. */
#include <math.h>
#include <stddef.h>

float sum_f(size_t n, const float* x) {
  float s = 0;
  for (size_t i = 0; i < n; ++i) s += x[i];
  return s;
}

double sum_d(size_t n, const double* x) {
  double s = 0;
  for (size_t i = 0; i < n; ++i) s += x[i];
  return s;
}

float dot_f(size_t n, const float* x, const float* y) {
  float s = 0;
  for (size_t i = 0; i < n; ++i) s += x[i] * y[i];
  return s;
}

float simd_f(size_t n, const float* x) {
  float s = 0;
#pragma omp simd reduction(+ : s)
  for (size_t i = 0; i < n; ++i) s += x[i];
  return s;
}

float openmp_f(size_t n, const float* x) {
  float s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static)
  for (size_t i = 0; i < n; ++i) s += x[i];
  return s;
}

float unrolled_f(size_t n, const float* x) {
  float a = 0, b = 0, c = 0, d = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    a += x[i];
    b += x[i + 1];
    c += x[i + 2];
    d += x[i + 3];
  }
  for (; i < n; ++i) a += x[i];
  return (a + b) + (c + d);
}

float fma_dot_f(size_t n, const float* x, const float* y) {
  float s = 0;
  for (size_t i = 0; i < n; ++i) s = fmaf(x[i], y[i], s);
  return s;
}

double long_double_d(size_t n, const double* x) {
  long double s = 0;
  for (size_t i = 0; i < n; ++i) s += x[i];
  return (double)s;
}

float fp64_accumulator_f(size_t n, const float* x) {
  double s = 0;
  for (size_t i = 0; i < n; ++i) s += x[i];
  return (float)s;
}

float kahan_f(size_t n, const float* x) {
  float s = 0, c = 0;
  for (size_t i = 0; i < n; ++i) {
    const float y = x[i] - c;
    const float t = s + y;
    c = (t - s) - y;
    s = t;
  }
  return s;
}

double neumaier_d(size_t n, const double* x) {
  double s = 0, c = 0;
  for (size_t i = 0; i < n; ++i) {
    const double t = s + x[i];
    c += fabs(s) >= fabs(x[i]) ? (s - t) + x[i] : (x[i] - t) + s;
    s = t;
  }
  return s + c;
}

float pairwise_f(size_t n, const float* x) {
  if (n == 1) return x[0];
  const size_t half = (n + 1) / 2;
  return pairwise_f(half, x) + pairwise_f(n - half, x + half);
}

/* As some libraries do: blocks of 128 in turn, then block sums in turn. */
float blocked_f(size_t n, const float* x) {
  float s = 0;
  for (size_t begin = 0; begin < n; begin += 128) {
    float part = 0;
    for (size_t i = begin; i < n && i < begin + 128; ++i) part += x[i];
    s += part;
  }
  return s;
}
