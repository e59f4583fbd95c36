// VDPBF16PS: to each fp32 number of a vector it adds two products of bf16 numbers. Written as assembly: clang 16 fails
// on some vectors of the intrinsic's type.
#include "crosscheck/instructions/instruction.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace orderlab {

namespace {

/// How many sums an instruction makes: in vectors of 128, 256 and 512 bits.
constexpr LaunchShape kVdpShapes[] = {{.threads = 4}, {.threads = 8}, {.threads = 16}};
constexpr Formats kVdpFormats[] = {{Format::bf16, Format::fp32, Format::fp32}};

#if defined(__x86_64__)

#define ORDERLAB_VDP_TARGET __attribute__((target("avx512bf16,avx512f,avx512vl")))

// Pairs of numbers as the instruction takes them: the first one below the second.

ORDERLAB_VDP_TARGET void vdp_sums(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                                  std::array<std::uint32_t, 4>& sums) {
  __m128 sum = _mm_setzero_ps();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const __m128i a = _mm_set1_epi32(static_cast<int>(x[i]));
    const __m128i b = _mm_set1_epi32(static_cast<int>(y[i]));
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  }
  _mm_storeu_ps(reinterpret_cast<float*>(sums.data()), sum);
}

ORDERLAB_VDP_TARGET void vdp_sums(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                                  std::array<std::uint32_t, 8>& sums) {
  __m256 sum = _mm256_setzero_ps();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const __m256i a = _mm256_set1_epi32(static_cast<int>(x[i]));
    const __m256i b = _mm256_set1_epi32(static_cast<int>(y[i]));
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  }
  _mm256_storeu_ps(reinterpret_cast<float*>(sums.data()), sum);
}

ORDERLAB_VDP_TARGET void vdp_sums(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                                  std::array<std::uint32_t, 16>& sums) {
  __m512 sum = _mm512_setzero_ps();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const __m512i a = _mm512_set1_epi32(static_cast<int>(x[i]));
    const __m512i b = _mm512_set1_epi32(static_cast<int>(y[i]));
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  }
  _mm512_storeu_ps(reinterpret_cast<float*>(sums.data()), sum);
}

template <std::size_t Count>
std::vector<std::uint32_t> vdp_vector(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) {
  std::array<std::uint32_t, Count> sums{};
  vdp_sums(x, y, sums);
  return {sums.begin(), sums.end()};
}

std::string vdp_problem() {
  const bool has = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vl");
  return has ? "" : "this CPU lacks AVX512_BF16";
}

std::vector<std::uint32_t> vdp_sums_of(const FactorCodes& factors, const LaunchShape& shape) {
  const std::vector<std::uint32_t> x = code_pairs(factors.x, 1);
  const std::vector<std::uint32_t> y = code_pairs(factors.y, 1);
  if (shape.threads == 4) return vdp_vector<4>(x, y);
  return shape.threads == 8 ? vdp_vector<8>(x, y) : vdp_vector<16>(x, y);
}

#else

std::string vdp_problem() { return "only CPUs of x86-64 have AVX512_BF16"; }
std::vector<std::uint32_t> vdp_sums_of(const FactorCodes&, const LaunchShape&) { return {}; }

#endif

}  // namespace

extern const Instruction kAvx512Bf16Dot;
const Instruction kAvx512Bf16Dot{
    .kernel = {.name = "avx512_bf16_dot",
               .summary = "dot product by VDPBF16PS, an instruction of CPUs with AVX512_BF16, in vectors of each width",
               .source = "Intel's Software Developer's Manual",
               .formats = {},
               .shapes = kVdpShapes,
               .products = true,
               .runs = Runs::instruction,
               .uncontracted = true,
               .mixed_formats = kVdpFormats,
               .claim = [](const LaunchShape&, std::size_t) -> std::string { return "fused(avx512_bf16)"; }},
    .name = "VDPBF16PS",
    .problem = vdp_problem,
    .sums = vdp_sums_of,
};

}  // namespace orderlab
