// Uses the installed library: the exact sum of three doubles, which is not 0 though 0.1 + 0.2 - 0.3 looks like it.
#include <array>
#include <iostream>
#include <orderlab/exact.hpp>
#include <string>

int main() {
  const std::array<double, 3> terms = {0.1, 0.2, -0.3};
  const std::string sum = orderlab::exact_sum(terms).decimal(17);
  std::cout << sum << '\n';
  return sum == "2.7755575615628914e-17" ? 0 : 1;  // 2^-55
}
