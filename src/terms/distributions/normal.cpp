// Normal numbers.
#include <boost/random/normal_distribution.hpp>

#include "core/arithmetic_guard.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kNormalParameters[] = {real_parameter("mean"), real_parameter("sd", 0)};

void generate_normal(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double mean = arguments.real(0);
  const double sd = arguments.real(1);
  fill(random, terms, [=](IndexGenerator& g) { return boost::random::normal_distribution<double>(mean, sd)(g); });
}

}  // namespace

constinit const DistributionDefinition kNormal{{.name = "normal",
                                                .parameters = "(mean,sd)",
                                                .summary = "normal with this mean and standard deviation",
                                                .source = "Boost.Random normal_distribution (ziggurat)",
                                                .portable = false},
                                               kNormalParameters,
                                               nullptr,
                                               generate_normal};

}  // namespace orderlab
