// Fused units: the plain model against an independent one, its error bounds, and the list.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "order/fused_inputs.hpp"
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
  FusedInputs rows(unit, accumulate, seed);
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
