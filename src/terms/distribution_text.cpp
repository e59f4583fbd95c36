// From "normal(0,1)" to a distribution and its arguments, and back to the canonical text.
#include <algorithm>
#include <string>
#include <vector>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "terms/distribution.hpp"

namespace orderlab {

namespace {

[[noreturn]] void refuse_distribution(std::string_view text, const std::string& problem) {
  throw Error(ErrorKind::usage, std::string(text) + ": " + problem);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string usage_of(const TermDistribution& d) { return std::string(d.name) + std::string(d.parameters); }

const DistributionDefinition& find(std::string_view name) {
  std::vector<std::string> known;
  for (const DistributionDefinition* d : distribution_definitions()) {
    if (d->name == name) return *d;
    known.emplace_back(d->name);
  }
  throw Error(ErrorKind::usage, unknown_name("distribution", name, known));
}

// The texts between the commas; none for "()".
std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  if (trimmed(list).empty()) return parts;
  for (auto comma = list.find(','); comma != std::string_view::npos; comma = list.find(',')) {
    parts.push_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(comma + 1);
  }
  parts.push_back(trimmed(list));
  return parts;
}

// "at least 0", "at most 1023", or "from -1074 to 1023", naming only limits that say something.
std::string range_of(const Parameter& p) {
  const bool low = p.low > std::numeric_limits<double>::lowest();
  const bool high = p.high < std::numeric_limits<double>::max();
  if (low && high) return "from " + shortest(p.low) + " to " + shortest(p.high);
  return low ? "at least " + shortest(p.low) : "at most " + shortest(p.high);
}

Argument read_argument(std::string_view text, const Parameter& p, std::string_view part) {
  const std::string subject = std::string(p.name) + " = '" + std::string(part) + "' ";
  double value = 0;
  Argument argument;
  if (p.kind == ParameterKind::count) {
    const CountResult count = read_count(part);
    if (!count.value) refuse_distribution(text, subject + count.problem);
    value = static_cast<double>(*count.value);
    argument = *count.value;
  } else {
    const auto real = read_real(part);
    if (!real) refuse_distribution(text, subject + "is not a finite decimal number such as 0.5 or -1e3");
    value = *real;
    argument = *real;
  }
  if (value < p.low || value > p.high)
    refuse_distribution(text, subject + "is out of range; it must be " + range_of(p));
  return argument;
}

// "1 number", "2 numbers", "2 to 3 numbers".
std::string numbers_wanted(std::size_t least, std::size_t most) {
  if (least < most) return std::to_string(least) + " to " + std::to_string(most) + " numbers";
  return std::to_string(most) + (most == 1 ? " number" : " numbers");
}

}  // namespace

DistributionCall parse_distribution(std::string_view text) {
  text = trimmed(text);
  const auto open = text.find('(');
  const std::string_view name = trimmed(text.substr(0, open));
  if (name.empty())
    refuse_distribution("'" + std::string(text) + "'", "no distribution is named; write one such as uniform(0,1)");
  const DistributionDefinition& definition = find(name);

  std::vector<std::string_view> parts;
  if (open != std::string_view::npos) {
    if (text.back() != ')' || text.find_first_of("()", open + 1) != text.size() - 1)
      refuse_distribution(text, "the parentheses do not match; write " + usage_of(definition));
    parts = split(text.substr(open + 1, text.size() - open - 2));
  }
  const std::span<const Parameter> accepts = definition.accepts;
  const auto needed = static_cast<std::size_t>(
      std::count_if(accepts.begin(), accepts.end(), [](const Parameter& p) { return p.default_text.empty(); }));
  if (parts.size() < needed || parts.size() > accepts.size())
    refuse_distribution(text, std::string(definition.name) + " takes " + numbers_wanted(needed, accepts.size()) +
                                  ", not " + std::to_string(parts.size()) + "; write " + usage_of(definition));

  std::vector<Argument> values;
  for (std::size_t i = 0; i < accepts.size(); ++i)
    values.push_back(read_argument(text, accepts[i], i < parts.size() ? parts[i] : accepts[i].default_text));
  Arguments arguments(std::move(values));
  if (definition.problem != nullptr)
    if (const auto problem = definition.problem(arguments)) refuse_distribution(text, *problem);
  return {&definition, std::move(arguments)};
}

std::string canonical_distribution(std::string_view distribution) {
  const FloatEnvironment environment;
  const DistributionCall call = parse_distribution(distribution);
  std::string text(call.definition->name);
  for (std::size_t i = 0; i < call.definition->accepts.size(); ++i) {
    text += i == 0 ? "(" : ",";
    text += call.definition->accepts[i].kind == ParameterKind::count ? std::to_string(call.arguments.count(i))
                                                                     : shortest(call.arguments.real(i));
  }
  return text + ")";
}

Terms generate_terms(std::string_view distribution, std::size_t n, Format format, std::uint64_t seed,
                     std::uint64_t input, const Loop& loop) {
  const FloatEnvironment environment;
  const DistributionCall call = parse_distribution(distribution);
  Terms terms(format, n);
  call.definition->generate(call.arguments, trimmed(distribution), {seed, input, in_float_environment_each(loop)},
                            terms);
  return terms;
}

std::optional<double> largest_magnitude_of(std::string_view distribution, Format format) {
  const FloatEnvironment environment;
  const DistributionCall call = parse_distribution(distribution);
  if (call.definition->largest == nullptr) return std::nullopt;
  return value_of_bits(format,
                       round_to_bits(format, call.definition->largest(call.arguments)));  // rounding is monotonic
}

}  // namespace orderlab
