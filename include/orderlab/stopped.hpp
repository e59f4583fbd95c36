// What ends work that someone stops.
#pragma once

#include <exception>

namespace orderlab {

/// Thrown by work that is stopped before it has anything to return.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

}  // namespace orderlab
