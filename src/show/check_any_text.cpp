#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/distinguishing_digits.hpp"
#include "show/check_any.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::CheckAnyFinding;
using study::OrderCandidate;

constexpr std::size_t kShownCandidates = 10;
constexpr std::size_t kShownGiven = 12;

std::string sum_text(Format format, std::uint64_t bits) {
  const double value = value_of_bits(format, bits);
  return fmt::format("{} ({})", std::signbit(value) && value == 0 ? "-0" : number(value, distinguishing_digits(format)),
                     bits_text(format, bits));
}

std::string results_line(const CheckAnyFinding& report) {
  std::vector<std::string> texts;
  for (const GivenResult& result : report.given) {
    if (texts.size() == kShownGiven) break;
    texts.push_back(sum_text(report.input.formats.result, result.bits));
    if (result.count > 1) texts.back() += fmt::format(" {} times", result.count);
  }
  std::string text = fmt::format("{}: {}", report.results == 1 ? "result" : "results", fmt::join(texts, ", "));
  if (report.given.size() > kShownGiven) text += fmt::format(" ... and {} more", report.given.size() - kShownGiven);
  return text + "\n";
}

std::string rounded_line(const CheckAnyFinding& report) {
  const Format format = report.input.formats.result;
  if (report.rounded == 0) return "";
  return fmt::format("{} {} rounded to {}; with fewer than {} digits the result may not be the value computed.\n",
                     plural(report.rounded, "decimal"), report.rounded == 1 ? "was" : "were", info(format).name,
                     distinguishing_digits(format));
}

std::string sums_of(const OrderCandidate& c) {
  if (c.bits) return number(c.value(), distinguishing_digits(c.formats.result));
  const std::string distinct = c.distinct ? std::to_string(*c.distinct) : "many";
  return distinct + (c.samples ? fmt::format(" in {}", plural(*c.samples, "sample")) : " possible");
}

// Rows of the table: of those that explain all results so many fixed orders and every random one; where none does, so
// many of the others.
std::vector<const OrderCandidate*> shown(const CheckAnyFinding& report) {
  std::vector<const OrderCandidate*> rows;
  std::size_t fixed = 0;
  for (const OrderCandidate& c : report.candidates) {
    if (report.explained() && !report.explains(c)) break;
    if ((c.random && report.explains(c)) || fixed++ < kShownCandidates) rows.push_back(&c);
  }
  return rows;
}

std::string candidates_table(const CheckAnyFinding& report, const TextStyle& style) {
  const bool one_result = report.results == 1;
  const bool one_format = std::all_of(report.candidates.begin(), report.candidates.end(),
                                      [&](const auto& c) { return c.formats == report.input.formats; });
  std::vector<Column> columns{{"order", Align::left}};
  if (!one_format) columns.push_back({"format", Align::left});
  columns.push_back({"verdict", Align::left});
  if (!one_result) columns.push_back({"explains"});
  columns.insert(columns.end(), {{"sum, or number of sums"}, {"ulp apart"}});
  Table table(columns);
  const std::vector<const OrderCandidate*> rows = shown(report);
  for (const OrderCandidate* c : rows) {
    Table::Row row{c->text};
    if (!one_format) row.push_back(to_string(c->formats));
    row.emplace_back(name_of(c->verdict));
    if (!one_result) row.push_back(fmt::format("{} of {}", c->explained, report.results));
    row.push_back(sums_of(*c));
    row.push_back(c->distance_ulp ? std::to_string(*c->distance_ulp) : "-");
    table.add(std::move(row));
  }
  std::string text = table.text(style.color);
  if (rows.size() < report.candidates.size())
    text += fmt::format("... and {} more; --csv and --json have them\n", report.candidates.size() - rows.size());
  return text;
}

struct Agreement {
  std::uint64_t fixed = 0;  ///< orders that explain all results, in the formats of the input
  std::uint64_t random = 0;
  std::uint64_t wider = 0;  ///< in others
  std::uint64_t random_tried = 0;
};

Agreement agreement(const CheckAnyFinding& report) {
  Agreement found;
  for (const OrderCandidate& c : report.candidates) {
    if (c.random) ++found.random_tried;
    if (!report.explains(c)) continue;
    ++(c.formats != report.input.formats ? found.wider : c.random ? found.random : found.fixed);
  }
  return found;
}

