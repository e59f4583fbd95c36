// Fused units: the plain model against an independent one, its error bounds, and the list.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "order/fused_oracle.hpp"
#include "order/instruction_rows.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "reference/hard_inputs.hpp"
#include "run/mpfr_nodes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Format kSums[] = {Format::fp32, Format::fp16, Format::fp64};

/// A row of products for a unit, and the sum before them.
struct FusedRow {
  std::vector<Factors> products;
  double start = 0;
};

/// Draws rows that are biased to what cuts, cancels, underflows and overflows.
class FusedRows {
 public:
  FusedRows(const FusedUnit& unit, Format accumulate, std::uint64_t seed)
      : unit_(unit), accumulate_(accumulate), draw_(RandomStream(seed, 0, 0), 0) {}

  FusedRow next() {
    const std::uint64_t kind = below(draw_, 6);
    FusedRow row;
    const std::size_t n = 1 + below(draw_, 3 * unit_.length);
    for (std::size_t k = 0; k < n; ++k) {
      if (kind == 1 && k > 0 && chance(draw_, 2)) {  // cancels the product before, but for the last bit
        const Factors p = row.products.back();
        row.products.push_back({-p.x, chance(draw_, 2) ? p.y : neighbour(unit_.terms, p.y)});
      } else {
        row.products.push_back({factor(kind), factor(kind)});
      }
    }
    row.start = start(kind, row.products);
    if (chance(draw_, 50)) row.products[below(draw_, n)].x = special();
    return row;
  }

 private:
  double with_exponent(Format format, int exponent) {
    const FormatInfo& f = info(format);
    const auto fraction = draw_() & ((std::uint64_t{1} << (f.precision - 1)) - 1);
    const double significand = 1 + std::ldexp(static_cast<double>(fraction), 1 - f.precision);
    return with_random_sign(draw_, std::ldexp(significand, exponent));
  }

  double neighbour(Format format, double x) const { return value_of_bits(format, round_to_bits(format, x) ^ 1); }

  double number(Format format, std::uint64_t kind) {
    const FormatInfo& f = info(format);
    if (chance(draw_, 16)) return with_random_sign(draw_, 0.0);
    const auto near_end = static_cast<int>(below(draw_, 3));
    switch (kind) {
      case 0:  // equal exponents, almost
        return with_exponent(format, near_end / 2);
      case 2:  // subnormal, or nearly
        return near_end == 0 ? with_exponent(format, f.e_min + 1)
                             : value_of_bits(format, draw_() & ((std::uint64_t{1} << f.precision) - 1));
      case 3:  // near the greatest
        return with_exponent(format, f.e_max - 1 - near_end);
      case 4: {  // three levels
        const int level = static_cast<int>(below(draw_, 3)) - 1;
        return with_exponent(format, level * std::min(12, -f.e_min / 2));
      }
      case 5:
        return any_finite(draw_, format);
      default:
        return with_exponent(format, static_cast<int>(below(draw_, 8)) - 4);
    }
  }

  double factor(std::uint64_t kind) { return number(unit_.terms, kind); }

  double start(std::uint64_t kind, const std::vector<Factors>& products) {
    if (chance(draw_, 4)) return 0;
    if (chance(draw_, 4)) {  // cancels the first products
      const Factors& p = products[0];
      return value_of_bits(accumulate_, round_to_bits(accumulate_, -p.x * p.y));
    }
    return number(accumulate_, kind);
  }

  double special() {
    const double specials[] = {HUGE_VAL, -HUGE_VAL, std::nan("")};
    return specials[below(draw_, 3)];
  }

  const FusedUnit& unit_;
  Format accumulate_;
  IndexGenerator draw_;
};

/// Bits, one for every NaN.
std::uint64_t result_bits(double x) { return round_to_bits(Format::fp64, x); }

double oracle_sum(const FusedUnit& unit, Format accumulate, const FusedRow& row) {
  if (accumulate != Format::fp64) return FusedOracle(unit, accumulate).sum(row.products, row.start);
  double sum = row.start;
  for (const Factors& p : row.products) sum = MpfrNodes::fused(Format::fp64, p.x, p.y, sum);
  return sum;
}

bool all_finite(const FusedRow& row, double sum) {
  bool finite = std::isfinite(sum) && std::isfinite(row.start);
  for (const Factors& p : row.products) finite = finite && std::isfinite(p.x) && std::isfinite(p.y);
  return finite;
}

