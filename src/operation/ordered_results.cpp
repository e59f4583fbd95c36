#include "operation/ordered_results.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/pass.hpp"
#include "operation/finish.hpp"
#include "operation/finished_outputs.hpp"
#include "orderlab/error.hpp"
#include "orderlab/plan.hpp"

namespace orderlab {

namespace {

// Plans of the order by the number of terms; none for no terms.
using PlansByLength = std::map<std::size_t, std::shared_ptr<const Plan>>;

constexpr std::size_t kRowsAtOnce = 256;

void require_rows(const LoweredOperation& operation, const Order& order) {
  if (operation.computed)
    throw Error(ErrorKind::usage, "baseline " + order.expression() + ": the outputs of " + operation.text +
                                      " are sums that are scaled again while they grow, which no order adds; take "
                                      "launch or exact");
  const bool products = operation.addition.combine == Combine::multiply;
  if (!operation.scan && !products) return;
  throw Error(ErrorKind::usage, "baseline " + order.expression() + ": the outputs of " + operation.text + " are " +
                                    (products ? "products" : "prefix sums") +
                                    ", which no order adds one by one; take launch or exact");
}

void add_plan(PlansByLength& plans, const Order& order, std::size_t n, const Formats& formats, bool products) {
  if (n > 0 && plans.count(n) == 0) plans[n] = compile(order, n, formats, products);
}

// Outputs whose numbers are contributions, an initial value before them.
template <class T>
void add_contributions(const LoweredOperation& operation, const Order& order, const Loop& loop, Terms& results) {
  const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
  const auto& initial = rows.initial;
  const std::size_t before = initial ? 1 : 0;
  const Format accumulate = operation.formats.accumulate;
  PlansByLength plans;
  for (std::size_t r = 0; r < rows.outputs(); ++r)
    add_plan(plans, order, rows.row_length(r) + before, {accumulate, accumulate, accumulate}, false);
  const T* const values = static_cast<const T*>(rows.values.view().x);
  Pass pass(rows.outputs());
  loop_over(
      rows.outputs(), loop,
      [&](std::size_t begin, std::size_t count) {
        std::vector<T> row;
        for (std::size_t r = begin; r < begin + count; ++r) {
          row.clear();
          if (initial) row.push_back(static_cast<const T*>(initial->view().x)[r]);
          row.insert(row.end(), values + rows.row_begin[r], values + rows.row_begin[r + 1]);
          const double sum = row.empty() ? 0 : sum_of(*plans.at(row.size()), rows_of(row.data(), 1, row.size()).row(0));
          results.set(r, divided_sum(operation, r, static_cast<T>(sum)));
        }
        pass.did(count);
      },
      kRowsAtOnce);
}

// Outputs whose numbers are rows of terms, or of products.
template <class T>
void add_term_rows(const LoweredOperation& operation, const Order& order, const Loop& loop, Terms& results) {
  const Format accumulate = operation.accumulates_terms_in();
  PlansByLength plans;
  for (const TermPart& part : operation.terms.parts())
    add_plan(plans, order, part.rows.n, {operation.formats.terms, accumulate, accumulate}, part.rows.products());
  const auto& initial = operation.rows.initial;
  Pass pass(operation.outputs());
  for (const TermPart& part : operation.terms.parts()) {
    loop_over(
        part.rows.count, loop,
        [&](std::size_t begin, std::size_t count) {
          TermBuffer buffer;
          for (std::size_t i = begin; i < begin + count; ++i) {
            const std::size_t r = part.output(i);
            const std::size_t n = part.rows.n;
            T sum = n == 0 ? T{} : static_cast<T>(sum_of(*plans.at(n), part.some(i, 1, buffer).row(0)));
            if (initial) sum = round_to<T>(initial->view().left(r)) + sum;
            results.set(r, divided_sum(operation, r, sum));
          }
          pass.did(count);
        },
        kRowsAtOnce);
  }
}

}  // namespace

Terms ordered_results(const LoweredOperation& operation, const Order& order, const Loop& loop) {
  require_rows(operation, order);
  if (operation.finished)
    return finished_outputs(operation, ordered_results(*operation.finished->sums, order, loop), loop);
  Terms results(operation.formats.result, operation.outputs());
  const bool of_terms = !operation.terms.empty();
  with_type_of(of_terms ? operation.accumulates_terms_in() : operation.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (of_terms)
      add_term_rows<T>(operation, order, loop, results);
    else
      add_contributions<T>(operation, order, loop, results);
  });
  return results;
}

}  // namespace orderlab
