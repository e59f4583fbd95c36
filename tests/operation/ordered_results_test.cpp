#include "operation/ordered_results.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

LoweredOperation lowered_one(const char* text, const Shape& shape, double ratio = 1) {
  const OperationCall call = parse_operation(text);
  return lower(call, generated_inputs(call, {.shape = shape, .ratio = ratio}));
}

double sum_by(const Order& order, const std::vector<float>& terms) {
  return sum_of(*compile(order, terms.size(), {Format::fp32, Format::fp32, Format::fp32}),
                rows_of(terms.data(), 1, terms.size()).row(0));
}

}  // namespace

TEST_CASE("an output of contributions is their sum by the order, after its initial value") {
  const OperationCall call = parse_operation("index_add");
  for (const char* text : {"seq", "reverse | seq", "pairwise(8)", "sort(abs_asc) | seq"}) {
    CAPTURE(text);
    const Order order = parse_order(text);
    const LoweredOperation operation = lower(call, generated_inputs(call, {.shape = {40, 7}, .ratio = 0.2}));
    const Terms results = ordered_results(operation, order, serial_loop);
    const Contributions& rows = operation.rows;
    REQUIRE(results.size() == operation.outputs());
    for (std::size_t r = 0; r < rows.outputs(); ++r) {
      std::vector<float> terms;
      if (rows.initial) terms.push_back(static_cast<float>(rows.initial->view().left(r)));
      for (std::size_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c)
        terms.push_back(static_cast<float>(rows.values.view().left(c)));
      const double wanted = terms.empty() ? 0 : sum_by(order, terms);
      CHECK(bits_of(Format::fp32, results.view().left(r)) == bits_of(Format::fp32, wanted));
    }
  }
}

TEST_CASE("means are divided, and rows of products are added by the order") {
  const Order order = parse_order("pairwise(8)");
  const LoweredOperation mean = lowered_one("scatter_reduce(mean)", {200}, 0.1);
  const Terms means = ordered_results(mean, order, serial_loop);
  for (std::size_t r = 0; r < mean.rows.outputs(); ++r) {
    std::vector<float> terms;
    if (mean.rows.initial) terms.push_back(static_cast<float>(mean.rows.initial->view().left(r)));
    for (std::size_t c = mean.rows.row_begin[r]; c < mean.rows.row_begin[r + 1]; ++c)
      terms.push_back(static_cast<float>(mean.rows.values.view().left(c)));
    const auto sum = static_cast<float>(terms.empty() ? 0 : sum_by(order, terms));
    CHECK(bits_of(Format::fp32, means.view().left(r)) ==
          bits_of(Format::fp32, sum / static_cast<float>(mean.divide_by.at(r))));
  }

  const LoweredOperation product = lowered_one("matmul(2,3,40,split_k=4)", {});
  const Terms results = ordered_results(product, order, serial_loop);
  TermBuffer buffer;
  const auto plan = compile(order, 40, product.formats, true);
  for (std::size_t r = 0; r < product.outputs(); ++r)
    CHECK(bits_of(Format::fp32, results.view().left(r)) ==
          bits_of(Format::fp32, sum_of(*plan, product.terms.row(r, buffer))));
}

TEST_CASE("prefix sums and products have no such results") {
  const Order order = parse_order("seq");
  CHECK_THROWS_WITH_AS(
      ordered_results(lowered_one("cumsum", {100}), order, serial_loop),
      "baseline seq: the outputs of cumsum are prefix sums, which no order adds one by one; take launch or "
      "exact",
      Error);
  CHECK_THROWS_AS(ordered_results(lowered_one("scatter_reduce(prod)", {100}, 0.1), order, serial_loop), Error);
}
