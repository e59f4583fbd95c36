#include "cli/enumerating.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "cli/input_flags.hpp"
#include "cli/progress.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
    {{"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}};

}  // namespace

double memory_budget(const CommandLine& line) {
  const std::string& text = line.text(line.takes(kMemory) ? kMemory : kQuickMemory);
  if (text.empty()) return available_bytes() / 2;
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto amount = read_real(std::string_view(text).substr(0, text.size() - unit.size()));
    if (!amount || !(*amount > 0))
      throw Error(ErrorKind::usage, "--memory " + text + ": is not a size; write 2GiB, 500MB or 1e9");
    return *amount * bytes;
  }
  return static_cast<double>(parse_count("--memory", text, 1));
}

std::optional<Enumeration> enumerate_orders(Session& session, const OrderSpace& space, double memory_bytes, int threads,
                                            bool progress) {
  ProgressBar bar(session, "subsets", progress);
  WalkOptions options;
  options.memory_bytes = memory_bytes;
  options.threads = threads;
  bar.follow(options);
  return enumerate(space, options);
}

QuickEnumeration enumerate_if_quick(Session& session, const Evaluator& evaluator, double memory_bytes, int threads,
                                    bool progress) {
  if (evaluator.random_count() > kMostPartialSums) return {};
  const RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space || !quickly_enumerable(*recognized.space)) return {};
  try {
    return {enumerate_orders(session, *recognized.space, memory_bytes, threads, progress), {}};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    return {std::nullopt, std::string("sampled, as the orders could not be enumerated: ") + error.what()};
  }
}

}  // namespace orderlab::cli
