// Memory that is free, asked before it is taken: Linux grants more than there is and kills who uses it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace orderlab {

/// Bytes of memory that are free, as far as the system says; infinite where it says nothing.
double available_bytes();

/// Error(unsupported), naming both numbers, if `bytes` more are not available.
void require_memory(double bytes);

/// The memory of an input whose size is known at its end only. As much again as it has taken must be free, for a list
/// that grows is copied.
class InputMemory {
 public:
  explicit InputMemory(std::string name) : name_(std::move(name)) {}

  /// Counts `bytes` more. Error(unsupported), naming the input, if they are not available.
  void take(std::size_t bytes) {
    taken_ += bytes;
    if (taken_ >= next_look_) look();
  }

 private:
  void look();

  std::string name_;
  std::size_t taken_ = 0;
  std::size_t next_look_ = std::size_t{1} << 26;  // below this a look costs more than it saves
};

}  // namespace orderlab
