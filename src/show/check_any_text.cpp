// The answer of `check --order any` as text. Longer than most files: a sentence for everything that it may say.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "orderlab/format.hpp"
#include "show/check_any.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::AnyValue;
using study::AnyVerdict;
using study::CheckAnyFinding;
using study::OrderCandidate;

constexpr std::size_t kShownCandidates = 10;  // where a single result is given
constexpr std::size_t kShownOfEach = 4;       // for each of several results
constexpr std::size_t kShownGiven = 12;

std::string sum_text(Format format, std::uint64_t bits) {
  const double value = value_of_bits(format, bits);
  return fmt::format("{} ({})", number_of(format, value), bits_text(format, bits));
}

// What a result may be: one number, or those that are printed or divided so.
std::string reading_text(const CheckAnyFinding& finding, const GivenResult& result) {
  const Format format = finding.input.formats.result;
  const KeyInterval read = result.read_widely(format);
  if (!finding.means) {
    if (result.digits == 0) return "";
    return fmt::format(", printed with {}, which {}", plural(static_cast<std::uint64_t>(result.digits), "digit"),
                       read.size() == 1 ? "no other number shares" : fmt::format("{} numbers share", read.size()));
  }
  if (read.size() == 1) return ", of the sum " + sum_text(format, result.bits);
  const auto end = [&](std::int64_t key) { return number_of(format, value_of_bits(format, bits_of_key(format, key))); };
  return fmt::format(", of sums from {} to {}, {} numbers", end(read.low), end(read.high), read.size());
}

// A result by itself.
std::string result_name(const CheckAnyFinding& finding, const AnyValue& value) {
  if (!finding.means) return sum_text(finding.input.formats.result, value.given.bits);
  constexpr std::string_view kMean = "mean:";
  const std::string_view text = value.given.text;
  if (text.size() > kMean.size()) return fmt::format("the mean {}", text.substr(kMean.size()));
  return "the mean of " + sum_text(finding.input.formats.result, value.given.bits);  // given as bits
}

std::string given_text(const CheckAnyFinding& finding, const AnyValue& value) {
  std::string text = result_name(finding, value) + reading_text(finding, value.given);
  if (value.given.count > 1) text += fmt::format(" {} times", value.given.count);
  return text;
}

// The formats as --format takes them: with the format of the means.
std::string asked_formats(const CheckAnyFinding& finding, Formats formats) {
  if (finding.means) formats.result = *finding.means;
  return to_string(formats);
}

std::string results_line(const CheckAnyFinding& finding) {
  std::vector<std::string> texts;
  for (const AnyValue& value : finding.values) {
    if (texts.size() == kShownGiven) break;
    texts.push_back(given_text(finding, value));
  }
  std::string text = fmt::format("{}: {}", finding.results == 1 ? "result" : "results", fmt::join(texts, "; "));
  if (finding.values.size() > kShownGiven) text += fmt::format(" ... and {} more", finding.values.size() - kShownGiven);
  if (finding.means)
    text += fmt::format(". A mean is a sum of {}, divided and rounded to {}.", plural(finding.input.n, "term"),
                        info(*finding.means).name);
  return text + "\n";
}

std::string rounded_line(const CheckAnyFinding& finding) {
  const bool printed =
      std::any_of(finding.values.begin(), finding.values.end(), [](const AnyValue& v) { return v.given.digits > 0; });
  if (finding.rounded == 0 || printed) return "";
  return fmt::format("{} {} rounded to {}.\n", plural(finding.rounded, "decimal"),
                     finding.rounded == 1 ? "was" : "were", info(finding.input.formats.result).name);
}

std::string sums_of(const OrderCandidate& c) {
  if (c.bits) return number_of(c.formats.result, c.value());
  const std::string distinct = c.distinct ? std::to_string(*c.distinct) : "many";
  return distinct + (c.samples ? fmt::format(" in {}", plural(*c.samples, "sample")) : " possible");
}

