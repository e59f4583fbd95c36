// Every call of the CUDA runtime, and of the libraries above it, goes through check().
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>
#include <string_view>

#include "orderlab/error.hpp"

namespace orderlab::cuda {

/// Error(device) with the call, the place in the source and CUDA's reason, unless `status` is success.
inline void check(cudaError_t status, std::string_view call,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  std::string_view file = where.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  throw Error(ErrorKind::device, std::string(call) + " (" + std::string(file) + ":" + std::to_string(where.line()) +
                                     "): " + cudaGetErrorString(status));
}

}  // namespace orderlab::cuda
