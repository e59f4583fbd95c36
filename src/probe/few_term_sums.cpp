#include "probe/few_term_sums.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "orderlab/terms.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kPlaces = 9;      // triples of places
constexpr std::size_t kSumsOfEach = 8;  // sums at each of them
constexpr std::size_t kRoundings = 24;  // an addition is rounded to each side with a probability of 1/4 at least
constexpr int kPairs = 4;

using Triple = std::array<double, 3>;

double rounded(Format format, double value) { return value_of_bits(format, round_to_bits(format, value)); }

// Plain additions of three terms: those two first, in that format, and then the third in that one.
struct Model {
  std::size_t third;
  Format first;
  Format second;

  // Whether it adds in none but these.
  bool adds_in(const std::vector<Format>& formats) const {
    const auto has = [&](Format format) { return std::find(formats.begin(), formats.end(), format) != formats.end(); };
    return has(first) && has(second);
  }

  double sum(const Triple& x, Format result) const {
    const double two = rounded(first, x[(third + 1) % 3] + x[(third + 2) % 3]);
    return rounded(result, rounded(second, two + x[third]));
  }
};

class Sums {
 public:
  explicit Sums(AskedBox& box) : box_(box), terms_(zeros(box)) {}

  double of(std::span<const std::size_t> places, std::span<const double> values) {
    for (std::size_t k = 0; k < places.size(); ++k) terms_.set(places[k], values[k]);
    const double sum = box_.sum(terms_.view());
    for (const std::size_t place : places) terms_.set(place, 0);
    return sum;
  }

 private:
  AskedBox& box_;
  Terms terms_;
};

// An odd number of as many bits, between 1 and 2, and a power of two.
double number_of_bits(RandomPlaces& draws, int bits, int exponent) {
  const std::size_t odd = 2 * draws.below(std::size_t{1} << std::min(bits - 1, 52)) + 1;
  const double magnitude = 1 + static_cast<double>(odd) * power_of_two(-bits);
  return (draws.below(2) == 0 ? 1 : -1) * magnitude * power_of_two(exponent);
}

// Numbers that lose bits when two of them are added; every second time the third cancels these, so that the bits lost
// show in a sum of few bits.
Triple telling_triple(RandomPlaces& draws, Format format, int precision, bool cancels) {
  const FormatInfo& f = info(format);
  const int spread = std::min(precision, f.e_max - 2);
  const auto any = [&] {
    const auto exponent = static_cast<int>(draws.below(static_cast<std::size_t>(spread)));
    return rounded(format, number_of_bits(draws, f.precision - 1, exponent));
  };
  const double a = any();
  const double b = any();
  Triple x{a, b, cancels ? rounded(format, -(a + b)) : any()};
  std::swap(x[2], x[draws.below(3)]);
  return x;
}

// Leaves of the smallest subtree of the other two, for each of three places.
std::array<std::size_t, 3> together_without(const TreeShape& shape, const std::array<std::size_t, 3>& places) {
  std::array<std::size_t, 3> sizes{};
  for (std::size_t k = 0; k < 3; ++k)
    sizes[k] = shape.smallest_subtree(static_cast<TreeShape::Node>(places[(k + 1) % 3]),
                                      static_cast<TreeShape::Node>(places[(k + 2) % 3]));
  return sizes;
}

}  // namespace

FewTermSums few_term_sums(AskedBox& box, const TreeShape& shape, const std::vector<Format>& accumulate, Format result) {
  const std::size_t n = box.n();
  box.begin("sums of three terms", kPlaces * kSumsOfEach);
  Sums sums(box);
  RandomPlaces draws(n, 11);
  std::vector<Format> with_fp64 = accumulate;
  with_fp64.push_back(Format::fp64);
  int precision = 0;
  for (const Format format : accumulate) precision = std::max(precision, info(format).precision);
  // In fp64 too: there may be additions with more bits than were measured.
  std::vector<Model> all;
  for (std::size_t third = 0; third < 3; ++third)
    for (const FormatInfo& first : kFormats)
      for (const FormatInfo& second : kFormats)
        if (const Model model{third, first.format, second.format}; model.adds_in(with_fp64)) all.push_back(model);
  bool by_value = false;
  for (std::size_t t = 0; t < kPlaces; ++t) {
    std::array<std::size_t, 3> places{};
    const auto some = draws.some(3);
    std::copy(some.begin(), some.end(), places.begin());
    if (t == 0) places = {0, n / 2, n - 1};
    if (t == 1) places = {0, 1, 2};
    const auto sizes = together_without(shape, places);
    std::vector<Model> left = all;
    std::erase_if(left,
                  [&](const Model& m) { return sizes[m.third] != *std::min_element(sizes.begin(), sizes.end()); });
    for (std::size_t k = 0; k < kSumsOfEach; ++k) {
      const Triple x = telling_triple(draws, box.setting().format, precision, k % 2 == 0);
      const std::uint64_t sum = round_to_bits(result, sums.of(places, x));
      const auto other = [&](const Model& model) { return round_to_bits(result, model.sum(x, result)) != sum; };
      if (std::all_of(all.begin(), all.end(), other)) return FewTermSums::other;
      std::erase_if(left, other);
    }
    by_value = by_value || left.empty();
    const bool known = std::any_of(left.begin(), left.end(), [&](const Model& m) { return m.adds_in(accumulate); });
    if (!left.empty() && !known) return FewTermSums::other;
  }
  return by_value ? FewTermSums::by_value : FewTermSums::plain;
}

bool rounds_at_random(AskedBox& box, int precision) {
  Sums sums(box);
  RandomPlaces draws(box.n(), 12);
  // 1 and a bit or three quarters of the last bit that is kept beside it.
  for (int k = 0; k < kPairs; ++k) {
    const auto places = draws.some(2);
    const double small = (k % 2 == 0 ? 1.0 : -1.0) * 1.5 * power_of_two(-precision);
    const std::array values{1.0, small};
    const double first = sums.of(places, values);
    for (std::size_t i = 1; i < kRoundings; ++i)
      if (sums.of(places, values) != first) return true;
  }
  return false;
}

bool keeps_more_bits(AskedBox& box, int precision) {
  const FormatInfo& f = info(box.setting().format);
  if (precision >= f.precision) return false;
  Sums sums(box);
  RandomPlaces draws(box.n(), 13);
  for (int k = 0; k < kPairs; ++k) {
    const std::array values{1.0, 1 + power_of_two(1 - f.precision) * 2};  // their sum has all bits of the format
    if (sums.of(draws.some(2), values) == values[0] + values[1]) return true;
  }
  return false;
}

}  // namespace orderlab
