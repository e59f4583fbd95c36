#include "show/same_bits_text.hpp"

#include <fmt/format.h>

#include "metrics/same_bits.hpp"
#include "show/input_text.hpp"

namespace orderlab {

namespace {

// If nearly all runs agree, the probability of a difference says more.
std::string agreement_of_two_runs(double same) {
  constexpr double kNearlyAlways = 0.99;
  if (same <= kNearlyAlways) return fmt::format("Two runs give the same bits with probability {}", number(same, 3));
  constexpr double kBelowRounding = 1e-15;
  if (1 - same < kBelowRounding) return fmt::format("Two runs differ with probability below {}", kBelowRounding);
  return fmt::format("Two runs differ with probability {}", number(1 - same, 2));
}

}  // namespace

std::string same_bits_line(const SameBits& same, std::uint64_t samples) {
  if (!same.probability) return "";
  const std::string confidence = fmt::format("{:.0f} %", 100 * kSameBitsConfidence);
  if (samples > 0 && *same.probability == 1)
    return fmt::format("{} runs gave the same bits: two runs differ with probability at most {} (confidence {}).\n",
                       samples, number(1 - same.low.value_or(0), 2), confidence);
  if (samples > 0 && *same.probability == 0)
    return fmt::format(
        "No two of {} runs gave the same bits: two runs do with probability at most {} (confidence {}).\n", samples,
        number(same.high, 2), confidence);
  std::string text = agreement_of_two_runs(*same.probability);
  if (same.runs_to_differ)
    text += fmt::format("; {} runs show a difference with probability {:.1f} %", *same.runs_to_differ,
                        100 * kDifferenceShown);
  return text + ".\n";
}

std::string differing_bits_line(const study::SampleFinding& finding, const std::vector<std::string>& labels) {
  if (finding.orders.size() != 2 || (!finding.orders[0].random && !finding.orders[1].random)) return "";
  const auto differ = differing_bits_estimate(finding.orders[0].counts, finding.orders[1].counts);
  if (!differ) return "";
  if (*differ == 0) return fmt::format("All runs of {} and {} gave the same bits.", labels[0], labels[1]);
  if (*differ == 1) return fmt::format("No run of {} gave the bits of a run of {}.", labels[0], labels[1]);
  return fmt::format("A run of {} and a run of {} differ in bits with probability {}.", labels[0], labels[1],
                     number(differ, 3));
}

}  // namespace orderlab