using Candidates = std::vector<const OrderCandidate*>;

bool gives(const OrderCandidate& c, std::size_t value) {
  return std::binary_search(c.gives.begin(), c.gives.end(), value);
}

// The random ones, and so many of the fixed.
Candidates rows_of(const Candidates& all, std::size_t most_fixed) {
  Candidates some;
  std::size_t fixed = 0;
  for (const OrderCandidate* c : all)
    if (c->random || fixed++ < most_fixed) some.push_back(c);
  return some;
}

std::string table_of(const CheckAnyFinding& finding, const Candidates& all, std::size_t most_fixed,
                     const TextStyle& style) {
  if (all.empty()) return "";
  const bool one_format =
      std::all_of(all.begin(), all.end(), [&](const auto* c) { return c->formats == finding.input.formats; });
  std::vector<Column> columns{{"order", Align::left}};
  if (!one_format) columns.push_back({"format", Align::left});
  columns.insert(columns.end(), {{"sum, or number of sums"}, {"steps apart"}});
  Table table(columns);
  const Candidates rows = rows_of(all, most_fixed);
  for (const OrderCandidate* c : rows) {
    Table::Row row{c->also.empty() ? c->text : c->text + " = " + c->also.front()};
    if (!one_format) row.push_back(asked_formats(finding, c->formats));
    row.push_back(sums_of(*c));
    row.push_back(c->distance_ulp ? std::to_string(*c->distance_ulp) : "-");
    table.add(std::move(row));
  }
  std::string text = table.text(style.color);
  if (rows.size() < all.size())
    text += fmt::format("... and {} more; --csv and --json have them\n", all.size() - rows.size());
  return text;
}

// About so many orders; small numbers say how rarely one would.
std::string about(double orders) { return orders < 1 ? number(orders, 1) : fmt::format("{:.0f}", orders); }

// How far an order agrees that gives it.
std::string agreeing_text(const AnyValue& value) {
  if (value.given.digits == 0) return "in every bit";
  return value.given.digits == 1 ? "to the one digit given" : fmt::format("to the {} digits given", value.given.digits);
}

std::string by_chance_text(const CheckAnyFinding& finding, const AnyValue& value) {
  return fmt::format("of {}{} about {} would give such a value by chance", plural(value.tried, "order"),
                     value.tried > finding.fixed_tried ? " in all formats tried" : "",
                     about(value.by_chance.value_or(0)));
}

// "1 of 91 fixed orders gives".
std::string fixed_that_give(const CheckAnyFinding& finding, const AnyValue& value) {
  return fmt::format("{} of {} {}", value.fixed, plural(finding.fixed_tried, "fixed order"),
                     value.fixed == 1 || finding.fixed_tried == 1 ? "gives" : "give");
}

std::string_view in_words(AnyVerdict verdict) {
  if (verdict == AnyVerdict::none) return "no answer yet";
  return verdict == AnyVerdict::not_explained ? "not explained" : name_of(verdict);
}

std::string in_capitals(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return all;
}

std::string counts_of(const CheckAnyFinding& finding, const AnyValue& value) {
  std::string text = fmt::format("{} it {}", fixed_that_give(finding, value), agreeing_text(value));
  if (value.wider > 0) text += fmt::format(", {} with wider partial sums", value.wider);
  if (value.random > 0) text += fmt::format(", {} can", plural(value.random, "random order"));
  if (value.fixed + value.wider > 0) text += "; " + by_chance_text(finding, value);
  return text;
}

