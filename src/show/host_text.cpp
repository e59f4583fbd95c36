#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/printable.hpp"
#include "show/colors.hpp"
#include "show/host.hpp"

namespace orderlab {

namespace {

using host_program::Finding;
using host_program::FindingKind;
using host_program::Varying;

std::string placed(const std::string& place, const std::string& text) {
  return printable((place.empty() ? "" : place + ": ") + text) + "\n";
}

/// The first arrays that are never freed, in one line.
std::string leaks_text(const HostFinding& finding) {
  constexpr std::size_t kMostNamed = 3;
  std::string named;
  std::size_t leaks = 0;
  for (const Finding& each : finding.findings) {
    if (each.kind != FindingKind::leak) continue;
    if (leaks++ < kMostNamed) named += (leaks == 1 ? "" : "; ") + printable(each.text);
  }
  if (leaks == 0) return {};
  if (leaks > kMostNamed) named += fmt::format("; and {} more", leaks - kMostNamed);
  return "never freed: " + named + "\n";
}

}  // namespace

std::string varying_in_words(const Varying& one, std::uint64_t runs) {
  if (one.varying == 0 && one.values == 0) return one.what + " has another form from run to run";
  if (one.varying == 0 && one.numbers < host_program::kMostNumbers)
    return fmt::format("{}: the numbers are the same, but not all bytes: {} contents over {} runs", one.what,
                       one.values, runs);
  if (one.varying == 0)
    return fmt::format("{}: varies beyond the first {} numbers: {} contents over {} runs", one.what, one.numbers,
                       one.values, runs);
  return fmt::format("{}: {} of {} number{} {} over {} runs: {} values from {} to {}", one.what, one.varying,
                     one.numbers, one.numbers == 1 ? "" : "s", one.varying == 1 ? "varies" : "vary", runs, one.values,
                     one.least, one.greatest);
}

std::string launches_in_words(const HostFinding& finding) {
  std::uint64_t launches = 0;
  for (const auto& each : finding.launches) launches += each.launches;
  if (launches == 0 && finding.crashed) return "launches not known";
  if (launches == 0) return "no launch came to its end";
  const std::string checked =
      finding.blocks() == 1 && finding.checked() == 1 ? "its thread block checked"
      : finding.checked() == finding.blocks()
          ? fmt::format("all {} thread blocks checked", finding.blocks())
          : fmt::format("{} of {} thread blocks checked, the others not (--check all checks all)", finding.checked(),
                        finding.blocks());
  return fmt::format("{} launch{}, ", launches, launches == 1 ? "" : "es") + checked;
}

std::uint64_t HostFinding::blocks() const {
  return std::accumulate(launches.begin(), launches.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each.blocks; });
}

std::uint64_t HostFinding::checked() const {
  return std::accumulate(launches.begin(), launches.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each.checked; });
}

std::string to_text(const HostFinding& finding, const TextStyle& style) {
  std::string text;
  for (const Finding& each : finding.findings)
    if (each.kind != FindingKind::leak && !host_program::is_note(each.kind))
      text += bold(placed(each.place, each.text), style.color);
  std::string reasons;
  for (const Varying& each : finding.varying) {
    text += placed(each.place, varying_in_words(each, finding.runs));
    reasons = each.reason;  // the same for all
  }
  if (!reasons.empty()) text += "  " + printable(reasons) + "\n";
  for (const Finding& each : finding.findings)
    if (host_program::is_note(each.kind)) text += placed(each.place, each.text);
  text += leaks_text(finding);
  text += launches_in_words(finding) + "; the program: " + finding.ending;
  const bool found = std::any_of(finding.findings.begin(), finding.findings.end(),
                                 [](const Finding& each) { return host_program::is_fault(each.kind); });
  if (!found && !finding.crashed) text += "; no fault found";
  const bool varies =
      !finding.varying.empty() || std::any_of(finding.findings.begin(), finding.findings.end(),
                                              [](const Finding& each) { return each.kind == FindingKind::varies; });
  if (finding.was_compared && !varies) text += fmt::format("; nothing varies over {} runs", finding.runs);
  if (finding.not_compared > 0)
    text += fmt::format(
        "; {} differ{} with the same order, too, and {} not compared",
        finding.not_compared == 1 ? "1 line or copy" : fmt::format("{} lines or copies", finding.not_compared),
        finding.not_compared == 1 ? "s" : "", finding.not_compared == 1 ? "is" : "are");
  text += "\n";
  if (finding.partial) text += "stopped before all runs were done\n";
  return text;
}

}  // namespace orderlab
