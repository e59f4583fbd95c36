#include "page/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace orderlab {

std::string superscript(int number) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

std::string in_words(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const std::string scientific = fmt::format("{:.{}e}", std::fabs(value), digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  const std::string sign = value < 0 ? "−" : "";
  constexpr int kLeast = -3;    // 0.0012 is easier to read than 1.2×10⁻³
  constexpr int kGreatest = 5;  // and so is 12345
  if (value == 0 || (exponent >= kLeast && exponent < kGreatest)) {
    if (exponent >= digits - 1 && value != 0) return sign + fmt::format("{:.0f}", std::fabs(value));
    const double rounded = *read_real(scientific);
    return sign + fmt::format("{:.{}f}", rounded, std::max(0, digits - 1 - (value == 0 ? digits - 1 : exponent)));
  }
  return sign + scientific.substr(0, scientific.find('e')) + "×10" + superscript(exponent);
}

std::string part_in_words(double value) {
  constexpr double kLeastPercent = 0.01;
  if (value < kLeastPercent) return in_words(value);
  if (value < 1) return fmt::format("{:.{}f} %", 100 * value, value < 0.1 || value > 0.99 ? 1 : 0);
  return in_words(value) + " times";
}

std::string part_of_sum(double value, const std::string& whole) {
  return part_in_words(value) + (value < 1 ? " of " : " ") + whole;
}

std::string two_decimals(double value) { return (value < 0 ? "−" : "") + fmt::format("{:.2f}", std::fabs(value)); }

std::string page_confidence_in_words() { return fmt::format("{:.0f} %", 100 * kPageConfidence); }

std::string growth_in_words(const std::optional<PowerLaw>& law, const std::string& verb, const std::string& x) {
  constexpr double kWidest = 0.5;  // n^0.5 and n^1 could not be told apart
  if (!law || law->high - law->low > kWidest) return {};
  return fmt::format(" {} as {}^{} ({} interval {} to {})", verb, x, two_decimals(law->exponent),
                     page_confidence_in_words(), two_decimals(law->low), two_decimals(law->high));
}

std::string times_as_far(double ratio) {
  constexpr double kAlike = 1.05;
  if (ratio < kAlike && ratio > 1 / kAlike) return "about as far as";
  return in_words(ratio) + " times as far as";
}

std::string count_in_words(std::uint64_t value) {
  int zeros = 0;
  std::uint64_t rest = value;
  for (; rest >= 10 && rest % 10 == 0; rest /= 10) ++zeros;
  if (rest == 1 && zeros >= 4) return "10" + superscript(zeros);
  std::string digits = std::to_string(value);
  if (value >= 10'000)
    for (std::size_t at = digits.size() - 3; at > 0 && at<digits.size(); at = at> 3 ? at - 3 : 0)
      digits.insert(at, ",");
  return digits;
}

std::string baseline_in_words(const SweepContent& content) {
  std::vector<std::string> expressions;
  for (const SumPoint& point : content.points)
    if (!point.vs_baseline.empty() &&
        std::find(expressions.begin(), expressions.end(), point.vs_baseline) == expressions.end())
      expressions.push_back(point.vs_baseline);
  if (expressions.empty()) return "the baseline";
  if (expressions.size() > 1)
    return "the baseline of each order: the same with arrivals in launch order, no shuffles and pairwise trees";
  for (const SumPoint& point : content.points)
    if (point.expression == expressions[0] && point.order != expressions[0])
      return fmt::format("the baseline, {} = {}", point.order, expressions[0]);
  return "the baseline, " + expressions[0];
}

std::string samples_in_words(const SumPoint& point) {
  if (point.all_orders) return "all " + count_in_words(point.samples) + " orders";
  return count_in_words(point.samples) + (point.samples == 1 ? " sample" : " samples");
}

std::string interval_in_words(double low, double high) {
  const bool at_one = in_words(low) == in_words(1) || in_words(high) == in_words(1);
  return in_words(low, at_one ? 3 : 2) + " to " + in_words(high, at_one ? 3 : 2);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace orderlab
