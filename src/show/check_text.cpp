// The answer of `check` as text. Longer than most files: a sentence for every verdict, reason and test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/distinguishing_digits.hpp"
#include "orderlab/format.hpp"
#include "show/check.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/shown_unit.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kShownOfAVerdict = 12;

std::string times(std::uint64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

std::string others_line(const study::CheckFinding& finding) {
  if (!finding.others || !finding.others->sums) return "";
  const Format format = finding.input.formats.result;
  const auto sum = [&](std::int64_t key) { return number_of(format, value_of_bits(format, bits_of_key(format, key))); };
  if (finding.others->of_queue)
    return fmt::format(
        "{} other assignments of chunks to workers (fewer workers, equal and unequal times, pauses, late workers): "
        "sums from {} to {}.\n",
        finding.others->tried, sum(finding.others->sums->low), sum(finding.others->sums->high));
  return fmt::format("{} other arrival orders (launch order, reversed, sorted, fitted models{}): sums from {} to {}.\n",
                     finding.others->tried, finding.others->searched ? ", local changes of these" : "",
                     sum(finding.others->sums->low), sum(finding.others->sums->high));
}

std::string decided_by(const study::CheckFinding& finding) {
  if (finding.all) {
    if (finding.all->family == OrderFamily::fixed) return "A fixed order: it has one result.\n";
    if (finding.all->always_exact && finding.all->orders == 0)
      return "Decided exactly: no addition can round, so every order gives the same result.\n";
    const std::size_t results = finding.all->results.size();
    if (finding.all->orders == 1) return "Decided exactly: there is one order, and so one result.\n";
    const std::string orders =
        finding.all->family == OrderFamily::queues
            ? "assignments of chunks to workers"
            : fmt::format("orders ({} of {})", name_of(finding.all->family), plural(finding.all->m, "partial sum"));
    return fmt::format("Decided exactly: all {} {} give {}.\n", shortened(finding.all->orders.str()), orders,
                       results == 1 ? "the same result" : fmt::format("{} different results", results));
  }
  const ResultCounts& samples = *finding.samples;
  const ShownUnit unit(finding.input);
  const bool first_look = !finding.partial && samples.samples() < finding.planned;
  std::string text =
      fmt::format("{} {} at confidence {}", finding.partial ? "Interrupted after" : "Judged by",
                  first_look ? fmt::format("the first {} of {} samples", samples.samples(), finding.planned)
                             : plural(samples.samples(), "sample"),
                  number(finding.result.confidence, 10));
  const std::uint64_t given = finding.result.given();
  const std::string passing = given == 1   ? "the result passes"
                              : given == 2 ? "both results pass"
                                           : fmt::format("all {} results pass", given);
  if (!finding.result.frequencies_decide)
    text += " (probability that " + passing + " if arrivals are uniform)";
  else if (given > 1)
    text += " (probability that " + passing + " if they are of this order)";
  if (const auto range = samples.extremes()) {
    text += fmt::format(": sums from {} to {}", number(range->min, kShownDigits), number(range->max, kShownDigits));
    const auto error = [&](double x) { return number(unit.of(finding.input.exact.difference(x)), 3); };
    if (unit.known())
      text += fmt::format(", {} to {} {} from the exact sum", error(range->min), error(range->max), unit.name());
  }
  if (samples.finite() < samples.samples())
    text += fmt::format("; {} of them inf or NaN", samples.samples() - samples.finite());
  text += ".\n" + others_line(finding) + "Bound on |error| for every order: ";
  if (!finding.bound) return text + "none derived.\n";
  return text + (std::isinf(*finding.bound) ? "none, some order may overflow" : unit.text(*finding.bound)) + ".\n";
}

// Where an infinity or a NaN can come from.
std::string special_source(const study::CheckFinding& finding, double value) {
  const std::string& terms = finding.nonfinite_terms;
  if (!terms.empty() && (!std::isnan(value) || terms == "NaN" || terms == "inf and -inf"))
    return ", as the terms hold " + terms;
  if (!std::isnan(value)) return ", as some partial sum overflows";
  if (!terms.empty()) return ", as the terms hold " + terms + " and some partial sum overflows: inf - inf";
  return ", as some partial sums overflow either way: inf - inf";
}

// Beside what a finite value is compared with: finite samples.
std::string finite_if_others(const study::CheckFinding& finding) {
  return finding.samples->finite() < finding.samples->samples() ? "finite " : "";
}

std::string beyond(const study::CheckFinding& finding, const ValueVerdict& v) {
  if (!v.distance_ulp) return "no sample gave it";
  return fmt::format("{} beyond every {}sample{}", steps_in_words(*v.distance_ulp), finite_if_others(finding),
                     finding.others ? " and every other order tried" : "");
}

std::string why_explained(const study::CheckFinding& finding, const ValueVerdict& v) {
  const std::string source = std::isfinite(v.value) ? "" : special_source(finding, v.value);
  switch (v.reason) {
    case Reason::reachable:
      if (finding.all->family == OrderFamily::fixed)
        return (v.digits == 0 ? "it is the result of this order" : "the result of this order prints so") + source;
      if (finding.all->results.size() == 1) return "every order gives it" + source;
      return "probability " + number(v.probability) +
             (finding.result.frequencies_decide ? "" : " if arrivals are uniform") + source;
    case Reason::seen:
      return fmt::format("{} of {} gave it", *v.seen, plural(finding.samples->samples(), "sample")) + source;
    case Reason::beyond_range:
    case Reason::not_bounded:
    case Reason::may_overflow:
      if (finding.result.given() == 1)
        return beyond(finding, v) + ", but there are too few samples to call that unlikely; p = " + number(v.p, 2);
      return beyond(finding, v) +
             fmt::format(", as expected for some of {} results; p = {}", finding.result.given(), number(v.p, 2));
    case Reason::inside_reach:
      return "inside the range of the other arrival orders tried, outside that of uniform ones";
    default:
      return std::string("inside the range of the samples") + (v.seen ? ", but no sample gave this value" : "");
  }
}

std::string why_not(const study::CheckFinding& finding, const ValueVerdict& v) {
  if (v.verdict == Verdict::none) return beyond(finding, v) + " so far";
  const std::string p =
      fmt::format("; p <= {}{}", number(v.p, 2), finding.result.frequencies_decide ? "" : " if arrivals are uniform");
  switch (v.reason) {
    case Reason::beyond_range:
      return beyond(finding, v) + ", inside the bound over every order" + p;
    case Reason::not_bounded:
      return beyond(finding, v) + ", and not ruled out, as no bound over every order is derived" + p;
    case Reason::may_overflow:
      return beyond(finding, v) + ", and not ruled out, as some order may overflow" + p;
    case Reason::unreachable:
      if (finding.all->family == OrderFamily::fixed && v.distance_ulp == 0)
        return "a fixed order has one result, the zero of the other sign";
      if (finding.all->family == OrderFamily::fixed)
        return "a fixed order has one result, " +
               (v.distance_ulp ? steps_in_words(*v.distance_ulp) + " away" : std::string("and not this one"));
      if (v.distance_ulp == 0) return "no order gives it; the nearest result is the zero of the other sign";
      return "no order gives it" +
             (v.distance_ulp ? "; the nearest result is " + steps_in_words(*v.distance_ulp) + " away" : "");
    case Reason::outside_bound:
      return beyond(finding, v) + " and outside the bound over every order";
    case Reason::no_overflow:
      return std::isnan(v.value) ? "no term is inf or NaN and no order overflows, so inf - inf cannot occur"
                                 : "no term is inf and no order overflows";
    default:
      return "the terms hold " + finding.nonfinite_terms + ", so the sum is inf or NaN in every order, and never this";
  }
}

// The reading that the verdict is about.
std::string reading(const study::CheckFinding& finding, const ValueVerdict& v) {
  if (v.digits == 0) return "";
  const std::string digits = v.digits == 1 ? "the one digit" : fmt::format("the {} digits", v.digits);
  const std::string numbers =
      finding.means ? plural(v.read.size(), "sum") + " have it"
                    : fmt::format("{} {} number{} print{} so", v.read.size(), info(finding.input.formats.result).name,
                                  v.read.size() == 1 ? "" : "s", v.read.size() == 1 ? "s" : "");
  return fmt::format(" {} {} given ({})", v.verdict == Verdict::explained ? "to" : "even to", digits, numbers);
}

std::string value_line(const study::CheckFinding& finding, const ValueVerdict& v, bool color) {
  const Format format = finding.input.formats.result;
  std::string line =
      fmt::format("{} {} ({})", bold(name_of(v.verdict), color), number_of(format, v.value), bits_text(format, v.bits));
  if (finding.means) line += fmt::format(", a sum that has this mean in {}", info(*finding.means).name);
  if (v.given > 1) line += ", given " + times(v.given);
  line +=
      reading(finding, v) + ": " + (v.verdict == Verdict::explained ? why_explained(finding, v) : why_not(finding, v));
  if (const ShownUnit unit(finding.input); unit.known() && std::isfinite(v.value))
    line += fmt::format("; {} from the exact sum", unit.text(finding.input.exact.difference(v.value)));
  return line + "\n";
}

std::string value_lines(const study::CheckFinding& finding, bool color) {
  std::string text;
  for (const Verdict verdict : {Verdict::impossible, Verdict::unlikely, Verdict::none, Verdict::explained}) {
    std::size_t found = 0;
    for (const ValueVerdict& v : finding.result.values)
      if (v.verdict == verdict && found++ < kShownOfAVerdict) text += value_line(finding, v, color);
    if (found > kShownOfAVerdict)
      text += fmt::format("{} ... and {} more; --csv lists all\n", name_of(verdict), found - kShownOfAVerdict);
  }
  return text;
}

std::string joint_line(const study::CheckFinding& finding) {
  const auto& joint = finding.result.joint;
  const bool decided = finding.result.verdict() == Verdict::impossible;  // then p is 0 and says nothing more
  if (!joint || decided) return "";
  const bool fits = finding.result.joint_fits();
  const std::string test = fmt::format("p = {} ({})", number(finding.result.joint_p()), joint->test);
  if (finding.result.frequencies_decide)
    return fmt::format("Joint test of {} values: {} with this order, {}.\n", finding.result.given(),
                       fits ? "consistent" : "not consistent", test);
  if (fits)
    return fmt::format("The frequencies of the {} values are consistent with uniform arrivals, {}.\n",
                       finding.result.given(), test);
  return fmt::format(
      "The frequencies of the {} values are not consistent with uniform arrivals, {}. Real arrivals are not uniform, "
      "so this does not affect the verdict. To test against a model {}.\n",
      finding.result.given(), test,
      finding.asked.arrival.empty() ? "name it in an order with `arrive(MODEL)`" : "add --arrival MODEL");
}

std::string outliers_line(const study::CheckFinding& finding) {
  const auto& outliers = finding.result.outliers;
  const bool decided = finding.result.verdict() == Verdict::impossible;
  if (!outliers || decided || finding.result.cut_short || finding.result.given() == 1) return "";
  if (outliers->below + outliers->above + outliers->nonfinite == 0) return "";
  const double p = finding.result.outliers_p();
  if (finding.samples->finite() == 0 && outliers->above > 0)
    return fmt::format("No sample is finite, but {} of the results are: {} this order, p = {}.\n", outliers->above,
                       p < 1 - finding.result.confidence ? "too many for" : "consistent with", number(p));
  const std::string others = outliers->nonfinite == 0 ? "" : fmt::format(", {} inf or NaN", outliers->nonfinite);
  return fmt::format("Outside the range of {} {}samples{}: {} below, {} above{}; {} {}, p = {}.\n",
                     finding.samples->finite(), finite_if_others(finding),
                     finding.others ? " and of the other orders" : "", outliers->below, outliers->above, others,
                     p < 1 - finding.result.confidence ? "too many for" : "consistent with",
                     finding.result.frequencies_decide ? "this order" : "uniform arrivals", number(p));
}

std::string check_conclusion(const study::CheckFinding& finding) {
  const auto& values = finding.result.values;
  const auto count = [&](Verdict verdict) {
    return static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [&](const ValueVerdict& v) { return v.verdict == verdict; }));
  };
  const auto some = [&](std::size_t k, const std::string& all) {
    if (values.size() == 1) return std::string("this value");
    return k == values.size() ? all : fmt::format("{} of the {} different values", k, values.size());
  };
  if (const std::size_t k = count(Verdict::impossible); k > 0)
    return fmt::format("NOT EXPLAINED: {} {}. Another order or format may have given it, other terms, or a bug.",
                       finding.all && finding.all->family == OrderFamily::fixed ? "this order does not give"
                                                                                : "no arrival order gives",
                       some(k, "any of these values"));
  if (const std::size_t k = count(Verdict::unlikely); k > 0)
    return fmt::format(
        "NOT EXPLAINED: {} {} outside the range of {}{}, which does not prove that no order gives {}. Suspect a bug or "
        "a race, or another order{}.",
        some(k, "all of these values"), k == 1 ? "lies" : "lie", plural(finding.samples->samples(), "sample"),
        finding.others ? fmt::format(" and {} other arrival orders", finding.others->tried) : " of this order",
        k == 1 ? "it" : "them", finding.result.frequencies_decide ? " or arrivals other than those given here" : "");
  if (finding.result.verdict() == Verdict::none)
    return "No verdict: interrupted before sampling or the joint test was complete.";
  if (!finding.result.joint_fits() && finding.result.frequencies_decide)
    return "NOT EXPLAINED: every value is reachable, but not in these proportions. Suspect a rare bug or a race, or "
           "arrivals other than those given here.";
  return fmt::format("EXPLAINED: order alone gives {}{}.",
                     values.size() == 1 ? "this value" : fmt::format("all {} different values", values.size()),
                     finding.result.frequencies_decide && finding.result.joint && values.size() > 1
                         ? ", as often as they were given"
                         : "");
}

