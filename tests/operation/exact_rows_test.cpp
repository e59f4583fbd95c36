// Exact rows beside sums, quotients and products by MPFR and by ExactSum, row by row.
#include "operation/exact_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/mpfr_oracle.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using ExactTestRows = std::vector<std::vector<double>>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// ExactTestRows as contributions; where `initial` is set, the first number of each row is its initial value.
Contributions rows_as_contributions(const ExactTestRows& rows, Format format, bool initial) {
  Contributions result;
  result.row_begin.push_back(0);
  std::size_t count = 0;
  for (const auto& row : rows) {
    count += row.size() - (initial ? 1 : 0);
    result.row_begin.push_back(static_cast<std::uint32_t>(count));
  }
  result.unit.assign(count, 0);
  result.units = 1;
  result.values = Terms(format, std::max<std::size_t>(count, 1));
  if (initial) result.initial = Terms(format, rows.size());
  std::size_t at = 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      if (initial && i == 0)
        result.initial->set(r, rows[r][0]);
      else
        result.values.set(at++, rows[r][i]);
    }
  return result;
}

std::uint64_t rounded_bits_at(const Terms& terms, std::size_t i) {
  return round_to_bits(terms.format(), terms.view().left(i));
}

/// Draws of one trial of one test; they repeat after 2^17.
IndexGenerator exact_rows_draws(std::uint64_t test, std::uint64_t trial) {
  return {RandomStream(2024, streams::kTerms, test), trial};
}

bool same_double(double a, double b) { return round_to_bits(Format::fp64, a) == round_to_bits(Format::fp64, b); }

/// Numbers of `format` for a row: of the kinds of hard_terms, or near each other; never NaN or infinite.
std::vector<double> random_number_row(IndexGenerator& draw, Format format) {
  std::vector<double> row;
  const std::uint64_t kind = below(draw, 3);
  if (kind == 0) {
    row = hard_terms(draw);
  } else {
    row.resize(below(draw, chance(draw, 10) ? 40 : 5));
    for (double& x : row) x = kind == 1 ? near_one(draw) : any_finite(draw, format);
  }
  for (double& x : row) {
    x = value_of_bits(format, round_to_bits(format, x));
    if (!std::isfinite(x)) x = with_random_sign(draw, 1);
  }
  return row;
}

ExactTestRows random_number_rows(IndexGenerator& draw, Format format, std::size_t count, bool initial) {
  ExactTestRows rows(count);
  for (auto& row : rows) {
    row = random_number_row(draw, format);
    if (initial && row.empty()) row.push_back(any_finite(draw, format));
  }
  return rows;
}

bool negative_zeros_only(const std::vector<double>& row) {
  return !row.empty() && std::ranges::all_of(row, [](double x) { return x == 0 && std::signbit(x); });
}

/// Checks row `r` of `found` against `exact`, whose zero has the sign of `zero`. Where `exact_low`, the lower half must
/// be the nearest double, else right to 2^-104 of the result.
void check_exact_row(const ExactRows& found, std::size_t r, const Mpfr& exact, double zero, bool exact_low) {
  const Format result = found.rounded.format();
  const bool is_zero = mpfr_zero_p(exact.get()) != 0;
  const double high = is_zero ? zero : mpfr_get_d(exact.get(), MPFR_RNDN);
  CHECK(same_double(found.high[r], high));
  CHECK(rounded_bits_at(found.rounded, r) == (is_zero ? round_to_bits(result, zero) : rounded_bits(result, exact)));
  if (is_zero || !std::isfinite(high)) {
    CHECK(same_double(found.low[r], 0));
  } else {
    Mpfr rest;
    mpfr_sub_d(rest.get(), exact.get(), high, MPFR_RNDN);
    if (exact_low) {
      CHECK(same_double(found.low[r], mpfr_get_d(rest.get(), MPFR_RNDN) + 0.0));
    } else {
      mpfr_sub_d(rest.get(), rest.get(), found.low[r], MPFR_RNDN);
      const double allowed = std::max(0x1p-104 * std::fabs(high), 0x1p-1074);
      CHECK(std::fabs(mpfr_get_d(rest.get(), MPFR_RNDA)) <= allowed);
    }
  }
  const FormatInfo& f = info(result);
  if (is_zero) {
    const double unit = f.unit_roundoff() * found.magnitude[r];
    CHECK(same_double(found.ulp[r], unit == 0 ? f.smallest_subnormal() : unit));
  } else {
    const auto exponent = static_cast<int>(std::clamp<mpfr_exp_t>(mpfr_get_exp(exact.get()) - 1, -9999, 9999));
    CHECK(same_double(found.ulp[r], std::ldexp(1.0, ulp_exponent(result, exponent))));
  }
}

