// Uniform numbers of an interval.
#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "core/text.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kUniformParameters[] = {real_parameter("a"), real_parameter("b")};

std::optional<std::string> uniform_problem(const Arguments& arguments) {
  const double a = arguments.real(0);
  const double b = arguments.real(1);
  if (a < b) return std::nullopt;
  return b < a ? "b is less than a; write uniform(" + shortest(b) + "," + shortest(a) + ")"
               : "a and b are equal; for one number write constant(" + shortest(a) + ")";
}

void generate_uniform(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double a = arguments.real(0);
  const double b = arguments.real(1);
  fill(random, terms, [=](IndexGenerator& g) { return boost::random::uniform_real_distribution<double>(a, b)(g); });
}

double largest_uniform(const Arguments& arguments) {
  return std::max(std::fabs(arguments.real(0)), std::fabs(arguments.real(1)));
}

}  // namespace

constinit const DistributionDefinition kUniform{{.name = "uniform",
                                                 .parameters = "(a,b)",
                                                 .summary = "uniform in [a, b), before rounding",
                                                 .source = "Boost.Random uniform_real_distribution",
                                                 .portable = true},
                                                kUniformParameters,
                                                uniform_problem,
                                                generate_uniform,
                                                largest_uniform};

}  // namespace orderlab
