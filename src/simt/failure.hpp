// Undefined behaviour of a thread: recorded on the thread's own small stack, put into words on that of the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <string>

#include "simt/shadow.hpp"

namespace orderlab::simt {

enum class FailureKind : std::uint8_t {
  none,
  out_of_bounds,
  misaligned,
  input_written,
  unwritten_shared,
  unwritten_device,
  freed,
  of_another_gpu,
  kept_written,
  written_kept,
  too_much_shared,
  outside_of_array,
  conflict,
  index_out_of_bounds,
  stack_overflow,
  no_memory,
  caller_not_in_mask,
  lane_absent,
  lane_ended,
  shuffle_source,
  shuffle_width,
  not_whole_warp,
  other_product,
  no_tensor_unit,
  matrix_stride,
  divergent_barrier,
  stuck,
  stuck_grid,
  not_cooperative,
  unsupported,
  endless
};

struct Failure {
  FailureKind kind = FailureKind::none;
  std::uint32_t block = 0;
  std::uint16_t thread = 0;
  std::source_location where{};       ///< the last primitive; line 0: not known
  bool where_is_exact = false;        ///< the failure is that of the primitive
  const void* instruction = nullptr;  ///< instruction behind the call for the access; null: not known
  // the access
  const void* address = nullptr;
  std::size_t bytes = 0;
  AccessKind access = AccessKind::read;
  // The other thread of a conflict or a wait:
  std::uint32_t other_block = 0;
  std::uint16_t other_thread = 0;
  AccessKind other_access = AccessKind::read;
  bool same_block = true;
  std::source_location other_where{};
  const void* other_instruction = nullptr;  ///< as `instruction`
  // The primitive at which it failed:
  std::uint32_t mask = 0;
  bool drawn_mask = false;  ///< __activemask gave that
  std::int64_t index = 0;
  const char* file = nullptr;  ///< what the compiler says of the place
  std::uint32_t line = 0;
  const char* type = nullptr;  ///< type of what is accessed, as the compiler writes it
  std::size_t alignment = 0;   ///< alignment that the access needs
};

/// Whether two calls of primitives stand at the same place.
inline bool same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

}  // namespace orderlab::simt
