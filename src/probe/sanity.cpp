#include "probe/sanity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr int kInputs = 8;
constexpr std::size_t kFewTerms = 40;  // each at most 3 in magnitude: exact in 8 bits

class Units {
 public:
  Units(AskedBox& box, int exponent) : box_(box), terms_(zeros(box)), unit_(power_of_two(exponent)) {}

  // What units at these places add up to, in units.
  double sum(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) terms_.set(i, unit_);
    const double units = box_.sum(terms_.view()) / unit_;
    for (std::size_t i = begin; i < end; ++i) terms_.set(i, 0);
    return units;
  }

 private:
  AskedBox& box_;
  Terms terms_;
  double unit_;
};

/// A few whole numbers at places of an input.
struct FewNumbers {
  std::vector<std::size_t> places;
  double sum = 0;  ///< not 0, which a mean would have too
  double magnitudes = 0;
  double squares = 0;
};

FewNumbers set_few(RandomPlaces& places, Terms& terms) {
  FewNumbers few{.places = places.some(std::min(kFewTerms, terms.size()))};
  for (std::size_t t = 0; t < few.places.size(); ++t) {
    const bool last = t + 1 == few.places.size() && few.sum == 0;
    double value = static_cast<double>(places.below(3)) + 1;
    if (!last && places.below(2) == 0) value = -value;
    terms.set(few.places[t], value);
    few.sum += value;
    few.magnitudes += std::fabs(value);
    few.squares += value * value;
  }
  return few;
}

/// Summands of one sign that explain all answers so far.
class OneSidedSummands {
 public:
  explicit OneSidedSummands(const AskedBox& box) {
    if (box.products() || box.taken().changes()) left_.clear();  // --of is for one input without weights
  }

  void keep_those_that_give(const FewNumbers& few, double answer) {
    std::erase_if(left_, [&](Summands summands) {
      const double expected = summands == Summands::magnitudes ? few.magnitudes
                              : summands == Summands::squares  ? few.squares
                                                               : std::sqrt(few.squares);
      constexpr double kNear = 1.0 / 128;  // sums of up to 40 squares, and roots, are not exact in 8 bits
      return !(std::fabs(answer - expected) <= kNear * expected);
    });
  }

  bool any() const { return !left_.empty(); }

  /// What to ask instead; empty where nothing is left.
  std::string advice() const {
    if (left_.empty()) return {};
    const Summands summands = left_.front();
    const std::string what = summands == Summands::magnitudes ? "it adds magnitudes, |x|"
                             : summands == Summands::squares  ? "it adds squares"
                                                              : "it gives the norm, the root of a sum of squares";
    return "; " + what + ": probe it with --of " + std::string(name_of(summands));
  }

 private:
  std::vector<Summands> left_{Summands::magnitudes, Summands::squares, Summands::norm};
};

}  // namespace

std::string wrong_sum_of_few(AskedBox& box) {
  Terms terms = zeros(box);
  RandomPlaces places(box.n(), 3);
  OneSidedSummands others(box);
  std::string wrong;
  for (int k = 0; k < kInputs; ++k) {
    const FewNumbers few = set_few(places, terms);
    const double answer = box.sum(terms.view());
    for (const std::size_t place : few.places) terms.set(place, 0);
    others.keep_those_that_give(few, answer);
    if (answer != few.sum && wrong.empty())
      wrong = std::to_string(few.places.size()) + " whole numbers that add up to " + shortest(few.sum) + " gave " +
              shortest(answer);
    if (!wrong.empty() && !others.any()) return wrong;
  }
  if (!wrong.empty()) return wrong + others.advice();
  // Not the first call, which 0 would be right for even where a box is not ready.
  if (const double nothing = box.sum(terms.view()); nothing != 0) return "the sum of zeros is " + shortest(nothing);
  return {};
}

std::string changed_term(AskedBox& box) {
  const Format format = box.setting().format;
  const double small = 255 * power_of_two(std::max(info(format).e_min, -30) - 7);
  const double large = power_of_two(std::min(info(format).e_max, 60));
  Terms terms = zeros(box);
  const std::size_t place = box.n() / 2;
  const auto alone = [&](double value) {
    terms.set(place, value);
    return box.sum(terms.view());
  };
  if (alone(1) != 1) return {};  // left out: found by counting
  for (const double term : {small, large}) {
    const double answer = alone(term);
    if (round_to_bits(format, answer) == round_to_bits(format, term)) continue;
    if (term == large && !std::isfinite(answer)) continue;  // overflow inside: smaller masks may do
    std::string text = shortest(term) + " among zeros gave " + shortest(answer);
    if (answer == 0) text += "; does it add in a narrower format, or in fixed point?";
    return text;
  }
  return {};
}

std::string miscounted_term(AskedBox& box, const Masks& masks) {
  Units units(box, masks.unit_exponent);
  for (std::size_t begin = 0; begin < box.n(); begin += std::min(masks.most, box.n() - begin)) {
    std::size_t low = begin;
    std::size_t high = begin + std::min(masks.most, box.n() - begin);
    if (units.sum(low, high) == static_cast<double>(high - low)) continue;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      if (units.sum(low, middle) != static_cast<double>(middle - low))
        high = middle;
      else
        low = middle;
    }
    const double counted = units.sum(low, high);
    return "term " + std::to_string(low) + (counted == 0 ? " is left out" : " counts " + shortest(counted) + " times");
  }
  return {};
}

std::string wrong_exact_sum(AskedBox& box, int precision, const ExponentRange& range, std::size_t varied,
                            std::size_t repeated) {
  const Format format = box.setting().format;
  box.begin("exact sums", varied + repeated);
  std::optional<ExactTerms> last;
  const auto wrong = [&](const ExactTerms& given) {
    Terms x = ones_beside(box, given.terms);
    const double answer = box.sum(x.view());
    if (round_to_bits(format, answer) == round_to_bits(format, given.sum)) return std::string();
    return std::to_string(box.n()) + " terms that add up to " + shortest(given.sum) + " in every order gave " +
           shortest(answer);
  };
  for (std::size_t k = 0; k < varied; ++k) {
    last = exact_terms(box.n(), format, precision, range, k);
    if (std::string text = wrong(*last); !text.empty()) return text;
  }
  for (std::size_t k = 0; k < repeated; ++k)
    if (std::string text = wrong(*last); !text.empty()) return text + " in one of several calls";
  return {};
}

std::string ignored_special(AskedBox& box) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  box.begin("NaN and infinities", 3);
  Terms terms = zeros(box);
  for (std::size_t i = 0; i < box.n(); ++i) terms.set(i, 1);
  for (const double special : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    terms.set(box.n() / 2, special);
    try {
      const double answer = box.sum(terms.view());
      if (!std::isfinite(answer)) continue;  // compensation makes NaN of an infinity
      return std::string(std::isnan(special) ? "NaN"
                         : special > 0       ? "inf"
                                             : "-inf") +
             " among ones gave " + shortest(answer);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return {};
    }
  }
  return {};
}

}  // namespace orderlab
