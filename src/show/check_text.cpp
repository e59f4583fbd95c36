// The answer of `check` as text. Longer than most files: a sentence for every verdict, reason and test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/distinguishing_digits.hpp"
#include "orderlab/ulp.hpp"
#include "show/check.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/shown_unit.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kShownOfAVerdict = 12;

std::string times(std::uint64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

std::string others_line(const study::CheckFinding& report) {
  if (!report.others || !report.others->sums) return "";
  const Format format = report.input.formats.result;
  const auto sum = [&](std::int64_t key) { return number_of(format, value_of_bits(format, bits_of_key(format, key))); };
  return fmt::format("{} other arrival orders (launch order, reversed, sorted, fitted models{}): sums from {} to {}.\n",
                     report.others->tried, report.others->searched ? ", local changes of these" : "",
                     sum(report.others->sums->low), sum(report.others->sums->high));
}

std::string decided_by(const study::CheckFinding& report) {
  if (report.all) {
    if (report.all->family == OrderFamily::fixed) return "A fixed order: it has one result.\n";
    if (report.all->always_exact && report.all->orders == 0)
      return "Decided exactly: no addition can round, so every order gives the same result.\n";
    const std::size_t results = report.all->results.size();
    if (report.all->orders == 1) return "Decided exactly: there is one order, and so one result.\n";
    return fmt::format("Decided exactly: all {} orders ({} of {}) give {}.\n", shortened(report.all->orders.str()),
                       name_of(report.all->family), plural(report.all->m, "partial sum"),
                       results == 1 ? "the same result" : fmt::format("{} different results", results));
  }
  const ResultCounts& samples = *report.samples;
  const ShownUnit unit(report.input);
  std::string text = fmt::format("{} {} at confidence {}", report.partial ? "Interrupted after" : "Judged by",
                                 plural(samples.samples(), "sample"), number(report.result.confidence, 10));
  const std::uint64_t given = report.result.given();
  const std::string passing = given == 1   ? "the result passes"
                              : given == 2 ? "both results pass"
                                           : fmt::format("all {} results pass", given);
  if (!report.result.frequencies_decide)
    text += " (probability that " + passing + " if arrivals are uniform)";
  else if (given > 1)
    text += " (probability that " + passing + " if they are of this order)";
  if (const auto range = samples.extremes()) {
    text += fmt::format(": sums from {} to {}", number(range->min, kShownDigits), number(range->max, kShownDigits));
    const auto error = [&](double x) { return number(unit.of(report.input.exact.difference(x)), 3); };
    if (unit.known())
      text += fmt::format(", {} to {} {} from the exact sum", error(range->min), error(range->max), unit.name());
  }
  if (samples.finite() < samples.samples())
    text += fmt::format("; {} of them inf or NaN", samples.samples() - samples.finite());
  text += ".\n" + others_line(report) + "Bound on |error| for every order: ";
  if (!report.bound) return text + "none derived.\n";
  return text + (std::isinf(*report.bound) ? "none, some order may overflow" : unit.text(*report.bound)) + ".\n";
}

// Where an infinity or a NaN can come from.
std::string special_source(const study::CheckFinding& report, double value) {
  const std::string& terms = report.nonfinite_terms;
  if (!terms.empty() && (!std::isnan(value) || terms == "NaN" || terms == "inf and -inf"))
    return ", as the terms hold " + terms;
  if (!std::isnan(value)) return ", as some partial sum overflows";
  if (!terms.empty()) return ", as the terms hold " + terms + " and some partial sum overflows: inf - inf";
  return ", as some partial sums overflow either way: inf - inf";
}

// Beside what a finite value is compared with: finite samples.
std::string finite_if_others(const study::CheckFinding& report) {
  return report.samples->finite() < report.samples->samples() ? "finite " : "";
}

std::string beyond(const study::CheckFinding& report, const ValueVerdict& v) {
  if (!v.distance_ulp) return "no sample gave it";
  return fmt::format("{} beyond every {}sample{}", steps_in_words(*v.distance_ulp), finite_if_others(report),
                     report.others ? " and every other order tried" : "");
}

std::string why_explained(const study::CheckFinding& report, const ValueVerdict& v) {
  const std::string source = std::isfinite(v.value) ? "" : special_source(report, v.value);
  switch (v.reason) {
    case Reason::reachable:
      if (report.all->family == OrderFamily::fixed)
        return (v.digits == 0 ? "it is the result of this order" : "the result of this order prints so") + source;
      if (report.all->results.size() == 1) return "every order gives it" + source;
      return "probability " + number(v.probability) +
             (report.result.frequencies_decide ? "" : " if arrivals are uniform") + source;
    case Reason::seen:
      return fmt::format("{} of {} gave it", *v.seen, plural(report.samples->samples(), "sample")) + source;
    case Reason::beyond_range:
    case Reason::not_bounded:
    case Reason::may_overflow:
      if (report.result.given() == 1)
        return beyond(report, v) + ", but there are too few samples to call that unlikely; p = " + number(v.p, 2);
      return beyond(report, v) +
             fmt::format(", as expected for some of {} results; p = {}", report.result.given(), number(v.p, 2));
    case Reason::inside_reach:
      return "inside the range of the other arrival orders tried, outside that of uniform ones";
    default:
      return std::string("inside the range of the samples") + (v.seen ? ", but no sample gave this value" : "");
  }
}

std::string why_not(const study::CheckFinding& report, const ValueVerdict& v) {
  if (v.verdict == Verdict::none) return beyond(report, v) + " so far";
  const std::string p =
      fmt::format("; p <= {}{}", number(v.p, 2), report.result.frequencies_decide ? "" : " if arrivals are uniform");
  switch (v.reason) {
    case Reason::beyond_range:
      return beyond(report, v) + ", inside the bound over every order" + p;
    case Reason::not_bounded:
      return beyond(report, v) + ", and not ruled out, as no bound over every order is derived" + p;
    case Reason::may_overflow:
      return beyond(report, v) + ", and not ruled out, as some order may overflow" + p;
    case Reason::unreachable:
      if (report.all->family == OrderFamily::fixed && v.distance_ulp == 0)
        return "a fixed order has one result, the zero of the other sign";
      if (report.all->family == OrderFamily::fixed)
        return "a fixed order has one result, " +
               (v.distance_ulp ? steps_in_words(*v.distance_ulp) + " away" : std::string("and not this one"));
      if (v.distance_ulp == 0) return "no order gives it; the nearest result is the zero of the other sign";
      return "no order gives it" +
             (v.distance_ulp ? "; the nearest result is " + steps_in_words(*v.distance_ulp) + " away" : "");
    case Reason::outside_bound:
      return beyond(report, v) + " and outside the bound over every order";
    case Reason::no_overflow:
      return std::isnan(v.value) ? "no term is inf or NaN and no order overflows, so inf - inf cannot occur"
                                 : "no term is inf and no order overflows";
    default:
      return "the terms hold " + report.nonfinite_terms + ", so the sum is inf or NaN in every order, and never this";
  }
}

// The reading that the verdict is about.
std::string reading(const study::CheckFinding& report, const ValueVerdict& v) {
  if (v.digits == 0) return "";
  const std::string digits = v.digits == 1 ? "the one digit" : fmt::format("the {} digits", v.digits);
  const std::string numbers =
      report.means ? plural(v.read.size(), "sum") + " have it"
                   : fmt::format("{} {} number{} print{} so", v.read.size(), info(report.input.formats.result).name,
                                 v.read.size() == 1 ? "" : "s", v.read.size() == 1 ? "s" : "");
  return fmt::format(" {} {} given ({})", v.verdict == Verdict::explained ? "to" : "even to", digits, numbers);
}

std::string value_line(const study::CheckFinding& report, const ValueVerdict& v, bool color) {
  const Format format = report.input.formats.result;
  std::string line =
      fmt::format("{} {} ({})", bold(name_of(v.verdict), color), number_of(format, v.value), bits_text(format, v.bits));
  if (report.means) line += fmt::format(", a sum that has this mean in {}", info(*report.means).name);
  if (v.given > 1) line += ", given " + times(v.given);
  line += reading(report, v) + ": " + (v.verdict == Verdict::explained ? why_explained(report, v) : why_not(report, v));
  if (const ShownUnit unit(report.input); unit.known() && std::isfinite(v.value))
    line += fmt::format("; {} from the exact sum", unit.text(report.input.exact.difference(v.value)));
  return line + "\n";
}

std::string value_lines(const study::CheckFinding& report, bool color) {
  std::string text;
  for (const Verdict verdict : {Verdict::impossible, Verdict::unlikely, Verdict::none, Verdict::explained}) {
    std::size_t found = 0;
    for (const ValueVerdict& v : report.result.values)
      if (v.verdict == verdict && found++ < kShownOfAVerdict) text += value_line(report, v, color);
    if (found > kShownOfAVerdict)
      text += fmt::format("{} ... and {} more; --csv lists all\n", name_of(verdict), found - kShownOfAVerdict);
  }
  return text;
}

std::string joint_line(const study::CheckFinding& report) {
  const auto& joint = report.result.joint;
  const bool decided = report.result.verdict() == Verdict::impossible;  // then p is 0 and says nothing more
  if (!joint || decided) return "";
  const bool fits = report.result.joint_fits();
  const std::string test = fmt::format("p = {} ({})", number(report.result.joint_p()), joint->test);
  if (report.result.frequencies_decide)
    return fmt::format("Joint test of {} values: {} with this order, {}.\n", report.result.given(),
                       fits ? "consistent" : "not consistent", test);
  if (fits)
    return fmt::format("The frequencies of the {} values are consistent with uniform arrivals, {}.\n",
                       report.result.given(), test);
  return fmt::format(
      "The frequencies of the {} values are not consistent with uniform arrivals, {}. Real arrivals are not uniform, "
      "so this does not affect the verdict. To test against a model {}.\n",
      report.result.given(), test,
      report.asked.arrival.empty() ? "name it in an order with `arrive(MODEL)`" : "add --arrival MODEL");
}

std::string outliers_line(const study::CheckFinding& report) {
  const auto& outliers = report.result.outliers;
  const bool decided = report.result.verdict() == Verdict::impossible;
  if (!outliers || decided || report.result.cut_short || report.result.given() == 1) return "";
  if (outliers->below + outliers->above + outliers->nonfinite == 0) return "";
  const double p = report.result.outliers_p();
  if (report.samples->finite() == 0 && outliers->above > 0)
    return fmt::format("No sample is finite, but {} of the results are: {} this order, p = {}.\n", outliers->above,
                       p < 1 - report.result.confidence ? "too many for" : "consistent with", number(p));
  const std::string others = outliers->nonfinite == 0 ? "" : fmt::format(", {} inf or NaN", outliers->nonfinite);
  return fmt::format("Outside the range of {} {}samples{}: {} below, {} above{}; {} {}, p = {}.\n",
                     report.samples->finite(), finite_if_others(report),
                     report.others ? " and of the other orders" : "", outliers->below, outliers->above, others,
                     p < 1 - report.result.confidence ? "too many for" : "consistent with",
                     report.result.frequencies_decide ? "this order" : "uniform arrivals", number(p));
}

std::string check_conclusion(const study::CheckFinding& report) {
  const auto& values = report.result.values;
  const auto count = [&](Verdict verdict) {
    return static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [&](const ValueVerdict& v) { return v.verdict == verdict; }));
  };
  const auto some = [&](std::size_t k, const std::string& all) {
    if (values.size() == 1) return std::string("this value");
    return k == values.size() ? all : fmt::format("{} of the {} different values", k, values.size());
  };
  if (const std::size_t k = count(Verdict::impossible); k > 0)
    return fmt::format(
        "NOT EXPLAINED: {} {}. Another order or format may have given it, other terms, or a bug.",
        report.all && report.all->family == OrderFamily::fixed ? "this order does not give" : "no arrival order gives",
        some(k, "any of these values"));
  if (const std::size_t k = count(Verdict::unlikely); k > 0)
    return fmt::format(
        "NOT EXPLAINED: {} {} outside the range of {}{}, which does not prove that no order gives {}. Suspect a bug or "
        "a race, or another order{}.",
        some(k, "all of these values"), k == 1 ? "lies" : "lie", plural(report.samples->samples(), "sample"),
        report.others ? fmt::format(" and {} other arrival orders", report.others->tried) : " of this order",
        k == 1 ? "it" : "them", report.result.frequencies_decide ? " or arrivals other than those given here" : "");
  if (report.result.verdict() == Verdict::none)
    return "No verdict: interrupted before sampling or the joint test was complete.";
  if (!report.result.joint_fits() && report.result.frequencies_decide)
    return "NOT EXPLAINED: order can give each of these values, but not this often. Suspect a rare bug or a race, or "
           "arrivals other than those given here.";
  return fmt::format("EXPLAINED: order alone gives {}{}.",
                     values.size() == 1 ? "this value" : fmt::format("all {} different values", values.size()),
                     report.result.frequencies_decide && report.result.joint && values.size() > 1
                         ? ", as often as they were given"
                         : "");
}