void check_magnitude(double found, const std::vector<double>& row, std::uint32_t divisor) {
  std::vector<double> sizes;
  for (const double x : row) sizes.push_back(std::fabs(x));
  Mpfr sum;
  mpfr_exact_sum(sum, sizes);
  const bool large = !(mpfr_get_d(sum.get(), MPFR_RNDN) < 0x1.ffffffffffp1023);
  mpfr_div_ui(sum.get(), sum.get(), divisor, MPFR_RNDN);
  const double magnitude = mpfr_get_d(sum.get(), MPFR_RNDN);
  if (large && std::isinf(found)) return;
  const double n = static_cast<double>(row.size());
  const double units = row.size() <= 8 ? std::max(n - 1, 0.0) : 1 + n * n * 0x1p-53;
  mpfr_sub_d(sum.get(), sum.get(), found, MPFR_RNDN);
  const double divided = divisor > 1 ? 1 : 0;
  CHECK(std::fabs(mpfr_get_d(sum.get(), MPFR_RNDA)) <=
        (units + divided) * 0x1p-53 * magnitude * (1 + 0x1p-40) + divided * 0x1p-1074);
}

void check_sums(const ExactTestRows& rows, Format format, Format result, bool initial) {
  const ExactRows found = exact_rows(rows_as_contributions(rows, format, initial), Combine::add, result);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    CAPTURE(hex_list(rows[r]));
    CAPTURE(info(format).name);
    CAPTURE(info(result).name);
    Mpfr exact;
    mpfr_exact_sum(exact, rows[r]);
    check_exact_row(found, r, exact, negative_zeros_only(rows[r]) ? -0.0 : 0.0, true);
    check_magnitude(found.magnitude[r], rows[r], 1);
    ExactSum sum;
    for (const double x : rows[r]) sum.add(x);
    CHECK(rounded_bits_at(found.rounded, r) == (rows[r].empty() ? 0 : sum.value().round_to(result)));
  }
}

}  // namespace

TEST_CASE("sums of rows are exact, and rounded once") {
  std::uint64_t trial = 0;
  for (const FormatInfo& format : kFormats)
    for (const FormatInfo& result : kFormats)
      for (const bool initial : {false, true}) {
        IndexGenerator draw = exact_rows_draws(1, trial++);
        check_sums(random_number_rows(draw, format.format, trials(300), initial), format.format, result.format,
                   initial);
      }
}

