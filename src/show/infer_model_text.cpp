#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "show/colors.hpp"
#include "show/infer_model.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::LogitDifference;
using study::ModelComparison;
using study::ModelInferFinding;
using study::ReductionEffect;

std::string share_text(std::uint64_t count, std::uint64_t all) {
  return fmt::format("{} %", number(100 * static_cast<double>(count) / static_cast<double>(all), 3));
}

Table::Row difference_row(std::string name, const LogitDifference& d) {
  return {std::move(name),       share_text(d.equal, d.tokens), number(d.mean_abs_logit, 2),
          number(d.mean_abs, 2), std::to_string(d.flips),       number(d.expected, 3)};
}

std::vector<Column> difference_columns(std::string first) {
  return {{std::move(first), Align::left}, {"equal logits"}, {"mean |diff|"}, {"mean |D|"}, {"flips"}, {"expected"}};
}

std::string comparison_table(const ModelInferFinding& finding, bool color) {
  Table table(difference_columns("run"));
  for (const ModelComparison& comparison : finding.comparisons)
    table.add(difference_row(comparison.changes, comparison.difference));
  if (finding.drawn) table.add(difference_row(plural(finding.request.runs, "drawn run"), finding.drawn->difference));
  return table.text(color);
}

bool has_effects(const ModelComparison& comparison) {
  return std::any_of(comparison.reductions.begin(), comparison.reductions.end(),
                     [](const ReductionEffect& effect) { return effect.alone.tokens > 0; });
}

std::string effects_text(const ModelComparison& comparison, const TextStyle& style) {
  std::string text;
  for (const ReductionEffect& effect : comparison.reductions)
    text += wrapped(fmt::format("{}: {} in place of {}\n", effect.name, effect.other, effect.first), style.width);
  if (!has_effects(comparison)) return text;
  Table table(difference_columns("reduction"));
  for (const ReductionEffect& effect : comparison.reductions) {
    table.add(difference_row(std::string(effect.name) + " alone", effect.alone));
    table.add(difference_row("all but " + std::string(effect.name), effect.without));
  }
  return text + table.text(style.color);
}

std::string rate_text(const ModelComparison& comparison) {
  const LogitDifference& d = comparison.difference;
  if (d.equal == d.tokens)
    return fmt::format("{}: all logits are bit-identical{}.", comparison.changes,
                       comparison.reductions.empty() ? ", as every reduction is the same in both runs" : "");
  std::string text = fmt::format(
      "{}: {} flips per 1000 tokens (95 %: {} to {}; expected {}); {} of {} answers diverged", comparison.changes,
      number(comparison.per_1000.value, 3), number(*comparison.per_1000.low, 3), number(*comparison.per_1000.high, 3),
      number(1000 * d.expected / static_cast<double>(d.tokens), 3), comparison.diverged(), comparison.answers.size());
  if (comparison.half) text += fmt::format(", half are expected to after {} tokens", number(comparison.half, 3));
  return text + ".";
}

/// Mean number of answers that begin differently, and the most.
std::string distinct_text(const ModelInferFinding& finding) {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  std::uint64_t diverged = 0;
  for (const study::DrawnAnswer& answer : finding.drawn->answers) {
    all += answer.distinct;
    most = std::max(most, answer.distinct);
    if (answer.diverged() > 0) ++diverged;
  }
  return fmt::format(
      "{} of {} prompts have an answer that changes in some run; on average a prompt has {} different answers in {}, "
      "at most {}, as far as first flips tell them apart.",
      diverged, finding.answers.size(),
      number(static_cast<double>(all) / static_cast<double>(finding.answers.size()), 3),
      plural(finding.request.runs, "run"), most);
}

std::string drawn_text(const ModelInferFinding& finding) {
  const LogitDifference& d = finding.drawn->difference;
  const std::string runs = plural(finding.request.runs, "drawn run");
  if (d.equal == d.tokens) return runs + ": all logits are bit-identical.";
  std::string text = fmt::format("{}: {} flips per 1000 tokens (95 % over prompts: {} to {}; expected {})", runs,
                                 number(finding.drawn->per_1000.value, 3), number(*finding.drawn->per_1000.low, 3),
                                 number(*finding.drawn->per_1000.high, 3),
                                 number(1000 * d.expected / static_cast<double>(d.tokens), 3));
  if (finding.drawn->half)
    text +=
        fmt::format("; half of the answers are expected to diverge within {} tokens", number(finding.drawn->half, 3));
  return text + ". " + distinct_text(finding);
}

