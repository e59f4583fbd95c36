#include <cstring>

#include "show/operation.hpp"

namespace orderlab {

std::string to_npy(const study::OperationSampleFinding& finding) {
  const OutputSums& sums = *finding.sums;
  const auto launch = sums.launch().bytes();
  const std::size_t each = launch.size() / sums.launch().size();
  std::vector<std::byte> all;
  all.reserve(launch.size() * finding.results.size());
  for (const std::vector<std::byte>& sample : finding.results) {
    const std::size_t begin = all.size();
    all.insert(all.end(), launch.begin(), launch.end());
    for (std::size_t i = 0; i < sums.varying().size(); ++i)
      std::memcpy(all.data() + begin + sums.varying()[i] * each, sample.data() + i * each, each);
  }
  Shape shape = finding.input.shape;
  shape.insert(shape.begin(), finding.results.size());
  return npy_bytes(sums.result_format(), shape, all);
}

}  // namespace orderlab
