#include "cuda_source/arguments.hpp"

#include <doctest/doctest.h>

using namespace orderlab::cuda_source;

TEST_CASE("a call's arguments are named by their variables") {
  using Names = std::vector<std::string>;
  CHECK(variables_of_call("cudaMalloc(&d_x, n);", 1, "cudaMalloc") == Names{"d_x", "n"});
  CHECK(variables_of_call("\nCHECK(cudaMalloc((void **)&d_x, n * sizeof(float)));", 2, "cuda") == Names{"d_x", "n"});
  CHECK(variables_of_call("cudaMalloc(reinterpret_cast<void**>(&p->x[i]), 4);", 1, "cuda") == Names{"x", ""});
  CHECK(variables_of_call("cudaMemcpy(h.data(),\n  d + 1, n, cudaMemcpyDeviceToHost);", 1, "cudaMemcpy") ==
        Names{"h", "d", "n", "cudaMemcpyDeviceToHost"});
  CHECK(variables_of_call("f(x);", 1, "cuda").empty());
  CHECK(variables_of_call("f(x);", 7, "f").empty());
}

TEST_CASE("the kernel of a call is named, without its template arguments") {
  CHECK(kernel_of_call("\ncheck(cudaLaunchKernel((const void*)sum<T>, g, b, a));", 2, "cudaLaunch") == "sum");
  CHECK(kernel_of_call("cudaLaunchCooperativeKernel(k, g, b, a);", 1, "cudaLaunch") == "k");
  CHECK(kernel_of_call("cudaLaunchKernel(0, g);", 1, "cudaLaunch").empty());
  CHECK(kernel_of_call("sum<<<1, 2>>>(x);", 1, "cudaLaunch").empty());
}