TEST_CASE("halfway cases with a tiny third number are rounded to its side") {
  const double tie = 1 + 0x1p-24;  // between two numbers of fp32
  ExactTestRows rows;
  for (const double sign : {1.0, -1.0})
    for (const double tiny : {0x1p-60, -0x1p-60, 0x1p-140, -0x1p-140, 0x1p-77, -0x1p-77, 0.0}) {
      rows.push_back({sign, sign * (tie - 1), tiny});
      rows.push_back({tiny, sign * (tie - 1), sign});
      rows.push_back({sign * (1 + 0x1p-23), sign * 0x1p-24, tiny});
      rows.push_back({sign * 0x1p-126, sign * 0x1p-149, tiny});
      rows.push_back({0x1p127 * sign, 0x1.fffffep126 * sign, 0x1p102 * sign, tiny});  // about the end of fp32
    }
  for (const Format result : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    for (const bool initial : {false, true}) check_sums(rows, Format::fp32, result, initial);
  for (auto& row : rows) row.push_back(row[0] * 0x1p-53);
  check_sums(rows, Format::fp64, Format::fp32, false);

  ExactTestRows wide;  // the same of fp64: halves of an ulp, and what decides far below
  for (const double sign : {1.0, -1.0})
    for (const double tiny : {0x1p-106, -0x1p-106, 0x1p-107, -0x1p-160, 0x1p-160, 0x1p-1074, -0x1p-1074})
      for (const double one : {1.0, 1 + 0x1p-52}) {
        wide.push_back({sign * one, sign * 0x1p-53, tiny});
        wide.push_back({tiny, sign * one, sign * 0x1p-53});
        wide.push_back({sign * one, tiny, -sign * 0x1p-53});
        wide.push_back({sign * one, 0x1p-54, 0x1p-54, tiny, -tiny / 2});
        wide.push_back({sign * one, -0x1p-54, 0x1p-105, tiny});
      }
  check_sums(wide, Format::fp64, Format::fp64, false);
  check_sums(wide, Format::fp64, Format::fp32, true);
}

TEST_CASE("zeros, infinities and NaN are those of IEEE 754") {
  const ExactTestRows rows{{-0.0},
                           {0.0},
                           {-0.0, -0.0},
                           {-0.0, 0.0},
                           {1, -1},
                           {-1, 1, -0.0},
                           {kInfinity},
                           {-kInfinity, 1},
                           {kInfinity, -kInfinity},
                           {kNotANumber},
                           {kNotANumber, kInfinity, 1},
                           {kInfinity, kInfinity, -0.0},
                           {1, 2, -kInfinity},
                           {-0.0, -0.0, -0.0},
                           {0x1p-149, -0x1p-149},
                           {kInfinity, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    for (const bool initial : {false, true}) {
      const ExactRows found = exact_rows(rows_as_contributions(rows, format, initial), Combine::add, format);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        CAPTURE(hex_list(rows[r]));
        double sum = -0.0;
        double size = 0;
        for (const double x : rows[r]) {
          const double value = value_of_bits(format, round_to_bits(format, x));
          sum += value;
          size += std::fabs(value);
        }
        CHECK(same_double(found.high[r], sum));
        CHECK(same_double(found.low[r], 0));
        CHECK(same_double(found.magnitude[r], size));
        CHECK(rounded_bits_at(found.rounded, r) == round_to_bits(format, sum));
        if (!std::isfinite(sum)) CHECK(std::isnan(found.ulp[r]));
      }
    }
}

TEST_CASE("a sum beyond the doubles is infinite, and has an ulp") {
  const double largest = std::numeric_limits<double>::max();
  const ExactTestRows rows{{largest, largest}, {-largest, -largest, -largest}, {largest, largest, -largest}};
  const ExactRows found = exact_rows(rows_as_contributions(rows, Format::fp64, false), Combine::add, Format::fp64);
  CHECK(found.high == RowNumbers{kInfinity, -kInfinity, largest});
  CHECK(found.low == RowNumbers{0, 0, 0});
  CHECK(found.ulp == RowNumbers{0x1p972, 0x1p973, 0x1p971});
}

TEST_CASE("an empty row is its initial value, or 0, or 1") {
  Contributions rows = rows_as_contributions(ExactTestRows(3), Format::fp32, false);
  CHECK(same_double(exact_rows(rows, Combine::add, Format::fp32).high[1], 0));
  CHECK(same_double(exact_rows(rows, Combine::multiply, Format::fp32).high[1], 1));
  rows.initial = Terms(Format::fp32, 3);
  rows.initial->set(1, -0.0);
  rows.initial->set(2, 2.5);
  for (const Combine combine : {Combine::add, Combine::multiply}) {
    const ExactRows found = exact_rows(rows, combine, Format::fp16);
    CHECK(same_double(found.high[0], 0));
    CHECK(same_double(found.high[1], -0.0));
    CHECK(rounded_bits_at(found.rounded, 1) == 0x8000);
    CHECK(found.high[2] == 2.5);
  }
}

TEST_CASE("means are the exact ones, rounded once") {
  std::uint64_t trial = 0;
  for (const FormatInfo& format : kFormats)
    for (const FormatInfo& result : kFormats) {
      IndexGenerator draw = exact_rows_draws(2, trial++);
      ExactTestRows rows = random_number_rows(draw, format.format, trials(400), false);
      std::vector<std::uint32_t> counts;
      for (auto& row : rows) {
        std::uint32_t count = static_cast<std::uint32_t>(std::max<std::size_t>(row.size(), 1));
        if (chance(draw, 4)) count = static_cast<std::uint32_t>(1 + below(draw, 1000));
        if (chance(draw, 10)) count = static_cast<std::uint32_t>(draw() >> 32 | 1);
        if (chance(draw, 4)) {  // a mean that is a tie, or is next to one
          const double tie = value_of_bits(result.format, round_to_bits(result.format, near_one(draw)));
          row = {tie * count, std::ldexp(count, std::ilogb(tie) - result.precision)};
          if (chance(draw, 2)) row.push_back(with_random_sign(draw, 0x1p-140));
          for (double& x : row) x = value_of_bits(format.format, round_to_bits(format.format, x));
          if (!std::isfinite(row[0])) row[0] = 1;
          if (row.size() > 1 && !std::isfinite(row[1])) row[1] = 1;
        }
        counts.push_back(count);
      }
      const ExactRows found = exact_rows(rows_as_contributions(rows, format.format, false), Combine::add, result.format,
                                         serial_loop, counts);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        CAPTURE(hex_list(rows[r]));
        CAPTURE(counts[r]);
        CAPTURE(result.name);
        Mpfr exact;
        mpfr_exact_sum(exact, rows[r]);
        mpfr_div_ui(exact.get(), exact.get(), counts[r], MPFR_RNDN);
        check_exact_row(found, r, exact, negative_zeros_only(rows[r]) ? -0.0 : 0.0, false);
        check_magnitude(found.magnitude[r], rows[r], counts[r]);
      }
    }
}

TEST_CASE("means of what is not finite are not finite") {
  const ExactTestRows rows{{kInfinity, 1}, {kNotANumber}, {kInfinity, -kInfinity}, {-kInfinity}};
  const std::vector<std::uint32_t> counts{2, 1, 2, 1};
  const ExactRows found =
      exact_rows(rows_as_contributions(rows, Format::fp32, false), Combine::add, Format::fp32, serial_loop, counts);
  const double expected[] = {kInfinity, kNotANumber, kNotANumber, -kInfinity};
  for (std::size_t r = 0; r < 4; ++r) CHECK(same_double(found.high[r], expected[r]));
}

TEST_CASE("products of rows are exact, and rounded once") {
  std::uint64_t trial = 0;
  for (const FormatInfo& format : kFormats)
    for (const FormatInfo& result : kFormats)
      for (const bool initial : {false, true}) {
        IndexGenerator draw = exact_rows_draws(3, trial++);
        ExactTestRows rows(trials(200));
        for (auto& row : rows) {
          row.resize(1 + below(draw, chance(draw, 20) ? 40 : 5));
          const bool any = chance(draw, 2);
          for (double& x : row) {
            x = any ? any_finite(draw, format.format) : near_one(draw);
            x = value_of_bits(format.format, round_to_bits(format.format, x));
            if (!std::isfinite(x)) x = -1;
          }
        }
        const ExactRows found =
            exact_rows(rows_as_contributions(rows, format.format, initial), Combine::multiply, result.format);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          CAPTURE(hex_list(rows[r]));
          Mpfr exact;
          mpfr_set_ui(exact.get(), 1, MPFR_RNDN);
          double zero = 0.0;
          for (const double x : rows[r]) {
            mpfr_mul_d(exact.get(), exact.get(), x, MPFR_RNDN);
            zero = std::signbit(x) ? -zero : zero;
          }
          check_exact_row(found, r, exact, zero, true);
          CHECK(found.magnitude[r] == std::fabs(found.high[r]));
        }
      }
}

