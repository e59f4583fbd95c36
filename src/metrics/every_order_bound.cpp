// Bounds for all orders that a pipeline can draw, from the partial sums that its first random stage sees, and for all
// orders of the terms.
#include <algorithm>
#include <cmath>
#include <span>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "metrics/terms_bound.hpp"
#include "metrics/upward.hpp"
#include "orderlab/bounds.hpp"
#include "run/arithmetic.hpp"
#include "run/matrix_units.hpp"

namespace orderlab {

namespace {

/// The additions from the first random stage on, as far as they are the same for every order.
struct Tail {
  bool neumaier = false;                     ///< one Neumaier group of all partial sums; else plain additions
  double flushed = 0;                        ///< at most this is lost by flushing
  std::optional<std::uint64_t> height = {};  ///< where every order has the same
};

/// Empty where no bound is derived for the additions.
std::optional<Tail> tail_of(const Evaluator& evaluator, Format accumulate) {
  const auto& stages = evaluator.order().stages();
  const auto tail = std::span(stages).subspan(evaluator.order().first_random());
  if (tail.front().stage->reduces) {
    // A random plane tree and a queue add plainly; what follows sees one partial sum and can do no more than flush it.
    if (!is_uniform(tail.front()) && !is_queue(tail.front())) return std::nullopt;
    return Tail{.flushed = accumulate == Format::fp32 ? kFlushAllowance * static_cast<double>(tail.size()) : 0};
  }
  const SummationTree tree = evaluator.tail_tree();
  Tail found;
  for (auto node = tree.term_count(); node < tree.node_count(); ++node) {
    const Operation operation = tree.operation(node);
    const bool flushes = operation == Operation::add_ftz || operation == Operation::start_ftz;
    const bool plain = flushes || operation == Operation::add || operation == Operation::start;
    found.neumaier = operation == Operation::neumaier && tree.children(node).size() == evaluator.random_count() &&
                     tree.node_count() == tree.term_count() + 1;
    if ((!plain && !found.neumaier) || tree.format(node) != accumulate) return std::nullopt;
    if (flushes && accumulate == Format::fp32) found.flushed += kFlushAllowance;
  }
  // Stages that draw or look at values may put a higher subtree elsewhere.
  const bool one_shape = std::none_of(tail.begin() + 1, tail.end(),
                                      [](const StageCall& call) { return is_random(call) || is_by_value(call); });
  if (one_shape) found.height = tree.height();
  return found;
}

/// An upper bound of |a - b|.
double distance(const ExactValue& a, const ExactValue& b) {
  const double between = a.to_double();
  const double to_a = a.difference(between);
  const double to_b = b.difference(between);
  const double rounding = 0x1p-52 * (std::fabs(to_a) + std::fabs(to_b));  // one of each difference
  return or_infinite((std::fabs(to_a - to_b) + rounding) * kUpward);
}

double largest_finite(Format format) { return std::ldexp(1 - info(format).unit_roundoff(), info(format).e_max + 1); }

/// Whether every number of format `from` is one of `to`.
bool contains(const FormatInfo& to, const FormatInfo& from) {
  return to.precision >= from.precision && to.e_max >= from.e_max &&
         to.smallest_subnormal() <= from.smallest_subnormal();
}

/// Bound on the roundings of the additions in any order; infinite where one may overflow.
double additions_bound(const Tail& tail, Format accumulate, std::size_t m, const ExactValue& sum, double sum_abs) {
  const double any_order = *any_order_bound(true, accumulate, m, sum_abs, tail.flushed);
  double bound = any_order;
  double reach = sum_abs + any_order;  // no computed partial sum is larger
  if (tail.neumaier) {
    const double gamma = *gamma_bound(true, accumulate, m - 1, 1, 0);
    bound = (info(accumulate).unit_roundoff() * upper_magnitude(sum) + gamma * gamma * sum_abs) * kUpward;
    reach += any_order + bound;  // the compensation and the final addition
  } else if (tail.height) {
    bound = std::min(bound, *gamma_bound(true, accumulate, *tail.height, sum_abs, tail.flushed));
  }
  return reach <= largest_finite(accumulate) ? or_infinite(bound) : kInfinity;
}

/// The error of the one result of a fixed order.
double fixed_error(double sum, Format result, const ExactValue& exact) {
  const double error = std::fabs(exact.difference(value_of_bits(result, round_to_bits(result, sum))));
  return or_infinite(error == 0 ? 0 : std::nextafter(error, kInfinity));
}

/// With the rounding to the result format.
double rounded_bound(double bound, const Formats& formats, const ExactValue& exact) {
  if (const FormatInfo& narrow = info(formats.result); !contains(narrow, info(formats.accumulate))) {
    const double largest = upper_magnitude(exact) + bound * kUpward;
    if (!(largest * kUpward <= largest_finite(formats.result))) return kInfinity;
    bound += narrow.unit_roundoff() * largest + narrow.underflow_unit();
  }
  return or_infinite(bound * kUpward);
}

}  // namespace

std::optional<double> every_order_bound(const Evaluator& evaluator, const ExactValue& exact) {
  const FloatEnvironment environment;
  const Format result = evaluator.formats().result;
  if (!evaluator.order().random()) return fixed_error(evaluator.random_inputs()[0], result, exact);
  // Partial sums of another format, and all additions in it, are bounded as sums in that format.
  const std::optional<Format> drawn = evaluator.plan().drawn_format();
  if (!drawn && evaluator.plan().draws_in_other_formats()) return std::nullopt;
  if (!evaluator.inputs_are_doubles()) return std::nullopt;
  Formats formats = evaluator.formats();
  formats.accumulate = drawn.value_or(formats.accumulate);
  const std::optional<Tail> tail = tail_of(evaluator, formats.accumulate);
  if (!tail) return std::nullopt;

  ExactSum sum;
  ExactSum sum_abs;
  for (const double p : evaluator.random_inputs()) {
    sum.add(p);
    sum_abs.add(std::fabs(p));
  }
  double bound = distance(sum.value(), exact) + additions_bound(*tail, formats.accumulate, evaluator.random_count(),
                                                                sum.value(), upper_magnitude(sum_abs.value()));
  return rounded_bound(bound, formats, exact);
}

double terms_bound(const Formats& formats, std::size_t n, bool products, const ExactValue& exact,
                   const ExactValue& sum_abs, double raised) {
  const FloatEnvironment environment;
  const FormatInfo& narrow = info(formats.accumulate);
  const double size = upper_magnitude(sum_abs) + raised * kUpward;
  const auto terms = static_cast<double>(n);
  double extra = raised * kUpward;
  if (formats.accumulate == Format::fp32) extra += 2 * kFlushAllowance * terms;  // an addition's, and one from +0.0
  if (products || !contains(narrow, info(formats.terms)))
    extra += narrow.unit_roundoff() * size + terms * narrow.underflow_unit();
  const double bound = matrix_unit_roundings(formats.terms, products) *
                       *any_order_bound(true, formats.accumulate, n + 2, size, extra * kUpward);
  // The numbers of a compensated sum are at most twice as large.
  if (!(2 * (size + bound) <= largest_finite(formats.accumulate))) return kInfinity;
  return rounded_bound(bound, formats, exact);
}

double every_order_bound_memory_bytes(std::uint64_t partial_sums) {
  const FloatEnvironment environment;
  // For each partial sum of the tail's tree: a traced number, a node with two children, the heights of two nodes.
  constexpr double kTreeBytes = 16 + (24 + 2 * 8) + 2 * 8;
  return kTreeBytes * static_cast<double>(partial_sums);
}

}  // namespace orderlab
