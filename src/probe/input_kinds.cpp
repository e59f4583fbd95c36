#include "probe/input_kinds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kInputSeed = 1;

// Distributions of terms.
enum class Kind {
  normal,    ///< normal(0,1)
  spread,    ///< exponents within the precision of the terms, and zeros of either sign
  wide,      ///< exponents so far apart that sums in a wider format are rounded too
  cancels,   ///< pairs that cancel, up to the square of the precision above the rest: it shows what compensation loses
  few_bits,  ///< zeros of either sign, and numbers of few bits, which repeat and whose sums lie halfway between two
  cancels_fp64,  ///< the same with the square of fp64's
  cancels_less,  ///< the same up to the root of the precision: plain sums lose some bits, and not all of them
  one_exponent,  ///< magnitudes from 1 to 2
  clustered,     ///< two exponents, half the precision apart
  few_values,    ///< some values, each many times
  sparse,        ///< three of four terms are zero
  few_terms,     ///< all but a few are zero, and these nearly cancel
  constant,      ///< one value
  ramp,          ///< from small to large
};

// The first one tells nearly all orders apart: only one call is a box's first.
constexpr std::array kClassic{Kind::cancels_less, Kind::normal,   Kind::wide,         Kind::cancels,
                              Kind::spread,       Kind::few_bits, Kind::cancels_fp64, Kind::normal};
// Where sums in a wider format are rounded to a narrower one, only those that cancel tell orders apart.
constexpr std::array kKinds{Kind::normal,       Kind::wide,       Kind::cancels_fp64, Kind::one_exponent,
                            Kind::clustered,    Kind::few_values, Kind::cancels_fp64, Kind::spread,
                            Kind::few_terms,    Kind::sparse,     Kind::one_exponent, Kind::cancels_fp64,
                            Kind::cancels_less, Kind::ramp,       Kind::few_bits,     Kind::constant};

enum class Signs { drawn, drawn_again, positive, negative, alternating, one_positive, one_negative };
enum class Places {
  drawn,
  drawn_again,
  ascending,
  descending,
  magnitudes_up,
  magnitudes_down,
  largest_first,
  largest_last
};
enum class Scale { one, larger, smaller, huge, tiny };
enum class LastBits { drawn, drawn_again, set, clear };

// Any of the values up to the last one.
template <class Property>
Property drawn(RandomPlaces& draws, Property last) {
  return static_cast<Property>(draws.below(static_cast<std::size_t>(last) + 1));
}

// A zero with that sign. The first term is no -0.0: it is left to fit_start what zeros that are all negative add up to.
double zero_at(std::size_t i, double sign) { return i == 0 ? 0.0 : std::copysign(0.0, sign); }

// Every fourth term is a zero; the others have two bits, and exponents as far apart as the precision of the format. All
// are below 1: some languages add whole numbers as integers.
std::vector<double> few_bits(std::size_t n, Format format, RandomPlaces& draws) {
  std::vector<double> terms(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool zero = draws.below(4) == 0;
    const double sign = draws.below(2) == 0 ? 1 : -1;
    const double magnitude = 1 + 0.5 * static_cast<double>(draws.below(2));
    const auto exponent = -1 - static_cast<int>(draws.below(static_cast<std::size_t>(info(format).precision + 1)));
    terms[i] = zero ? zero_at(i, sign) : sign * magnitude * power_of_two(exponent);
  }
  return terms;
}

