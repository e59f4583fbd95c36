#include "operation/exact_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "core/pass.hpp"
#include "operation/exact_chain.hpp"
#include "operation/row_results.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "reference/exact_terms.hpp"

namespace orderlab {

namespace {

/// An exact sum, and that of the magnitudes.
struct SumAndMagnitudes {
  ExactSum sum;
  ExactSum magnitudes;

  void add(double x) {
    sum.add(x);
    magnitudes.add(std::fabs(x));
  }
};

template <class R>
void set_output(RowResults<R>& results, std::size_t r, const SumAndMagnitudes& sums) {
  results.put(r, sums.sum.value(), sums.magnitudes.value().to_double());
}

template <class R>
void set_output(RowResults<R>& results, std::size_t r, const TermView& terms, const double* initial) {
  SumAndMagnitudes sums;
  add_terms(sums.sum, terms, false);
  add_terms(sums.magnitudes, terms, true);
  if (initial != nullptr) sums.add(*initial);
  set_output(results, r, sums);
}

/// The sum so far, if three doubles hold it; else a chain that is not exact.
ExactChain chain_of(ExactSum sum) {
  ExactChain chain(sum.value().to_double());
  for (int i = 0; i < 3; ++i) {
    const double part = sum.value().to_double();
    if (i > 0) chain.add(part);
    sum.subtract(part);
    if (sum.value().zero()) return chain;  // a further zero would change the sign of -0
  }
  chain.add(std::numeric_limits<double>::quiet_NaN());
  return chain;
}

/// Outputs begin .. begin + count - 1 of the line that starts at term `start`: in chains as long as these hold the
/// sums, which takes a fraction of the time.
template <class R>
void set_prefixes(ExactRows& exact, const PrefixScan& scan, std::size_t start, std::size_t begin, std::size_t count) {
  const TermView terms = scan.terms.view();
  const auto term = [&](std::size_t i) { return terms.left(start + i * scan.stride); };
  SumAndMagnitudes sums;
  if (scan.stride == 1) {
    add_terms(sums.sum, terms.part(start, begin), false);
    add_terms(sums.magnitudes, terms.part(start, begin), true);
  } else {
    for (std::size_t i = 0; i < begin; ++i) sums.add(term(i));
  }
  const double zero = 0;
  if (scan.exclusive) sums.add(zero);
  const bool empty = begin == 0 && !scan.exclusive;
  ExactChain sum = empty ? ExactChain(-0.0) : chain_of(sums.sum);  // no term yet: the sum of negative zeros is -0
  ExactChain magnitudes = chain_of(sums.magnitudes);
  std::size_t in_sums = begin;
  std::size_t in_chains = begin;
  RowResults<R> results(exact);
  for (std::size_t i = begin; i < begin + count; ++i) {
    const std::size_t n = scan.exclusive ? i : i + 1;
    for (; in_chains < n; ++in_chains) {
      const double x = term(in_chains);
      sum.add(x);
      magnitudes.add(std::fabs(x));
    }
    const std::size_t r = scan.last_only ? 0 : start + i * scan.stride;
    ExactPair value;
    ExactPair magnitude;
    if (sum.sum(value) && magnitudes.sum(magnitude)) {
      results.put(r, value, magnitude.high);
      continue;
    }
    for (; in_sums < n; ++in_sums) sums.add(term(in_sums));
    set_output(results, r, sums);
  }
}

ExactRows exact_prefixes(const LoweredOperation& operation, const Loop& loop) {
  const Format format = operation.formats.result;
  const PrefixScan& scan = *operation.scan;
  ExactRows exact(format, operation.outputs());
  if (scan.last_only) {
    with_type_of(format, [&](auto* type) {
      set_prefixes<std::remove_pointer_t<decltype(type)>>(exact, scan, 0, scan.extent - 1, 1);
    });
    return exact;
  }
  constexpr std::size_t kOutputsAtOnce = 1U << 16;  // each part adds all terms before it, at a fraction of the cost
  const std::size_t parts = (scan.extent + kOutputsAtOnce - 1) / kOutputsAtOnce;
  const std::size_t lines = scan.terms.size() / scan.extent;
  Pass pass(lines * parts);
  loop(lines * parts, [&](std::size_t part) {
    const std::size_t line = part / parts;
    const std::size_t begin = part % parts * kOutputsAtOnce;
    const std::size_t start = line / scan.stride * scan.extent * scan.stride + line % scan.stride;
    with_type_of(format, [&](auto* type) {
      using R = std::remove_pointer_t<decltype(type)>;
      set_prefixes<R>(exact, scan, start, begin, std::min(kOutputsAtOnce, scan.extent - begin));
    });
    pass.did(1);
  });
  return exact;
}

double ulp_of_double(Format format, double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  return x == 0 ? info(format).smallest_subnormal() : power_of_two(ulp_exponent(format, std::ilogb(x)));
}

/// Sets what follows from exact.high[r], which is the result.
void set_from_double(ExactRows& exact, std::size_t r, Format format) {
  exact.ulp[r] = ulp_of_double(format, exact.high[r]);
  exact.rounded.set(r, exact.high[r]);
}

ExactRows exact_finished(const LoweredOperation& operation, const Loop& loop) {
  const FinishedRows& rows = *operation.finished;
  const Format format = operation.formats.result;
  const ExactRows sums = exact_outputs(*rows.sums, loop);
  ExactRows exact(format, operation.outputs());
  Pass pass(sums.high.size());
  loop_over(
      sums.high.size(), loop,
      [&](std::size_t begin, std::size_t count) {
        for (std::size_t row = begin; row < begin + count; ++row) {
          const std::size_t first = row * rows.elements;
          rows.finish->make_exact(row, sums.high[row], sums.low[row],
                                  std::span(exact.high.data() + first, rows.elements));
          for (std::size_t r = first; r < first + rows.elements; ++r) {
            exact.magnitude[r] = std::fabs(exact.high[r]);
            set_from_double(exact, r, format);
          }
        }
        pass.did(count);
      },
      1);
  return exact;
}

ExactRows exact_computed(const LoweredOperation& operation, const Loop& loop) {
  const ComputedRows& rows = *operation.computed;
  const Format format = operation.formats.result;
  ExactRows exact(format, operation.outputs());
  const std::size_t count_of_rows = operation.outputs() / rows.elements;
  Pass pass(count_of_rows);
  loop_over(
      count_of_rows, loop,
      [&](std::size_t begin, std::size_t count) {
        for (std::size_t row = begin; row < begin + count; ++row) {
          const std::size_t first = row * rows.elements;
          rows.computation->make_exact(row, std::span(exact.high.data() + first, rows.elements),
                                       std::span(exact.magnitude.data() + first, rows.elements));
          for (std::size_t r = first; r < first + rows.elements; ++r) set_from_double(exact, r, format);
        }
        pass.did(count);
      },
      1);
  return exact;
}

}  // namespace

ExactRows exact_outputs(const LoweredOperation& operation, const Loop& loop) {
  if (operation.scan) return exact_prefixes(operation, loop);
  if (operation.finished) return exact_finished(operation, loop);
  if (operation.computed) return exact_computed(operation, loop);
  const Format format = operation.formats.result;
  if (operation.terms.empty()) {
    const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
    return exact_rows(rows, operation.addition.combine, format, loop, operation.divide_by);
  }
  ExactRows exact(format, operation.outputs());
  Pass pass(operation.outputs());
  const auto& initial = operation.rows.initial;
  for (const TermPart& part : operation.terms.parts()) {
    constexpr std::size_t kRowsAtOnce = 256;
    loop_over(
        part.rows.count, loop,
        [&](std::size_t begin, std::size_t count) {
          with_type_of(format, [&](auto* type) {
            RowResults<std::remove_pointer_t<decltype(type)>> results(exact);
            TermBuffer buffer;
            for (std::size_t i = begin; i < begin + count; ++i) {
              const std::size_t r = part.output(i);
              const double start = initial ? initial->view().left(r) : 0;
              set_output(results, r, part.some(i, 1, buffer).row(0), initial ? &start : nullptr);
            }
          });
          pass.did(count);
        },
        kRowsAtOnce);
  }
  return exact;
}

}  // namespace orderlab
