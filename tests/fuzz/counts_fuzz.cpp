// Counts as the store has them: what is read is written to what reads the same.
#include "fuzz/fuzz.hpp"
#include "orderlab/format.hpp"
#include "sweep/counts_blob.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(counts) {
  Choices choices(input);
  const Format format = choices.format();
  const BlobCounts counts = from_blob(choices.text(), format);
  if (counts.bin_exponent) return;
  for (const auto& [value, count] : counts.values.values) {
    require_equal("a result and the number that its bits are", std::bit_cast<std::uint64_t>(value),
                  std::bit_cast<std::uint64_t>(value_of_bits(format, bits_of(format, value))));
    if (count == 0x1p64) return;  // rounded up to more than a blob holds
  }
  const std::string blob = to_blob(counts.values, format);
  const BlobCounts again = accepted("a blob", [&] { return from_blob(blob, format); });
  require_equal("results", again.values.size(), counts.values.size());
  for (std::size_t i = 0; i < counts.values.size(); ++i) {
    const auto [value, count] = counts.values.values[i];
    require_equal("a result's bits", bits_of(format, again.values.values[i].value), bits_of(format, value));
    require_equal("a result's count", std::bit_cast<std::uint64_t>(again.values.values[i].weight),
                  std::bit_cast<std::uint64_t>(count));
  }
}
