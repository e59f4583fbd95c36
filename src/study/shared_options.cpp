#include "study/shared_options.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::study {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
    {{"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}};

}  // namespace

double read_bytes(const Flag& flag, const std::string& text) {
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto amount = read_real(std::string_view(text).substr(0, text.size() - unit.size()));
    if (!amount || !(*amount > 0))
      throw Error(ErrorKind::usage, flag.long_name() + " " + text + ": is not a size; write 2GiB, 500MB or 1e9");
    return *amount * bytes;
  }
  return static_cast<double>(parse_count(flag.long_name(), text, 1));
}

std::string bytes_text(const Flag&, double bytes) {
  for (const auto& [unit, size] : kUnits)
    if (bytes >= size && bytes / size == std::floor(bytes / size)) return shortest(bytes / size) + std::string(unit);
  return shortest(bytes);
}

}  // namespace orderlab::study
