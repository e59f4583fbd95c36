#include "core/float_environment.hpp"

#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace orderlab {

namespace {

thread_local constinit FloatRegisters* callers_registers = nullptr;  // null outside of every FloatEnvironment

#if defined(__x86_64__)

constexpr std::uint32_t kSseFlags = 0x3f;
constexpr std::uint16_t kX87Flags = 0x3f;
constexpr int kX87 = 32;  // bits before x87's half of FloatRegisters
constexpr std::uint64_t kControl = 0x1f80 | std::uint64_t{0x37f} << kX87;

FloatRegisters float_registers() {
  const std::uint32_t sse = _mm_getcsr();
  std::uint16_t x87 = 0;
  std::uint16_t status = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  asm volatile("fnstsw %0" : "=a"(status));
  return {(sse & ~kSseFlags) | std::uint64_t{x87} << kX87,
          (sse & kSseFlags) | static_cast<std::uint64_t>(status & kX87Flags) << kX87};
}

// Flags go with the control word: one that is raised while its trap is being unmasked would trap.
void set_x87(std::uint16_t control, std::uint16_t raised) {
  struct {
    std::uint16_t control, unused, status, others[11];
  } environment;
  static_assert(sizeof environment == 28);
  asm volatile("fnstenv %0" : "=m"(environment));
  environment.control = control;
  environment.status = static_cast<std::uint16_t>((environment.status & ~kX87Flags) | raised);
  asm volatile("fldenv %0" : : "m"(environment));
}

void set_float_registers(const FloatRegisters& to) {
  const FloatRegisters now = float_registers();
  if (now.control >> kX87 != to.control >> kX87 || now.raised >> kX87 != to.raised >> kX87)
    set_x87(static_cast<std::uint16_t>(to.control >> kX87), static_cast<std::uint16_t>(to.raised >> kX87));
  _mm_setcsr(static_cast<std::uint32_t>(to.control | to.raised));
}

#elif defined(__aarch64__)

constexpr std::uint64_t kControl = 0;

FloatRegisters float_registers() {
  FloatRegisters now{};
  asm volatile("mrs %0, fpcr" : "=r"(now.control));
  asm volatile("mrs %0, fpsr" : "=r"(now.raised));
  return now;
}

void set_float_registers(const FloatRegisters& to) {
  asm volatile("msr fpsr, %0" : : "r"(to.raised));
  asm volatile("msr fpcr, %0" : : "r"(to.control));
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

bool is_set(const FloatRegisters& registers) { return registers.control == kControl; }
void set_ours(const FloatRegisters& now) { set_float_registers({kControl, now.raised}); }
bool operator!=(const FloatRegisters& a, const FloatRegisters& b) {
  return a.control != b.control || a.raised != b.raised;
}

#else

FloatRegisters float_registers() {
  FloatRegisters now{};
  std::fegetenv(&now.all);
  return now;
}

void set_float_registers(const FloatRegisters& to) { std::fesetenv(&to.all); }
bool is_set(const FloatRegisters&) { return false; }
void set_ours(const FloatRegisters&) { std::fesetenv(FE_DFL_ENV); }
bool operator!=(const FloatRegisters&, const FloatRegisters&) { return true; }

#endif

}  // namespace

FloatEnvironment::FloatEnvironment(Of of) noexcept
    : outermost_(callers_registers == nullptr), restores_(outermost_ || of == Of::task) {
  if (!restores_) return;
  before_ = float_registers();
  if (outermost_) callers_registers = &before_;
  if (!is_set(before_)) set_ours(before_);
}

FloatEnvironment::~FloatEnvironment() {
  if (outermost_) callers_registers = nullptr;
  if (restores_ && float_registers() != before_) set_float_registers(before_);
}

CallersFloatEnvironment::CallersFloatEnvironment() noexcept : callers_(std::exchange(callers_registers, nullptr)) {
  if (callers_ != nullptr) set_float_registers(*callers_);
}

CallersFloatEnvironment::~CallersFloatEnvironment() {
  if (callers_ == nullptr) return;
  *callers_ = float_registers();
  callers_registers = callers_;
  if (!is_set(*callers_)) set_ours(*callers_);
}

Loop in_float_environment_each(const Loop& loop) {
  return [&loop](std::size_t count, const std::function<void(std::size_t)>& body) {
    loop(count, [&](std::size_t part) {
      const FloatEnvironment environment(FloatEnvironment::Of::task);
      body(part);
    });
  };
}

}  // namespace orderlab
