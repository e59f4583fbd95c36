#include "cli/one_order.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
    {{"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}};

double parse_bytes(const std::string& text) {
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto amount = read_real(std::string_view(text).substr(0, text.size() - unit.size()));
    if (!amount || !(*amount > 0))
      throw Error(ErrorKind::usage, "--memory " + text + ": is not a size; write 2GiB, 500MB or 1e9");
    return *amount * bytes;
  }
  return static_cast<double>(parse_count("--memory", text, 1));
}

}  // namespace

int threads_of(const CommandLine& line) { return static_cast<int>(line.count(kThreads, 0, 4096)); }

std::optional<double> memory_of(const CommandLine& line) {
  const std::string& text = line.text(kMemory);
  return text.empty() ? std::nullopt : std::optional(parse_bytes(text));
}

double quick_memory_of(const CommandLine& line) { return parse_bytes(line.text(kQuickMemory)); }

int interrupted(Session& session, std::string_view command, std::string_view before) {
  session.err << "orderlab: " << command << ": interrupted before " << before << "\n";
  return kInterrupted;
}

}  // namespace orderlab::cli
