// Counts as the store has them: what is read is written to what reads the same.
#include "sweep/counts_blob.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/ulp.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(counts) {
  Choices choices(input);
  const Format format = choices.format();
  const BlobCounts counts = from_blob(choices.text(), format);
  if (counts.binned) return;
  for (const ResultCounts::Result& result : counts.results)
    require_equal("a result's bits and its value's", result.bits, round_to_bits(format, result.value));
  const std::string blob = to_blob(counts.results, format);
  const BlobCounts again = accepted("a blob", [&] { return from_blob(blob, format); });
  require_equal("results", again.results.size(), counts.results.size());
  for (std::size_t i = 0; i < counts.results.size(); ++i) {
    require_equal("a result's bits", again.results[i].bits, counts.results[i].bits);
    require_equal("a result's count", again.results[i].count, counts.results[i].count);
  }
}
