// The calls that -fsanitize=thread puts in front of every access of a translation unit: here they lead to the machine
// whose kernel runs, and nowhere while none does. libtsan, which defines the same names, is never linked.
#include <cstdint>
#include <cstring>

#include "simt/host_watch.hpp"
#include "simt/machine.hpp"

constinit orderlab::simt::HostWatch orderlab::simt::host_watch;

namespace {

using orderlab::simt::AccessKind;
using orderlab::simt::Machine;

inline void noted(const void* address, std::size_t bytes, AccessKind kind, bool must_be_aligned,
                  const void* instruction) {
  Machine* const machine = Machine::running;
  if (machine == nullptr) {
    const orderlab::simt::HostWatch& watch = orderlab::simt::host_watch;
    if (watch.memory.contains(address, 1) || watch.shared.contains(address, 1)) [[unlikely]]
      watch.accessed(address, bytes, kind, instruction);
    return;
  }
  if (!machine->watches()) return;
  Machine::running = nullptr;
  machine->access(address, bytes, kind, must_be_aligned, instruction);
  Machine::running = machine;
}

template <void (Machine::*kCheck)(const void*, std::size_t, bool, const void*)>
void noted_volatile(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction) {
  Machine* const machine = Machine::running;
  if (machine == nullptr) return;
  Machine::running = nullptr;
  (machine->*kCheck)(address, bytes, must_be_aligned, instruction);
  Machine::running = machine;
}

void noted_copy(void* to, const void* from, std::size_t bytes, const void* instruction) {
  if (bytes == 0) return;
  noted(from, bytes, AccessKind::read, false, instruction);
  noted(to, bytes, AccessKind::write, false, instruction);
}

}  // namespace

// Names, parameters and results are those of g++ 12 to 14 (gcc/sanitizer.def) and clang 16 to 19
// (ThreadSanitizer.cpp), reserved names among them, which no header declares.
// NOLINTBEGIN(readability-identifier-naming)
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wreserved-identifier"
#endif

#define ORDERLAB_CALLER __builtin_return_address(0)  // in the kernel

#define ORDERLAB_ACCESS_HOOKS(BYTES)                                                                          \
  void __tsan_read##BYTES(void* p) { noted(p, BYTES, AccessKind::read, true, ORDERLAB_CALLER); }              \
  void __tsan_write##BYTES(void* p) { noted(p, BYTES, AccessKind::write, true, ORDERLAB_CALLER); }            \
  void __tsan_unaligned_read##BYTES(void* p) { noted(p, BYTES, AccessKind::read, false, ORDERLAB_CALLER); }   \
  void __tsan_unaligned_write##BYTES(void* p) { noted(p, BYTES, AccessKind::write, false, ORDERLAB_CALLER); } \
  void __tsan_volatile_read##BYTES(void* p) {                                                                 \
    noted_volatile<&Machine::volatile_read>(p, BYTES, true, ORDERLAB_CALLER);                                 \
  }                                                                                                           \
  void __tsan_volatile_write##BYTES(void* p) {                                                                \
    noted_volatile<&Machine::volatile_write>(p, BYTES, true, ORDERLAB_CALLER);                                \
  }                                                                                                           \
  void __tsan_unaligned_volatile_read##BYTES(void* p) {                                                       \
    noted_volatile<&Machine::volatile_read>(p, BYTES, false, ORDERLAB_CALLER);                                \
  }                                                                                                           \
  void __tsan_unaligned_volatile_write##BYTES(void* p) {                                                      \
    noted_volatile<&Machine::volatile_write>(p, BYTES, false, ORDERLAB_CALLER);                               \
  }                                                                                                           \
  void __tsan_read_write##BYTES(void* p) {                                                                    \
    noted(p, BYTES, AccessKind::read, true, ORDERLAB_CALLER);                                                 \
    noted(p, BYTES, AccessKind::write, true, ORDERLAB_CALLER);                                                \
  }                                                                                                           \
  void __tsan_unaligned_read_write##BYTES(void* p) {                                                          \
    noted(p, BYTES, AccessKind::read, false, ORDERLAB_CALLER);                                                \
    noted(p, BYTES, AccessKind::write, false, ORDERLAB_CALLER);                                               \
  }

extern "C" {

ORDERLAB_ACCESS_HOOKS(1)
ORDERLAB_ACCESS_HOOKS(2)
ORDERLAB_ACCESS_HOOKS(4)
ORDERLAB_ACCESS_HOOKS(8)
ORDERLAB_ACCESS_HOOKS(16)

void __tsan_read_range(void* p, std::size_t bytes) { noted(p, bytes, AccessKind::read, false, ORDERLAB_CALLER); }
void __tsan_write_range(void* p, std::size_t bytes) { noted(p, bytes, AccessKind::write, false, ORDERLAB_CALLER); }

void __tsan_init() {}
void __tsan_func_entry(void*) {
  Machine* const machine = Machine::running;
  if (machine == nullptr) return;
  Machine::running = nullptr;
  machine->function_entered(__builtin_frame_address(0), ORDERLAB_CALLER);
  Machine::running = machine;
}
void __tsan_func_exit(void*) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  noted_copy(to, from, bytes, ORDERLAB_CALLER);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  noted_copy(to, from, bytes, ORDERLAB_CALLER);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, std::size_t bytes) {
  if (bytes != 0) noted(to, bytes, AccessKind::write, false, ORDERLAB_CALLER);
  return std::memset(to, byte, bytes);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
