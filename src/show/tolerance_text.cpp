#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

#include "core/text.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_words.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

std::string tolerance_head(const study::ToleranceFinding& finding, const TextStyle& style) {
  const std::string& expression = finding.asked.expression;
  const std::string other = finding.other ? against_line(*finding.other, finding.input) : "";
  if (!finding.new_inputs)
    return wrapped(head_lines(finding.name, expression, finding.input, style.color) + other, style.width) + "\n";
  std::string text = bold(order_title(finding.name, expression), style.color) + "\n" + input_line(finding.input) +
                     fmt::format("; {} inputs of seed {}\n", finding.draws, finding.input.input_seed);
  if (finding.condition > 0) text += fmt::format("condition number up to {}\n", number(finding.condition));
  return wrapped(text + other, style.width) + "\n";
}

std::string reference_in_words(const study::ToleranceFinding& finding) {
  if (finding.against == Against::run) return "another run";
  if (finding.other) return "a run of " + (finding.other->name.empty() ? "the other order" : finding.other->name);
  const std::string_view result = info(finding.input.formats.result).name;
  return "the exact sum, or the exact sum correctly rounded to " + std::string(result) +
         (result == "fp64"   ? ""
          : result == "fp32" ? " or fp64"
                             : ", fp32 or fp64");
}

std::string claim(const study::ToleranceFinding& finding) {
  const std::string percent = tolerance_percent(finding.reached);
  const std::string runs = finding.method == study::ToleranceMethod::one_order ? "every run" : percent + " of runs";
  const std::string share = finding.new_inputs ? percent + " of new inputs and runs" : runs + " on this input";
  const std::string what = finding.outputs == 1 ? "" : fmt::format("the largest of {} outputs in ", finding.outputs);
  if (!has_limit(finding))
    return fmt::format("Tolerance for a comparison with {}: none holds for {}{}.\n", reference_in_words(finding), what,
                       share);
  const bool sampled = finding.method == study::ToleranceMethod::sampled;
  return fmt::format("Tolerance for a comparison with {}: holds for {}{}, confidence {} ({}).\n",
                     reference_in_words(finding), what, share, sampled ? tolerance_percent(finding.confidence) : "1",
                     method_in_words(finding));
}

std::string limits(const study::ToleranceFinding& finding) {
  if (!has_limit(finding))
    return fmt::format("  none: {} of the {} are inf or NaN\n", tolerance_percent(finding.nonfinite),
                       finding.against == Against::exact ? "results" : "pairs");
  const auto line = [](const char* unit, const std::string& value, const std::string& why_not) {
    return fmt::format("  {}  {}\n", unit, why_not.empty() ? value : "none: " + why_not);
  };
  const std::string no_rtol = why_no_rtol(finding);
  const std::string no_ulp = why_no_ulp(finding);
  return line("rtol", no_rtol.empty() ? rounded_up_rtol(finding.limit.relative) : "", no_rtol) +
         line("atol", rounded_up(finding.limit.absolute), "") +
         line("ulp ", no_ulp.empty() ? rounded_up(finding.limit.ulp) : "", no_ulp);
}

std::string difference_in_words(const study::ToleranceFinding& finding) {
  switch (finding.against) {
    case Against::exact:
      return "|run - exact sum|";
    case Against::run:
      return "|run - run|";
    default:
      return "|run - other run|";
  }
}

// Observed, tolerance and bounds as one column, each over the tolerance.
std::string beside(const study::ToleranceFinding& finding, const TextStyle& style) {
  std::vector<Table::Row> rows;
  const double limit = finding.limit.absolute;
  const auto row = [&](const std::string& what, std::optional<double> value, bool claim, const std::string& note) {
    const bool comparable = value && limit > 0 && std::isfinite(limit);
    const bool upward = claim && value && std::isfinite(*value);
    rows.push_back(
        {what, upward ? rounded_up(*value) : number(value, 3), comparable ? number(*value / limit, 3) : "-", note});
  };
  const bool exact = finding.method != study::ToleranceMethod::sampled;
  if (!exact) row("observed, rms", finding.rms_from_exact, false, fmt::format("of {}", finding.draws));
  if (finding.mean_largest)
    row("observed, mean of largest", finding.mean_largest, false, fmt::format("of {} outputs", finding.outputs));
  row(exact ? "largest of all orders" : "observed, largest", finding.largest_from_exact, false,
      "of " + (exact ? shortened(finding.orders) : std::to_string(finding.draws)));
  row("tolerance", limit, true, exact ? "exact" : "confidence " + tolerance_percent(finding.confidence));
  for (const study::BesideBound& bound : finding.bounds) {
    if (says_no_more(finding, bound)) continue;
    row((bound.proven ? "proven bound " : "bound ") + bound.name, bound.value, true,
        (bound.probability < 1 ? fmt::format("probability {:.4g}, ", bound.probability) : "") + bound.note);
  }
  static constexpr std::string_view kDispensable[] = {"note"};
  return fitting_table(
      {{difference_in_words(finding), Align::left}, {"absolute"}, {"/ tolerance"}, {"note", Align::left}},
      std::move(rows), kDispensable, style.width, style.color);
}

