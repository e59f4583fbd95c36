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
#include "report/histogram.hpp"
#include "report/input_text.hpp"
#include "report/result_bins.hpp"
#include "report/same_bits_text.hpp"
#include "report/table.hpp"
#include "report/wrapped.hpp"

namespace orderlab {

namespace {

std::optional<double> ulp(const OrderReport& order, std::string_view what) {
  return order.metrics.number({"error", "ulp", what});
}

// Next to an exact sum of 0 an ulp is the smallest subnormal and says nothing: there errors are in u sum|x|.
bool in_ulps(const OrderReport& order) {
  return order.metrics.number({"error", "relative", "max_abs"}) ||
         !order.metrics.number({"error", "u_sum_abs", "max_abs"});
}

std::string experiment_in_unit(const OrderReport& order, std::string_view what, int digits) {
  return in_ulps(order) ? number(ulp(order, what), digits) + " ulp"
                        : number(order.metrics.number({"error", "u_sum_abs", what}), digits) + " u sum|x|";
}

std::string spread(const OrderReport& order) {
  const std::string_view unit = in_ulps(order) ? "ulp" : "u_sum_abs";
  const auto min = order.metrics.number({"error", unit, "min"});
  const auto max = order.metrics.number({"error", unit, "max"});
  const auto wide = min && max ? std::optional(*max - *min) : std::nullopt;
  return number(wide, 3) + (in_ulps(order) ? " ulp" : " u sum|x|");
}

std::uint64_t nonfinite(const OrderReport& order) { return order.counts.samples() - order.counts.finite(); }

// "relative to the exact sum at most 4.4e-15", or in u sum|x| where there is nothing to relate to.
std::string experiment_distance(const OrderReport& order) {
  const auto relative = order.metrics.number({"error", "relative", "max_abs"});
  const auto max = ulp(order, "max_abs");
  if (max && *max == 0) return nonfinite(order) > 0 ? "the finite ones the exact sum" : "always the exact sum";
  if (relative) return fmt::format("relative to the exact sum at most {}", number(relative, 2));
  return fmt::format("at most {} from the exact sum", experiment_in_unit(order, "max_abs", 2));
}

std::string experiment_conclusion(const OrderReport& order) {
  const std::uint64_t n = order.counts.samples();
  std::string text;
  if (!order.random) {
    text = "A fixed order: every run gives this sum, ";
    const auto error = ulp(order, "min");
    if (error && *error == 0)
      text += "and it is the exact one";
    else if (error)
      text += fmt::format("{} ulp from the exact one, relative error {}", number(std::fabs(*error), 3),
                          number(order.metrics.number({"error", "relative", "max_abs"}), 2));
    else
      text += "which is not finite";
  } else if (order.counts.finite() == 0) {
    const std::uint64_t distinct = order.counts.distinct();
    return fmt::format("{} gave {}, inf or NaN.", plural(n, "run"),
                       distinct == 1 ? "one and the same result" : plural(distinct, "different result"));
  } else if (order.counts.binned()) {
    text = fmt::format("{} gave more than {} different sums, spread {}; {}", plural(n, "run"),
                       order.counts.frame().max_distinct, spread(order), experiment_distance(order));
  } else {
    const std::uint64_t distinct = order.counts.distinct();
    text = distinct == 1 ? fmt::format("{} gave one and the same sum; {}", plural(n, "run"), experiment_distance(order))
                         : fmt::format("{} gave {} different sums, spread {}; {}", plural(n, "run"), distinct,
                                       spread(order), experiment_distance(order));
  }
  if (order.random && nonfinite(order) > 0) text += fmt::format("; {} of them inf or NaN", nonfinite(order));
  return text + ".";
}

// In ulps, or as it is where an ulp says nothing: next to an exact sum of 0 it is the smallest subnormal.
std::string bounds_line(const OrderReport& order, const InputReport& input) {
  const auto in_ulp = [&](std::optional<double> bound) -> std::string {
    if (!bound) return "none derived";
    const double ulps = std::ldexp(*bound, -order.counts.frame().ulp_exponent);
    return input.exact.zero() || std::isinf(ulps) ? number(bound, 3) : number(ulps, 3) + " ulp";
  };
  const auto& m = order.metrics;
  const auto running = m.number({"bounds", "running", "max"});
  const auto random = m.number({"bounds", "probabilistic", "value"});
  const std::string proven = fmt::format("bounds on |error|: running D1 {}, gamma_h {}", in_ulp(running),
                                         in_ulp(m.number({"bounds", "gamma"})));
  if (no_better(random, running)) return proven + "\n";
  return fmt::format("{}; with probability {} {} (P3, assumes random roundings)\n", proven,
                     number(m.number({"bounds", "probabilistic", "probability"})), in_ulp(random));
}

// A fixed order has a Vs of its own where another baseline was given.
std::string vs_line(const OrderReport& order, bool baseline_given) {
  const auto& m = order.metrics;
  const auto offset = m.number({"vs", "offset"});
  if (!offset || (!order.random && !baseline_given)) return "";
  if (!order.random)
    return fmt::format("Vs against {}: {}\n", std::get<std::string>(*m.find({"vs", "baseline"})), number(offset));
  return fmt::format("Vs against {}: offset {}, spread {}, largest {}\n",
                     std::get<std::string>(*m.find({"vs", "baseline"})), number(offset),
                     number(m.number({"vs", "spread"})), number(m.number({"vs", "max_abs"})));
}

std::string same_bits_of_samples(const OrderReport& order) {
  return order.random ? same_bits_line(order.metrics, order.counts.samples()) : "";
}

std::string experiment_histogram(const OrderReport& order, const InputReport& input, const TextStyle& style) {
  std::vector<HistogramPoint> points;
  const CountingFrame& frame = order.counts.frame();
  const auto farthest = ulp(order, "max_abs");
  if (!input.exact.finite() || (farthest && std::isinf(*farthest))) return "";
  if (order.counts.binned()) {
    const double width = std::ldexp(1.0, order.counts.bin_exponent());
    for (const ResultBin& bin : result_bins(order.counts, input.exact)) points.push_back({bin.low, bin.count, width});
  } else {
    for (const ResultCounts::Result& r : order.counts.results()) {
      if (!std::isfinite(r.value)) continue;
      const double position = std::ldexp(input.exact.difference(r.value), -frame.ulp_exponent);
      if (!points.empty() && points.back().position == position)  // -0 and +0
        points.back().count += r.count;
      else
        points.push_back({position, r.count});
    }
  }
  if (points.size() < 2 && !order.counts.binned()) return "";
  return "\n" + histogram_text(points, style.width, HistogramLabels{}, style.color);
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
std::string arrival_line(const OrderReport& order) {
  if (order.arrival.empty()) return "";
  if (order.arrival == "uniform") {
    const std::string uniform = "Arrivals are drawn uniformly, the conservative model";
    if (!order.advice) return uniform + ".\n";
    return uniform + fmt::format(
                         "; recorded ones stay nearer to launch order: --arrival {}, Kendall tau {:.3f} for "
                         "these {}.\n",
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

std::string warnings_text(const OrderReport& order) {
  std::string text;
  for (const std::string& warning : order.warnings) text += "warning: " + warning + ".\n";
  return text;
}

std::string one_order(const ExperimentReport& report, const OrderReport& order, const TextStyle& style) {
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
  return text + "\n" + wrapped(bold(experiment_conclusion(order), style.color) + "\n", style.width);
}

std::string comparison(const ExperimentReport& report, const TextStyle& style) {
  std::string text = wrapped(input_line(report.input) + "\n" + exact_line(report.input) + "\n", style.width) + "\n";
  const std::vector<std::string> names = order_labels(report);
  text += comparison_table(report, names, style) + "\n";
  if (const std::string agreement = agreement_line(report.orders); !agreement.empty())
    text += wrapped(bold(agreement, style.color), style.width) + "\n\n";
  if (const std::string differing = differing_bits_line(report, names); !differing.empty())
    text += wrapped(bold(differing, style.color), style.width) + "\n\n";
  std::string notes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const OrderReport& order = report.orders[i];
    const std::string typed = names[i].substr(0, names[i].find(" #"));  // without its number
    const bool explained = typed == order.name || typed == order.expression;
    notes += bold(names[i], style.color) + (explained ? "" : " = " + order.expression) + ": " +
             experiment_conclusion(order) + "\n";
  }
  const auto conservative =
      std::max_element(report.orders.begin(), report.orders.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const OrderReport& order) {
          return order.arrival == "uniform" ? 1 + int{order.advice.has_value()} : 0;
        };
        return rank(a) < rank(b);
      });
  if (conservative != report.orders.end() && conservative->arrival == "uniform") notes += arrival_line(*conservative);
  for (const OrderReport& order : report.orders) notes += warnings_text(order);
  return text + wrapped(notes, style.width);
}

}  // namespace

std::string conclusion_of(const OrderReport& order) { return experiment_conclusion(order); }

std::string to_text(const ExperimentReport& report, const TextStyle& style) {
  std::string text = report.orders.size() == 1 ? one_order(report, report.orders[0], style) : comparison(report, style);
  if (report.partial) text += "interrupted: these are the samples that were done\n";
  return text;
}

}  // namespace orderlab