// Explained results do not prove that there is no bug: order hides one that is smaller than its own spread.
std::string caveat(const study::CheckFinding& report) {
  if (!report.samples || report.result.verdict() != Verdict::explained) return "";
  const Sensitivity& misses = *report.result.misses;
  if (misses.outliers > report.result.given()) return "There are too few samples to call any result unlikely.\n";
  const auto range = report.samples->extremes();
  const ExactValue& exact = report.input.exact;
  const ShownUnit unit(report.input);
  if (!range || !unit.known() || !(range->min < range->max)) return "";
  const auto size = [&](double length) {
    if (exact.zero()) return unit.text(length);
    return fmt::format("{} (relative {})", unit.text(length), number(std::fabs(length / exact.to_double()), 2));
  };
  const double spread = range->max - range->min;
  if (report.result.given() == 1)
    return fmt::format("A bug that moves the sum by less than this order does, {}, is not detected.\n", size(spread));
  std::string text =
      fmt::format("Not detected: a bug that moves some results by less than this order does, {}", size(spread));
  if (misses.shift) text += fmt::format(", or all results by less than about {}", size(*misses.shift));
  if (misses.outliers > 1) text += fmt::format("; or at most {} results farther out", misses.outliers - 1);
  return text + ".\n";
}

std::string by_chance_in_words(double terms) {
  return terms < 1 ? number(terms, 2) + " terms" : plural(static_cast<std::uint64_t>(std::lround(terms)), "term");
}