std::vector<double> numbers_of(Kind kind, std::size_t n, Format format, std::uint64_t number) {
  RandomPlaces draws(n, number);
  if (kind == Kind::few_bits) return few_bits(n, format, draws);
  const Terms normal = generate_terms("normal(0,1)", n, format, kInputSeed, number);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = normal.view().left(i);
  const FormatInfo& f = info(format);
  const auto scaled = [&](std::size_t i, int low, int high) {
    const int exponent = low + static_cast<int>(draws.below(static_cast<std::size_t>(high - low + 1)));
    return x[i] * power_of_two(exponent);
  };
  const auto between_one_and_two = [](double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return value == 0 ? 1 : 2 * fraction;
  };
  const int spread = kind == Kind::spread ? f.precision / 4 : std::min(40, f.e_max / 2);
  const int above = kind == Kind::cancels        ? 2 * f.precision
                    : kind == Kind::cancels_fp64 ? 2 * info(Format::fp64).precision
                                                 : f.precision / 2;
  std::vector<std::size_t> places(n);
  switch (kind) {
    case Kind::normal:
    case Kind::few_bits:
      break;
    case Kind::spread:
    case Kind::wide:
      for (std::size_t i = 0; i < n; ++i) x[i] = scaled(i, -spread, spread);
      for (std::size_t i = 0; kind == Kind::spread && i < n; ++i)
        if (draws.below(4) == 0) x[i] = zero_at(i, x[i]);
      break;
    case Kind::cancels:
    case Kind::cancels_fp64:
    case Kind::cancels_less:
      std::iota(places.begin(), places.end(), std::size_t{0});
      for (std::size_t k = 0; k + 1 < n / 2; k += 2) {
        for (const std::size_t at : {k, k + 1}) std::swap(places[at], places[at + draws.below(n - at)]);
        x[places[k]] = scaled(places[k], 0, std::min(above, f.e_max - 4));
        x[places[k + 1]] = -x[places[k]];
      }
      break;
    case Kind::one_exponent:
      for (double& term : x) term = between_one_and_two(term);
      break;
    case Kind::clustered:
      for (double& term : x)
        term = between_one_and_two(term) * (draws.below(2) == 0 ? 1 : power_of_two(f.precision / 2));
      break;
    case Kind::few_values:
      for (std::size_t i = 0; i < n; ++i) x[i] = x[i < 5 ? i : draws.below(5)];
      break;
    case Kind::sparse:
      for (double& term : x)
        if (draws.below(4) != 0) term = 0;
      break;
    case Kind::few_terms: {
      const auto some = draws.some(std::min<std::size_t>(n, 3 + draws.below(4)));
      std::vector<double> few(n);
      double sum = 0;
      for (const std::size_t place : some) {
        few[place] = place == some.back() && sum != 0 ? -sum : scaled(place, -std::min(f.precision, f.e_max / 4), 0);
        sum += few[place];
      }
      return few;
    }
    case Kind::constant:
      std::fill(x.begin(), x.end(), x[0]);
      break;
    case Kind::ramp:
      for (std::size_t i = 0; i < n; ++i) x[i] *= static_cast<double>(i + 1) / static_cast<double>(n);
      break;
  }
  return x;
}

bool smaller(double a, double b) { return std::fabs(a) < std::fabs(b); }

void give_signs(std::vector<double>& x, Signs signs, std::size_t place) {
  const auto set = [&](std::size_t i, bool positive) {
    if (x[i] != 0) x[i] = std::copysign(x[i], positive ? 1 : -1);
  };
  if (signs == Signs::drawn || signs == Signs::drawn_again) return;
  for (std::size_t i = 0; i < x.size(); ++i)
    set(i, signs == Signs::positive || signs == Signs::one_negative || (signs == Signs::alternating && i % 2 == 0));
  if (signs == Signs::one_positive || signs == Signs::one_negative) set(place, signs == Signs::one_positive);
}

void arrange(std::vector<double>& x, Places places) {
  const auto by_magnitude_down = [](double a, double b) { return smaller(b, a); };
  const auto largest = std::max_element(x.begin(), x.end(), smaller);
  switch (places) {
    case Places::drawn:
    case Places::drawn_again:
      return;
    case Places::ascending:
      return std::sort(x.begin(), x.end());
    case Places::descending:
      return std::sort(x.begin(), x.end(), std::greater<double>());
    case Places::magnitudes_up:
      return std::stable_sort(x.begin(), x.end(), smaller);
    case Places::magnitudes_down:
      return std::stable_sort(x.begin(), x.end(), by_magnitude_down);
    case Places::largest_first:
      return std::swap(*largest, x.front());
    case Places::largest_last:
      return std::swap(*largest, x.back());
  }
}

// The power of two that takes exponents from low to high to the ends of [least, most], or part of the way.
int shift_of(Scale scale, int low, int high, int least, int most) {
  const int down = std::min(least - low, 0);
  const int up = std::max(most - high, 0);
  switch (scale) {
    case Scale::one:
      return 0;
    case Scale::larger:
      return up / 4;
    case Scale::smaller:
      return down / 4;
    case Scale::huge:
      return up;
    case Scale::tiny:
      return down;
  }
  return 0;
}

// None is above `most` where no exponent has to go below `floor` for that.
void rescale(std::vector<double>& x, Scale scale, int least, int most, int floor) {
  int low = most;
  int high = least;
  for (const double term : x) {
    if (term == 0) continue;
    low = std::min(low, std::ilogb(term));
    high = std::max(high, std::ilogb(term));
  }
  int shift = shift_of(scale, low, high, least, most);
  if (low + most - high >= floor) shift = std::min(shift, most - high);
  for (double& term : x) term *= power_of_two(shift);
}

Terms stored(const std::vector<double>& x, Format format, LastBits bits) {
  Terms terms(format, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::uint64_t number = round_to_bits(format, x[i]);
    if (x[i] != 0 && bits == LastBits::set) number |= 1;
    if (x[i] != 0 && bits == LastBits::clear) number &= ~std::uint64_t{1};
    terms.set(i, value_of_bits(format, number));
  }
  return terms;
}

