#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "show/colors.hpp"
#include "show/infer.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::InferFinding;

std::string infer_head(const InferFinding& finding) {
  std::string text = fmt::format("{}: {}, {}", printable(finding.run), plural(finding.answers.size(), "answer"),
                                 plural(finding.tokens, "token"));
  if (finding.against.empty()) return text + "\n";
  text += fmt::format("\nagainst {}, matched by {}: {} compared, up to the first flip of each answer\n",
                      printable(finding.against), name_of(finding.matched_by), plural(finding.compared, "token"));
  if (finding.unmatched > 0)
    text += fmt::format("{} without a partner left out\n", plural(finding.unmatched, "answer"));
  const auto shorter = static_cast<std::uint64_t>(
      std::count_if(finding.answers.begin(), finding.answers.end(), [](const auto& row) { return row.shorter; }));
  if (shorter > 0)
    text += fmt::format(
        "{} of other lengths in the two runs, without a flip before: an end that no server lists, or another limit of "
        "tokens. They count as no flips.\n",
        plural(shorter, "answer"));
  return text;
}

std::string share_of(std::uint64_t count, std::uint64_t all) {
  return fmt::format("{} ({} %)", count, number(100 * static_cast<double>(count) / static_cast<double>(all), 3));
}

std::string noise_lines(const InferFinding& finding) {
  std::string text = fmt::format("margins     exact ties {}", share_of(finding.ties, finding.tokens));
  if (finding.density) text += fmt::format("; density at 0: {} per nat", number(finding.density->per_nat, 3));
  text += fmt::format("\nnoise       mean absolute change of a margin {} nats", number(finding.mean_abs, 3));
  if (finding.request.noise) text += ", as given";
  if (finding.measured)
    text += fmt::format("; sd {}, robust sd {}; {} did not change", number(finding.measured->sd, 3),
                        number(finding.measured->robust_sd, 3), share_of(finding.equal, finding.compared));
  text += "\n";
  if (finding.unlisted > 0)
    text += fmt::format(
        "            {} whose two candidates are not both listed in the second run; more top_logprobs help\n",
        plural(finding.unlisted, "token"));
  return text;
}

std::string flip_lines(const InferFinding& finding) {
  std::string text = "flips       ";
  if (finding.observed) {
    const study::ObservedFlips& observed = *finding.observed;
    text += fmt::format("observed {}; expected {}, of which chance makes {} to {}", observed.flips,
                        number(finding.expected, 3), observed.chance_low, observed.chance_high);
  } else {
    text += fmt::format("expected {}", number(finding.expected, 3));
  }
  if (finding.expected_by_density)
    text += fmt::format("; by the density at 0 {}", number(finding.expected_by_density, 3));
  text += "\nper 1000    ";
  if (finding.observed)
    text += fmt::format("observed {} (95 %: {} to {}); ", number(finding.observed->per_1000.value, 3),
                        number(finding.observed->per_1000.low, 3), number(finding.observed->per_1000.high, 3));
  text += fmt::format("expected {}", number(finding.per_1000.value, 3));
  if (!finding.per_1000.low) return text + " (too few answers for an interval)\n";
  return text + fmt::format(" (95 %: {} to {})\n", number(finding.per_1000.low, 3), number(finding.per_1000.high, 3));
}

/// "at least 5.25 nats at token 17 ('the') of answer-3".
std::string place_of_largest(const study::MarginChange& largest) {
  return fmt::format("{}{} nats at token {} ({}) of {}", largest.at_least ? "at least " : "", number(largest.nats, 3),
                     largest.token, printable(in_quotes(largest.chosen)), printable(largest.answer));
}

std::string limit_line(const InferFinding& finding) {
  if (!finding.largest) return {};
  std::string text = fmt::format("largest     {}; ", place_of_largest(*finding.largest));
  if (finding.limit->shape)
    return text + fmt::format("the {} other changes allow {} nats: median {}, exponent of the tail {}\n",
                              finding.limit->changed, number(finding.limit->allowed, 3),
                              number(finding.limit->median, 3), number(finding.limit->shape, 3));
  return text + fmt::format(
                    "only {} other margins changed, too few to measure noise; {} nats are allowed, two bf16 "
                    "logits below 64 that are rounded the other way\n",
                    finding.limit->changed, number(finding.limit->allowed, 3));
}

std::string verdict_sentence(const InferFinding& finding) {
  if (!finding.noise_is_rounding())
    return fmt::format(
        "NOT EXPLAINED by rounding: half of the margins that changed did so by {} nats or more, and roundings of bf16 "
        "logits give {}. Suspect a bug, another model, another prompt or a coarse quantization.",
        number(finding.limit->median, 3), number(kTwoSteps, 3));
  if (!finding.explained() && finding.largest && finding.largest->at_least)
    return fmt::format(
        "UNDECIDED: a margin changed by {}, as a token that leads in one run is not listed in the other. Ask the "
        "server for more top_logprobs.",
        place_of_largest(*finding.largest));
  if (!finding.explained())
    return "UNDECIDED: no answer has its end in the same place in both runs. What was compared before it is rounding.";
  if (!finding.largest)
    return finding.observed->flips == 0 ? "Explained by rounding: no margin changed, and no token."
                                        : "Explained by rounding: only tokens with equal logits changed.";
  if (*finding.explained())
    return fmt::format(
        "Explained by rounding: the largest change of a margin, {} nats, is within the {} nats that the noise allows.",
        number(finding.largest->nats, 3), number(finding.limit->allowed, 3));
  return fmt::format(
      "NOT EXPLAINED by rounding: a margin changed by {}, and the noise of all others allows {} nats. Suspect a bug: a "
      "wrong kernel, a cache, another prompt or model.",
      place_of_largest(*finding.largest), number(finding.limit->allowed, 3));
}

std::string rate_sentence(const InferFinding& finding) {
  if (!finding.half) return "No flip is expected from the changes that were seen.";
  return fmt::format("Of 1000 tokens, {} flip; half of the answers have diverged after {} tokens{}.",
                     number(finding.per_1000.value, 3), number(finding.half, 3),
                     finding.half_low && finding.half_high
                         ? fmt::format(" (95 %: {} to {})", number(finding.half_low, 3), number(finding.half_high, 3))
                         : "");
}

}  // namespace

std::vector<std::string> conclusions_of(const InferFinding& finding) {
  std::vector<std::string> sentences;
  if (finding.observed) sentences.push_back(verdict_sentence(finding));
  sentences.push_back(rate_sentence(finding));
  if (finding.test_answers)
    sentences.push_back(fmt::format("A test needs {} like these to see one flip or more with 95 % probability.",
                                    plural(*finding.test_answers, "prompt")));
  return sentences;
}

std::string to_text(const InferFinding& finding, const TextStyle& style) {
  std::string text = wrapped(
      infer_head(finding) + "\n" + noise_lines(finding) + flip_lines(finding) + limit_line(finding), style.width);
  text += "\n";
  const std::vector<std::string> sentences = conclusions_of(finding);
  for (std::size_t i = 0; i < sentences.size(); ++i)
    text += i == 0 ? bold(wrapped(sentences[i], style.width), style.color) + "\n"
                   : wrapped(sentences[i] + "\n", style.width);
  text += wrapped(
      "Rounding and its order are not told apart from other causes of small changes, such as another "
      "format or quantization of one run.\n",
      style.width);
  return text;
}

}  // namespace orderlab
