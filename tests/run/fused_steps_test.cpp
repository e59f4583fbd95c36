// Fused sums in vectors: the bits of the plain model, with every extension, in rows and alone.
#include "run/fused_steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "order/fused_inputs.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Format kFormatsOfSums[] = {Format::fp32, Format::fp16, Format::fp64};

/// Rows of n products each, and what they start from.
struct RowsOfProducts {
  std::vector<std::vector<Factors>> rows;
  std::vector<double> factors;  ///< of all rows, one after the other
  std::vector<double> starts;
};

RowsOfProducts draw_rows(FusedInputs& draw, std::size_t count, std::size_t n) {
  RowsOfProducts drawn;
  for (std::size_t r = 0; r < count; ++r) {
    FusedRow row = draw.next();
    drawn.starts.push_back(row.start);
    while (row.products.size() < n) {
      const FusedRow more = draw.next();
      row.products.insert(row.products.end(), more.products.begin(), more.products.end());
    }
    row.products.resize(n);
    for (const Factors& p : row.products) drawn.factors.insert(drawn.factors.end(), {p.x, p.y});
    drawn.rows.push_back(std::move(row.products));
  }
  return drawn;
}

/// Bits, one for every NaN.
std::uint64_t bits_but_of_nan(double x) { return round_to_bits(Format::fp64, x); }

/// Whether the vectors' bound is the model's, but for a rounding upward where a step was left to the model.
bool is_bound(double found, double expected) {
  if (!std::isfinite(expected)) return bits_but_of_nan(found) == bits_but_of_nan(expected);
  return found >= expected && found <= expected * (1 + 0x1p-40);
}

/// Sums and bounds that differ from those of the model.
std::uint64_t count_wrong(const FusedUnit& unit, Format sums, const RowsOfProducts& drawn, bool errors) {
  const std::size_t count = drawn.rows.size();
  const std::size_t n = drawn.rows[0].size();
  std::vector<double> found = drawn.starts;
  std::vector<double> bounds(errors ? count : 0, -1.0);
  add_fused(unit, sums, {drawn.factors.data(), count, n, n}, found, bounds);
  std::uint64_t wrong = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const FusedSum expected = fused_sum(unit, sums, drawn.rows[r], drawn.starts[r]);
    wrong += bits_but_of_nan(found[r]) != bits_but_of_nan(expected.sum) ? 1U : 0U;
    wrong += errors && !is_bound(bounds[r], expected.error) ? 1U : 0U;
  }
  return wrong;
}

void check_vectors(const FusedUnit& unit, Format sums, std::uint64_t seed, std::uint64_t count) {
  CAPTURE(unit.name);
  CAPTURE(unit.length);
  CAPTURE(unit.fraction_bits);
  CAPTURE(info(unit.terms).name);
  CAPTURE(info(sums).name);
  CAPTURE(seed);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    FusedInputs draw(unit, sums, seed);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t n = i == 0 ? 3 * unit.length + 1 : 13 * i % (3 * unit.length + 2);
      const RowsOfProducts drawn = draw_rows(draw, 1 + (10 + 7 * i) % 20, n);
      wrong += count_wrong(unit, sums, drawn, false) + count_wrong(unit, sums, drawn, true);
    }
    CHECK(wrong == 0);
  }
}

/// A step that cuts, as the stage `fused` describes one.
FusedUnit described(std::size_t length, int fraction_bits, FusedRounding rounding, Format terms) {
  FusedUnit unit{};
  unit.name = "described";
  unit.step = FusedStep::aligned;
  unit.terms = terms;
  unit.length = length;
  unit.fraction_bits = fraction_bits;
  unit.of_fp32 = rounding;
  unit.of_fp16 = rounding == FusedRounding::e8m13 ? FusedRounding::none : rounding;
  return unit;
}

