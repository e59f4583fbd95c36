// Cauchy numbers: heavy tails, no mean.
#include <boost/random/cauchy_distribution.hpp>

#include "core/arithmetic_guard.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kCauchyParameters[] = {real_parameter("m"), real_parameter("s", 0)};

void generate_cauchy(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double median = arguments.real(0);
  const double scale = arguments.real(1);
  fill(random, terms, [=](IndexGenerator& g) { return boost::random::cauchy_distribution<double>(median, scale)(g); });
}

}  // namespace

constinit const DistributionDefinition kCauchy{{.name = "cauchy",
                                                .parameters = "(m,s)",
                                                .summary = "Cauchy with median m; half of it lies within m +- s",
                                                .source = "Boost.Random cauchy_distribution",
                                                .portable = false},
                                               kCauchyParameters,
                                               nullptr,
                                               generate_cauchy};

}  // namespace orderlab
