// One fiber, and what AddressSanitizer must be told of its stack: nothing where that is off.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ORDERLAB_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ORDERLAB_ADDRESS_SANITIZER 1
#endif
#endif

namespace orderlab::simt {

/// One stack and, while it is left, where on it to go on. Small: one is in the line of the cache of every lane.
struct Fiber {
  static constexpr std::size_t kBytes =
      std::size_t{64} * 1159;  ///< size of a stack; an odd number of lines: see fiber.cpp

  void* context = nullptr;
  std::byte* low = nullptr;  ///< low end of the stack; null: none
#ifdef ORDERLAB_ADDRESS_SANITIZER
  std::size_t bytes = kBytes;
  void* fake_stack = nullptr;
#endif
};

}  // namespace orderlab::simt

#ifdef ORDERLAB_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

namespace orderlab::simt {

inline void announce_jump(Fiber& from, const Fiber& to) {
  __sanitizer_start_switch_fiber(&from.fake_stack, to.low, to.bytes);
}
inline void announce_arrival(const Fiber& self, Fiber& previous) {
  const void* low = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(self.fake_stack, &low, &bytes);
  if (previous.low != nullptr) return;
  previous.low = static_cast<std::byte*>(const_cast<void*>(low));  // the OS thread's own stack
  previous.bytes = bytes;
}
inline void announce_abandoned(const Fiber& fiber) { __asan_unpoison_memory_region(fiber.low, Fiber::kBytes); }

}  // namespace orderlab::simt

#else

namespace orderlab::simt {

inline void announce_jump(Fiber&, const Fiber&) {}
inline void announce_arrival(const Fiber&, Fiber&) {}
inline void announce_abandoned(const Fiber&) {}

}  // namespace orderlab::simt

#endif
