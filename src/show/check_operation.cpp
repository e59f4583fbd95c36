// Arrays that were checked against what an operation can give.
#include <fmt/format.h>

#include <algorithm>

#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string suspects_table(const study::OperationCheckFinding& finding, const TextStyle& style) {
  constexpr std::size_t kShown = 10;
  if (finding.suspects.empty()) return "";
  const Format format = finding.input.formats.result;
  Table table({{"output", Align::left}, {"verdict", Align::left}, {"value"}, {"nearest reachable"}, {"ulp apart"}});
  for (std::size_t i = 0; i < std::min(kShown, finding.suspects.size()); ++i) {
    const study::SuspectOutput& s = finding.suspects[i];
    table.add({"[" + index_text(finding.input.shape, s.output) + "]", std::string(name_of(s.verdict)),
               number_of(format, s.value), number_of(format, s.nearest), number(s.distance_ulp)});
  }
  std::string text = table.text(style.color);
  const std::uint64_t all = finding.outside_model + finding.unlikely + finding.impossible;
  if (all > kShown) text += fmt::format("and {} more; --csv and --json have them\n", all - kShown);
  return text + "\n";
}

std::string unseen(std::uint64_t count, std::uint64_t of) { return fmt::format("{} of {}", count, of); }

std::string blind_table(const study::OperationCheckFinding& finding, const TextStyle& style) {
  if (finding.blind.empty()) return "";
  Table table({{"contributions to an output"}, {"dropped one not seen"}, {"doubled one not seen"}});
  for (const study::BlindSpot& spot : finding.blind)
    table.add({std::to_string(spot.contributions), unseen(spot.dropped_unseen, spot.changes),
               unseen(spot.doubled_unseen, spot.changes)});
  return "What this check cannot see: changes that it cannot prove wrong\n" + table.text(style.color) + "\n";
}

std::string outputs_line(const study::OperationCheckFinding& finding) {
  if (finding.bounded > 0)
    return plural(finding.bounded, "output") + " judged by a bound of every order, as that of the library is unknown\n";
  std::string text =
      fmt::format("{} with one result, {} with all results known", plural(finding.fixed, "output"), finding.enumerated);
  if (finding.sampled > 0)
    text += fmt::format(", {} judged by {} and a bound ({} outside, probability at most {})", finding.sampled,
                        plural(finding.samples, "sample"), finding.outside, number(finding.outside_p, 2));
  if (finding.sampled > 0 && finding.outside_needed() > 1)
    text += fmt::format("\n{} samples cannot tell fewer than {} outputs outside them from chance; --samples draws more",
                        finding.samples, finding.outside_needed());
  return text + "\n";
}

/// The look-back that explains a scan: where it was found.
std::string lookback_line(const study::OperationCheckFinding& finding) {
  if (finding.lookback.size() < 2) return "";
  std::vector<std::uint32_t> found;
  for (std::size_t t = 1; t < finding.lookback.size(); ++t)
    if (finding.lookback[t] > 0) found.push_back(finding.lookback[t]);
  std::sort(found.begin(), found.end());
  const std::size_t tiles = finding.lookback.size() - 1;
  std::string text = fmt::format("look-back distances from 1 to {} explain {} of {}", finding.lookback_tried,
                                 found.size(), plural(tiles, "tile"));
  if (!found.empty())
    text += fmt::format(" (smallest that fit: {} to {}, median {})", found.front(), found.back(),
                        found[(found.size() - 1) / 2]);
  return text + "\n";
}

/// What excludes results that are outside the model, and what does not.
std::string outside_lines(const study::OperationCheckFinding& finding) {
  const std::string& assumes = finding.input.assumes;
  const std::uint64_t sampled = finding.outside_model_sampled;
  const std::uint64_t known = finding.outside_model - sampled;
  std::string text;
  if (sampled > 0)
    text += fmt::format(
        "{} outside all samples and inside the bound of every order: arrival orders that were not drawn may give "
        "{}{}\n",
        plural(sampled, "result"), sampled == 1 ? "it" : "them",
        assumes.empty() ? "" : ", or orders that the model excludes, as it assumes this: " + assumes);
  if (known > 0 && assumes.empty())  // judged by every order, as sums may be subnormal
    text += fmt::format("{} possible only in other orders, or where subnormal sums are treated in another way\n",
                        plural(known, "result"));
  else if (known > 0)
    text += fmt::format("{} possible only if an assumption of the model fails: {}\n", plural(known, "result"), assumes);
  return text;
}

std::string check_conclusion(const study::OperationCheckFinding& finding) {
  const std::string all = plural(finding.input.outputs, "output");
  if (finding.equals_deterministic)
    return fmt::format("Explained: all {} equal the deterministic form in every bit.", all);
  if (finding.impossible > 0 && finding.order_named)
    return fmt::format(
        "Impossible: the order {} cannot give the result of {} of {}. Suspect another order, a bug, or a race.",
        finding.input.order, finding.impossible, all);
  if (finding.impossible > 0)
    return fmt::format("Impossible: no order gives the result of {} of {}. Suspect a bug or a race.",
                       finding.impossible, all);
  if (finding.unlikely > 0)
    return fmt::format("Unlikely: an honest array has {} of {} so far out with probability below {}.", finding.unlikely,
                       all, number(1 - finding.confidence, 2));
  if (finding.outside_model > 0)
    return fmt::format("Outside the model: {} of {}; the others are explained. --strict makes this an error.",
                       finding.outside_model, all);
  if (finding.bounded > 0)
    return fmt::format(
        "Explained: each of {} is within the error bound of every order; no order is known that would "
        "tell more.",
        all);
  if (finding.sampled > 0)
    return fmt::format("Explained: {} are results that some arrival order gives, {} are consistent with {}.",
                       finding.fixed + finding.enumerated, finding.sampled, plural(finding.samples, "sample"));
  if (!finding.lookback.empty())
    return finding.lookback_replays
               ? fmt::format("Explained: one choice of look-back distances gives all {}.", all)
               : fmt::format("Explained: look-back distances give the outputs of each tile; {} in all.", all);
  return fmt::format("Explained: each of {} is a result that some arrival order gives.", all);
}

}  // namespace

std::string to_text(const study::OperationCheckFinding& finding, const TextStyle& style) {
  std::string head = operation_head(finding.input, style.color);
  if (finding.arrival_named)
    head += arrival_of_units(finding.input, finding.arrival);
  else if (!finding.arrival.empty())
    head += fmt::format("{} in any order\n",
                        finding.input.units == 1 ? "1 unit arrives" : plural(finding.input.units, "unit") + " arrive");
  head += outputs_line(finding);
  head += lookback_line(finding);
  if (finding.equals_launch) head += "The array equals launch order in every bit.\n";
  if (finding.equals_exact) head += "The array equals the exact results, each rounded once, in every bit.\n";
  if (finding.improbable > 0)
    head += fmt::format("{} improbable under uniform arrivals, which real machines are not; --arrival judges them\n",
                        plural(finding.improbable, "result"));
  std::string text = wrapped(head, style.width) + "\n";
  text += suspects_table(finding, style);
  text += blind_table(finding, style);
  if (finding.outside_model + finding.impossible > 0)
    text +=
        wrapped(outside_lines(finding) + fmt::format("impossible: excluded by proof for {}\n", finding.input.freedom),
                style.width) +
        "\n";
  return text + wrapped(bold(check_conclusion(finding), style.color) + "\n", style.width);
}

}  // namespace orderlab