int bits_of(std::size_t n) { return static_cast<int>(std::bit_width(n)); }

// Exponents of normal(0,1), and, every second time, others above.
Terms one_sided(const AskedBox& box, std::uint64_t number) {
  const Format format = box.setting().format;
  const Terms normal = generate_terms("normal(0,1)", box.n(), format, kInputSeed, number);
  const TermView from = normal.view();
  RandomPlaces draws(box.n(), number + (std::uint64_t{3} << 32));
  const auto spread = static_cast<std::size_t>(number % 2 == 0 ? info(format).precision / 4 : 1);
  Terms x(format, box.n());
  for (std::size_t i = 0; i < box.n(); ++i) {
    const double magnitude = std::fabs(from.left(i));
    x.set(i, draws.below(8) == 0 ? 0 : magnitude * power_of_two(static_cast<int>(draws.below(spread))));
  }
  return x;
}

}  // namespace

Terms one_sided_terms(const AskedBox& box, std::uint64_t number) {
  Terms x = one_sided(box, number);
  if (box.taken().squares()) x.multiply_by(one_sided(box, number));
  return x;
}

ExponentRange exponents_of_terms(const AskedBox& box) {
  constexpr int kRoom = 8;       // bits
  constexpr int kModerate = 40;  // decimals of few digits, and no whole numbers of fp64, which some add as integers
  const FormatInfo& f = info(box.setting().format);
  const ExponentRange all{f.e_min + box.taken().foot(), f.e_max - kRoom - box.taken().head()};
  if (!box.box().reads_text()) return all;
  return {std::max(all.least, -kModerate), std::min(all.most, kModerate)};
}

Terms telling_terms(std::size_t n, Format format, const ExponentRange& range, std::uint64_t number) {
  const std::uint64_t input = number / 2;  // those of the second factors lie between
  if (input < kClassic.size()) return stored(numbers_of(kClassic[input], n, format, number), format, LastBits::drawn);
  RandomPlaces draws(n, number + (std::uint64_t{1} << 32));
  const Kind kind = kKinds[input % kKinds.size()];
  std::vector<double> x = numbers_of(kind, n, format, number);
  const bool cancels =
      kind == Kind::cancels || kind == Kind::cancels_fp64 || kind == Kind::cancels_less || kind == Kind::few_terms;
  if (const Signs signs = drawn(draws, Signs::one_negative); !cancels) give_signs(x, signs, draws.below(n));
  arrange(x, drawn(draws, Places::largest_last));
  // Far enough from the ends of the range that no partial sum overflows, nor is subnormal in an order that fuses.
  const FormatInfo& f = info(format);
  const int floor = f.e_min + 2 * f.precision + 8;
  rescale(x, drawn(draws, Scale::tiny), std::max(range.least, floor), range.most - bits_of(n), floor);
  return stored(x, format, cancels ? LastBits::drawn : drawn(draws, LastBits::clear));
}

ExactTerms exact_terms(std::size_t n, Format format, int bits, const ExponentRange& range, std::uint64_t number) {
  RandomPlaces draws(n, number + (std::uint64_t{2} << 32));
  const double most = power_of_two(bits);
  std::vector<double> x(n);
  // All terms, some, or few large ones; the rest of the magnitude goes to the last of them.
  const std::size_t can = static_cast<std::size_t>(std::min(most / 2, static_cast<double>(n)));
  const std::array counts{can, can, std::max<std::size_t>(can / 4, 1), std::min<std::size_t>(can, 3)};
  const std::size_t count = counts[number % counts.size()];
  std::vector<std::size_t> places =
      count == n ? std::vector<std::size_t>{} : draws.some(std::min<std::size_t>(count, 64));
  if (places.empty())
    for (std::size_t i = 0; i < n; ++i) places.push_back(i);
  const double each = std::floor(most / static_cast<double>(places.size()));
  const bool equal = number % 8 == 5;
  for (const std::size_t place : places) {
    const double magnitude = equal ? each : 1 + static_cast<double>(draws.below(static_cast<std::size_t>(each)));
    x[place] = draws.below(2) == 0 ? magnitude : -magnitude;
  }
  give_signs(x, drawn(draws, Signs::one_negative), places[draws.below(places.size())]);
  if (std::accumulate(x.begin(), x.end(), 0.0) == 0) x[places[0]] = -x[places[0]];  // 0, which a mean would have too
  arrange(x, drawn(draws, Places::largest_last));
  const int shift = shift_of(drawn(draws, Scale::tiny), 0, bits, range.least, range.most);
  for (double& term : x) term *= power_of_two(shift);
  return {stored(x, format, LastBits::drawn), std::accumulate(x.begin(), x.end(), 0.0)};
}

}  // namespace orderlab
