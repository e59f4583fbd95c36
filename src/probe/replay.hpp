// Random inputs on which a model has to give the bits of the box: the last word on every order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "orderlab/tree.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// Normal terms, terms of several exponents, and such that nearly cancel. Answers are asked for once.
class Replay {
 public:
  static constexpr std::size_t kInputs = kReplayedInputs;

  explicit Replay(AskedBox& box) : box_(box) {}

  const Terms& input(std::size_t k);
  double answer(std::size_t k);

  /// Format of the results for sums in `accumulate`: that of the terms if it holds all answers so far, or if these are
  /// texts of so few digits.
  Format result_format(Format accumulate) const;

  /// Whether the order has the bits of the box on input k.
  bool equal(const Order& order, const Formats& formats, std::size_t k);

  /// Whether the tree has the bits of the box on all inputs.
  bool equal_all(const SummationTree& tree, Format result);

  /// Whether the answer is the exact sum rounded to `result` on all inputs.
  bool exact(Format result);

  /// Whether the box answers the first inputs with other bits when it is asked again, `times` more.
  bool varies(std::size_t inputs, std::size_t times);

  /// Whether the answers stay the same when the terms are permuted.
  bool same_when_permuted();

  /// Whether the sum of zeros that are all negative is +0.0: something is added to +0.0.
  bool starts_from_zero();

 private:
  AskedBox& box_;
  std::vector<Terms> inputs_;
  std::vector<double> answers_;
  std::optional<bool> from_zero_;
};

}  // namespace orderlab
