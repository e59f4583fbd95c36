// The call that -fsanitize=bounds puts behind a failed check of an array index. Builds with libubsan leave it out:
// that has its own.
#include <cstdint>

#include "simt/machine.hpp"

namespace {

/// What the compiler passes: compiler-rt/lib/ubsan/ubsan_handlers.h, OutOfBoundsData, and ubsan_value.h.
struct TypeDescriptor {
  std::uint16_t kind;  ///< 0: integer
  std::uint16_t info;  ///< bit 0: signed; the rest: logarithm of its bits
};
struct OutOfBoundsData {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const TypeDescriptor* array_type;
  const TypeDescriptor* index_type;
};

std::int64_t index_value(const TypeDescriptor& type, std::uintptr_t index) {
  const unsigned bits = 1u << (type.info >> 1);
  if ((type.info & 1) == 0 || bits >= 64) return static_cast<std::int64_t>(index);
  return static_cast<std::int64_t>(index << (64 - bits)) >> (64 - bits);
}

void report(const OutOfBoundsData& data, std::uintptr_t index) {
  orderlab::simt::Machine* const machine = orderlab::simt::Machine::running;
  if (machine == nullptr) return;
  orderlab::simt::Machine::running = nullptr;
  machine->index_out_of_bounds(data.file, data.line, index_value(*data.index_type, index));
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wreserved-identifier"
#endif

extern "C" {

void __ubsan_handle_out_of_bounds(OutOfBoundsData* data, std::uintptr_t index) { report(*data, index); }
void __ubsan_handle_out_of_bounds_abort(OutOfBoundsData* data, std::uintptr_t index) { report(*data, index); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
