// The calls that -fsanitize=bounds, alignment and object-size put behind a failed check of an array index or of a
// pointer. Builds with libubsan leave them out: that has its own.
#include <cstddef>
#include <cstdint>

#include "simt/machine.hpp"

namespace {

/// What the compiler passes: compiler-rt/lib/ubsan/ubsan_handlers.h, OutOfBoundsData and TypeMismatchData, and
/// ubsan_value.h.
struct TypeDescriptor {
  std::uint16_t kind;  ///< 0: integer
  std::uint16_t info;  ///< bit 0: signed; the rest: logarithm of its bits
  char name[1];        ///< with quotes
};
struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};
struct TypeMismatchData {
  SourceLocation where;
  const TypeDescriptor* type;
  unsigned char log_alignment;  ///< 0: the check was that of the object's size
  unsigned char check_kind;
};
struct OutOfBoundsData {
  SourceLocation where;
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
  machine->index_out_of_bounds(data.where.file, data.where.line, index_value(*data.index_type, index));
}

void report_pointer(const TypeMismatchData& data, std::uintptr_t pointer) {
  orderlab::simt::Machine* const machine = orderlab::simt::Machine::running;
  if (machine == nullptr) return;
  orderlab::simt::Machine::running = nullptr;
  const auto* const address = reinterpret_cast<const void*>(pointer);
  if (data.log_alignment != 0)
    machine->misaligned(data.where.file, data.where.line, data.type->name, std::size_t{1} << data.log_alignment,
                        address);
  machine->outside_of_array(data.where.file, data.where.line, data.type->name, address);
  orderlab::simt::Machine::running = machine;
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

void __ubsan_handle_type_mismatch_v1(TypeMismatchData* data, std::uintptr_t pointer) { report_pointer(*data, pointer); }
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatchData* data, std::uintptr_t pointer) {
  report_pointer(*data, pointer);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
