// Longer than most files: three proofs, by trees, by the lattice and by bounds, and what they need of each operation.
#include "operation/every_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "core/ordered_number.hpp"
#include "operation/exact_outputs.hpp"
#include "orderlab/format.hpp"
#include "reference/lattice.hpp"
#include "run/addition.hpp"
#include "run/arithmetic.hpp"
#include "run/matrix_units.hpp"
#include "run/plan_steps.hpp"

namespace orderlab {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr double kRoundedUp = 1 + 0x1p-20;  // more than the roundings of a bound's computation

bool same_result(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Whether a result is none from the least to the greatest. NaN: any is.
bool outside(const std::array<double, 2>& range, double value) {
  if (std::isnan(range[0]) || std::isnan(range[1])) return false;
  return !(value >= range[0] && value <= range[1]);
}

bool is_narrow(Format format) { return info(format).precision < info(Format::fp32).precision; }

/// A line of a scan, and the place of an output in it.
struct Prefix {
  std::size_t line;
  std::size_t start;  ///< where the line's first term stands
  std::size_t count;  ///< terms that the output adds
};

Prefix prefix_of(const PrefixScan& scan, std::size_t r) {
  if (scan.last_only) return {0, 0, scan.extent - (scan.exclusive ? 1 : 0)};
  const std::size_t outer = r / (scan.extent * scan.stride);
  const std::size_t inner = r % scan.stride;
  const std::size_t place = r / scan.stride % scan.extent;
  return {outer * scan.stride + inner, outer * scan.extent * scan.stride + inner, place + (scan.exclusive ? 0 : 1)};
}

/// All sums of every subset of a few numbers, by all trees, each addition in T.
template <class T>
class Trees {
 public:
  Trees(std::vector<T> numbers, Combine combine, bool keeps, bool flushes)
      : count_(numbers.size()), combine_(combine), keeps_(keeps), flushes_(flushes), sums_(std::size_t{1} << count_) {
    for (std::size_t i = 0; i < count_; ++i) add_single(sums_[std::size_t{1} << i], numbers[i]);
  }

  /// Whether `holds` is true of the sum of some tree over all numbers.
  template <class Holds>
  bool some(Holds holds) {
    if (count_ == 0) return holds(combine_ == Combine::multiply ? T(1.0) : T(0.0));
    const std::size_t all = sums_.size() - 1;
    if (count_ == 1) return std::any_of(sums_[all].begin(), sums_[all].end(), holds);
    for (std::size_t set = 1; set < all; ++set) {
      if ((set & (set - 1)) == 0) continue;
      each_sum(set, [&](T sum) { return sums_[set].push_back(sum), false; });
      keep_different(sums_[set]);
    }
    return each_sum(all, holds);
  }

 private:
  void add_single(std::vector<T>& to, T x) const {
    to.push_back(x);
    if constexpr (std::is_same_v<T, float>)
      if (flushes_ && combine_ == Combine::add) to.push_back(started<float, true>(x));
  }

  /// Sums of the two parts of a set, for all parts. True as soon as f is.
  template <class F>
  bool each_sum(std::size_t set, F f) const {
    const std::size_t first = set & (~set + 1);
    for (std::size_t part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      if ((part & first) == 0) continue;  // its complement has the first number
      for (const T a : sums_[part])
        for (const T b : sums_[set ^ part])
          if (combined(a, b, f)) return true;
    }
    return false;
  }

  template <class F>
  bool combined(T a, T b, F f) const {
    if (combine_ == Combine::multiply) return f(a * b);
    if constexpr (std::is_same_v<T, float>)
      if (flushes_ && f(added<float, true>(a, b))) return true;
    return (keeps_ || !std::is_same_v<T, float>)&&f(added<T, false>(a, b));
  }

  static void keep_different(std::vector<T>& sums) {
    const auto key = [](T x) { return any_key(x); };
    std::sort(sums.begin(), sums.end(), [&](T a, T b) { return key(a) < key(b); });
    sums.erase(std::unique(sums.begin(), sums.end(), [&](T a, T b) { return key(a) == key(b); }), sums.end());
  }

  std::size_t count_;
  Combine combine_;
  bool keeps_;
  bool flushes_;
  std::vector<std::vector<T>> sums_;  ///< possible sums of each subset
};

}  // namespace

EveryOrder::EveryOrder(const LoweredOperation& operation, const ExactRows& exact, Flushing flushing)
    : operation_(operation), exact_(exact) {
  const bool fp32 = operation.accumulates_terms_in() == Format::fp32;
  may_flush_ = fp32 && flushing != Flushing::no;
  may_keep_ = !fp32 || flushing != Flushing::yes;
  const bool named_unit = std::any_of(operation.plans.begin(), operation.plans.end(),
                                      [](const auto& plan) { return some_unit_adds(*plan.second); });
  rounding_ = named_unit ? kNoBound : matrix_unit_roundings(operation.formats.terms, products());
  if (operation.finished) {
    exact_sums_ = std::make_unique<const ExactRows>(exact_outputs(*operation.finished->sums, serial_loop));
    every_sum_ = std::make_unique<const EveryOrder>(*operation.finished->sums, *exact_sums_, flushing);
  }
  if (!operation.scan) return;
  const PrefixScan& scan = *operation.scan;
  const std::size_t lines = scan.terms.size() / scan.extent;
  const TermView terms = scan.terms.view();
  for (std::size_t line = 0; line < lines; ++line) {
    Lattice lattice;
    const std::size_t start = line / scan.stride * scan.extent * scan.stride + line % scan.stride;
    std::size_t held = 0;
    for (; held < scan.extent; ++held) {
      lattice.add(terms.left(start + held * scan.stride));
      if (!lattice.no_order_rounds(info(operation.formats.accumulate), may_flush_)) break;
    }
    exact_of_line_.push_back(held);
  }
}

bool EveryOrder::products() const {
  return !operation_.terms.empty() && operation_.terms.parts().front().rows.products();
}

bool EveryOrder::initial_counts(std::size_t r) const {
  if (!operation_.rows.initial) return false;
  const OutputAddition& addition = operation_.addition;
  return addition.start == AccumulatorStart::initial || addition.initial_last || addition.initial_in_unit ||
         count(r) == 0;
}

std::size_t EveryOrder::count(std::size_t r) const {
  if (operation_.scan) return prefix_of(*operation_.scan, r).count;
  if (!operation_.terms.empty()) return operation_.terms.length(r);
  return (operation_.raw ? *operation_.raw : operation_.rows).row_length(r);
}

template <class F>
void EveryOrder::each_number(std::size_t r, F f) const {
  const auto each_of = [&](const TermView& terms, std::size_t begin, std::size_t n, std::size_t step) {
    for (std::size_t i = 0; i < n; ++i)
      if (!f(terms.left(begin + i * step), terms.right(begin + i * step))) return false;
    return true;
  };
  if (initial_counts(r) && !f(operation_.rows.initial->view().left(r), 1.0)) return;
  if (operation_.scan) {
    const Prefix prefix = prefix_of(*operation_.scan, r);
    each_of(operation_.scan->terms.view(), prefix.start, prefix.count, operation_.scan->stride);
  } else if (!operation_.terms.empty()) {
    TermBuffer buffer;
    const TermView row = operation_.terms.row(r, buffer);
    each_of(row, 0, row.n, 1);
  } else {
    const Contributions& rows = operation_.raw ? *operation_.raw : operation_.rows;
    each_of(rows.values.view(), rows.row_begin[r], rows.row_length(r), 1);
  }
}

// What accumulates 16-bit numbers in fp32 may divide there, and round once, or store the sum before it is divided.
bool EveryOrder::finishes_as(std::size_t r, double sum, double value) const {
  const Formats& formats = operation_.formats;
  const auto rounded = [](Format format, double x) { return value_of_bits(format, round_to_bits(format, x)); };
  const auto gives = [&](Format format) {
    double result = rounded(format, sum);
    if (!operation_.divide_by.empty()) result = rounded(format, result / static_cast<double>(operation_.divide_by[r]));
    return same_result(rounded(formats.result, result), value);
  };
  return gives(formats.accumulate) || (is_narrow(formats.accumulate) && gives(Format::fp32));
}

// For a matrix unit, fewer bits are asked for, as it may keep fewer.
std::optional<double> EveryOrder::only_sum(std::size_t r) const {
  if (operation_.addition.combine == Combine::multiply || operation_.addition.initial_after_rounding)
    return std::nullopt;
  if (rounding_ == kNoBound) return std::nullopt;
  const FormatInfo format = kept_by_matrix_units(operation_.formats.accumulate, operation_.formats.terms, products());
  if (operation_.scan) {
    const Prefix prefix = prefix_of(*operation_.scan, r);
    if (prefix.count > exact_of_line_[prefix.line]) return std::nullopt;
    return exact_.high[r];
  }
  Lattice lattice;
  double sum = 0;
  bool exact = true;
  each_number(r, [&](double x, double y) {
    lattice.add_product(x, y);
    sum += x * y;
    const bool raised = rounding_ > 1 && raised_by_subnormals(x, y, operation_.formats.terms) > 0;
    return exact = !raised && lattice.no_order_rounds(format, may_flush_);
  });
  if (!exact) return std::nullopt;
  return sum;
}

template <class T>
bool EveryOrder::some_tree_gives(std::size_t r, double value) const {
  std::vector<T> numbers;
  each_number(r, [&](double x, double) { return numbers.push_back(round_to<T>(x)), true; });
  return Trees<T>(std::move(numbers), operation_.addition.combine, may_keep_, may_flush_).some([&](T sum) {
    return finishes_as(r, static_cast<double>(sum), value);
  });
}

// Infinities and NaN stay what they are: a sum of NaN, or of both infinities, is NaN in every order, and one of an
// infinity is never finite.
bool EveryOrder::excluded_by_specials(std::size_t r, double value) const {
  const double exact = exact_.high[r];
  if (std::isnan(exact)) return !std::isnan(value);
  if (std::isfinite(exact) || operation_.addition.combine == Combine::multiply || !std::isfinite(value)) return false;
  if (operation_.formats.accumulate != Format::fp64) return true;  // their finite sums are finite in doubles
  bool infinite = false;
  each_number(r, [&](double x, double y) { return !(infinite = !std::isfinite(x) || !std::isfinite(y)); });
  return infinite;
}

double EveryOrder::bound_of_products(std::size_t r) const {
  const FormatInfo& format = info(operation_.formats.accumulate);
  double above = 0;  // exponents of the greatest and least partial product
  double below = 0;
  std::size_t n = 0;
  each_number(r, [&](double x, double) {
    const double exponent = std::log2(std::fabs(x));
    ++n;
    if (!std::isfinite(exponent)) return above = kNoBound, false;
    return (exponent > 0 ? above : below) += exponent, true;
  });
  const double u = format.unit_roundoff();
  const double roundings = static_cast<double>(n) + 1;
  if (above + 1 > format.e_max || below - 1 < format.e_min || roundings * u >= 0.5) return kNoBound;
  const double gamma = roundings * u / (1 - roundings * u);
  const FormatInfo& result = info(operation_.formats.result);
  const double size = std::fabs(exact_.high[r]);
  return kRoundedUp * (size * (gamma + result.unit_roundoff() * (1 + gamma)) + result.smallest_subnormal());
}

double EveryOrder::bound(std::size_t r) const {
  if (operation_.addition.combine == Combine::multiply) return bound_of_products(r);
  const FormatInfo& accumulate = info(operation_.formats.accumulate);
  const FormatInfo& result = info(operation_.formats.result);
  const double u = rounding_ * accumulate.unit_roundoff();
  const double n = static_cast<double>(count(r) + (initial_counts(r) ? 1 : 0));
  if (n == 0) return 0;
  const double divisor = operation_.divide_by.empty() ? 1 : static_cast<double>(operation_.divide_by[r]);
  const bool converted = info(operation_.formats.terms).precision > accumulate.precision && !operation_.terms.empty();
  const double before = (converted ? 2 : 0) * u;  // terms, or two factors, are rounded to the format first
  double factor = (n - 1) * u * (1 + before) + before;
  if (is_narrow(accumulate.format)) factor += u;  // the sum is in fp32
  if (products()) {
    if (n * u >= 0.5) return kNoBound;
    factor = n * u / (1 - n * u) * (1 + before) + before;
  }
  double lost = 2 * n * accumulate.smallest_subnormal();
  if (may_flush_) lost += n * kFlushAllowance;
  double raised = 0;
  if (rounding_ > 1)
    each_number(r, [&](double x, double y) {
      raised += raised_by_subnormals(x, y, operation_.formats.terms);
      return true;
    });
  lost += kRoundedUp * raised;
  double bound = factor * (exact_.magnitude[r] + lost / divisor) + lost / divisor;
  const auto add_rounding = [&](const FormatInfo& to) {
    bound += to.unit_roundoff() * (std::fabs(exact_.high[r]) + bound) + to.smallest_subnormal();
  };
  if (divisor > 1) add_rounding(accumulate);
  if (operation_.addition.initial_after_rounding) {
    // Each of the sum and the initial value is rounded, of magnitude + bound together, and what these add up to.
    const double v = result.unit_roundoff();
    bound += (2 + v) * v * (exact_.magnitude[r] + bound) + 3 * result.smallest_subnormal();
  } else if (divisor > 1 || result.format != accumulate.format) {
    add_rounding(result);
  }
  return kRoundedUp * bound;
}

bool EveryOrder::excluded_by_bound(std::size_t r, double value) const {
  if (!std::isfinite(exact_.high[r])) return false;
  const double most = bound(r);
  if (std::isfinite(value)) return std::fabs((value - exact_.high[r]) - exact_.low[r]) > most;
  if (!std::isfinite(most)) return false;
  if (operation_.addition.combine == Combine::multiply)  // then no partial product overflows
    return std::fabs(exact_.high[r]) + most < power_of_two(info(operation_.formats.result).e_max);
  const double divisor = operation_.divide_by.empty() ? 1 : static_cast<double>(operation_.divide_by[r]);
  const double limit = power_of_two(info(operation_.formats.accumulate).e_max);
  const double result_limit = power_of_two(info(operation_.formats.result).e_max);
  if (operation_.addition.initial_after_rounding && !(exact_.magnitude[r] + most < result_limit)) return false;
  return (exact_.magnitude[r] + most) * divisor < limit && std::fabs(exact_.high[r]) + most < result_limit;
}

// The sums of all orders are numbers of the accumulate format within the bound, and so not beyond its ends as rounded.
// With NaN among its numbers, or an infinity, a row has the same sum in every order.
bool EveryOrder::excluded_by_sums(std::size_t r, double value) const {
  const FinishedRows& rows = *operation_.finished;
  const std::size_t row = r / rows.elements;
  if (!rows.finish->sum_decides(row)) return outside(rows.finish->range(row, r % rows.elements, 0, 0), value);
  const double exact = exact_sums_->high[row];
  if (std::isnan(exact)) return !std::isnan(value);
  const bool infinite = std::isinf(exact) && every_sum_->excluded_by_specials(row, 0);
  const double bound = infinite ? 0 : kRoundedUp * every_sum_->bound(row) + std::fabs(exact_sums_->low[row]);
  if ((!infinite && !std::isfinite(exact)) || !std::isfinite(bound)) return false;
  const auto rounded = [&](double x) {
    return value_of_bits(operation_.formats.accumulate, round_to_bits(operation_.formats.accumulate, x));
  };
  return outside(rows.finish->range(row, r % rows.elements, rounded(exact - bound), rounded(exact + bound)), value);
}

bool EveryOrder::excluded_by_computation(std::size_t r, double value) const {
  const ComputedRows& rows = *operation_.computed;
  return outside(rows.computation->range(r / rows.elements, r % rows.elements, exact_.high[r], exact_.magnitude[r]),
                 value);
}

bool EveryOrder::excludes(std::size_t r, std::uint64_t bits) const {
  const double value = value_of_bits(operation_.formats.result, bits);
  if (operation_.finished) return excluded_by_sums(r, value);
  if (operation_.computed) return excluded_by_computation(r, value);
  if (excluded_by_specials(r, value) || excluded_by_bound(r, value)) return true;
  if (const auto sum = only_sum(r)) return !finishes_as(r, *sum, value);
  if (products() || count(r) + (initial_counts(r) ? 1 : 0) > kMostOfTrees) return false;
  if (may_keep_ && same_result(exact_.rounded.view().left(r), value)) return false;
  const bool fits = with_type_of(operation_.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return some_tree_gives<T>(r, value);
  });
  return !fits && !(is_narrow(operation_.formats.accumulate) && some_tree_gives<float>(r, value));
}

bool may_be_subnormal(const LoweredOperation& operation) {
  if (operation.finished) return may_be_subnormal(*operation.finished->sums);
  if (operation.computed) return false;
  if (operation.formats.accumulate != Format::fp32) return false;
  const auto some = [](const TermView& terms) { return lattice_of(terms).may_be_subnormal(info(Format::fp32)); };
  if (operation.rows.initial && some(operation.rows.initial->view())) return true;
  if (operation.scan) return some(operation.scan->terms.view());
  if (operation.terms.empty()) return some((operation.raw ? *operation.raw : operation.rows).values.view());
  TermBuffer buffer;
  for (std::size_t r = 0; r < operation.outputs(); ++r) {
    const TermView row = operation.terms.row(r, buffer);
    if (some({row.format, row.n, row.x}) || (row.products() && some(row))) return true;
  }
  return false;
}

}  // namespace orderlab
