#include "report/experiment_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/metrics.hpp"
#include "report/colors.hpp"
#include "report/comparison_table.hpp"
#include "report/error_table.hpp"
#include "report/experiment_conclusion.hpp"
#include "report/histogram.hpp"
#include "report/input_text.hpp"
#include "report/result_bins.hpp"
#include "report/same_bits_text.hpp"
#include "report/shown_unit.hpp"
#include "report/table.hpp"
#include "report/wrapped.hpp"

namespace orderlab {

namespace {

std::string bounds_line(const study::SampledOrder& order, const study::InputFacts& input) {
  const ShownUnit unit(input);
  const auto shown = [&](std::optional<double> bound) { return bound ? unit.text(*bound) : "none derived"; };
  const auto& m = order.metrics;
  const auto running = m.number({"bounds", "running", "max"});
  const auto random = m.number({"bounds", "probabilistic", "value"});
  const std::string proven = fmt::format("bounds on |error|: D1 (running) {}, D2 (gamma_h) {}", shown(running),
                                         shown(m.number({"bounds", "gamma"})));
  if (no_better(random, running)) return proven + "\n";
  return fmt::format("{}; P3 {} with probability {} (assumes random roundings)\n", proven, shown(random),
                     number(m.number({"bounds", "probabilistic", "probability"})));
}

// A fixed order has a Vs of its own where another baseline was given.
std::string vs_line(const study::SampledOrder& order, bool baseline_given) {
  const auto& m = order.metrics;
  const auto offset = m.number({"vs", "offset"});
  if (!offset || (!order.random && !baseline_given)) return "";
  if (!order.random)
    return fmt::format("Vs against {}: {}\n", std::get<std::string>(*m.find({"vs", "baseline"})), number(offset));
  return fmt::format("Vs against {}: offset {}, spread {}, largest {}\n",
                     std::get<std::string>(*m.find({"vs", "baseline"})), number(offset),
                     number(m.number({"vs", "spread"})), number(m.number({"vs", "max_abs"})));
}

std::string same_bits_of_samples(const study::SampledOrder& order) {
  return order.random ? same_bits_line(order.metrics, order.counts.samples()) : "";
}

std::string experiment_histogram(const study::SampledOrder& order, const study::InputFacts& input,
                                 const TextStyle& style) {
  const ShownUnit unit(input);
  const auto farthest = order.metrics.number({"error", unit.key(), "max_abs"});
  if (!unit.known() || (farthest && std::isinf(*farthest))) return "";
  std::vector<HistogramPoint> points;
  const CountingFrame& frame = order.counts.frame();
  if (order.counts.binned()) {
    // next to 0 edges in ulps overflow, but values of edges are exact
    const bool from_values = unit.key() != "ulp";
    const double width = unit.of(std::ldexp(1.0, order.counts.bin_exponent() + frame.ulp_exponent));
    for (const ResultBin& bin : result_bins(order.counts, input.exact))
      points.push_back({from_values ? unit.of(input.exact.difference(bin.low_value)) : bin.low, bin.count, width});
  } else {
    for (const ResultCounts::Result& r : order.counts.results()) {
      if (!std::isfinite(r.value)) continue;
      const double position = unit.of(input.exact.difference(r.value));
      if (!points.empty() && points.back().position == position)  // -0 and +0
        points.back().count += r.count;
      else
        points.push_back({position, r.count});
    }
  }
  if (points.size() < 2 && !order.counts.binned()) return "";
  HistogramLabels labels;
  labels.unit = unit.name();
  return "\n" + histogram_text(points, style.width, labels, style.color);
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
  const auto& m = order.metrics;
  const auto launch = m.number({"arrival", "tau_to_launch"});
  const auto between = m.number({"arrival", "tau_between"});
  const auto launch_error = m.number({"arrival", "tau_to_launch_standard_error"});
  const auto between_error = m.number({"arrival", "tau_between_standard_error"});
  if (!launch) return "";
  std::string text =
      fmt::format("Arrivals {}: Kendall tau {} to launch order", order.arrival, tau_text(*launch, launch_error));
  if (between) text += fmt::format(", {} between samples", tau_text(*between, between_error));
  const auto draws = std::get<std::uint64_t>(*m.find({"arrival", "draws"}));
  return text + fmt::format(" ({}{}).\n", plural(draws, "draw"), launch_error ? "; ± standard error" : "");
}

std::string warnings_text(const study::SampledOrder& order) {
  std::string text;
  for (const std::string& warning : order.warnings) text += "warning: " + warning + ".\n";
  return text;
}

std::string one_order(const study::SampleFinding& report, const study::SampledOrder& order, const TextStyle& style) {
  std::string text = wrapped(head_lines(order.name, order.expression, report.input, style.color), style.width);
  if (!order.random) {
    const auto results = order.counts.results();
    text += fmt::format("computed  {:.{}g}  ({})\n", results[0].value, kShownDigits,
                        bits_text(order.counts.frame().format, results[0].bits));
  } else {
    text += wrapped(fmt::format("{} each run\n", order.random_count == report.input.n
                                                     ? plural(order.random_count, "term") + " in a new order"
                                                     : plural(order.random_count, "partial sum") + " in a new order"),
                    style.width);
    if (order.counts.finite() > 0) text += "\n" + error_table(order.metrics, style);
    text += experiment_histogram(order, report.input, style);
  }
  text += "\n" + wrapped(bounds_line(order, report.input) + vs_line(order, !report.baseline.empty()) +
                             same_bits_of_samples(order) + arrival_line(order) + warnings_text(order),
                         style.width);
  return text + "\n" + wrapped(bold(conclusion_of(order, report.input), style.color) + "\n", style.width);
}

std::string comparison(const study::SampleFinding& report, const TextStyle& style) {
  std::string text = wrapped(input_line(report.input) + "\n" + exact_line(report.input) + "\n", style.width) + "\n";
  const std::vector<std::string> names = order_labels(report);
  text += comparison_table(report, names, style) + "\n";
  if (const std::string agreement = agreement_line(report.orders); !agreement.empty())
    text += wrapped(bold(agreement, style.color), style.width) + "\n\n";
  if (const std::string differing = differing_bits_line(report, names); !differing.empty())
    text += wrapped(bold(differing, style.color), style.width) + "\n\n";
  std::string notes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const study::SampledOrder& order = report.orders[i];
    const std::string typed = names[i].substr(0, names[i].find(" #"));  // without its number
    const bool explained = typed == order.name || typed == order.expression;
    notes += bold(names[i], style.color) + (explained ? "" : " = " + order.expression) + ": " +
             conclusion_of(order, report.input) + "\n";
  }
  const auto conservative =
      std::max_element(report.orders.begin(), report.orders.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const study::SampledOrder& order) {
          return order.arrival == "uniform" ? 1 + int{order.advice.has_value()} : 0;
        };
        return rank(a) < rank(b);
      });
  if (conservative != report.orders.end() && conservative->arrival == "uniform") notes += arrival_line(*conservative);
  for (const study::SampledOrder& order : report.orders) notes += warnings_text(order);
  return text + wrapped(notes, style.width);
}

}  // namespace

std::string to_text(const study::SampleFinding& report, const TextStyle& style) {
  std::string text = report.orders.size() == 1 ? one_order(report, report.orders[0], style) : comparison(report, style);
  if (report.partial) text += "interrupted: these are the samples that were done\n";
  return text;
}

}  // namespace orderlab
