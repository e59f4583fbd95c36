#include <doctest/doctest.h>

#include <string>

#include "orderlab/order.hpp"

using namespace orderlab;

TEST_CASE("named orders know whose they are") {
  for (const char* name : {"numpy", "numpy_einsum", "polars", "eigen", "gcc_simd", "clang_simd", "std_reduce",
                           "tbb_deterministic", "openmp", "openmp_llvm", "simd", "ompi_ring", "mpi_recursive_doubling",
                           "mpi_binomial", "ompi_binary", "ompi_chain", "ompi_linear", "ompi_in_order"})
    CHECK_MESSAGE(device_of_order(name) == OrderDevice::cpu, name);
  for (const char* name : {"warp", "ao", "spa", "sptr", "sprg", "tprc", "cub", "thrust", "cg", "nccl_ring"})
    CHECK_MESSAGE(device_of_order(name) == OrderDevice::gpu, name);
  for (const char* name : {"sequential", "pairwise", "random", "random_tree", "", "strided(4) | seq"})
    CHECK_MESSAGE(device_of_order(name) == OrderDevice::any, name);
}

TEST_CASE("an order of any device is among those of each") {
  for (const OrderDevice device : {OrderDevice::any, OrderDevice::cpu, OrderDevice::gpu}) {
    CHECK(among(device, OrderDevice::any));
    CHECK(among(OrderDevice::any, device));
    CHECK(among(device, device));
  }
  CHECK_FALSE(among(OrderDevice::gpu, OrderDevice::cpu));
}