std::string lines(const study::ToleranceFinding& finding) {
  std::string text;
  for (const PasteLine& line : paste_lines(finding)) text += "  " + line.text + "\n";
  return text;
}

/// What a comparison with the rounded exact sum adds to the rows.
std::string rounded_reference(const study::ToleranceFinding& finding) {
  if (finding.against != Against::exact || !has_limit(finding)) return {};
  constexpr int kDigits = 2;  // smaller differences do not matter
  const std::string largest = number(finding.largest.absolute, kDigits);
  const std::string rms = number(finding.rms, kDigits);
  const bool more = largest != number(finding.largest_from_exact, kDigits) ||
                    (finding.rms && rms != number(finding.rms_from_exact, kDigits));
  if (!more) return {};
  return fmt::format(
      "The tolerance also covers a comparison with the rounded exact sum. Measured from whichever of the exact "
      "sum and its roundings is farthest, {}.\n",
      finding.rms ? fmt::format("the rms error is {} and the largest {}", rms, largest)
                  : "the largest error is " + largest);
}

std::string assumed_order(const study::ToleranceFinding& finding) {
  if (!finding.order_assumed) return {};
  std::string text = "No order was given, so the terms were added one at a time in random order. ";
  text += finding.new_inputs
              ? "A plain loop over terms drawn from --dist errs as these do; sums by lanes, threads or GPUs "
                "usually err less, as they have fewer additions above each term.\n\n"
              : "Your own order may err more where large terms stand together, as in sorted data: name "
                "it with --order.\n\n";
  return text;
}

std::string orders_to_name(const study::ToleranceFinding& finding, const TextStyle& style) {
  if (!finding.order_assumed) return {};
  Table table({{"your sum", Align::left}, {"its tolerance", Align::left}});
  for (const study::UsualOrder& usual : study::usual_orders()) {
    const std::string order(usual.order);
    table.add({std::string(usual.situation),
               "--order " + (order.find('(') == std::string::npos ? order : "'" + order + "'")});
  }
  return "\n" + table.text(style.color) +
         wrapped("`orderlab list orders` has more; arrays (index_add, scatter, sum(axis=1), ...) take --op.\n",
                 style.width);
}

std::string notes(const study::ToleranceFinding& finding) {
  std::string text = rounded_reference(finding);
  if (has_limit(finding) && finding.limit.absolute > 0 && !lines_by_rtol(finding) && why_no_rtol(finding).empty())
    text += fmt::format(
        "The lines use atol: with a condition number of {} the sum cancels, and rtol follows the sum instead of the "
        "errors.\n",
        number(finding.condition, 3));
  if (has_limit(finding) && finding.nonfinite > 0)
    text += fmt::format("{} of the draws are inf or NaN; they fail every tolerance.\n",
                        tolerance_percent(finding.nonfinite));
  if (finding.asked.arrival == "uniform" || (finding.other && finding.other->asked.arrival == "uniform"))
    text += "Arrivals are drawn uniformly, the conservative model; see `orderlab list arrivals` for others.\n";
  for (const std::string& warning : finding.warnings) text += "warning: " + warning + ".\n";
  if (finding.other)
    for (const std::string& warning : finding.other->warnings) text += "warning: the other order: " + warning + ".\n";
  if (finding.partial) text += partial_in_words(finding.draws, finding.planned, finding.coverage, finding.reached);
  return text;
}

}  // namespace

std::string to_text(const study::ToleranceFinding& finding, const TextStyle& style) {
  std::string text = tolerance_head(finding, style) + wrapped(assumed_order(finding), style.width) +
                     wrapped(claim(finding), style.width) + limits(finding) + "\n" + beside(finding, style);
  if (const std::string paste = lines(finding); !paste.empty())
    text += (finding.new_inputs ? "\n" : "\nFor this input only:\n") + paste;
  if (const std::string more = notes(finding); !more.empty()) text += "\n" + wrapped(more, style.width);
  return text + orders_to_name(finding, style);
}

}  // namespace orderlab
