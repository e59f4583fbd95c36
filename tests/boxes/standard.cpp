// Sums of the standard library and of oneTBB: functions for `orderlab probe --library`.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstddef>
#include <execution>
#include <functional>
#include <numeric>
#include <valarray>

namespace {

template <class Reduce>
float with_tbb(std::size_t n, const float* x, std::size_t grain, Reduce reduce) {
  return reduce(
      tbb::blocked_range<std::size_t>(0, n, grain), 0.0f,
      [=](const tbb::blocked_range<std::size_t>& range, float sum) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) sum += x[i];
        return sum;
      },
      std::plus<>());
}

const auto in_fixed_parts = [](auto... arguments) { return tbb::parallel_deterministic_reduce(arguments...); };
const auto in_parts = [](auto... arguments) { return tbb::parallel_reduce(arguments...); };

}  // namespace

extern "C" {

float accumulate_f(std::size_t n, const float* x) { return std::accumulate(x, x + n, 0.0f); }
double accumulate_d(std::size_t n, const double* x) { return std::accumulate(x, x + n, 0.0); }
float reduce_f(std::size_t n, const float* x) { return std::reduce(x, x + n, 0.0f); }
double reduce_d(std::size_t n, const double* x) { return std::reduce(x, x + n, 0.0); }
float reduce_unseq_f(std::size_t n, const float* x) { return std::reduce(std::execution::unseq, x, x + n, 0.0f); }
float reduce_par_f(std::size_t n, const float* x) { return std::reduce(std::execution::par, x, x + n, 0.0f); }
float reduce_par_unseq_f(std::size_t n, const float* x) {
  return std::reduce(std::execution::par_unseq, x, x + n, 0.0f);
}
float transform_reduce_f(std::size_t n, const float* x, const float* y) {
  return std::transform_reduce(x, x + n, y, 0.0f);
}
float inner_product_f(std::size_t n, const float* x, const float* y) { return std::inner_product(x, x + n, y, 0.0f); }
float valarray_f(std::size_t n, const float* x) { return std::valarray<float>(x, n).sum(); }
float tbb_fixed_f(std::size_t n, const float* x) { return with_tbb(n, x, 1, in_fixed_parts); }
float tbb_fixed_100_f(std::size_t n, const float* x) { return with_tbb(n, x, 100, in_fixed_parts); }
float tbb_reduce_f(std::size_t n, const float* x) { return with_tbb(n, x, 1, in_parts); }

}  // extern "C"
