// Integers times powers of two: the terms that captures of GPU runs are made of.
#include "core/dyadic.hpp"

#include <cmath>

#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr int kGreatestSpread = Dyadic::kGreatestExponent - Dyadic::kLeastExponent;

constexpr Parameter kDyadicParameters[] = {
    {.name = "bits", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = Dyadic::kMostBits},
    real_parameter("exponent", Dyadic::kLeastExponent, Dyadic::kGreatestExponent),
    {.name = "spread", .kind = ParameterKind::count, .default_text = "0", .low = 0, .high = kGreatestSpread}};

Dyadic read(const Arguments& arguments) {
  return {static_cast<int>(arguments.count(0)), static_cast<int>(arguments.real(1)),
          static_cast<int>(arguments.count(2))};
}

std::optional<std::string> dyadic_problem(const Arguments& arguments) {
  const double exponent = arguments.real(1);
  if (std::trunc(exponent) < exponent || exponent < std::trunc(exponent))
    return "exponent is not a whole number; binary exponents are, such as dyadic(24,-23)";
  if (read(arguments).exact()) return std::nullopt;
  return "its numbers are no doubles; exponent - spread must be at least " + std::to_string(Dyadic::kLeastExponent) +
         " and exponent + bits - 1 at most " + std::to_string(Dyadic::kGreatestExponent);
}

void generate_dyadic(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  fill(random, terms, [dyadic = read(arguments)](IndexGenerator& g) { return dyadic.draw(g); });
}

double largest_dyadic(const Arguments& arguments) {
  return std::ldexp(1.0, static_cast<int>(arguments.real(1)) + static_cast<int>(arguments.count(0)) - 1);
}

}  // namespace

constinit const DistributionDefinition kDyadic{
    {.name = "dyadic",
     .parameters = "(bits,exponent,spread=0)",
     .summary = "k 2^(exponent-j), k of `bits` bits with sign, j in 0..spread: what GPU captures use",
     .source = "orderlab, integer operations only",
     .portable = true},
    kDyadicParameters,
    dyadic_problem,
    generate_dyadic,
    largest_dyadic};

}  // namespace orderlab