void check_unit(const FusedUnit& unit, Format accumulate, std::uint64_t seed) {
  CAPTURE(unit.name);
  CAPTURE(info(accumulate).name);
  CAPTURE(seed);
  FusedRows rows(unit, accumulate, seed);
  std::uint64_t wrong = 0;
  std::uint64_t beyond = 0;
  const std::uint64_t count = trials(10'000);
  for (std::uint64_t i = 0; i < count; ++i) {
    const FusedRow row = rows.next();
    const FusedSum found = fused_sum(unit, accumulate, row.products, row.start);
    const double expected = oracle_sum(unit, accumulate, row);
    const bool same = (found.sum == 0 && expected == 0) || result_bits(found.sum) == result_bits(expected);
    if (!same && wrong++ == 0) {
      CAPTURE(i);
      CHECK(found.sum == expected);
    }
    if (accumulate != Format::fp64 && all_finite(row, found.sum) &&
        !FusedOracle::within(row.products, row.start, found.sum, found.error))
      ++beyond;
  }
  CHECK(wrong == 0);
  CHECK(beyond == 0);
}

}  // namespace

TEST_CASE("every unit equals an independent model in each bit, and its error bound holds") {
  std::uint64_t seed = 43;
  for (const FusedUnit& unit : fused_units())
    for (const Format accumulate : kSums)
      if (unit.built() && unit.rounding(accumulate) != FusedRounding::none) check_unit(unit, accumulate, ++seed);
}

TEST_CASE("units of x86 equal an independent model in each bit where sums flush, with the signs of zeros") {
  for (const std::string_view name : {"amx_bf16", "avx512_bf16"}) {
    CAPTURE(name);
    const FusedUnit& unit = *find_fused_unit(name);
    InstructionRows rows(45);
    std::uint64_t wrong = 0;
    const std::uint64_t count = trials(20'000);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::vector<Factors> row = rows.next();
      const FusedSum found = fused_sum(unit, Format::fp32, row);
      const double expected = FusedOracle(unit, Format::fp32).sum(row, 0);
      if (result_bits(found.sum) != result_bits(expected) && wrong++ == 0) {
        CAPTURE(i);
        CHECK(found.sum == expected);
      }
      if (all_finite({row, 0}, found.sum)) CHECK(FusedOracle::within(row, 0, found.sum, found.error));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("units have names of their own, formats, evidence and a source") {
  std::set<std::string_view> names;
  for (const FusedUnit& unit : fused_units()) {
    CAPTURE(unit.name);
    CHECK(names.insert(unit.name).second);
    CHECK(find_fused_unit(unit.name) == &unit);
    for (const std::string_view alias : unit.aliases) {
      if (alias.empty()) continue;
      CHECK(names.insert(alias).second);
      CHECK(find_fused_unit(alias) == &unit);
    }
    CHECK(unit.length > 0);
    CHECK(!unit.factors.empty());
    CHECK(!unit.evidence.empty());
    CHECK(!unit.source.empty());
    CHECK(!summary_of(unit.step).empty());
    bool sums = false;
    for (const Format accumulate : kSums) sums = sums || unit.rounding(accumulate) != FusedRounding::none;
    CHECK(sums);
  }
  CHECK(find_fused_unit("") == nullptr);
  CHECK(find_fused_unit("v101_fp16") == nullptr);
}

TEST_CASE("a unit is refused where it has no sums") {
  const std::vector<Factors> one{{1, 1}};
  CHECK_THROWS_WITH_AS(fused_sum(*find_fused_unit("h100_bf16"), Format::fp16, one), "h100_bf16: no sums in fp16",
                       Error);
  CHECK_THROWS_AS(fused_sum(*find_fused_unit("b200_nvf4"), Format::fp32, one), Error);
}

TEST_CASE("what is cut from each term, and the rounding toward zero, show in small sums") {
  const FusedUnit& v100 = *find_fused_unit("v100_fp16");
  const FusedUnit& h100 = *find_fused_unit("h100_fp16");
  const std::vector<Factors> tiny{{0x1p-12, 0x1p-12}, {0x1p-12, 0x1p-12}};  // 2 * 2^-24
  CHECK(fused_sum(v100, Format::fp32, tiny, 1).sum == 1);                   // each is below 2^-23
  CHECK(fused_sum(h100, Format::fp32, tiny, 1).sum == 1 + 0x1p-23);         // 25 bits keep both
  CHECK(fused_sum(h100, Format::fp32, tiny, -1).sum == -1 + 0x1p-23);
  CHECK(fused_sum(h100, Format::fp32, std::vector<Factors>{{0x1p-12, 0x1p-12}}, 1).sum == 1);  // cut, not rounded
}
