// total FILE prints the fp32 sum of the numbers in FILE, added by eight accumulators. check_sums.sh watches it.
#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
  std::ifstream file(count == 2 ? arguments[1] : "");
  std::array<float, 8> sums{};
  std::size_t i = 0;
  for (float x = 0; file >> x; ++i) sums[i % 8] += x;
  if (i == 0 || !file.eof()) {
    std::fputs("usage: total FILE, a file of numbers\n", stderr);
    return 2;
  }
  float sum = sums[0];
  for (std::size_t k = 1; k < sums.size(); ++k) sum += sums[k];
  std::printf("%.9g\n", static_cast<double>(sum));
}