// A line for the result and the orders that give it. Where none does and it is the only one, the nearest.
std::string section_of(const CheckAnyFinding& finding, std::size_t i, const TextStyle& style) {
  const AnyValue& value = finding.values[i];
  const bool alone = finding.values.size() == 1;
  Candidates giving;
  Candidates near;
  for (const OrderCandidate& c : finding.candidates) (gives(c, i) ? giving : near).push_back(&c);
  std::stable_partition(giving.begin(), giving.end(), [](const OrderCandidate* c) { return !c->random; });
  std::string line =
      fmt::format("{}: {}; {}.\n", given_text(finding, value), in_words(value.verdict), counts_of(finding, value));
  std::string table = table_of(finding, giving, alone ? kShownCandidates : kShownOfEach, style);
  if (giving.empty() && alone) table = table_of(finding, near, kShownCandidates, style);
  return (alone ? "" : wrapped(line, style.width)) + table + (table.empty() ? "" : "\n");
}

std::string sections(const CheckAnyFinding& finding, const TextStyle& style) {
  std::string text;
  const std::size_t shown = std::min(kShownGiven, finding.values.size());
  for (std::size_t i = 0; i < shown; ++i) text += section_of(finding, i, style);
  if (shown < finding.values.size())
    text += fmt::format("... and {} more results; --json has them\n\n", finding.values.size() - shown);
  return text;
}

std::string these(const CheckAnyFinding& finding) { return finding.results == 1 ? "this result" : "all results"; }

// "a, b and 3 more".
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, names.size()));
  const std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

// Which orders give all of several results.
std::string one_for_all_line(const CheckAnyFinding& finding) {
  if (finding.values.size() == 1) return "";
  std::vector<std::string> fixed;
  std::vector<std::string> random;
  for (const OrderCandidate& c : finding.candidates)
    if (finding.explains(c)) (c.random ? random : fixed).push_back(c.text);
  const std::string all =
      finding.values.size() == 2 ? "both results" : fmt::format("all {} results", finding.values.size());
  std::string text = fixed.empty() ? "No fixed order gives " + all
                                   : fmt::format("{} {} {}: {}", plural(fixed.size(), "fixed order"),
                                                 fixed.size() == 1 ? "gives" : "give", all, some_names(fixed));
  if (random.empty()) return text + ", and no random order that was tried can.\n";
  return fmt::format("{}; {} can: {}.\n", text, plural(random.size(), "random order"), some_names(random));
}

std::string counts_line(const CheckAnyFinding& finding) {
  std::string text;
  if (finding.values.size() == 1)
    text = fmt::format(
        "{} {} {}{}.", fixed_that_give(finding, finding.values[0]), these(finding), agreeing_text(finding.values[0]),
        finding.values[0].random > 0 ? fmt::format("; {} can", plural(finding.values[0].random, "random order")) : "");
  const bool alike = std::any_of(finding.values.begin(), finding.values.end(), [&](const AnyValue& value) {
    return value.fixed > 2 && 4 * value.fixed >= finding.fixed_tried;
  });
  // A quarter of the orders have one sum only by chance, or where nothing is rounded.
  if (alike)
    text += fmt::format(
        " The fixed orders give {}: these terms do not tell orders apart. Use terms with more cancellation, such as "
        "--dist 'normal(0,1)'.",
        plural(finding.fixed_sums, "different sum"));
  return text.empty() ? "" : text + "\n";
}

std::string exact_text(const CheckAnyFinding& finding) {
  const std::uint64_t exact = finding.exact();
  const std::string rounded = "The exact sum, correctly rounded, ";
  const std::string_view is = finding.means ? "has" : "is";
  if (exact == finding.results)
    return rounded + fmt::format("{} {}: an exact or compensated sum gives it too.\n", is,
                                 finding.results > 1 ? "all of these results"
                                 : finding.means     ? "this mean"
                                                     : "this result");
  if (exact > 0) return rounded + fmt::format("{} {} of the {} results.\n", is, exact, finding.results);
  return rounded + "is " + sum_text(finding.input.formats.result, finding.exact_bits) + ".\n";
}

const OrderCandidate* first_giving(const CheckAnyFinding& finding, const AnyValue& value) {
  const auto i = static_cast<std::size_t>(&value - finding.values.data());
  const auto at = std::find_if(finding.candidates.begin(), finding.candidates.end(),
                               [&](const OrderCandidate& c) { return gives(c, i); });
  return at == finding.candidates.end() ? nullptr : &*at;
}

