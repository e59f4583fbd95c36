#include "probe/fused_calls.hpp"

#include <algorithm>
#include <cmath>

#include "orderlab/terms.hpp"

namespace orderlab {

bool same_answer(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

int digits_of(Format sums) {
  if (sums == Format::fp16) return 5;
  return sums == Format::fp64 ? 17 : 9;
}

double read_answer(double answer, Format sums) {
  if (!std::isfinite(answer)) return answer;
  const double number = value_of_bits(sums, round_to_bits(sums, answer));
  const double most = std::pow(10.0, 1 - digits_of(sums)) * std::fabs(answer);  // twice what such a decimal is off by
  return std::fabs(number - answer) <= most ? number : answer;
}

void FusedCalls::answers_are(Format sums) {
  sums_ = sums;
  for (FusedCall& call : calls_) call.answer = read_answer(call.answer, sums);
}

double FusedCalls::ask(std::vector<Factors> products) {
  const Format passed = box_.setting().format;
  Terms x(passed, n());
  Terms y(passed, n());
  for (std::size_t i = 0; i < n(); ++i) {
    const Factors& product = products[turned_ ? n() - 1 - i : i];
    x.set(i, product.x);
    y.set(i, product.y);
  }
  TermView both = x.view();
  both.y = y.view().x;
  const double given = box_.sum(both);
  const double answer = sums_ ? read_answer(given, *sums_) : given;
  calls_.push_back({std::move(products), answer});
  return answer;
}

void FusedCalls::turn() {
  turned_ = !turned_;
  for (FusedCall& call : calls_) std::reverse(call.products.begin(), call.products.end());
}

FusedRange range_of_products(Format factors, Format sums, FusedSubnormals subnormals) {
  constexpr int kFar = 100;  // more than any F, and than the precision of fp64 and all the products
  const auto least_of = [](const FormatInfo& format, bool subnormal) {
    return subnormal ? format.e_min - format.precision + 1 : format.e_min;
  };
  return {std::max({2 * least_of(info(factors), subnormals.factors), least_of(info(sums), subnormals.sums), -kFar}),
          std::min({2 * info(factors).e_max, info(sums).e_max, kFar})};
}

Factors product_of_power(Format factors, int exponent, double significand) {
  const FormatInfo& f = info(factors);
  const int least = f.e_min - f.precision + 1;
  const int first = std::max(exponent - std::clamp(exponent - exponent / 2, f.e_min, f.e_max), least);
  return {std::ldexp(1.0, first), std::ldexp(significand, exponent - first)};
}

}  // namespace orderlab
