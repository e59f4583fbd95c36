#include <fmt/format.h>

#include <algorithm>

#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/probe.hpp"
#include "show/probe_words.hpp"
#include "show/table.hpp"
#include "show/tree.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::ProbeFinding;

constexpr std::size_t kShownClusters = 16;
constexpr std::size_t kShownTrees = 10;
constexpr std::size_t kShownOrders = 4;

std::string summands_text(const BoxMaker& box) {
  if (!box.weights.empty()) return ", each with a weight";
  switch (box.summands) {
    case Summands::terms:
      return "";
    case Summands::magnitudes:
      return ", sum of |x|";
    case Summands::squares:
      return ", sum of x^2";
    case Summands::norm:
      return ", square root of the sum of x^2";
  }
  return "";
}

std::string head_text(const ProbeFinding& finding) {
  const ProbedOrder& first = finding.settings.front();
  const std::string terms = std::string(info(finding.format).name) + (finding.box.products ? " product" : " term");
  return fmt::format("{}: {}{}\n", finding.box.name, plural(first.setting.n, terms), summands_text(finding.box));
}

std::string how_known(const ProbedOrder& probed) {
  if (!probed.tree) return "-";
  const std::string height = fmt::format("height {}", probed.tree->height());
  if (probed.certified) return height + ", certified node by node";
  return height + (probed.accumulator && probed.accumulator->narrowest ? ", revealed pair by pair" : "");
}

// What is known of one setting, a line for each fact.
std::string facts_text(const ProbeFinding& finding, const TextStyle& style) {
  const ProbedOrder& probed = finding.settings.front();
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += wrapped(fmt::format("{:<10} {}\n", name, value), style.width);
  };
  if (probed.verdict != ProbeVerdict::random) add("precision", precision_text(probed));
  if (probed.tree) add("tree", how_known(probed));
  if (probed.replayed > 0 && probed.verdict == ProbeVerdict::random)
    add("bits", fmt::format("the order can give all sums of {} random inputs", probed.replayed));
  else if (probed.replayed > 0)
    add("bits", fmt::format("equal on {} random inputs, {}", probed.replayed, additions_text(probed)));
  std::string also;
  for (std::size_t i = 1; i < std::min(probed.orders.size(), kShownOrders) && finding.other_sizes.empty(); ++i)
    also += (also.empty() ? "" : ", ") + probed.orders[i].text;
  add("also", also);
  for (const study::OtherSize& other : finding.other_sizes)
    add(fmt::format("n = {}", other.n),
        !other.problem.empty() ? other.problem
        : other.holds          ? fmt::format("the same order, by the bits of {} random inputs", kInputsElsewhere)
                               : "another order; --sizes says which");
  if (probed.changes_input) add("input", "changed in place by the box; every call got a fresh copy");
  add("calls", std::to_string(finding.calls()));
  add("rarely", missed_text(probed));
  return text;
}

std::string clusters_text(const ProbedOrder& probed, const TextStyle& style) {
  if (probed.clusters.empty()) return "";
  std::string text =
      fmt::format("\n{} that every call adds in the same tree:\n", plural(probed.clusters.size(), "cluster"));
  for (std::size_t c = 0; c < probed.clusters.size() && c < kShownClusters; ++c)
    text += wrapped(fmt::format("  c{}: terms {}\n", c, ranges_text(probed.clusters[c])), style.width);
  if (probed.clusters.size() > kShownClusters)
    text += fmt::format("  and {} more\n", probed.clusters.size() - kShownClusters);
  text += probed.different_sums == 1
              ? fmt::format("All {} calls with one input gave the same sum.\n", probed.draws)
              : fmt::format("{} calls with one input gave {} different sums.\n", probed.draws, probed.different_sums);
  if (probed.drawn.empty()) return text;
  Table table({{"tree", Align::left}, {"calls"}, {"share"}});
  for (std::size_t i = 0; i < probed.drawn.size() && i < kShownTrees; ++i)
    table.add({probed.drawn[i].tree, std::to_string(probed.drawn[i].count),
               number(static_cast<double>(probed.drawn[i].count) / static_cast<double>(probed.draws), 3)});
  return text + table.text(style.color);
}

