// Whole numbers, so that sums stay exact as long as they fit the significand.
#include <boost/random/uniform_int_distribution.hpp>

#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

// 2^53: every whole number up to it is a double, so the draw is exact before it is rounded.
constexpr Parameter kIntegersParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 0, .high = 0x1p53}};

void generate_integers(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const auto k = static_cast<std::int64_t>(arguments.count(0));
  fill(random, terms, [=](IndexGenerator& g) {
    return static_cast<double>(boost::random::uniform_int_distribution<std::int64_t>(-k, k)(g));
  });
}

double largest_integers(const Arguments& arguments) { return static_cast<double>(arguments.count(0)); }

}  // namespace

constinit const DistributionDefinition kIntegers{{.name = "integers",
                                                  .parameters = "(k)",
                                                  .summary = "uniform integers from -k to k",
                                                  .source = "Boost.Random uniform_int_distribution",
                                                  .portable = true},
                                                 kIntegersParameters,
                                                 nullptr,
                                                 generate_integers,
                                                 largest_integers};

}  // namespace orderlab
