#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "simt/first_kernels.hpp"
TEST_CASE("first") {
  std::vector<double> x(1000000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  for (int r = 0; r < 3; ++r) {
    orderlab::simt::Device device({.seed = 1, .sample = 0, .resident = 3});
    auto t0 = std::chrono::steady_clock::now();
    double s = run_block_tree(device, x, 40, 256);
    MESSAGE(s, " ", std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
    CHECK(s == 999999.0 * 500000);
  }
}
