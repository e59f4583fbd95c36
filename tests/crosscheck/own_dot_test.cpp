// Dot products compiled as orderlab::kernel_flags says: nothing is fused.
#include <doctest/doctest.h>

#include "crosscheck/plain_dot.cuh"

namespace orderlab {
namespace {

TEST_CASE("without contraction a plain dot product rounds its products, whatever nvcc makes of it: a warning says so") {
  const CrossChecks rounded = checked_dot<Written::plain, false>();
  CHECK(rounded.mismatches() == 0);
  REQUIRE(rounded.warnings.size() == 1);
  CHECK(rounded.warnings[0].find("rounded_dot: its claim rounds products, and this run fused none; nvcc fuses") == 0);
  CHECK(rounded.warnings[0].find("orderlab::kernel_flags_fmad") != std::string::npos);
}

TEST_CASE("without contraction a claim of fma fails for a plain dot product") {
  const CrossChecks fused = checked_dot<Written::plain, true>();
  CHECK(fused.mismatches() > 0);
  CHECK(fused.warnings.empty());
  CHECK(fused.rows[0].first->kind == MismatchKind::another_order);
  CHECK(fused.rows[0].kinds[0].first.basis.find("; with rounded products it fits: tile(") != std::string::npos);
}

TEST_CASE("the shipped dot products are uncontracted by intrinsics, and none is warned about") {
  const CrossChecks checks = crosscheck(host_executors(), {.sizes = {33}, .formats = {Format::fp32}, .seeds = 1});
  CHECK(checks.warnings.empty());
}

TEST_CASE("a CPU without fused multiply-add is refused in one line") {
  CHECK_NOTHROW(detail::require_fma(true));
  CHECK_THROWS_WITH_AS(detail::require_fma(false), doctest::Contains("need a CPU with fused multiply-add"), Error);
}

}  // namespace
}  // namespace orderlab
