// Nodes of a summation tree by MPFR: every operation computed exactly or to the precision of its format, and rounded
// once, with the format's subnormals and its overflow. Shares no arithmetic with the interpreter.
#pragma once

#include <cmath>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "reference/mpfr_oracle.hpp"

namespace orderlab::testing {

class MpfrNodes {
 public:
  MpfrNodes(const SummationTree& tree, const TermView& terms) : tree_(tree), terms_(terms) {
    for (std::size_t i = 0; i < terms.n; ++i) values_.push_back(terms.left(i));
    for (SummationTree::Node node = terms.n; node < tree.node_count(); ++node) values_.push_back(value_of(node));
  }

  /// The value of the root.
  double root() const { return values_[tree_.roots()[0]]; }

  /// a + b, or a * b + c, rounded once to `format`.
  static double sum(Format format, double a, double b) {
    Mpfr x(a, 53);
    Mpfr y(b, 53);
    Mpfr r(info(format).precision);
    return finished(format, r, mpfr_add(r.get(), x.get(), y.get(), MPFR_RNDN));
  }
  static double rounded(Format format, double a) {
    Mpfr x(a, 53);
    Mpfr r(info(format).precision);
    return finished(format, r, mpfr_set(r.get(), x.get(), MPFR_RNDN));
  }
  static double product(Format format, double a, double b) {
    Mpfr x(a, 53);
    Mpfr y(b, 53);
    Mpfr r(info(format).precision);
    return finished(format, r, mpfr_mul(r.get(), x.get(), y.get(), MPFR_RNDN));
  }
  static double fused(Format format, double a, double b, double c) {
    Mpfr x(a, 53);
    Mpfr y(b, 53);
    Mpfr z(c, 53);
    Mpfr r(info(format).precision);
    return finished(format, r, mpfr_fma(r.get(), x.get(), y.get(), z.get(), MPFR_RNDN));
  }

 private:
  static double finished(Format format, Mpfr& r, int ternary) {
    const FormatInfo& f = info(format);
    const mpfr_exp_t e_min = mpfr_get_emin();
    const mpfr_exp_t e_max = mpfr_get_emax();
    mpfr_set_emin(f.e_min - f.precision + 2);  // MPFR's significands lie in [1/2, 1)
    mpfr_set_emax(f.e_max + 1);
    ternary = mpfr_check_range(r.get(), ternary, MPFR_RNDN);
    mpfr_subnormalize(r.get(), ternary, MPFR_RNDN);
    const double value = mpfr_get_d(r.get(), MPFR_RNDN);
    mpfr_set_emin(e_min);
    mpfr_set_emax(e_max);
    return value;
  }

  double value_of(SummationTree::Node node) const {
    const auto children = tree_.children(node);
    const Format f = tree_.format(node);
    const auto at = [&](std::size_t i) { return values_[children[i]]; };
    const auto flushed = [&](double x) {
      return f == Format::fp32 && std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
    };
    switch (tree_.operation(node)) {
      case Operation::add:
        return sum(f, at(0), at(1));
      case Operation::add_ftz:
        return flushed(sum(f, flushed(at(0)), flushed(at(1))));
      case Operation::start:
        return sum(f, 0.0, at(0));
      case Operation::start_ftz:
        return flushed(sum(f, 0.0, flushed(at(0))));
      case Operation::round:
        if (tree_.leaf(children[0]) && terms_.products())
          return product(f, terms_.left(children[0]), terms_.right(children[0]));
        return rounded(f, at(0));
      case Operation::kahan:
        return kahan(f, children);
      case Operation::neumaier:
        return neumaier(f, children);
      default:
        return fma(f, children);
    }
  }

  double kahan(Format f, std::span<const SummationTree::Node> children) const {
    double s = 0;
    double c = 0;
    for (const auto child : children) {
      const double y = sum(f, values_[child], -c);
      const double t = sum(f, s, y);
      c = sum(f, sum(f, t, -s), -y);
      s = t;
    }
    return s;
  }

  double neumaier(Format f, std::span<const SummationTree::Node> children) const {
    double s = 0;
    double c = 0;
    for (const auto child : children) {
      const double x = values_[child];
      const double t = sum(f, s, x);
      c = std::fabs(s) > std::fabs(x) ? sum(f, c, sum(f, sum(f, s, -t), x)) : sum(f, c, sum(f, sum(f, x, -t), s));
      s = t;
    }
    return sum(f, s, c);
  }

  double fma(Format f, std::span<const SummationTree::Node> children) const {
    const bool from_zero = tree_.leaf(children[0]);
    double s = from_zero ? 0.0 : values_[children[0]];
    for (const auto child : children.subspan(from_zero ? 0 : 1)) {
      const bool product = tree_.leaf(child) && terms_.products();
      s = fused(f, product ? terms_.left(child) : values_[child], product ? terms_.right(child) : 1.0, s);
    }
    return s;
  }

  const SummationTree& tree_;
  const TermView& terms_;
  std::vector<double> values_;
};

}  // namespace orderlab::testing
