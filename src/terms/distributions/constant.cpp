// One number n times.
#include <cmath>

#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kConstantParameters[] = {real_parameter("c")};

void generate_constant(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  fill(random, terms, [c = arguments.real(0)](IndexGenerator&) { return c; });
}

double largest_constant(const Arguments& arguments) { return std::fabs(arguments.real(0)); }

}  // namespace

constinit const DistributionDefinition kConstant{{.name = "constant",
                                                  .parameters = "(c)",
                                                  .summary = "the constant c",
                                                  .source = "orderlab, no draw",
                                                  .portable = true},
                                                 kConstantParameters,
                                                 nullptr,
                                                 generate_constant,
                                                 largest_constant};

}  // namespace orderlab
