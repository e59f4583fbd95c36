#include "crosscheck/wrong_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/printed_number.hpp"
#include "core/text.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/order.hpp"
#include "reference/lattice.hpp"
#include "run/arithmetic.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kEnumeratedTerms = 8;  // 135135 trees: milliseconds
constexpr std::uint64_t kRandomOrders = 256;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRoundedUp = 1 + 0x1p-48;  // more than the few roundings of a bound's computation

/// The orders of some terms, as far as they say something of one result.
class OtherOrders {
 public:
  explicit OtherOrders(const WrongSum& wrong) : wrong_(wrong), formats_(wrong.formats), exact_(exact_sum(wrong.terms)) {
    if (wrong.finish) formats_.result = formats_.accumulate;
    value_ = value_of_bits(wrong.formats.result, wrong.bits);
    const auto trees = evaluator("shuffle | tree");
    bound_ = exact_in_every_order(*trees) ? 0 : every_tree_bound(*trees);
    if (wrong.terms.n <= kEnumeratedTerms && plain()) enumerate_trees(*trees);
  }

  Diagnosis diagnosis() const {
    if (reachable_) {
      if (is_reachable()) return {MismatchKind::another_order, orders_text() + " gives these bits"};
      return {MismatchKind::outside_bound,
              "no" + (orders_ == "1" ? std::string(" sum") : " order") + " of " + terms_text() + " gives these bits"};
    }
    if (!(bound_ < kInfinite)) return {MismatchKind::undecided, "some order of these terms may overflow"};
    if (inside_bound())
      return {MismatchKind::another_order, "inside the bound over all orders, " + bound_text() + monotone()};
    if (!std::isfinite(value_))
      return {MismatchKind::outside_bound, "it is not finite, though all terms are and no order overflows"};
    return {MismatchKind::outside_bound,
            distance_text() + "; every order stays within " + shortened(bound_) + monotone()};
  }

  Diagnosis detailed() const {
    Diagnosis found = diagnosis();
    if (wrong_.finish) return found;
    if (found.kind == MismatchKind::another_order && !reachable_) {
      const auto range = sampled_range();
      if (range && value_ >= range->min && value_ <= range->max)
        found.basis = fmt::format("inside the range of {} random orders of these terms", kRandomOrders);
      else
        found.basis += fmt::format("; outside the range of {} random orders: a term may be missing", kRandomOrders);
    }
    if (found.kind == MismatchKind::outside_bound && std::isfinite(value_)) found.basis += other_terms();
    return found;
  }

 private:
  std::unique_ptr<const Evaluator> evaluator(const char* order) const {
    return Evaluator::make(parse_order(order), wrong_.terms, formats_, 1);
  }

  // One rounded addition each, of terms that are rounded at most once before.
  bool plain() const { return !wrong_.terms.products() && !wrong_.flushes; }

  bool exact_in_every_order(const Evaluator& trees) const {
    if (wrong_.terms.products() || formats_ != Formats{formats_.accumulate, formats_.accumulate, formats_.accumulate})
      return false;
    const auto& sums = trees.random_inputs();
    const Lattice lattice = lattice_of(view_of(sums.data(), sums.size()));
    return lattice.no_order_rounds(info(formats_.accumulate), wrong_.flushes);
  }

  double every_tree_bound(const Evaluator& trees) const {
    std::optional<double> bound = every_order_bound(trees, exact_);
    if (!bound) return kInfinite;
    const FormatInfo& f = info(formats_.accumulate);
    const auto n = static_cast<double>(wrong_.terms.n);
    // One rounding more for a product that is fused, and what the format's subnormals make of it.
    if (wrong_.terms.products())
      *bound += f.unit_roundoff() * exact_sum_abs(wrong_.terms).to_double() + n * f.smallest_subnormal();
    if (wrong_.flushes) *bound += n * kFlushAllowance;
    return *bound * kRoundedUp;
  }

  void enumerate_trees(const Evaluator& trees) {
    const RecognizedSpace recognized = order_space(trees);
    if (!recognized.space) return;
    WalkOptions how;
    how.threads = 1;
    if (const auto all = enumerate(*recognized.space, how)) {
      reachable_.emplace();
      orders_ = all->orders.str();
      for (const Weighted& result : all->results.values)
        reachable_->push_back(finished(bits_of(all->format, result.value)));
    }
  }

