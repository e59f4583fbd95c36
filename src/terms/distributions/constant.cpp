// One number n times.
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kConstantParameters[] = {real_parameter("c")};

void generate_constant(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  fill(random, terms, [c = arguments.real(0)](IndexGenerator&) { return c; });
}

}  // namespace

constinit const DistributionDefinition kConstant{{.name = "constant",
                                                  .parameters = "(c)",
                                                  .summary = "c every time",
                                                  .source = "orderlab, no draw",
                                                  .portable = true},
                                                 kConstantParameters,
                                                 nullptr,
                                                 generate_constant};

}  // namespace orderlab
