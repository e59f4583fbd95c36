// std::atomic in a translation unit compiled with -fsanitize=thread: the operations themselves. Host code of such a
// unit needs them; the atomics of kernels are CUDA's.
#include <cstdint>

#include "simt/host_watch.hpp"

namespace {

void note_atomic(const volatile void* p) {
  const orderlab::simt::HostWatch& watch = orderlab::simt::host_watch;
  const void* const address = const_cast<const void*>(p);
  if (watch.shared.contains(address, 1)) [[unlikely]]
    watch.changed_atomically(address);
}

}  // namespace

// Names, parameters and results are those of sanitizer/tsan_interface_atomic.h; the memory order asked for is not
// looked at: the strongest serves all.
// NOLINTBEGIN(readability-identifier-naming)
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wreserved-identifier"
#endif

#define ORDERLAB_FETCH_HOOK(BITS, NAME)                                                                               \
  std::uint##BITS##_t __tsan_atomic##BITS##_##NAME(volatile std::uint##BITS##_t* p, std::uint##BITS##_t value, int) { \
    note_atomic(p);                                                                                                   \
    return __atomic_##NAME(p, value, __ATOMIC_SEQ_CST);                                                               \
  }

#define ORDERLAB_EXCHANGE_HOOK(BITS, NAME)                                                                     \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile std::uint##BITS##_t* p, std::uint##BITS##_t* old, \
                                                    std::uint##BITS##_t value, int, int) {                     \
    note_atomic(p);                                                                                            \
    return __atomic_compare_exchange_n(p, old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;      \
  }

#define ORDERLAB_ATOMIC_HOOKS(BITS)                                                                              \
  std::uint##BITS##_t __tsan_atomic##BITS##_load(const volatile std::uint##BITS##_t* p, int) {                   \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                 \
  }                                                                                                              \
  void __tsan_atomic##BITS##_store(volatile std::uint##BITS##_t* p, std::uint##BITS##_t value, int) {            \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                                \
  }                                                                                                              \
  std::uint##BITS##_t __tsan_atomic##BITS##_exchange(volatile std::uint##BITS##_t* p, std::uint##BITS##_t value, \
                                                     int) {                                                      \
    note_atomic(p);                                                                                              \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                              \
  std::uint##BITS##_t __tsan_atomic##BITS##_compare_exchange_val(                                                \
      volatile std::uint##BITS##_t* p, std::uint##BITS##_t old, std::uint##BITS##_t value, int, int) {           \
    note_atomic(p);                                                                                              \
    __atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
    return old;                                                                                                  \
  }                                                                                                              \
  ORDERLAB_EXCHANGE_HOOK(BITS, strong)                                                                           \
  ORDERLAB_EXCHANGE_HOOK(BITS, weak)                                                                             \
  ORDERLAB_FETCH_HOOK(BITS, fetch_add)                                                                           \
  ORDERLAB_FETCH_HOOK(BITS, fetch_sub)                                                                           \
  ORDERLAB_FETCH_HOOK(BITS, fetch_and)                                                                           \
  ORDERLAB_FETCH_HOOK(BITS, fetch_or)                                                                            \
  ORDERLAB_FETCH_HOOK(BITS, fetch_xor)                                                                           \
  ORDERLAB_FETCH_HOOK(BITS, fetch_nand)

extern "C" {

ORDERLAB_ATOMIC_HOOKS(8)
ORDERLAB_ATOMIC_HOOKS(16)
ORDERLAB_ATOMIC_HOOKS(32)
ORDERLAB_ATOMIC_HOOKS(64)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
