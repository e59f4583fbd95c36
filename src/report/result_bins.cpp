#include "report/result_bins.hpp"

#include <cmath>

namespace orderlab {

std::vector<ResultBin> result_bins(const ResultCounts& counts, const ExactValue& exact) {
  const CountingFrame& frame = counts.frame();
  const double offset = std::ldexp(exact.difference(frame.center), -frame.ulp_exponent);
  const int k = counts.bin_exponent();
  std::vector<ResultBin> bins;
  for (const ResultCounts::Bin& bin : counts.bins())
    bins.push_back({frame.center + std::ldexp(bin.index, k + frame.ulp_exponent), std::ldexp(bin.index, k) + offset,
                    std::ldexp(bin.index + 1, k) + offset, bin.count});
  return bins;
}

}  // namespace orderlab
