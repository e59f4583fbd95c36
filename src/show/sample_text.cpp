#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/printed_number.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/metrics.hpp"
#include "show/colors.hpp"
#include "show/comparison_table.hpp"
#include "show/error_table.hpp"
#include "show/histogram.hpp"
#include "show/input_text.hpp"
#include "show/same_bits_text.hpp"
#include "show/sample.hpp"
#include "show/sample_conclusion.hpp"
#include "show/shown_unit.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string bounds_line(const study::SampledOrder& order, const study::InputFacts& input) {
  const ShownUnit unit(input);
  const auto shown = [&](std::optional<double> bound) { return bound ? unit.text(*bound) : "none derived"; };
  const auto& bounds = order.metrics.of<BoundSummary>();
  const std::string proven = fmt::format("bounds on |error|: D1 (running) {}, D2 (gamma_h) {}",
                                         shown(bounds.running.max), shown(bounds.gamma));
  if (no_better(bounds.probabilistic.value, bounds.running.max)) return proven + "\n";
  return fmt::format("{}; P3 {} with probability {} (assumes random roundings)\n", proven,
                     shown(bounds.probabilistic.value), number(bounds.probabilistic.probability));
}

// A fixed order has a Vs of its own where another baseline was given.
std::string vs_line(const study::SampledOrder& order, bool baseline_given) {
  const auto& vs = order.metrics.of<VsSummary>();
  if (!vs.offset || (!order.random && !baseline_given)) return "";
  if (!order.random) return fmt::format("Vs against {}: {}\n", vs.baseline, number(vs.offset));
  return fmt::format("Vs against {}: offset {}, spread {}, largest {}\n", vs.baseline, number(vs.offset),
                     number(vs.spread), number(vs.max_abs));
}

std::string same_bits_of_samples(const study::SampledOrder& order) {
  return order.random ? same_bits_line(order.metrics.of<SameBits>(), order.counts.samples()) : "";
}

std::string sample_histogram(const study::SampledOrder& order, const study::InputFacts& input, const TextStyle& style) {
  const ShownUnit unit(input);
  const auto farthest = unit.errors(order.metrics).max_abs;
  if (!unit.known() || (farthest && std::isinf(*farthest))) return "";
  Distribution errors = errors_of(order.counts, input.exact);
  for (Weighted& error : errors.values) error.value = unit.of(error.value);
  errors.width = unit.of(errors.width);
  if (!order.counts.binned()) errors = equal_joined(errors);
  if (errors.size() < 2 && !order.counts.binned()) return "";
  HistogramLabels labels;
  labels.unit = unit.name();
  return "\n" + histogram_text(errors, style.width, labels, style.color);
}

// To the digit in which the standard error has its first.
std::string tau_text(double tau, std::optional<double> standard_error) {
  constexpr int kFewestDecimals = 3;
  constexpr int kMostDecimals = 6;
  const double error = standard_error.value_or(0);
  int decimals = kFewestDecimals;
  while (decimals < kMostDecimals && error > 0 && error < std::pow(10.0, -decimals)) ++decimals;
  std::string text = fmt::format("{:.{}f}", tau + 0.0, decimals);
  if (!standard_error) return text;
  const bool small = error > 0 && error < std::pow(10.0, -decimals);
  return text + " ± " + (small ? number(error, 1) : fmt::format("{:.{}f}", error, decimals));
}

