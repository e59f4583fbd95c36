// A user's own kernel tested against the order that its author thinks it has: kernel, claim, done. No GPU is needed.
#include <orderlab/cuda_on_host.hpp>
// The kernel comes after what makes CUDA C++ of it.
#include <iostream>
#include <orderlab/host_kernel.hpp>
#include <string>

#include "my_sum.cuh"

struct MySum {
  static constexpr orderlab::LaunchShape kShapes[] = {{.threads = 64, .items = 2}, {.threads = 256, .items = 2}};
  static constexpr orderlab::KernelInfo kInfo{.name = "my_sum",
                                              .summary = "two terms a thread, a butterfly in each warp",
                                              .source = "the author",
                                              .formats = orderlab::kWide,
                                              .shapes = kShapes,
                                              .claim = [](const orderlab::LaunchShape&, std::size_t) -> std::string {
                                                return "seq(2) | halving(32) | seq(from=zero)";
                                              }};

  template <class T, class Device>
  static orderlab::RunResult<T> run(Device& device, const orderlab::RunInput<T>& in) {
    const std::size_t n = in.x.size();
    const unsigned grid = orderlab::thread_blocks(in.shape, n);
    const std::size_t warps = (n + 63) / 64;
    T* const warp_sums = device.template zeros<T>(std::size_t{grid} * in.shape.threads / 32);
    device.launch(kInfo.name, my_sum<T>, grid, in.shape.threads, 0, device.input(in.x), n, warp_sums);
    T sum{};
    for (const T& value : device.read(warp_sums, warps)) sum += value;
    return {.sum = sum, .shape = in.shape};
  }
};

int main() try {
  const orderlab::Executor executor = orderlab::host_executor<MySum>();
  const orderlab::CrossCheckReport report = orderlab::crosscheck(
      {&executor, 1},
      {.sizes = {1, 2, 63, 64, 65, 1000}, .formats = {orderlab::Format::fp32, orderlab::Format::fp64}, .seeds = 5});
  for (const orderlab::CrossCheckRow& row : report.rows)
    std::cout << row.kernel->name << ", " << orderlab::info(row.format).name << ": " << row.cases << " cases, "
              << row.mismatches << " differ from the claim\n"
              << orderlab::first_difference(row);
  return report.rows.size() == 2 && report.mismatches() == 0 ? 0 : 1;
} catch (const orderlab::Error& error) {  // a claim that is no order, a launch that cannot be
  std::cerr << error.what() << "\n";
  return 2;
}