/// Sums of rows by the order `fused(UNIT)`, and by the model.
void check_rows(const FusedUnit& unit, Format sums, std::size_t count, std::size_t n) {
  CAPTURE(unit.name);
  CAPTURE(info(sums).name);
  CAPTURE(count);
  CAPTURE(n);
  Terms terms = generate_terms("normal(0,1)", count * n, unit.terms, 3);
  terms.multiply_by(generate_terms("normal(0,1)", count * n, unit.terms, 4));
  const TermRows rows{unit.terms, count, n, terms.view().x, n, terms.view().y, n};
  const RowSums row_sums(
      compile(parse_order("fused(" + std::string(unit.name) + ")"), n, {unit.terms, sums, sums}, true));
  std::vector<double> found(count);
  row_sums.evaluate(rows, found);
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<Factors> products;
    for (std::size_t i = 0; i < n; ++i) products.push_back({rows.row(r).left(i), rows.row(r).right(i)});
    CHECK(bits_but_of_nan(found[r]) == bits_but_of_nan(fused_sum(unit, sums, products).sum));
  }
}

}  // namespace

TEST_CASE("vectors add by every unit as the model does, bit for bit") {
  std::uint64_t seed = 430;
  for (const FusedUnit& unit : fused_units())
    for (const Format sums : kFormatsOfSums)
      if (unit.built() && unit.rounding(sums) != FusedRounding::none) check_vectors(unit, sums, ++seed, trials(100));
}

TEST_CASE("vectors add by described units as the model does, on both sides of what their sums have room for") {
  struct Shape {
    std::size_t length;
    int fraction_bits;
  };
  constexpr Shape kShapes[] = {{1, 1},   {1, 50},  {1, 51},  {2, 25},  {3, 13},   {15, 47},   {16, 46},
                               {16, 47}, {16, 60}, {65, 44}, {65, 45}, {1024, 1}, {1024, 40}, {1024, 41}};
  std::uint64_t seed = 4300;
  for (const auto& [length, bits] : kShapes)
    for (const FusedRounding rounding : {FusedRounding::toward_zero, FusedRounding::to_nearest, FusedRounding::e8m13})
      for (const Format terms : {Format::fp32, Format::tf32, Format::e5m2}) {
        const bool is_long = length > 100;
        if (is_long && terms != Format::fp32) continue;
        const FusedUnit unit = described(length, bits, rounding, terms);
        for (const Format sums : {Format::fp32, Format::fp16})
          if (unit.rounding(sums) != FusedRounding::none) check_vectors(unit, sums, ++seed, is_long ? 1 : trials(10));
      }
}

TEST_CASE("rows are added by a unit as each of them is, whatever their number and length") {
  for (const FusedUnit& unit : fused_units())
    for (const Format sums : kFormatsOfSums)
      if (unit.built() && unit.rounding(sums) != FusedRounding::none)
        for (const std::size_t n : {1u, 2u, 31u, 100u}) check_rows(unit, sums, 21, n);
  for (const char* name : {"v100_fp16", "h100_e4m3_mma", "amx_bf16", "a100_fp64", "mi300_xf32"})
    for (const std::size_t count : {1u, 3u, 17u})
      for (const std::size_t n : {511u, 512u, 513u, 1030u})
        check_rows(*find_fused_unit(name), name == std::string("a100_fp64") ? Format::fp64 : Format::fp32, count, n);
}

TEST_CASE("factors of every format are written as the doubles that they are") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    for (const FormatInfo& format : kAllFormats) {
      if (!format.uses.terms) continue;
      CAPTURE(format.name);
      for (const std::size_t n : {1u, 7u, 8u, 9u, 40u}) {
        Terms terms = generate_terms("normal(0,1)", n, format.format, n);
        terms.multiply_by(generate_terms("normal(0,1e-7)", n, format.format, n + 1));
        std::vector<double> factors(2 * n, -1.0);
        write_factors(terms.view(), factors.data());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
          wrong += factors[2 * i] != terms.view().left(i) ? 1U : 0U;
          wrong += factors[2 * i + 1] != terms.view().right(i) ? 1U : 0U;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("vectors refuse a unit where it has no sums") {
  const double one[] = {1, 1};
  std::vector<double> sum{0};
  CHECK_THROWS_WITH_AS(add_fused(*find_fused_unit("h100_bf16"), Format::fp16, {one, 1, 1, 1}, sum),
                       "h100_bf16: no sums in fp16", Error);
}
