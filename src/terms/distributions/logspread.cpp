// Magnitudes spread evenly over binades.
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "core/text.hpp"
#include "terms/binary_exponent.hpp"
#include "terms/distribution_list.hpp"

namespace orderlab {
namespace {

constexpr Parameter kLogspreadParameters[] = {real_parameter("emin", kLeastExponent, kGreatestExponent),
                                              real_parameter("emax", kLeastExponent, kGreatestExponent)};

std::optional<std::string> logspread_problem(const Arguments& arguments) {
  for (std::size_t i = 0; i < 2; ++i)
    if (std::trunc(arguments.real(i)) < arguments.real(i) || arguments.real(i) < std::trunc(arguments.real(i)))
      return std::string(kLogspreadParameters[i].name) +
             " is not a whole number; binary exponents are, such as logspread(-20,20)";
  if (arguments.real(0) <= arguments.real(1)) return std::nullopt;
  return "emax is less than emin; write logspread(" + shortest(arguments.real(1)) + "," + shortest(arguments.real(0)) +
         ")";
}

// First word(s): the exponent. The next: sign in bit 0, fraction in the upper 52.
void generate_logspread(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const int low = static_cast<int>(arguments.real(0));
  const int high = static_cast<int>(arguments.real(1));
  fill(random, terms, [=](IndexGenerator& g) {
    const int exponent = boost::random::uniform_int_distribution<int>(low, high)(g);
    const std::uint64_t word = g();
    const double magnitude = in_binade(exponent, word);
    return (word & 1) != 0 ? -magnitude : magnitude;
  });
}

double largest_logspread(const Arguments& arguments) {
  return std::ldexp(1.0, static_cast<int>(arguments.real(1)) + 1);
}

}  // namespace

constinit const DistributionDefinition kLogspread{{.name = "logspread",
                                                   .parameters = "(emin,emax)",
                                                   .summary = "random sign, uniform binary exponent and fraction",
                                                   .source = "orderlab, integer operations only",
                                                   .portable = true},
                                                  kLogspreadParameters,
                                                  logspread_problem,
                                                  generate_logspread,
                                                  largest_logspread};

}  // namespace orderlab
