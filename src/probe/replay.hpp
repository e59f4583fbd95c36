// Random inputs on which a model has to give the bits of the box: the last word on every order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

/// What the inputs of a replay are.
enum class InputSet : std::uint8_t {
  all,       ///< normal terms, terms of several exponents, zeros and ties, terms that nearly cancel
  positive,  ///< the magnitudes of these
  normal,    ///< normal(0,1) alone
};

/// Answers are asked for once.
class BoxReplay {
 public:
  static constexpr std::size_t kInputs = kReplayedInputs;
  static constexpr std::size_t kRepeatedInputs = 4;  ///< inputs that are asked again, whether calls differ

  explicit BoxReplay(AskedBox& box, InputSet set = InputSet::all) : box_(box), set_(set) {}

  const Terms& input(std::size_t k);
  double answer(std::size_t k);

  /// Format of the results for sums in `accumulate`: that of the terms if it holds all answers so far, or if these are
  /// texts of so few digits. The second: of all answers, whatever they are added in.
  Format result_format(Format accumulate) const;
  Format result_format();

  /// The formats of the terms, of additions in `accumulate`, and of results of these.
  Formats formats_in(Format accumulate) const;

  /// The tree of the order on the first input.
  SummationTree tree(const Order& order, const Formats& formats);

  /// Whether the order has the bits of the box on input k.
  bool equal(const Order& order, const Formats& formats, std::size_t k);

  /// Whether the tree has the bits of the box on all inputs.
  bool equal_all(const SummationTree& tree, Format result);

  /// Whether the tree has them when its additions are rounded to `precision` bits, which no format has.
  bool equal_all_with(int precision, const SummationTree& tree);

  /// How many bits of evidence for an order it is that it has all answers, where other orders, `rivals`, might have
  /// them by chance: for each input, log2 of how few of the rivals have the answer. Stops at `enough`.
  double evidence(const Formats& formats, const std::vector<const Order*>& rivals, double enough);

  /// Inputs whose answer is the exact sum, rounded once to the format.
  std::size_t exact_answers(Format result);

  /// Whether all answers are within an ulp of the exact sums, or of their square roots.
  bool faithful();

  /// The first answer, of those that were asked for, that no order of additions with so many bits gives: it is farther
  /// from the exact sum than gamma_n sum |x| [Higham2002], with twice the unit roundoff, so that additions may be
  /// rounded in any direction. In a line; empty where there is none.
  std::string impossible_answer(int precision);

  /// Whether all answers are as near as compensated sums in the format of the terms are, u |s| + n^2 u^2 sum |x| and
  /// one rounding [OgitaRumpOishi2005], on inputs where those of plain additions are not.
  bool compensated();

  /// The same with errors of additions with so many bits in place of the second term, wherever plain ones are.
  bool near_exact(int precision);

  /// Whether the box answers the first inputs with other bits when it is asked again, `times` more, in turn.
  bool varies(std::size_t inputs, std::size_t times);

  /// Whether answers stay the same when the terms are permuted, though additions in this format would not. False where
  /// that cannot be told.
  bool same_when_permuted(Format accumulate);

  /// Whether the sum of zeros that are all negative is +0.0: something is added to +0.0.
  bool starts_from_zero();

 private:
  struct Error {
    double of_sum;          ///< absolute
    double sum;             ///< magnitude of the exact sum
    double sum_magnitudes;  ///< exact sum of magnitudes
  };
  Error error_of(std::size_t k, double answer);
  double last_digit() const;
  bool exact(std::size_t k, Format result);
  bool tells(std::size_t k, Format accumulate, Format result);

  AskedBox& box_;
  InputSet set_;
  std::vector<Terms> inputs_;
  std::vector<double> answers_;
  std::optional<bool> from_zero_;
};

}  // namespace orderlab
