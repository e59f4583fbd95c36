// Exponentials of normal numbers.
#include <boost/random/lognormal_distribution.hpp>

#include "core/arithmetic_guard.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kLognormalParameters[] = {real_parameter("m"), real_parameter("s", 0)};

void generate_lognormal(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double m = arguments.real(0);
  const double s = arguments.real(1);
  fill(random, terms, [=](IndexGenerator& g) { return boost::random::lognormal_distribution<double>(m, s)(g); });
}

}  // namespace

constinit const DistributionDefinition kLognormal{{.name = "lognormal",
                                                   .parameters = "(m,s)",
                                                   .summary = "exp of a normal with mean m and standard deviation s",
                                                   .source = "Boost.Random lognormal_distribution",
                                                   .portable = false},
                                                  kLognormalParameters,
                                                  nullptr,
                                                  generate_lognormal};

}  // namespace orderlab