// Explained results do not prove that there is no bug: order hides one that is smaller than its own spread.
std::string caveat(const study::CheckFinding& finding) {
  if (!finding.samples || finding.result.verdict() != Verdict::explained) return "";
  const Sensitivity& misses = *finding.result.misses;
  if (misses.outliers > finding.result.given()) return "There are too few samples to call any result unlikely.\n";
  const auto range = finding.samples->extremes();
  const ExactValue& exact = finding.input.exact;
  const ShownUnit unit(finding.input);
  if (!range || !unit.known() || !(range->min < range->max)) return "";
  const auto size = [&](double length) {
    if (exact.zero()) return unit.text(length);
    return fmt::format("{} (relative {})", unit.text(length), number(std::fabs(length / exact.to_double()), 2));
  };
  const double spread = range->max - range->min;
  if (finding.result.given() == 1)
    return fmt::format("A bug that moves the sum by less than this order does, {}, is not detected.\n", size(spread));
  std::string text =
      fmt::format("Not detected: a bug that moves some results by less than this order does, {}", size(spread));
  if (misses.shift) text += fmt::format(", or all results by less than about {}", size(*misses.shift));
  if (misses.outliers > 1) text += fmt::format("; or at most {} farther out", plural(misses.outliers - 1, "result"));
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
std::string suggestion_lines(const study::CheckFinding& finding) {
  const auto& values = finding.result.values;
  const bool open = std::any_of(values.begin(), values.end(), [](const ValueVerdict& v) {
    return v.verdict == Verdict::impossible || v.verdict == Verdict::unlikely;
  });
  if (!open) return "";
  std::string text;
  for (const study::Suggestion& one : finding.suggestions) {
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
  const double value = value_of_bits(finding.input.formats.result, finding.suggestions.front().bits);
  return fmt::format("What would give {}:\n", number(value, shortest_digits(finding.input.formats.result, value))) +
         text + any;
}

}  // namespace

std::string to_text(const study::CheckFinding& finding, const TextStyle& style) {
  std::string text =
      head_lines(finding.name, finding.asked.expression, finding.input, style.color) + decided_by(finding);
  for (const std::string& warning : finding.warnings) text += "warning: " + warning + ".\n";
  for (const std::string& note : finding.notes) text += "note: " + note + ".\n";
  text += "\n" + value_lines(finding, style.color);
  if (const std::string lines = joint_line(finding) + outliers_line(finding); !lines.empty()) text += "\n" + lines;
  text += "\n";
  text += bold(check_conclusion(finding), style.color) + "\n" + caveat(finding) + suggestion_lines(finding);
  if (finding.partial) text += "interrupted: the check is incomplete\n";
  return wrapped(text, style.width);
}

}  // namespace orderlab
