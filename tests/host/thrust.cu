// What Thrust's algorithms, iterators and vectors give.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>

struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 1; }
};
struct add_pair {
  __host__ __device__ int operator()(thrust::tuple<int, int> t) const { return thrust::get<0>(t) + thrust::get<1>(t); }
};

template <class Vector>
void show(const char* name, const Vector& v) {
  std::cout << name << " ";
  thrust::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, " "));
  std::cout << std::endl;
}

__global__ void in_kernel(int* x, int n) {
  thrust::sort(thrust::seq, x, x + n);
  x[0] = thrust::reduce(thrust::device, x, x + n, 0);
}

int main(int argc, char** argv) {
  const int bug = argc > 1 ? atoi(argv[1]) : 0;
  thrust::device_vector<int> a(8), b(8, 5);
  thrust::sequence(a.begin(), a.end(), 3);
  show("sequence", a);
  using namespace thrust::placeholders;
  thrust::transform(a.begin(), a.end(), b.begin(), b.begin(), 2 * _1 - _2);
  show("transform", b);
  thrust::exclusive_scan(b.begin(), b.end(), b.begin(), 100);
  show("exclusive_scan", b);
  std::cout << "squares " << thrust::transform_reduce(a.begin(), a.end(), square(), 0, thrust::plus<int>()) << " "
            << thrust::inner_product(a.begin(), a.end(), a.begin(), 0) << " " << thrust::count_if(a.begin(), a.end(), is_odd())
            << " " << thrust::reduce(a.begin(), a.end(), -1, thrust::maximum<int>()) << std::endl;
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::transform(zipped, zipped + 8, b.begin(), add_pair());
  show("zipped", b);
  thrust::host_vector<int> keys(6), values(6);
  const int given[] = {3, 1, 2, 3, 1, 1};
  for (int i = 0; i < 6; i++) keys[i] = given[i], values[i] = i;
  thrust::device_vector<int> d_keys = keys, d_values(values.begin(), values.end()), sums(6), found(6);
  thrust::sort_by_key(d_keys.begin(), d_keys.end(), d_values.begin());
  show("keys", d_keys);
  show("values", d_values);
  auto ends = thrust::reduce_by_key(d_keys.begin(), d_keys.end(), thrust::constant_iterator<int>(1), found.begin(), sums.begin());
  found.resize(ends.first - found.begin());
  sums.resize(ends.second - sums.begin());
  show("found", found);
  show("counts", sums);
  thrust::sort(d_values.begin(), d_values.end(), thrust::greater<int>());
  show("descending", d_values);
  d_values.erase(thrust::remove_if(d_values.begin(), d_values.end(), is_odd()), d_values.end());
  show("even", d_values);
  std::cout << "places " << thrust::max_element(a.begin(), a.end()) - a.begin() << " " << a[2] << " " << a.back() << " "
            << thrust::reduce(thrust::make_counting_iterator(1), thrust::make_counting_iterator(101)) << std::endl;
  auto permuted = thrust::make_permutation_iterator(a.begin(), d_values.begin());
  std::cout << "permuted " << thrust::reduce(permuted, permuted + 3) << " "
            << thrust::reduce(thrust::make_transform_iterator(a.begin(), square()), thrust::make_transform_iterator(a.end(), square()))
            << std::endl;
  int* raw;
  cudaMalloc(&raw, 5 * sizeof(int));
  thrust::device_ptr<int> p(raw);
  thrust::fill(p, p + 5, 7);
  p[1] = 4;
  in_kernel<<<1, 1>>>(raw, 5);
  std::cout << "raw " << p[0] << " " << p[1] << " " << thrust::reduce(thrust::device, raw, raw + 5, 0, thrust::minimum<int>())
            << std::endl;
  if (bug == 1) thrust::reduce(thrust::device, raw, raw + 6);  // BUG 1
  if (bug == 2) thrust::transform(thrust::device, keys.begin(), keys.end(), raw, square());  // BUG 2
  cudaFree(raw);
}
