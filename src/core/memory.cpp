#include "core/memory.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr double kSmall =
    1 << 20;  // a process that lacks so few bytes ends in any case; the look takes longer than a small sum

// The number behind `key` in a file of lines "KEY NUMBER ..."; infinite where there is none.
double number_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  double number = 0;
  for (std::string word, rest; file >> word >> number; std::getline(file, rest))
    if (word == key) return number;
  return std::numeric_limits<double>::infinity();
}

// Memory left under the limit of a container. Cached files can be dropped, so only anonymous memory counts as used.
double available_in_container() {
  double limit = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> limit)) return std::numeric_limits<double>::infinity();
  const double used = number_in("/sys/fs/cgroup/memory.stat", "anon");
  return std::isinf(used) ? limit : std::max(0.0, limit - used);
}

}  // namespace

double available_bytes() {
  return std::min(1024 * number_in("/proc/meminfo", "MemAvailable:"), available_in_container());
}

void require_memory(double bytes) {
  if (bytes < kSmall) return;
  const double available = available_bytes();
  if (bytes > available)
    throw RequestError(ErrorKind::unsupported,
                       "this needs " + bytes_in_words(bytes) + " of memory and " + bytes_in_words(available) +
                           " are free; fewer terms, a narrower `formats` or fewer `threads` need less");
}

void InputMemory::look() {
  const double available = available_bytes();
  const auto taken = static_cast<double>(taken_);
  if (taken > available)
    throw Error(ErrorKind::unsupported, name_ + ": is too large: " + bytes_in_words(taken) + " were read and " +
                                            bytes_in_words(available) +
                                            " of memory are free, of which it may need as much again; split it");
  next_look_ = taken_ + taken_ / 8;
}

}  // namespace orderlab
