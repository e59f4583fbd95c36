// What kernels can run on here.
#pragma once

#include <string>
#include <vector>

#include "orderlab/crosscheck.hpp"

namespace orderlab::cli {

/// The kernels on "model", "host", "cuda" or "cpu".
///
/// Errors: usage for another name; device where there is no such device, with the reason.
std::vector<Executor> executors_on(const std::string& device);

/// "NAME: skipped, ..." for each kernel of the device that it cannot run: a line each.
std::vector<std::string> skipped_kernels(const std::string& device);

/// The names that executors_on knows, and those of devices that have runtimes.
std::vector<std::string> device_names();

/// The devices that are checked unless one is named, first the CPU, which runs the kernels' own source.
std::vector<std::string> usable_devices();

}  // namespace orderlab::cli
