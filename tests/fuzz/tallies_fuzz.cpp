// Wire forms of tallies: what is read is written as what was read, and can be merged and added to.
#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/tolerance.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

template <class Tally, class Add>
void read_and_merge(std::string_view bytes, Add add) {
  const Tally tally = Tally::from_wire(bytes);
  require_equal("bytes of a tally", tally.wire(), bytes);
  Tally one = tally;
  add(one);
  Tally other = accepted("a tally", [&] { return Tally::from_wire(tally.wire()); });
  one.merge(other);
  add(other);
  other.merge(tally);
  require_equal("tallies merged in two orders", one.wire(), other.wire());
}

Evaluation some_evaluation(std::uint64_t bits) {
  Evaluation e;
  e.bits = bits;
  e.height = 3;
  return e;
}

}  // namespace

ORDERLAB_FUZZ(tallies) {
  const std::string_view bytes = text_of(input);
  switch (bytes.empty() ? 0 : bytes.front()) {
    case 'E':
      return read_and_merge<ExactSum>(bytes, [](ExactSum& sum) { sum.add_product(0x1.fp1000, -0x1.3p-1070); });
    case 'C':
      return read_and_merge<ResultCounts>(
          bytes, [](ResultCounts& counts) { counts.add(some_evaluation(0x3c01), 0.5, std::nullopt); });
    case 'B':
      return read_and_merge<LargestBounds>(
          bytes, [](LargestBounds& bounds) { bounds.add(some_evaluation(1), Format::fp32, 9); });
    case 'L':
      return read_and_merge<LargestValues>(bytes, [](LargestValues& values) { values.add(3); });
    case 'D':
      return read_and_merge<DeviationTally>(bytes, [](DeviationTally& tally) { tally.add({1, 0x1p-60, 2}); });
    case 'X':
      return read_and_merge<Extent>(bytes, [](Extent& extent) { extent.add(0x3c01); });
    default:
      return;
  }
}
