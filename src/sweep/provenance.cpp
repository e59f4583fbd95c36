#include "sweep/provenance.hpp"

#include <fstream>

namespace orderlab {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
    if (value != std::string::npos) return line.substr(value);
  }
  return "unknown";
}

}  // namespace

Provenance provenance() {
  static const std::string kProcessor = processor();
  return {ORDERLAB_VERSION, ORDERLAB_FLAGS, kProcessor};
}

}  // namespace orderlab
