#include "show/input_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/distinguishing_digits.hpp"
#include "core/printed_number.hpp"
#include "orderlab/metrics.hpp"
#include "show/colors.hpp"

namespace orderlab {

std::string number(std::optional<double> value, int digits) {
  if (!value) return "-";
  const double shown = printed(*value) + 0.0;  // no minus before a zero
  constexpr double kInFull = 1e5;              // 1024 is easier to read than 1.02e+03
  const double size = std::fabs(shown);
  if (size < kInFull && size >= std::pow(10.0, digits) - 0.5) return fmt::format("{:.0f}", shown);
  return fmt::format("{:.{}g}", shown, digits);
}

std::string number_of(Format format, double value, bool aligned) {
  constexpr double kReadable = 1e9;
  const int digits = distinguishing_digits(format);
  const bool whole = std::fabs(value) < kReadable && value == std::trunc(value);
  if (whole && std::fabs(value) >= std::pow(10.0, digits)) return fmt::format("{:.0f}", value);
  return fmt::format(fmt::runtime(aligned ? "{:#.{}g}" : "{:.{}g}"), printed(value), digits);
}

std::string steps_in_words(std::uint64_t steps) { return plural(steps, "step"); }

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string shortened(const std::string& count) {
  constexpr std::size_t kReadable = 20;
  if (count.size() <= kReadable) return count;
  return fmt::format("{}.{}e+{}", count.substr(0, 1), count.substr(1, 2), count.size() - 1);
}

std::string order_title(const std::string& name, const std::string& expression) {
  return name.empty() || name == expression ? expression : name + " = " + expression;
}

std::string input_line(const study::InputFacts& input) {
  std::string line = plural(input.n, input.products ? "product" : "term");
  line += input.distribution.empty() ? "" : ", " + input.distribution;
  line += ", " + to_string(input.formats);
  if (input.inexact_conversions > 0)
    line += fmt::format("; {} of them not exact in {}", input.inexact_conversions, info(input.formats.terms).name);
  if (input.overflowed_terms > 0) line += fmt::format("; warning: {} of them overflow to inf", input.overflowed_terms);
  return line;
}

std::string exact_line(const study::InputFacts& input) {
  return fmt::format("exact sum {}, condition number {}", input.exact.decimal(kShownDigits),
                     number(condition_number(input.exact, input.sum_abs)));
}

std::string head_lines(const std::string& name, const std::string& expression, const study::InputFacts& input,
                       bool color) {
  return bold(order_title(name, expression), color) + "\n" + input_line(input) + "\n" + exact_line(input) + "\n";
}

}  // namespace orderlab
