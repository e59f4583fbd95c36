#include "operation/exact_outputs.hpp"

#include <cmath>

#include "orderlab/exact.hpp"
#include "orderlab/ulp.hpp"
#include "reference/exact_terms.hpp"

namespace orderlab {

namespace {

void set_output(ExactRows& exact, std::size_t r, Format format, const TermView& terms, const double* initial) {
  ExactSum sum;
  ExactSum magnitudes;
  add_terms(sum, terms, false);
  add_terms(magnitudes, terms, true);
  if (initial != nullptr) {
    sum.add(*initial);
    magnitudes.add(std::fabs(*initial));
  }
  const ExactValue value = sum.value();
  exact.high[r] = value.to_double();
  exact.low[r] = std::isfinite(exact.high[r]) && value.finite() ? -value.difference(exact.high[r]) : 0;
  exact.magnitude[r] = magnitudes.value().to_double();
  exact.rounded.set(r, value_of_bits(format, value.round_to(format)));
  const double unit = value.zero() ? info(format).unit_roundoff() * exact.magnitude[r] : 0;
  exact.ulp[r] = !value.finite() ? std::numeric_limits<double>::quiet_NaN()
                 : unit > 0      ? unit
                                 : power_of_two(value.ulp_exponent(format));
}

}  // namespace

ExactRows exact_outputs(const LoweredOperation& operation, const Loop& loop) {
  const Format format = operation.formats.result;
  if (operation.terms.empty()) {
    const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
    return exact_rows(rows, operation.addition.combine, format, loop, operation.divide_by);
  }
  ExactRows exact(format, operation.outputs());
  const auto& initial = operation.rows.initial;
  for (const TermPart& part : operation.terms.parts()) {
    constexpr std::size_t kRowsAtOnce = 256;
    loop_over(
        part.rows.count, loop,
        [&](std::size_t begin, std::size_t count) {
          TermBuffer buffer;
          for (std::size_t i = begin; i < begin + count; ++i) {
            const std::size_t r = part.output(i);
            const double start = initial ? initial->view().left(r) : 0;
            set_output(exact, r, format, part.some(i, 1, buffer).row(0), initial ? &start : nullptr);
          }
        },
        kRowsAtOnce);
  }
  return exact;
}

}  // namespace orderlab
