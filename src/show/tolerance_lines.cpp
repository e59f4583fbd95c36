#include "show/tolerance_lines.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/text.hpp"
#include "show/tolerance_words.hpp"

namespace orderlab {

namespace {

// Beyond it two digits of the terms have cancelled, and rtol says more of the exact sum than of the errors.
constexpr double kSteadyCondition = 100;

double read(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Digits "d.ddd" of a text in exponent form, as one number, and its exponent.
struct Decimal {
  long long digits;
  int exponent;  ///< decimal exponent of the last digit

  std::string text() const { return fmt::format("{}e{}", digits, exponent); }
};

}  // namespace

std::string rounded_up(double value, int digits) {
  if (value == 0) return "0";
  const std::string nearest = fmt::format("{:.{}e}", value, digits - 1);
  const auto e = nearest.find('e');
  std::string significand = nearest.substr(0, e);
  std::erase(significand, '.');
  Decimal decimal{std::stoll(significand), std::stoi(nearest.substr(e + 1)) - (digits - 1)};
  if (read(decimal.text()) < value) ++decimal.digits;
  return shortest(read(decimal.text()));
}

std::string rounded_up_rtol(double rtol) {
  constexpr double kRoundings = 1 + 0x1p-50;  // rtol * |b| and |a - b| are each off by at most 2^-53
  return rounded_up(rtol * kRoundings);
}

bool lines_by_rtol(const study::ToleranceFinding& finding) {
  return why_no_rtol(finding).empty() && finding.condition <= kSteadyCondition;
}

std::vector<PasteLine> paste_lines(const study::ToleranceFinding& finding) {
  if (!has_limit(finding)) return {};
  const bool relative = lines_by_rtol(finding);
  const std::string rtol = relative ? rounded_up_rtol(finding.limit.relative) : "0";
  const std::string atol = rounded_up(finding.limit.absolute);
  const std::string both = fmt::format("rtol={}, atol={}", rtol, relative ? "0" : atol);
  const bool wide = finding.input.formats.result == Format::fp64;
  // In a narrower format the comparison itself would round.
  const auto python = [&](const char* function, const char* narrow) {
    return fmt::format("{}({}, {})", function, wide ? "actual, desired" : narrow, both);
  };
  // doctest compares |a - b| < epsilon * (scale + max(|a|, |b|)), scale 1 unless set: strictly, so never with 0.
  const std::string doctest =
      relative && rtol != "0"
          ? fmt::format("CHECK(double(actual) == doctest::Approx(double(desired)).epsilon({}).scale(0));", rtol)
          : fmt::format("CHECK(std::fabs(double(actual) - double(desired)) <= {});", atol);
  return {{"numpy", python("np.testing.assert_allclose", "np.float64(actual), np.float64(desired)")},
          {"torch", python("torch.testing.assert_close", "actual.double(), desired.double()")},
          {"googletest", fmt::format("EXPECT_NEAR(actual, desired, {});", atol)},
          {"doctest", doctest}};
}

}  // namespace orderlab