// What is said of results that no fixed order gives in the formats of the input.
std::string wider_line(const CheckAnyFinding& finding) {
  if (finding.wider.empty()) return "";
  std::vector<std::string> formats;
  for (const Formats& one : finding.wider) formats.push_back(asked_formats(finding, one));
  const std::string tried = fmt::format("{}", fmt::join(formats, " and "));
  std::uint64_t missed = 0;
  std::uint64_t found = 0;
  for (const AnyValue& value : finding.values) {
    if (value.fixed > 0) continue;
    ++missed;
    if (value.wider > 0) ++found;
  }
  const bool alone = finding.values.size() == 1;
  const std::string what =
      alone ? "this result" : fmt::format("{} of the {} different results", missed, finding.values.size());
  if (found == 0)
    return fmt::format("No fixed order gives {}, nor does one with partial sums in a wider format: {}.\n", what, tried);
  const std::string head =
      fmt::format("No fixed order in {} gives {}; with ", asked_formats(finding, finding.input.formats), what);
  if (!alone) return head + fmt::format("partial sums in a wider format, {}, some give {} of these.\n", tried, found);
  const OrderCandidate& first = *first_giving(finding, finding.values[0]);
  return head + fmt::format("--format {} {} of the fixed orders {}.\n", asked_formats(finding, first.formats),
                            finding.values[0].wider, finding.values[0].wider == 1 ? "does" : "do");
}

// An order as it differs from those in the formats of the input.
std::string narrower_text(const CheckAnyFinding& finding, const OrderCandidate& order) {
  if (order.formats == finding.input.formats) return order.text;
  return fmt::format("{} with accumulators in {}", order.text, info(order.formats.accumulate).name);
}

// The first order that adds in fewer bits and gives the result; null where none does, or where that says little: a
// result that no order of wider accumulators can give says more.
const OrderCandidate* narrower_giving(const CheckAnyFinding& finding, const AnyValue& value) {
  constexpr double kLikely = 0.5;
  const double most = value.verdict == AnyVerdict::impossible ? kLikely : study::kHardlyByChance;
  if (!(value.narrower_chance.value_or(1) < most)) return nullptr;
  const auto i = static_cast<std::size_t>(&value - finding.values.data());
  const auto at = std::find_if(finding.narrower.begin(), finding.narrower.end(),
                               [&](const OrderCandidate& c) { return gives(c, i); });
  return at == finding.narrower.end() ? nullptr : &*at;
}

// What is said of orders that add in fewer bits.
std::string narrower_line(const CheckAnyFinding& finding) {
  if (finding.narrower_tried == 0) return "";
  const std::string tried =
      fmt::format("{} orders with narrower accumulators or rounded partial sums", finding.narrower_tried);
  if (finding.values.size() > 1) {
    const auto found = std::count_if(finding.values.begin(), finding.values.end(), [](const AnyValue& v) {
      return v.fixed + v.wider + v.random == 0 && v.narrower > 0;
    });
    return fmt::format("{} were tried for results that no other order gives: they give {} of these.\n", tried, found);
  }
  const AnyValue& value = finding.values[0];
  if (value.narrower == 0) return fmt::format("None of {} gives it.\n", tried);
  constexpr std::size_t kNamed = 2;  // of each kind
  std::vector<std::string> names;
  for (const bool rounds : {false, true}) {
    std::size_t named = 0;
    for (const OrderCandidate& order : finding.narrower)
      if ((order.formats == finding.input.formats) == rounds && ++named <= kNamed)
        names.push_back(narrower_text(finding, order));
  }
  return fmt::format("Of {} {} give{} it (by chance one would with a probability of about {}): {}{}.\n", tried,
                     value.narrower, value.narrower == 1 ? "s" : "", number(value.narrower_chance, 1),
                     fmt::join(names, "; "), value.narrower > names.size() ? "; and others" : "");
}

