// Operations whose products a unit adds: outputs against fused_sum() of the same numbers, starts included.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operation/every_order.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"

namespace orderlab::testing {

namespace {

constexpr Formats kHalfFactors{Format::fp16, Format::fp32, Format::fp32};
constexpr std::size_t kProducts = 40;

/// Products of row i of a and column j of b, or of row i of both.
std::vector<Factors> products_of(const Tensor& a, std::size_t row, const Tensor& b, std::size_t first,
                                 std::size_t step) {
  std::vector<Factors> products;
  for (std::size_t k = 0; k < kProducts; ++k)
    products.push_back({a.terms.view().left(row * kProducts + k), b.terms.view().left(first + k * step)});
  return products;
}

std::shared_ptr<const LoweredOperation> lowered(const std::string& operation, const OperationInputs& inputs,
                                                const char* order = nullptr) {
  const std::optional<Order> given = order == nullptr ? std::nullopt : std::optional(parse_order(order));
  return std::make_shared<const LoweredOperation>(
      lower(parse_operation(operation), inputs, Device{"sms=1", 1}, given ? &*given : nullptr));
}

std::vector<double> results_of(const std::shared_ptr<const LoweredOperation>& operation) {
  const auto sums = OutputSums::make(operation, parse_arrival("launch"), {});
  std::vector<double> values;
  for (std::size_t r = 0; r < sums->launch().size(); ++r) values.push_back(sums->launch().view().left(r));
  return values;
}

std::string why_refused(const std::string& operation, const OperationInputs& inputs, const char* order = nullptr) {
  try {
    lowered(operation, inputs, order);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

OperationInputs rows_and_starts(std::uint64_t seed, Trouble trouble) {
  return {troublesome_tensor(seed, Format::fp16, trouble, {3, kProducts}),
          troublesome_tensor(seed + 1, Format::fp16, trouble, {3, kProducts}), std::nullopt,
          troublesome_tensor(seed + 2, Format::fp32, trouble, {3}), kHalfFactors};
}

OperationInputs matrices(std::uint64_t seed, Trouble trouble) {
  return {troublesome_tensor(seed, Format::fp16, trouble, {3, kProducts}),
          troublesome_tensor(seed + 1, Format::fp16, trouble, {kProducts, 2}), std::nullopt,
          troublesome_tensor(seed + 2, Format::fp32, trouble, {3, 2}), kHalfFactors};
}

/// The same number, zeros of one sign, or NaN.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

double fused(const char* unit, const std::vector<Factors>& products, double start) {
  return fused_sum(*find_fused_unit(unit), Format::fp32, products, start).sum;
}

}  // namespace

TEST_CASE("a unit starts each sum of rows from self, in the format of the sums") {
  std::uint64_t seed = 10;
  for (const char* unit : {"v100_fp16", "h100_fp16", "mi100_fp16", "mi250_fp16", "mi300_fp16"})
    for (const Trouble trouble : kTroubles) {
      CAPTURE(std::string(unit));
      const OperationInputs inputs = rows_and_starts(seed += 3, trouble);
      const std::string order = "fused(" + std::string(unit) + ")";
      const auto operation = lowered("sum(axis=1)", inputs, order.c_str());
      const std::vector<double> results = results_of(operation);
      const ExactRows exact = exact_outputs(*operation);
      const EveryOrder proof(*operation, exact, Flushing::either);
      for (std::size_t r = 0; r < 3; ++r) {
        const auto products = products_of(inputs.source, r, *inputs.factor, r * kProducts, 1);
        CHECK(same(results[r], fused(unit, products, inputs.self->terms.view().left(r))));
        CHECK(!proof.excludes(r, round_to_bits(Format::fp32, results[r])));
      }
    }
}

TEST_CASE("where other stages follow the unit, self is added to the sum last") {
  const OperationInputs inputs = rows_and_starts(5, Trouble::near_one);
  const std::vector<double> results = results_of(lowered("sum(axis=1)", inputs, "fused(h100_fp16,run=16) | seq"));
  for (std::size_t r = 0; r < 3; ++r) {
    const auto products = products_of(inputs.source, r, *inputs.factor, r * kProducts, 1);
    float sum = 0;
    for (std::size_t k = 0; k < kProducts; k += 16) {
      const std::vector<Factors> some(products.begin() + static_cast<std::ptrdiff_t>(k),
                                      products.begin() + static_cast<std::ptrdiff_t>(std::min(kProducts, k + 16)));
      const auto piece = static_cast<float>(fused("h100_fp16", some, 0));
      sum = k == 0 ? piece : sum + piece;
    }
    CHECK(same(results[r], static_cast<double>(static_cast<float>(inputs.self->terms.view().left(r)) + sum)));
  }
}

TEST_CASE("a matmul by a unit has the bits of its steps, from self, from zero, and in splits") {
  std::uint64_t seed = 200;
  for (const Trouble trouble : kTroubles) {
    const OperationInputs inputs = matrices(seed += 3, trouble);
    OperationInputs from_zero = inputs;
    from_zero.self.reset();
    const auto with_self = results_of(lowered("matmul(3,2,40,split_k=1,unit=a100_fp16)", inputs));
    const auto without = results_of(lowered("matmul(3,2,40,split_k=1,unit=a100_fp16)", from_zero));
    const auto promoted = results_of(lowered("matmul(3,2,40,split_k=1,unit=a100_fp16,run=16)", from_zero));
    const auto split = results_of(lowered("matmul(3,2,40,tile=2x2x8,split_k=5,unit=a100_fp16)", inputs, "seq"));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const auto products = products_of(inputs.source, i, *inputs.factor, j, 2);
        const std::size_t r = i * 2 + j;
        const double start = inputs.self->terms.view().left(r);
        CHECK(same(with_self[r], fused("a100_fp16", products, start)));
        CHECK(same(without[r], fused("a100_fp16", products, 0)));
        const auto piece = [&](std::size_t begin, std::size_t count) {
          const auto first = products.begin() + static_cast<std::ptrdiff_t>(begin);
          return static_cast<float>(fused("a100_fp16", {first, first + static_cast<std::ptrdiff_t>(count)}, 0));
        };
        CHECK(same(promoted[r], static_cast<double>(piece(0, 16) + piece(16, 16) + piece(32, 8))));
        auto sum = static_cast<float>(start);
        for (std::size_t k = 0; k < kProducts; k += 8) sum += piece(k, 8);
        CHECK(same(split[r], static_cast<double>(sum)));
      }
  }
}

TEST_CASE("partial sums of a unit are rounded as partials= says") {
  OperationInputs inputs = matrices(9, Trouble::near_one);
  inputs.self.reset();
  const auto results =
      results_of(lowered("matmul(3,2,40,tile=2x2x8,split_k=5,unit=h100_fp16,partials=fp16)", inputs, "seq"));
  for (std::size_t r = 0; r < 6; ++r) {
    const auto products = products_of(inputs.source, r / 2, *inputs.factor, r % 2, 2);
    double sum = 0;
    for (std::size_t k = 0; k < kProducts; k += 8) {
      const auto first = products.begin() + static_cast<std::ptrdiff_t>(k);
      const double piece = fused("h100_fp16", {first, first + 8}, 0);
      const double stored = value_of_bits(Format::fp16, round_to_bits(Format::fp16, piece));
      sum = k == 0 ? stored : value_of_bits(Format::fp16, round_to_bits(Format::fp16, sum + stored));
    }
    CHECK(same(results[r], sum));
  }
}

TEST_CASE("a unit starts from self as it is, whatever its sum is rounded to") {
  OperationInputs inputs = matrices(9, Trouble::near_one);
  for (const double start : {2049.0, -70000.0, 0x1p-30}) {
    for (std::size_t r = 0; r < 6; ++r) inputs.self->terms.set(r, start);
    const auto results = results_of(lowered("matmul(3,2,40,split_k=1,unit=h100_fp16,partials=fp16)", inputs));
    for (std::size_t r = 0; r < 6; ++r) {
      const double sum = fused("h100_fp16", products_of(inputs.source, r / 2, *inputs.factor, r % 2, 2), start);
      CHECK(same(results[r], value_of_bits(Format::fp16, round_to_bits(Format::fp16, sum))));
    }
  }
}

TEST_CASE("self of one output has its one number") {
  OperationInputs inputs = rows_and_starts(31, Trouble::near_one);
  for (auto* tensor : {&inputs.source, &*inputs.factor}) tensor->shape = {3 * kProducts};
  Terms start(Format::fp32, 1);
  start.set(0, 0.75);
  inputs.self = Tensor{{}, std::move(start)};
  const auto results = results_of(lowered("sum(axis=0)", inputs, "fused(h100_fp16)"));
  std::vector<Factors> products;
  for (std::size_t k = 0; k < 3 * kProducts; ++k)
    products.push_back({inputs.source.terms.view().left(k), inputs.factor->terms.view().left(k)});
  CHECK(same(results[0], fused("h100_fp16", products, 0.75)));
}

TEST_CASE("rows start from other numbers than zero only where a unit adds them") {
  const OperationInputs inputs = rows_and_starts(3, Trouble::near_one);
  const double starts[] = {1, 2, 3};
  const Terms& x = inputs.source.terms;
  const TermRows rows{Format::fp16, 3, kProducts, x.view().x, kProducts, x.view().x, kProducts, starts};
  std::vector<double> sums(3);
  const RowSums by_unit(compile(parse_order("fused(h100_fp16)"), kProducts, kHalfFactors, true));
  by_unit.evaluate(rows, sums);
  for (std::size_t r = 0; r < 3; ++r)
    CHECK(same(sums[r], fused("h100_fp16", products_of(inputs.source, r, inputs.source, r * kProducts, 1), starts[r])));
  for (const char* order : {"seq(acc=fma)", "fused(h100_fp16,run=16) | seq", "pairwise"})
    CHECK_THROWS_AS(RowSums(compile(parse_order(order), kProducts, kHalfFactors, true)).evaluate(rows, sums), Error);
}

TEST_CASE("units of a matmul are refused where they do not fit, with what would") {
  const OperationInputs inputs = matrices(1, Trouble::near_one);
  CHECK(why_refused("matmul(3,2,40)", inputs, "fused(h100_fp16)")
            .ends_with("adds the sums of the splits, which are no products; say the unit that adds the products in the "
                       "operation, as in matmul(m,n,k,unit=h100_fp16)"));
  CHECK(why_refused("matmul(3,2,40,run=8)", inputs).ends_with("run= needs unit=, such as unit=h100_fp16"));
  CHECK(why_refused("matmul(3,2,40,unit=h100_bf16)", inputs) != "no error");
  OperationInputs wide = inputs;
  wide.self = troublesome_tensor(1, Format::fp64, Trouble::near_one, {3, 2});
  CHECK(why_refused("matmul(3,2,40,unit=h100_fp16)", wide)
            .ends_with("its inputs are fp16 and fp64; give arrays of one format, self in that or in fp32"));
}

}  // namespace orderlab::testing
