#include "crosscheck/contraction.hpp"

#include <algorithm>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

bool claims_rounded_products(const KernelInfo& kernel, const CrossCheckOptions& options) {
  if (kernel.claim == nullptr) return true;
  return std::any_of(kernel.shapes.begin(), kernel.shapes.end(), [&](const LaunchShape& shape) {
    const std::string claim =
        parse_order(kernel.claim(shape, options.sizes.front()), {}, options.vocabulary).expression();
    return claim.find("acc=fma") == std::string::npos;
  });
}

bool runs_in_16_bits(const KernelInfo& kernel, const CrossCheckOptions& options) {
  return std::any_of(options.formats.begin(), options.formats.end(),
                     [&](Format format) { return kernel.has(format) && info(format).bits == 16; });
}

}  // namespace

std::vector<std::string> contraction_warnings(std::span<const Executor> executors, const CrossCheckOptions& options) {
  std::vector<std::string> warnings;
  for (const Executor& executor : executors) {
    const KernelInfo& kernel = *executor.kernel;
    if ((!kernel.products && !executor.map) || kernel.uncontracted) continue;
    const std::string name(kernel.name);
    const std::string claimed = executor.map              ? "its map, if it multiplies, rounds products"
                                : kernel.claim == nullptr ? "the order that was seen rounds products"
                                                          : "its claim rounds products";
    if (executor.contraction == Contraction::never && claims_rounded_products(kernel, options))
      warnings.push_back(name + ": " + claimed +
                         ", and this run fused none; nvcc fuses acc += a*b unless "
                         "told --fmad=false. Compile this check with orderlab::kernel_flags_fmad and claim acc=fma, or "
                         "compile the kernel with --fmad=false or write __fmul_rn, and set KernelInfo::uncontracted");
    if (executor.contraction == Contraction::wide && runs_in_16_bits(kernel, options))
      warnings.push_back(name +
                         ": this run fused no 16-bit products; nvcc fuses those of __half, and those of "
                         "__nv_bfloat16 from sm_90 on, unless told --fmad=false. Write __hfma, or __hmul_rn and "
                         "__hadd_rn, and set KernelInfo::uncontracted");
  }
  return warnings;
}

}  // namespace orderlab
