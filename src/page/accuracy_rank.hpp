// Orders of one panel by accuracy. Statements hold for new inputs, or say that they are about these inputs only.
#pragma once

#include <string>
#include <vector>

#include "page/cells.hpp"
#include "page/paired_wins.hpp"

namespace orderlab {

/// An order with its root mean square error over samples and inputs.
struct RankedOrder {
  std::string name;
  double rms = 0;
  std::size_t place = 0;  ///< among the points of the page, where other inputs do not change it
};

struct AccuracyRank {
  std::vector<RankedOrder> orders;  ///< ascending by rms
  std::size_t inputs = 0;           ///< inputs that all orders have
  MostAccurate most;                ///< numbers are those of `orders`

  /// With fewer inputs no order can be told from another.
  std::size_t needed() const { return inputs_needed(most.tail); }
};

/// Ranks the cells whose results are all finite, which stand at one n. Confidence is kPageConfidence.
AccuracyRank rank_accuracy(const std::vector<Cell>& cells);

/// One sentence without its end, empty for fewer than two orders: the most accurate orders where the inputs suffice to
/// say so; that they are too few; or, of one input, what it gave. `unit` is that of the errors: "ulp".
std::string accuracy_in_words(const AccuracyRank& rank, const std::string& unit);

}  // namespace orderlab
