#include "describe/option.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// 10^6, 2^32, 500: the shortest of what people write. Counts below 2^53.
std::string bound_text(double bound) {
  constexpr double kPlain = 10'000;  // smaller ones are read at a glance
  if (bound < kPlain || bound != std::floor(bound)) return shortest(bound);
  const auto count = static_cast<std::uint64_t>(bound);
  if (std::has_single_bit(count)) return "2^" + std::to_string(std::countr_zero(count));
  const std::string digits = std::to_string(count);
  const bool power = digits[0] == '1' && digits.find_first_not_of('0', 1) == std::string::npos;
  return power ? "10^" + std::to_string(digits.size() - 1) : digits;
}

std::string what_it_must_be(const Flag& flag) {
  if (!flag.must_be.empty()) return std::string(flag.must_be);
  if (!std::isfinite(flag.low) && !std::isfinite(flag.high)) return "a number";
  const std::string low = bound_text(flag.low);
  const std::string high = bound_text(flag.high);
  if (flag.above_low && flag.below_high) return "between " + low + " and " + high + ", both excluded";
  if (flag.below_high) return "at least " + low + " and below " + high;
  if (flag.above_low) return "above " + low + (std::isfinite(flag.high) ? " and at most " + high : "");
  if (!std::isfinite(flag.high)) return "at least " + low;
  if (!std::isfinite(flag.low) || flag.low == 0) return "at most " + high;
  return "from " + low + " to " + high;
}

[[noreturn]] void refuse(const Flag& flag, const std::string& text, const std::string& problem) {
  throw Error(ErrorKind::usage, flag.long_name() + " " + shortened(text) + ": " + problem);
}

}  // namespace

std::string problem_with(const Flag& flag, double number) {
  if (flag.kind == FlagKind::fraction) return number > 0 && number < 1 ? "" : "must lie between 0 and 1, both excluded";
  const bool enough = flag.above_low ? number > flag.low : number >= flag.low;
  const bool few = flag.below_high ? number < flag.high : number <= flag.high;
  return enough && few ? "" : "must be " + what_it_must_be(flag);
}

std::string default_text(const Flag& flag, std::span<const Options* const> options) {
  if (!flag.fallback.empty()) return std::string(flag.fallback);
  std::optional<std::string> text;
  for (const Options* table : options)
    for (const Option& option : table->rows) {
      if (option.flag != &flag) continue;
      const std::string own = option.text(flag, table->fresh());
      if (text && *text != own) return {};
      text = own;
    }
  return flag.required ? std::string() : text.value_or("");
}

void check_bounds(const Options& options, const void* request) {
  for (const Option& option : options.rows) {
    const std::optional<double> number = option.number(request);
    if (!number) continue;
    const Flag flag = flag_of(option);
    const std::string problem = problem_with(flag, *number);
    if (!problem.empty()) throw RequestError(std::string(flag.key), option.text(flag, request), problem);
  }
}

namespace options {

std::string text_of(std::uint64_t value) {
  constexpr std::uint64_t kPlain = 1 << 16;
  if (value >= kPlain && std::has_single_bit(value)) return "2^" + std::to_string(std::countr_zero(value));
  return std::to_string(value);
}

std::string text_of(double value) { return shortest(value); }

std::uint64_t count_of(const Flag& flag, const std::string& text) {
  const std::uint64_t count = parse_count(flag.long_name(), text);
  const std::string problem = problem_with(flag, static_cast<double>(count));
  if (!problem.empty()) refuse(flag, text, problem);
  return count;
}

double real_of(const Flag& flag, const std::string& text) {
  if (flag.kind == FlagKind::fraction) return parse_fraction(flag.long_name(), text);
  const std::optional<double> value = read_real(text);
  if (!value) refuse(flag, text, flag.must_be.empty() ? "is not a number" : "must be " + std::string(flag.must_be));
  const std::string problem = problem_with(flag, *value);
  if (!problem.empty()) refuse(flag, text, problem);
  return *value;
}

std::size_t word_of(const Flag& flag, const std::string& text) {
  const auto found = std::find(flag.words.begin(), flag.words.end(), text);
  if (found == flag.words.end())
    refuse(flag, text, "must be " + alternatives(std::vector<std::string>(flag.words.begin(), flag.words.end())));
  return static_cast<std::size_t>(found - flag.words.begin());
}

}  // namespace options

}  // namespace orderlab