// What is known of how realistic the arrivals are, in one line.
std::string arrival_line(const study::SampledOrder& order) {
  if (order.arrival.empty()) return "";
  if (order.arrival == "uniform") {
    const std::string uniform = "Arrivals are drawn uniformly, the conservative model.";
    if (!order.advice) return uniform + "\n";
    return uniform + fmt::format(
                         " Recorded arrivals are closer to launch order: --arrival {}, Kendall tau {:.3f} for these "
                         "{}.\n",
                         order.advice->arrival, order.advice->tau, plural(order.random_count, "thread block"));
  }
  const auto& taus = order.metrics.of<ArrivalTaus>();
  if (taus.draws == 0) return "";
  std::string text = fmt::format("Arrivals {}: Kendall tau {} to launch order", order.arrival,
                                 tau_text(taus.tau_to_launch, taus.tau_to_launch_standard_error));
  if (taus.tau_between)
    text += fmt::format(", {} between samples", tau_text(*taus.tau_between, taus.tau_between_standard_error));
  return text + fmt::format(" ({}{}).\n", plural(taus.draws, "draw"),
                            taus.tau_to_launch_standard_error ? "; ± standard error" : "");
}

std::string warnings_text(const study::SampledOrder& order) {
  std::string text;
  for (const std::string& warning : order.warnings) text += "warning: " + warning + ".\n";
  return text;
}

std::string one_order(const study::SampleFinding& finding, const study::SampledOrder& order, const TextStyle& style) {
  std::string text = wrapped(head_lines(order.name, order.expression, finding.input, style.color), style.width);
  if (!order.random) {
    const double result = order.counts.results().values[0].value;
    const Format format = order.counts.frame().format;
    text += fmt::format("computed  {:.{}g}  ({})\n", printed(result), kShownDigits,
                        bits_text(format, bits_of(format, result)));
  } else {
    text += wrapped(fmt::format("{} each run\n", order.random_count == finding.input.n
                                                     ? plural(order.random_count, "term") + " in a new order"
                                                     : plural(order.random_count, "partial sum") + " in a new order"),
                    style.width);
    if (order.counts.finite() > 0) text += "\n" + error_table(order.metrics.of<ErrorSummary>(), style);
    text += sample_histogram(order, finding.input, style);
  }
  text += "\n" + wrapped(bounds_line(order, finding.input) + vs_line(order, !finding.baseline.empty()) +
                             same_bits_of_samples(order) + arrival_line(order) + warnings_text(order),
                         style.width);
  return text + "\n" + wrapped(bold(conclusion_of(order, finding.input), style.color) + "\n", style.width);
}

std::string comparison(const study::SampleFinding& finding, const TextStyle& style) {
  std::string text = wrapped(input_line(finding.input) + "\n" + exact_line(finding.input) + "\n", style.width) + "\n";
  const std::vector<std::string> names = order_labels(finding);
  text += comparison_table(finding, names, style) + "\n";
  if (const std::string agreement = agreement_line(finding); !agreement.empty())
    text += wrapped(bold(agreement, style.color), style.width) + "\n\n";
  if (const std::string differing = differing_bits_line(finding, names); !differing.empty())
    text += wrapped(bold(differing, style.color), style.width) + "\n\n";
  std::string notes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const study::SampledOrder& order = finding.orders[i];
    const std::string typed = names[i].substr(0, names[i].find(" #"));  // without its number
    const bool explained = typed == order.name || typed == order.expression;
    notes += bold(names[i], style.color) + (explained ? "" : " = " + order.expression) + ": " +
             conclusion_of(order, finding.input) + "\n";
  }
  const auto conservative =
      std::max_element(finding.orders.begin(), finding.orders.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const study::SampledOrder& order) {
          return order.arrival == "uniform" ? 1 + int{order.advice.has_value()} : 0;
        };
        return rank(a) < rank(b);
      });
  if (conservative != finding.orders.end() && conservative->arrival == "uniform") notes += arrival_line(*conservative);
  for (const study::SampledOrder& order : finding.orders) notes += warnings_text(order);
  return text + wrapped(notes, style.width);
}

}  // namespace

std::string to_text(const study::SampleFinding& finding, const TextStyle& style) {
  std::string text =
      finding.orders.size() == 1 ? one_order(finding, finding.orders[0], style) : comparison(finding, style);
  if (finding.partial) text += "incomplete: these are the samples that were drawn\n";
  return text;
}

}  // namespace orderlab
