// Exponential numbers.
#include <boost/random/exponential_distribution.hpp>

#include "core/arithmetic_guard.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kExponentialParameters[] = {real_parameter("l")};

std::optional<std::string> exponential_problem(const Arguments& arguments) {
  if (arguments.real(0) > 0) return std::nullopt;
  return "l is the rate, 1/mean, and must be above 0, such as exponential(1)";
}

void generate_exponential(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double rate = arguments.real(0);
  fill(random, terms, [=](IndexGenerator& g) { return boost::random::exponential_distribution<double>(rate)(g); });
}

}  // namespace

constinit const DistributionDefinition kExponential{{.name = "exponential",
                                                     .parameters = "(l)",
                                                     .summary = "exponential with rate l, mean 1/l",
                                                     .source = "Boost.Random exponential_distribution (ziggurat)",
                                                     .portable = false},
                                                    kExponentialParameters,
                                                    exponential_problem,
                                                    generate_exponential};

}  // namespace orderlab
