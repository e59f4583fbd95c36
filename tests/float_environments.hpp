// Floating-point environments that a process may inherit, by name: for tests that no result depends on them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace float_environments {

/// Control registers of the thread: MXCSR and the control word of x87, or FPCR. Flags of exceptions are left out.
struct Controls {
  std::uint64_t first = 0;
  std::uint64_t x87 = 0;

  friend bool operator==(const Controls&, const Controls&) = default;
};

#if defined(__x86_64__)

inline Controls controls() {
  std::uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  return {_mm_getcsr() & ~0x3fU, x87};
}

inline void set_controls(const Controls& to) {
  const auto x87 = static_cast<std::uint16_t>(to.x87);
  asm volatile("fnclex");
  asm volatile("fldcw %0" : : "m"(x87));
  _mm_setcsr(static_cast<std::uint32_t>(to.first));
}

inline constexpr Controls kDefault{0x1f80, 0x37f};

#elif defined(__aarch64__)

inline Controls controls() {
  Controls now;
  asm volatile("mrs %0, fpcr" : "=r"(now.first));
  return now;
}

inline void set_controls(const Controls& to) { asm volatile("msr fpcr, %0" : : "r"(to.first)); }

inline constexpr Controls kDefault{};

#else

inline Controls controls() { return {}; }
inline void set_controls(const Controls&) {}
inline constexpr Controls kDefault{};

#endif

struct Environment {
  std::string_view name;
  Controls controls;
};

/// The default is the first. Traps: of all five exceptions of IEEE 754.
#if defined(__x86_64__)
inline constexpr std::array<Environment, 9> kAll{{
    {"default", kDefault},
    {"flush_subnormals", {0x9fc0, 0x37f}},  // as a library linked with -ffast-math sets it
    {"round_up", {0x5f80, 0xb7f}},
    {"round_down", {0x3f80, 0x77f}},
    {"round_to_zero", {0x7f80, 0xf7f}},
    {"traps", {0x0100, 0x342}},
    {"x87_single", {0x1f80, 0x07f}},
    {"x87_double", {0x1f80, 0x27f}},
    {"all_at_once", {0xc140, 0x842}},
}};
#elif defined(__aarch64__)
inline constexpr std::array<Environment, 6> kAll{{
    // traps are missing: many processors have none
    {"default", kDefault},
    {"flush_subnormals", {std::uint64_t{1} << 24, 0}},
    {"round_up", {std::uint64_t{1} << 22, 0}},
    {"round_down", {std::uint64_t{2} << 22, 0}},
    {"round_to_zero", {std::uint64_t{3} << 22, 0}},
    {"all_at_once", {std::uint64_t{5} << 22, 0}},
}};
#else
inline constexpr std::array<Environment, 1> kAll{{{"default", kDefault}}};
#endif

inline const Environment* find(std::string_view name) {
  for (const Environment& one : kAll)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace float_environments
