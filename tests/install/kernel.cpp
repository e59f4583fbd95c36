// Runs a kernel on the installed library, right and wrong.
#include <array>
#include <iostream>
#include <orderlab/cuda_on_host.hpp>

__global__ void add(double* out, const double* x, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}

int main() {
  orderlab::simt::Device device;
  const std::array<double, 3> terms = {0.25, 0.5, 4.0};
  double* out = device.zeros<double>(1);
  const double* x = device.input(std::span<const double>(terms));
  device.launch("add", add, 1, 32, 0, out, x, 3u);
  try {
    device.launch("add", add, 1, 32, 0, out, x, 4u);
  } catch (const orderlab::simt::Fault& fault) {
    std::cout << fault.what() << '\n';
    return device.atomic_arrivals().size() == 3 && device.read(out, 1)[0] == 4.75 ? 0 : 1;
  }
  return 1;
}
