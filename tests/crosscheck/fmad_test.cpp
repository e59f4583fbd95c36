// Dot products compiled as orderlab::kernel_flags_fmad says: products are fused where nvcc fuses them.
#include <doctest/doctest.h>

#include <cmath>

#include "crosscheck/plain_dot.cuh"

namespace orderlab {
namespace {

bool skipped_on_this_cpu() {
  if (detail::cpu_can_fuse()) return false;
  CHECK_THROWS_AS((host_executor<PlainDot<Written::plain, true>>()), Error);
  return true;
}

TEST_CASE("with contraction a plain dot product follows a claim of fma, and no other") {
  if (skipped_on_this_cpu()) return;
  CHECK(checked_dot<Written::plain, true>().mismatches() == 0);
  const CrossChecks rounded = checked_dot<Written::plain, false>();
  CHECK(rounded.mismatches() > 0);
  CHECK(rounded.warnings.empty());
  const std::string& basis = rounded.rows[0].kinds[0].first.basis;
  CHECK(basis.find("; with fused products it fits: tile(") != std::string::npos);
  CHECK(basis.find(",acc=fma) | seq(from=zero)") != std::string::npos);
}

TEST_CASE("with contraction, intrinsics round every product as on a GPU") {
  if (skipped_on_this_cpu()) return;
  CHECK(checked_dot<Written::by_intrinsics, false>().mismatches() == 0);
  CHECK(checked_dot<Written::in_parts, false>().mismatches() == 0);
}

// The values of x, y, z, w, s make every way of fusing visible.
template <class F>
__global__ void evaluate(F expression, const float* x, float* result) {
  const float a = x[0], b = x[1], c = x[2], d = x[3];
  *result = expression(a, b, c, d);
}

template <class F>
float on_host(F expression) {
  simt::Device device;
  const float x[] = {1 + 0x1p-12F, 1 + 0x1p-12F, 1 + 0x1p-13F, -1 - 3 * 0x1p-13F};
  float* const result = device.zeros<float>(1);
  device.launch("expression", evaluate<F>, 1, 1, 0, expression, device.input<float>(x), result);
  return device.result(result);
}

TEST_CASE("with contraction, expressions are fused as nvcc 13 fuses them for sm_80") {
  if (skipped_on_this_cpu()) return;
  const float a = 1 + 0x1p-12F;
  const float b = a;
  const float c = 1 + 0x1p-13F;
  const float d = -1 - 3 * 0x1p-13F;
  const volatile float cd = c * d;  // rounded
  const volatile float ab = a * b;
  CHECK(on_host([](float p, float q, float r, float s) { return p * q + r * s; }) == std::fma(a, b, cd));
  CHECK(on_host([](float p, float q, float r, float s) { return p * q - r * s; }) == std::fma(a, b, -cd));
  CHECK(on_host([](float p, float q, float r, float) { return r - p * q; }) == std::fma(-a, b, c));
  CHECK(on_host([](float p, float q, float r, float s) { return s + p * q + r * s; }) ==
        std::fma(c, d, std::fma(a, b, d)));
  CHECK(on_host([](float p, float q, float r, float s) { return s + (p * q + r * s); }) == d + std::fma(a, b, cd));
  CHECK(on_host([](float p, float q, float r, float s) { return p * q * r + s; }) == std::fma(ab, c, d));
}

}  // namespace
}  // namespace orderlab