  std::uint64_t finished(std::uint64_t sum) const { return wrong_.finish ? wrong_.finish(sum) : sum; }

  // A sum that starts from +0 may be +0 where the terms alone give -0.
  bool is_reachable() const {
    return std::any_of(reachable_->begin(), reachable_->end(), [&](std::uint64_t bits) {
      return bits == wrong_.bits || (value_ == 0 && value_of_bits(wrong_.formats.result, bits) == 0);
    });
  }

  bool inside_bound() const {
    if (!wrong_.finish) return std::fabs(exact_.difference(value_)) <= bound_;
    const double middle = exact_.to_double();
    const double margin = bound_ * kRoundedUp + std::fabs(middle) * 0x1p-52;
    const double a = finished_value(middle - margin);
    const double b = finished_value(middle + margin);
    return value_ >= std::min(a, b) && value_ <= std::max(a, b);
  }

  double finished_value(double sum) const {
    return value_of_bits(wrong_.formats.result, finished(round_to_bits(formats_.accumulate, sum)));
  }

  std::optional<ResultCounts::Range<double>> sampled_range() const {
    const auto random = evaluator(wrong_.flushes ? "shuffle | seq(acc=atomic)" : "shuffle | seq");
    return sample_range(*random);
  }

  static std::optional<ResultCounts::Range<double>> sample_range(const Evaluator& random) {
    const auto scratch = random.make_scratch();
    std::optional<ResultCounts::Range<double>> range;
    for (std::uint64_t s = 0; s < kRandomOrders; ++s) {
      const double value = random.evaluate(s, *scratch).value;
      if (!range) range = {value, value};
      range->min = std::min(range->min, value);
      range->max = std::max(range->max, value);
    }
    return range;
  }

  // The terms that explain the result alone, one left out or added once more.
  std::string other_terms() const {
    const double distance = exact_.difference(value_);
    const double allowed = (bound_ + std::fabs(distance) * 0x1p-52) * kRoundedUp;
    std::vector<std::size_t> lost;
    std::vector<std::size_t> twice;
    for (std::size_t i = 0; i < wrong_.terms.n; ++i) {
      const double term = wrong_.terms.left(i) * wrong_.terms.right(i);
      if (std::fabs(distance + term) <= allowed) lost.push_back(i);
      if (std::fabs(distance - term) <= allowed) twice.push_back(i);
    }
    if (lost.size() + twice.size() == 0) return {};
    const bool is_lost = !lost.empty() && (twice.empty() || lost.size() <= twice.size());
    const std::vector<std::size_t>& terms = is_lost ? lost : twice;
    const std::string which = terms.size() == 1
                                  ? fmt::format("term {}", terms[0])
                                  : fmt::format("one of {} terms, the first of them term {},", terms.size(), terms[0]);
    return is_lost ? "; without " + which + " it fits" : "; with " + which + " twice it fits";
  }

  std::string terms_text() const {
    return wrong_.terms.n == 1 ? "this one term" : fmt::format("these {} terms", wrong_.terms.n);
  }
  std::string orders_text() const { return fmt::format("one of the {} orders of {}", orders_, terms_text()); }
  static std::string shortened(double value) { return fmt::format("{:.3g}", printed(value)); }
  std::string bound_text() const { return "within " + shortened(bound_) + " of the exact sum"; }
  std::string distance_text() const {
    if (wrong_.finish) return "the exact sum is " + exact_.decimal(9);
    return shortened(std::fabs(exact_.difference(value_))) + " from the exact sum";
  }
  std::string monotone() const { return wrong_.finish ? ", if the finishing function is monotone" : ""; }

  const WrongSum& wrong_;
  Formats formats_;
  ExactValue exact_;
  double value_ = 0;
  double bound_ = 0;
  std::optional<std::vector<std::uint64_t>> reachable_;
  std::string orders_;
};

}  // namespace

Diagnosis diagnosis(const WrongSum& wrong) { return OtherOrders(wrong).diagnosis(); }

Diagnosis detailed_diagnosis(const WrongSum& wrong) { return OtherOrders(wrong).detailed(); }

}  // namespace orderlab
