// Sums with a prescribed condition number sum |x| / |sum x|.
//
// As GenDot of [OgitaRumpOishi2005]: the first half has exponents spread over log2(cond), the second half cancels the
// exact sum with falling exponents. Two changes hit the condition number itself, not only its size. The quantity that
// is cancelled is the excess D = S - A / cond of the running sum S over its share of A, the running sum of |x|, so the
// last term needs no jump; and the sign of a term of the first half is negative whenever D stays >= 0, so that running
// sums fit narrow formats for any n.
#include <algorithm>
#include <bit>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <span>

#include "core/arithmetic_guard.hpp"
#include "core/pass.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "terms/binary_exponent.hpp"
#include "terms/distribution_list.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {
namespace {

constexpr Parameter kCancelParameters[] = {real_parameter("cond", 1)};

/// Largest deviation from the requested condition number that is accepted. A choice.
constexpr double kTolerance = 0.01;

/// Least b with 2^b >= c, for c >= 1; at least 1.
int spread_of(double c) {
  const auto bits = std::bit_cast<std::uint64_t>(c);
  const int floor = static_cast<int>(bits >> 52) - 1023;
  return std::max(1, floor + ((bits << 12) != 0 ? 1 : 0));
}

int ceil_log2(std::size_t n) { return static_cast<int>(std::bit_width(n - 1)); }

/// The terms so far: exact sum, sum of absolute values (one rounding a term, far below kTolerance), and the excess.
class Running {
 public:
  explicit Running(double condition) : share_(1 / condition) {}

  void add(double x) {
    sum_.add(x);
    sum_abs_ += std::fabs(x);
  }
  double excess() const { return sum() - sum_abs_ * share_; }
  double sum() const { return sum_.value().to_double(); }
  double condition() const { return sum_abs_ / std::fabs(sum()); }

  /// How far a term of magnitude m moves the excess.
  double up(double m) const { return m * (1 - share_); }
  double down(double m) const { return m * (1 + share_); }

  /// The term that moves the excess by `distance`.
  double term_for(double distance) const { return distance / (distance < 0 ? 1 + share_ : 1 - share_); }

 private:
  double share_;
  ExactSum sum_;
  double sum_abs_ = 0;
};

/// Fills x with the terms in order of making.
///
/// Exponents lie in lowest..lowest + b. Magnitudes are at most 2^(lowest + b + 1), D too: see the signs.
template <class T>
Running make_terms(Format format, std::span<T> x, double condition, const RandomStream& stream) {
  const std::size_t n = x.size();
  const int b = spread_of(condition);
  const int lowest = std::min(0, info(format).e_max - 1 - b - ceil_log2(n));  // no order of adding overflows
  // Below 2 most terms must be positive, and cancelling in between would need terms beyond the rest: only the last
  // does.
  const std::size_t first_half = n < 4 || condition < 2 ? n - 1 : n / 2;
  Running running(condition);
  const auto take = [&](std::size_t i, double value) {
    x[i] = rounded_term<T>(format, value);
    running.add(static_cast<double>(x[i]));
    return static_cast<double>(x[i]);
  };

  double excess = 0;
  const auto take_spread = [&](std::size_t i) {
    IndexGenerator generator(stream, i);
    int e = boost::random::uniform_int_distribution<int>(0, b)(generator);
    if (i == 0) e = b;
    const double magnitude = static_cast<double>(rounded_term<T>(format, in_binade(lowest + e - 1, generator())));
    const bool negative = excess >= running.down(magnitude);
    take(i, negative ? -magnitude : magnitude);
    excess += negative ? -running.down(magnitude) : running.up(magnitude);
  };

  // Exponents fall from b to 0 at the last but one; the last brings the excess to 0 as nearly as the format can.
  const std::size_t steps = n - 1 - first_half;
  const auto take_cancelling = [&](std::size_t k) {
    IndexGenerator generator(stream, first_half + k);
    const auto fallen = static_cast<int>(static_cast<std::size_t>(b) * (k + 1) / steps);
    const double target = in_binade(lowest + b - fallen - 1, generator());
    take(first_half + k, running.term_for(target - running.excess()));
  };
  in_chunks(n - 1, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      if (i < first_half)
        take_spread(i);
      else
        take_cancelling(i - first_half);
  });
  const double rest = condition > 1 ? -running.excess() : in_binade(lowest, IndexGenerator(stream, n - 1)());
  take(n - 1, condition > 1 ? running.term_for(rest) : rest);
  return running;
}

void generate_cancel(const Arguments& arguments, std::string_view text, const TermStreams& random, Terms& terms) {
  const double condition = arguments.real(0);
  const std::size_t n = terms.size();
  if (n == 1 && condition > 1)
    throw Error(ErrorKind::usage,
                std::string(text) + ": one term has the condition number 1; write cancel(1) or take more terms");
  with_type_of(terms.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const std::span<T> x(numbers<T>(terms), n);
    const Running made = make_terms(terms.format(), x, condition, random.draws());
    const double reached = made.condition();
    if (!(std::fabs(reached - condition) <= kTolerance * condition))
      throw Error(ErrorKind::usage, std::string(text) + ": " + std::to_string(n) + " terms of " +
                                        std::string(info(terms.format()).name) + " reach " + shortest(reached) +
                                        ", not within 1 % of it; take more terms, a wider format or a smaller number");
    shuffle_values(x, random.order());
  });
}

}  // namespace

constinit const DistributionDefinition kCancel{{.name = "cancel",
                                                .parameters = "(cond)",
                                                .summary = "condition number cond, within 1 %, in random order",
                                                .source = "after GenDot of [OgitaRumpOishi2005]",
                                                .portable = true},
                                               kCancelParameters,
                                               nullptr,
                                               generate_cancel};

}  // namespace orderlab