std::string left_out_line(const CheckAnyFinding& finding) {
  if (finding.not_sampled.empty()) return "";
  return fmt::format("Random orders that were not judged, as that takes long: {}. `check --order NAME` judges one.\n",
                     fmt::join(finding.not_sampled, ", "));
}

std::string device_line(const CheckAnyFinding& finding) {
  if (finding.device == OrderDevice::any) return "";
  return fmt::format("Only orders of {} programs were tried.\n", finding.device == OrderDevice::cpu ? "CPU" : "GPU");
}

// What is said of the result that the verdict is about.
const AnyValue& worst_of(const CheckAnyFinding& finding) {
  return *std::max_element(finding.values.begin(), finding.values.end(),
                           [](const AnyValue& a, const AnyValue& b) { return a.verdict < b.verdict; });
}

// Why no order gives the result.
std::string why_impossible(const CheckAnyFinding& finding, const AnyValue& value) {
  const Format format = finding.input.formats.result;
  if (!finding.input.exact.finite())
    return "the terms hold inf or NaN, so every order gives inf or NaN, and never this";
  if (finding.one_result)
    return "none rounds a partial sum, so every order gives " + sum_text(format, finding.exact_bits);
  if (!std::isfinite(value_of_bits(format, value.given.bits))) return "no order overflows";
  return "it is farther from the exact sum than rounding in any order can put it";
}

std::string conclusion_of(const CheckAnyFinding& finding, const AnyValue& value) {
  const std::string result = finding.values.size() == 1 ? "this result" : result_name(finding, value);
  const OrderCandidate* const best = first_giving(finding, value);
  switch (value.verdict) {
    case AnyVerdict::impossible:
      if (const OrderCandidate* const narrower = narrower_giving(finding, value))
        return fmt::format(
            "no order of these terms with accumulators in {} gives {}: {}. But {} does: the accumulators may be "
            "narrower than --format says.",
            info(finding.input.formats.accumulate).name, result, why_impossible(finding, value),
            narrower_text(finding, *narrower));
      return fmt::format(
          "no order of these terms gives {}: {}. The terms or formats may be others, a term may be "
          "missing or counted twice, or there is a bug or a race.",
          result, why_impossible(finding, value));
    case AnyVerdict::none:
      return fmt::format("none of the orders that were tried until the interruption gives {}.", result);
    case AnyVerdict::not_explained:
      if (const OrderCandidate* const narrower = narrower_giving(finding, value))
        return fmt::format("none of the orders that were tried with accumulators in {} gives {}. But {} does.",
                           info(finding.input.formats.accumulate).name, result, narrower_text(finding, *narrower));
      return fmt::format(
          "none of the orders that were tried gives {}. The order may be another one (write it as --order "
          "EXPRESSION), the terms or formats may be others, or there is a bug or a race.",
          result);
    default:
      break;
  }
  if (finding.one_result)
    return fmt::format(
        "every order of these terms gives {}, as none rounds a partial sum. It does not tell which order "
        "was used.",
        result);
  if (best == nullptr) return "";
  if (best->random)
    return fmt::format(
        "no fixed order that was tried gives {}; {} can. So can any order whose sum happens to lie there.", result,
        best->text);
  const std::string format =
      best->formats == finding.input.formats ? "" : " in " + asked_formats(finding, best->formats);
  const std::uint64_t others = (best->formats == finding.input.formats ? value.fixed : value.wider) - 1;
  const std::string agreeing =
      others == 0 ? ""
                  : fmt::format(", and so {} {}", others == 1 ? "does" : "do", plural(others, "other fixed order"));
  const std::string head =
      fmt::format("{}{} gives {} {}{}. ", best->text, format, result, agreeing_text(value), agreeing);
  if (value.verdict == AnyVerdict::explained)
    return head + fmt::format(
                      "Hardly by chance: an order that was not tried would agree with one that was with a "
                      "probability of about {}.",
                      number(value.chance, 1));
  const std::string chance = by_chance_text(finding, value);
  return head + fmt::format("But {}: an order that was not tried may have made it.", chance);
}