TEST_CASE("factors that are not finite make products of IEEE 754") {
  const ExactTestRows rows{{kInfinity, -2}, {kInfinity, 0}, {kNotANumber, 0}, {-kInfinity, -kInfinity},
                           {0, -3},         {-0.0, -3},     {1, 1, kInfinity}};
  const double expected[] = {-kInfinity, kNotANumber, kNotANumber, kInfinity, -0.0, 0.0, kInfinity};
  const ExactRows found = exact_rows(rows_as_contributions(rows, Format::fp32, true), Combine::multiply, Format::fp32);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    CHECK(same_double(found.high[r], expected[r]));
    CHECK(std::isnan(found.ulp[r]) == !std::isfinite(expected[r]));
  }
}

TEST_CASE("rows in parts, in any order, into old memory, are the same") {
  IndexGenerator draw = exact_rows_draws(4, 0);
  ExactTestRows rows(40000);
  for (auto& row : rows) {
    row.resize(below(draw, 4));
    for (double& x : row) x = static_cast<double>(static_cast<float>(near_one(draw)));
  }
  const Loop backwards = [](std::size_t count, const std::function<void(std::size_t)>& body) {
    CHECK(count > 1);
    for (std::size_t part = count; part-- > 0;) body(part);
  };
  const Contributions contributions = rows_as_contributions(rows, Format::fp32, false);
  const ExactRows a = exact_rows(contributions, Combine::add, Format::fp32);
  ExactRows b = exact_rows(contributions, Combine::multiply, Format::fp32);
  exact_rows(contributions, Combine::add, b, backwards);
  CHECK(a.high == b.high);
  CHECK(a.low == b.low);
  CHECK(a.magnitude == b.magnitude);
  CHECK(a.ulp == b.ulp);
  CHECK(a.rounded.hash() == b.rounded.hash());
}