std::string settings_table(const ProbeFinding& finding, const TextStyle& style) {
  Table table({{"n"}, {"offset"}, {"threads"}, {"calls"}, {"verdict", Align::left}});
  const auto in_first_format = [&](const ProbedOrder& probed) {
    return probed.formats == finding.settings.front().formats;
  };
  const bool one_format = std::all_of(finding.settings.begin(), finding.settings.end(), in_first_format);
  for (const ProbedOrder& probed : finding.settings)
    table.add({std::to_string(probed.setting.n), std::to_string(probed.setting.offset),
               probed.setting.threads == 0 ? "-" : std::to_string(probed.setting.threads), std::to_string(probed.calls),
               verdict_text(probed) + (one_format ? "" : ", sums in " + to_string(probed.formats))});
  return table.text(style.color);
}

std::string tree_line(const ProbedOrder& probed, const TextStyle& style) {
  if (!probed.tree || probed.setting.n > kDrawnTerms) return "";
  return "\n" + wrapped(tree_expression(*probed.tree) + "\n", style.width);
}

std::string expectation_text(const ProbeFinding& finding) {
  if (finding.expected.empty()) return "";
  for (const ProbedOrder& probed : finding.settings) {
    if (probed.as_expected.value_or(true)) continue;
    std::string text = fmt::format("not {}: ", finding.expected);
    if (finding.settings.size() > 1)
      text = fmt::format("not {} (n = {}, offset {}): ", finding.expected, probed.setting.n, probed.setting.offset);
    if (!probed.differs && probed.replayed == 0) return text + verdict_text(probed) + "\n";
    if (!probed.differs) return text + "its sums of random inputs have other bits\n";
    const std::string found = probed.differs->found == 0 ? "no subtree whose terms can be counted"
                                                         : "a subtree of " + plural(probed.differs->found, "term");
    return text + fmt::format("terms {} and {} meet in {}; in {}, in one of {}\n", probed.differs->i, probed.differs->j,
                              found, finding.expected, probed.differs->expected);
  }
  return finding.partial ? "" : fmt::format("as expected: {}\n", finding.expected);
}

// That numbers of threads changed nothing says nothing of threads where one did all.
std::string one_thread_text(const ProbeFinding& finding) {
  if (!finding.one_thread) return "";
  const std::string n = std::to_string(finding.one_thread->n);
  return "; one thread did all, whatever the number of threads" +
         (finding.one_thread->holds ? ", also of " + n + " terms"
                                    : "; of " + n + " terms it did not: probe with --n " + n);
}

std::string verdict_line(const ProbeFinding& finding) {
  if (finding.settings.size() == 1) return verdict_text(finding.settings.front());
  std::string text(name_of(finding.verdict));
  if (!finding.order.empty()) text += ": " + finding.order;
  return text + one_thread_text(finding);
}

// Nothing tells a function of another signature from one that adds nothing.
std::string signature_text(const ProbeFinding& finding) {
  if (finding.verdict != ProbeVerdict::not_a_sum || finding.box.kind != "library") return "";
  return fmt::format(
      "If {} is declared in another way than --library expects, T f(size_t n, const T* x) or what its suffix says, "
      "this tells nothing of it: give --format its type T, or wrap it.\n",
      finding.box.name);
}

}  // namespace

std::string to_text(const ProbeFinding& finding, const TextStyle& style) {
  std::string text = wrapped(head_text(finding), style.width);
  if (finding.settings.size() == 1)
    text += facts_text(finding, style) + clusters_text(finding.settings.front(), style);
  else
    text += "\n" + settings_table(finding, style);
  if (finding.settings.front().verdict == ProbeVerdict::revealed) text += tree_line(finding.settings.front(), style);
  if (const std::string hint = signature_text(finding); !hint.empty()) text += "\n" + wrapped(hint, style.width);
  text += "\n" + wrapped(bold(verdict_line(finding), style.color) + "\n", style.width);
  text += wrapped(expectation_text(finding), style.width);
  if (finding.partial) text += "interrupted: some settings, or other sizes, were not probed\n";
  return text;
}

}  // namespace orderlab
