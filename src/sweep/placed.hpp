// Errors about what a config says, with their place in it.
#pragma once

#include "orderlab/error.hpp"
#include "sweep/config_file.hpp"

namespace orderlab {

/// What reads a value of the config, with its place before the complaint.
template <class Read>
auto reading(const AxisValue& value, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), value.place + ": " + error.what());
  }
}

}  // namespace orderlab
