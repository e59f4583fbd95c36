// The part of Highway's library that its headers call: which vectors this machine has and which are in use. The library
// is not linked, because it measures the timer whenever it is loaded, which took 4 ms of every start. These functions
// are in a namespace of our own (hwy=orderlab_hwy, see CMakeLists.txt), so programs may link the library too.
#include <hwy/targets.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace hwy {
namespace {

#if HWY_ARCH_X86
bool has_f16c() {  // clang's __builtin_cpu_supports does not know it
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

// None wider than AVX3, and on Arm NEON: wider ones change no bit. Each target needs what the one before it needs, and
// the options that Highway compiles it with (ops/set_macros-inl.h).
std::int64_t targets_of_machine() {
  std::int64_t targets = HWY_STATIC_TARGET;  // elsewhere the vectors that every machine of the kind has
#if HWY_ARCH_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul") ||
      !__builtin_cpu_supports("aes"))
    return targets;
  targets |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("fma") || !has_f16c())
    return targets;
  targets |= HWY_AVX2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512cd") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw"))
    return targets;
  targets |= HWY_AVX3;
#endif
  return targets;
}

constinit std::atomic<std::int64_t> targets_for_test{0};
constinit ChosenTarget chosen_target;

}  // namespace

std::int64_t SupportedTargets() {
  static const std::int64_t here = targets_of_machine();
  const std::int64_t for_test = targets_for_test;
  return for_test != 0 ? for_test : here;
}

void SetSupportedTargetsForTest(std::int64_t targets) {
  targets_for_test = targets;
  chosen_target.DeInit();  // the next call chooses again
}

ChosenTarget& GetChosenTarget() { return chosen_target; }

// Failed assertions of its headers. Nothing is printed; a debugger shows where.
void Abort(const char*, int, const char*, ...) { std::abort(); }

}  // namespace hwy