/// What the runs draw.
std::string draws_text(const ModelInferFinding& finding) {
  const study::ModelInferRequest& request = finding.request;
  std::string text;
  for (const std::uint64_t batch : request.neighbours)
    text += (text.empty() ? "batch of each token drawn from " : ", ") + std::to_string(batch);
  if (request.settings.split_order == SplitOrder::arrival && request.settings.split_k > 1)
    text += std::string(text.empty() ? "" : "; ") + "splits added as they arrive, in a drawn order";
  return text;
}

/// The reduction that alone moves margins farthest.
std::string cause_text(const ModelComparison& comparison) {
  const LogitDifference& d = comparison.difference;
  if (d.equal == d.tokens) return {};
  if (comparison.reductions.size() == 1)
    return fmt::format("The only reduction that differs is {}: {}.", comparison.reductions[0].name,
                       comparison.reductions[0].summary);
  if (!has_effects(comparison)) return {};
  const auto most = std::max_element(
      comparison.reductions.begin(), comparison.reductions.end(),
      [](const ReductionEffect& a, const ReductionEffect& b) { return a.alone.mean_abs < b.alone.mean_abs; });
  return fmt::format("The largest single effect is that of {} ({}): {} nats alone; all together {}.", most->name,
                     most->summary, number(most->alone.mean_abs, 2), number(d.mean_abs, 2));
}

}  // namespace

std::vector<std::string> conclusions_of(const ModelInferFinding& finding) {
  std::vector<std::string> sentences;
  for (const ModelComparison& comparison : finding.comparisons) {
    sentences.push_back(rate_text(comparison));
    if (std::string cause = cause_text(comparison); !cause.empty()) sentences.push_back(std::move(cause));
  }
  if (finding.drawn) sentences.push_back(drawn_text(finding));
  return sentences;
}

std::vector<std::string> limits_of(const ModelInferFinding& finding) {
  std::vector<std::string> limits{
      "Not known: which tiles and splits cuBLAS chooses for a shape (split_k sets them), the order of products within "
      "a step of a tensor core (here from left to right in fp32), and the last bits of a GPU's exp.",
      "Assumed in every stack: prompts are read token by token by the kernels of decoding, silu is rounded before it "
      "is multiplied, rotations are computed in fp32. A LayerNorm, which GPT-NeoX has, is added in two passes by the "
      "threads of PyTorch's kernel, which has one: `orderlab explain --op 'layer_norm(...)'`.",
  };
  const bool ranks = std::any_of(finding.request.against.begin(), finding.request.against.end(),
                                 [](const ServingSettings& s) { return s.tp > 1; });
  if (ranks || finding.request.settings.tp > 1)
    limits.emplace_back(
        "All-reduces: one channel with equal chunks is assumed. NVLS, where the switch adds, is not modelled: its "
        "order is not public.");
  if (finding.drawn)
    limits.emplace_back(
        "Drawn: every order of arrival of the splits and every batch is as likely as another; a server's are not, and "
        "requests that are decoded together share them.");
  return limits;
}

std::string to_text(const ModelInferFinding& finding, const TextStyle& style) {
  std::string text =
      wrapped(fmt::format("{}: {}, {} weights; {}, {} of answers\nfirst run: {}\n", printable(finding.model),
                          finding.type, finding.parameters, plural(finding.answers.size(), "prompt"),
                          plural(finding.tokens, "token"), to_string(finding.request.settings)),
              style.width);
  if (finding.drawn)
    text +=
        wrapped(fmt::format("{}: {}\n", plural(finding.request.runs, "drawn run"), draws_text(finding)), style.width);
  if (finding.request.parts > 1)
    text += fmt::format("part {}/{} of {} prompts\n", finding.request.part, finding.request.parts, finding.prompts);
  if (finding.partial()) text += fmt::format("INTERRUPTED: {} of {} prompts\n", finding.answers.size(), finding.asked);
  text += fmt::format("margins: {} exact ties", share_text(finding.ties, finding.tokens));
  if (finding.density) text += fmt::format("; density at 0: {} per nat", number(finding.density->per_nat, 3));
  text += "\n\n" + comparison_table(finding, style.color);
  for (const ModelComparison& comparison : finding.comparisons)
    if (!comparison.reductions.empty())
      text += fmt::format("\n{}\n", bold(comparison.changes, style.color)) + effects_text(comparison, style);
  text += "\n";
  for (const std::string& sentence : conclusions_of(finding))
    text += bold(wrapped(sentence, style.width), style.color) + "\n";
  for (const std::string& sentence : limits_of(finding)) text += wrapped(sentence + "\n", style.width);
  return text;
}

}  // namespace orderlab
