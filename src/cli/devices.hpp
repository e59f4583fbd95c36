// What kernels can run on here.
#pragma once

#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab::cli {

/// The kernels on "model", "host" or "cuda".
///
/// Errors: usage for another name; device where there is no such device, with the reason.
std::vector<Executor> executors_on(const std::string& device);

/// The names that executors_on knows.
std::vector<std::string> device_names();

/// Those devices that can be used here, the kernels' own source on the CPU first.
std::vector<std::string> usable_devices();

}  // namespace orderlab::cli