std::string these(const CheckAnyFinding& report) { return report.results == 1 ? "this result" : "all results"; }

std::string counts_line(const CheckAnyFinding& report, const Agreement& found) {
  std::string text = fmt::format("{} of {} {} {} in every bit", found.fixed, plural(report.fixed_tried, "fixed order"),
                                 found.fixed == 1 ? "gives" : "give", these(report));
  if (found.random_tried > 0)
    text += fmt::format("; {} of {} could", found.random, plural(found.random_tried, "random order"));
  text += ".";
  // A quarter of the orders have one sum only by chance, or where nothing is rounded.
  if (found.fixed > 2 && 4 * found.fixed >= report.fixed_tried)
    text += fmt::format(
        " The fixed orders give {}: these terms do not tell orders apart. Use terms with more cancellation, such as "
        "--dist 'normal(0,1)'.",
        plural(report.fixed_sums, "different sum"));
  return text + "\n";
}

std::string exact_text(const CheckAnyFinding& report) {
  const std::uint64_t exact = report.exact();
  const std::string rounded = "The exact sum, correctly rounded, is ";
  if (exact == report.results)
    return rounded + (report.results == 1 ? "this result" : "all of these results") +
           ": an exact or compensated sum gives it too.\n";
  if (exact > 0) return rounded + fmt::format("{} of the {} results.\n", exact, report.results);
  return rounded + sum_text(report.input.formats.result, report.exact_bits) + ".\n";
}

std::string wider_line(const CheckAnyFinding& report, const Agreement& found) {
  if (report.wider.empty()) return "";
  std::vector<std::string> formats;
  for (const Formats& one : report.wider) formats.push_back(to_string(one));
  const std::string tried = fmt::format("{}", fmt::join(formats, " and "));
  if (found.wider == 0) return "Nor does one with partial sums in a wider format: " + tried + ".\n";
  return fmt::format("No fixed order in {} gives {}; with --format {} {} of the fixed orders {}.\n",
                     to_string(report.input.formats), these(report), formats.back(), found.wider,
                     found.wider == 1 ? "does" : "do");
}

std::string left_out_line(const CheckAnyFinding& report) {
  if (report.not_sampled.empty()) return "";
  return fmt::format(
      "Not sampled, as that takes long and other orders explain {}: {}. `check --order NAME` judges one.\n",
      these(report), fmt::join(report.not_sampled, ", "));
}

std::string any_conclusion(const CheckAnyFinding& report, const Agreement& found) {
  if (!report.explained() && report.partial)
    return fmt::format("No answer yet: none of the orders that were tried until the interruption gives {}.",
                       these(report));
  if (!report.explained())
    return fmt::format(
        "NOT EXPLAINED: none of the orders that were tried gives {}. The order may be another one (write it as --order "
        "EXPRESSION), the terms or formats may be others, or there is a bug or a race.",
        these(report));
  const OrderCandidate& best = report.candidates.front();
  const std::string format = best.formats == report.input.formats ? "" : " in " + to_string(best.formats);
  if (best.random)
    return fmt::format("EXPLAINED: {} can give {}; no fixed order that was tried gives {}.", best.text, these(report),
                       report.results == 1 ? "it" : "them all");
  const std::uint64_t others = found.fixed + found.wider - 1;
  const std::string agreeing = others == 0
                                   ? ""
                                   : fmt::format(", and so {} {}. Results of other terms would tell them apart",
                                                 others == 1 ? "does" : "do", plural(others, "other fixed order"));
  return fmt::format("EXPLAINED: {}{} gives {} in every bit{}.", best.text, format, these(report), agreeing);
}

}  // namespace

std::string to_text(const study::CheckAnyFinding& report, const TextStyle& style) {
  const Agreement found = agreement(report);
  std::string head = input_line(report.input) + "\n" + exact_line(report.input) + "\n";
  head += results_line(report) + rounded_line(report);
  std::string tail =
      counts_line(report, found) + wider_line(report, found) + exact_text(report) + left_out_line(report);
  if (report.partial) tail += "Interrupted: some orders were not tried.\n";
  return wrapped(head, style.width) + "\n" + candidates_table(report, style) + "\n" + wrapped(tail, style.width) +
         "\n" + wrapped(bold(any_conclusion(report, found), style.color) + "\n", style.width);
}

}  // namespace orderlab