std::string shell_word(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return plain ? text : "'" + text + "'";
}

// What another run has in place of the results: as many.
std::string values_to_give(const CheckAnyFinding& finding) {
  constexpr std::size_t kMost = 3;
  const std::size_t count = finding.values.size();
  if (count > kMost) return " --values RESULTS";
  std::string text;
  for (std::size_t i = 1; i <= count; ++i)
    text += fmt::format(" --value {}RESULT{}", finding.means ? "mean:" : "", count == 1 ? "" : std::to_string(i));
  return text;
}

// How to tell the orders apart that are listed.
std::string another_input(const CheckAnyFinding& finding, const TextStyle& style) {
  if (finding.verdict() != AnyVerdict::consistent) return "";
  const OrderCandidate* const best = first_giving(finding, worst_of(finding));
  if (best == nullptr) return "";
  const study::InputFacts& input = finding.input;
  const bool generated = !input.distribution.empty();
  const std::string drawn = finding.one_input ? "--dist 'normal(0,1)'"
                                              : fmt::format("--dist {} --input-seed {}", shell_word(input.distribution),
                                                            input.input_seed + 1);
  const std::string terms = generated ? fmt::format("--n {} {}", input.n, drawn)
                                      : fmt::format("--input OTHER{}", input.products ? " --with OTHER2" : "");
  const std::string what = !generated          ? "other data"
                           : finding.one_input ? "other terms, such as those of " + drawn + ","
                                               : fmt::format("the terms of --input-seed {}", input.input_seed + 1);
  const std::string command = fmt::format("  orderlab check {} --format {}{} --order ", terms,
                                          asked_formats(finding, best->formats), values_to_give(finding));
  const std::string device =
      finding.device == OrderDevice::any ? "" : fmt::format(" --device {}", name_of(finding.device));
  return "\n" +
         wrapped(fmt::format("A second input tells more: run the program on {} and check the orders listed here. Those "
                             "that give its {} too remain.\n",
                             what, finding.values.size() == 1 ? "result" : "results"),
                 style.width) +
         (finding.values.size() == 1 ? command + shell_word(best->text) + "\n" : "") + command + "any" + device + "\n";
}

std::string any_conclusion(const CheckAnyFinding& finding) {
  const AnyVerdict verdict = finding.verdict();
  std::string text = in_capitals(in_words(verdict)) + ": ";
  const bool given = verdict == AnyVerdict::explained || verdict == AnyVerdict::consistent;
  if (finding.values.size() > 1 && given && !finding.explained())
    return text +
           "orders that were tried give each of these results, but none gives all: they come from different "
           "programs, or from one whose order varies.";
  if (finding.values.size() > 1 && given && finding.candidates.front().random)
    return text + finding.candidates.front().text +
           " can give all of these results, which no fixed order that was tried does.";
  return text + conclusion_of(finding, worst_of(finding));
}

}  // namespace

std::string to_text(const study::CheckAnyFinding& finding, const TextStyle& style) {
  std::string head = input_line(finding.input) + "\n" + exact_line(finding.input) + "\n";
  head += results_line(finding) + rounded_line(finding);
  std::string tail = one_for_all_line(finding) + counts_line(finding) + wider_line(finding) + narrower_line(finding) +
                     exact_text(finding) + device_line(finding) + left_out_line(finding);
  if (finding.partial) tail += "Interrupted: some orders were not tried.\n";
  return wrapped(head, style.width) + "\n" + sections(finding, style) + wrapped(tail, style.width) + "\n" +
         wrapped(bold(any_conclusion(finding), style.color) + "\n", style.width) + another_input(finding, style);
}

}  // namespace orderlab
