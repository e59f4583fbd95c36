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

/// The words of an IndexGenerator as doubles, rounded to nearest. Boost would convert the same words by a branch on
/// their highest bit, which no processor foresees.
class RealWords {
 public:
  using result_type = double;

  explicit RealWords(IndexGenerator& words) : words_(words) {}

  static constexpr double min() { return 0; }
  static constexpr double max() { return 0x1p64; }

  double operator()() {
    const std::uint64_t word = words_();
    const auto upper = static_cast<std::int64_t>(word >> 32);
    const auto lower = static_cast<std::int64_t>(word & 0xFFFFFFFF);
    return static_cast<double>(upper) * 0x1p32 + static_cast<double>(lower);  // the sum alone is rounded
  }

 private:
  IndexGenerator& words_;
};

void generate_uniform(const Arguments& arguments, std::string_view, const TermStreams& random, Terms& terms) {
  const double a = arguments.real(0);
  const double b = arguments.real(1);
  fill(random, terms, [=](IndexGenerator& g) {
    RealWords words(g);
    return boost::random::uniform_real_distribution<double>(a, b)(words);
  });
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