int shortest_digits(Format format, double value) {
  int digits = 1;
  while (digits < distinguishing_digits(format)) {
    const auto read = read_number(number(value, digits), format);
    if (read && read->value >= value && read->value <= value) break;
    ++digits;
  }
  return digits;
}

// What else would give a value, cheapest first, and whether that means anything.
std::string suggestion_lines(const study::CheckFinding& report) {
  const auto& values = report.result.values;
  const bool open = std::any_of(values.begin(), values.end(), [](const ValueVerdict& v) {
    return v.verdict == Verdict::impossible || v.verdict == Verdict::unlikely;
  });
  if (!open) return "";
  std::string text;
  for (const study::Suggestion& one : report.suggestions) {
    text += "  " + one.what;
    if (!one.option.empty()) text += "; did you mean " + one.option + "?";
    if (one.terms && *one.terms > 1) text += fmt::format(", as does each of {}", plural(*one.terms - 1, "other term"));
    if (one.terms) text += fmt::format("; about {} would by chance", by_chance_in_words(one.by_chance));
    if (one.terms ? one.by_chance >= 0.5 : one.by_chance >= 0.05) {
      text += one.terms ? ", so this is weak evidence"
                        : fmt::format("; chance alone would match in about {} of cases", number(one.by_chance, 2));
    }
    text += "\n";
  }
  const std::string any = "To try every known order: --order any.\n";
  if (text.empty()) return any;
  const double value = value_of_bits(report.input.formats.result, report.suggestions.front().bits);
  return fmt::format("What would give {}:\n", number(value, shortest_digits(report.input.formats.result, value))) +
         text + any;
}

}  // namespace

std::string to_text(const study::CheckFinding& report, const TextStyle& style) {
  std::string text = head_lines(report.name, report.asked.expression, report.input, style.color) + decided_by(report);
  for (const std::string& warning : report.warnings) text += "warning: " + warning + ".\n";
  for (const std::string& note : report.notes) text += "note: " + note + ".\n";
  text += "\n" + value_lines(report, style.color);
  if (const std::string lines = joint_line(report) + outliers_line(report); !lines.empty()) text += "\n" + lines;
  text += "\n";
  text += bold(check_conclusion(report), style.color) + "\n" + caveat(report) + suggestion_lines(report);
  if (report.partial) text += "interrupted: the check is incomplete\n";
  return wrapped(text, style.width);
}

}  // namespace orderlab
