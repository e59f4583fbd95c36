#include "probe/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/distinguishing_digits.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"
#include "reference/wide_sum.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kPermutedInputs = 3;
constexpr std::size_t kTellingAnswers = 2;

bool same_number(double a, double b) { return round_to_bits(Format::fp64, a) == round_to_bits(Format::fp64, b); }

bool holds(Format format, double value) {
  return same_number(value_of_bits(format, round_to_bits(format, value)), value);
}

// Kinds of inputs: every one tells other orders apart.
enum class Kind {
  normal,   ///< normal(0,1)
  spread,   ///< exponents within the precision of the terms, and zeros of either sign
  wide,     ///< exponents so far apart that sums in a wider format are rounded too
  few,      ///< zeros of either sign, and numbers of few bits, which repeat and whose sums lie halfway between two
  cancels,  ///< pairs that cancel, up to the square of the precision above the rest: it shows what compensation loses
  cancels_fp64,  ///< the same with the square of fp64's
};

constexpr std::array<Kind, 8> kKinds{Kind::normal, Kind::spread, Kind::wide,         Kind::cancels,
                                     Kind::normal, Kind::few,    Kind::cancels_fp64, Kind::normal};

// A zero with that sign. The first term is no -0.0: it is left to fit_start what zeros that are all negative add up to.
double zero_at(std::size_t i, double sign) { return i == 0 ? 0.0 : std::copysign(0.0, sign); }

// Every fourth term is a zero; the others have two bits, and exponents as far apart as the precision of the format. All
// are below 1: some languages add whole numbers as integers.
Terms few_numbers(std::size_t n, Format format, std::uint64_t number) {
  Terms terms(format, n);
  RandomPlaces draws(n, number);
  for (std::size_t i = 0; i < n; ++i) {
    const bool zero = draws.below(4) == 0;
    const double sign = draws.below(2) == 0 ? 1 : -1;
    const double magnitude = 1 + 0.5 * static_cast<double>(draws.below(2));
    const auto exponent = -1 - static_cast<int>(draws.below(static_cast<std::size_t>(info(format).precision + 1)));
    terms.set(i, zero ? zero_at(i, sign) : sign * magnitude * power_of_two(exponent));
  }
  return terms;
}

Terms terms_of(Kind kind, std::size_t n, Format format, std::uint64_t number) {
  if (kind == Kind::few) return few_numbers(n, format, number);
  Terms terms = generate_terms("normal(0,1)", n, format, kSeed, number);
  if (kind == Kind::normal) return terms;
  const FormatInfo& f = info(format);
  const TermView view = terms.view();
  RandomPlaces draws(n, number);
  const auto scaled = [&](std::size_t i, int low, int high) {
    const int exponent = low + static_cast<int>(draws.below(static_cast<std::size_t>(high - low + 1)));
    return view.left(i) * power_of_two(exponent);
  };
  if (kind == Kind::spread || kind == Kind::wide) {
    const int spread = kind == Kind::spread ? f.precision / 4 : std::min(40, f.e_max / 2);
    for (std::size_t i = 0; i < n; ++i) terms.set(i, scaled(i, -spread, spread));
    if (kind == Kind::spread)
      for (std::size_t i = 0; i < n; ++i)
        if (draws.below(4) == 0) terms.set(i, zero_at(i, view.left(i)));
    return terms;
  }
  const int squared = 2 * (kind == Kind::cancels ? f : info(Format::fp64)).precision;
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t k = 0; k + 1 < n / 2; k += 2) {
    for (const std::size_t at : {k, k + 1}) std::swap(places[at], places[at + draws.below(n - at)]);
    terms.set(places[k], scaled(places[k], 0, std::min(squared, f.e_max - 4)));
    terms.set(places[k + 1], -view.left(places[k]));
  }
  return terms;
}

Terms magnitudes(const TermView& from) {
  Terms x(from.format, from.n);
  Terms y(from.format, from.n);
  for (std::size_t i = 0; i < from.n; ++i) {
    x.set(i, std::fabs(from.left(i)));
    y.set(i, std::fabs(from.right(i)));
  }
  if (from.products()) x.multiply_by(std::move(y));
  return x;
}

}  // namespace

const Terms& BoxReplay::input(std::size_t k) {
  while (inputs_.size() <= k) {
    const std::size_t number = inputs_.size();
    const Kind kind = set_ == InputSet::normal ? Kind::normal : kKinds[number % kKinds.size()];
    Terms x = terms_of(kind, box_.n(), box_.setting().format, 2 * number);
    if (box_.products()) x.multiply_by(terms_of(Kind::normal, box_.n(), box_.setting().format, 2 * number + 1));
    inputs_.push_back(set_ == InputSet::positive ? magnitudes(x.view()) : std::move(x));
  }
  return inputs_[k];
}

double BoxReplay::answer(std::size_t k) {
  while (answers_.size() <= k) answers_.push_back(box_.sum(input(answers_.size()).view()));
  return answers_[k];
}

Format BoxReplay::result_format(Format accumulate) const {
  const Format terms = box_.setting().format;
  if (box_.box().digits() <= static_cast<std::size_t>(distinguishing_digits(Format::fp32)))
    return terms;  // as many as tell its numbers apart
  const bool narrow =
      std::all_of(answers_.begin(), answers_.end(), [&](double answer) { return holds(terms, answer); });
  return narrow ? terms : accumulate;
}

Format BoxReplay::result_format() {
  answer(kInputs - 1);
  return result_format(Format::fp64);
}

bool BoxReplay::equal(const Order& order, const Formats& formats, std::size_t k) {
  const auto evaluator = Evaluator::make(order, input(k).view(), formats, kSeed);
  const auto scratch = evaluator->make_scratch();
  return evaluator->evaluate(0, *scratch).bits == round_to_bits(formats.result, answer(k));
}

bool BoxReplay::equal_all(const SummationTree& tree, Format result) {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const double sum = evaluate(tree, input(k).view())[tree.roots()[0]];
    if (round_to_bits(result, sum) != round_to_bits(result, answer(k))) return false;
  }
  return true;
}

bool BoxReplay::equal_all_with(int precision, const SummationTree& tree) {
  const Format result = result_format();
  for (std::size_t k = 0; k < kInputs; ++k) {
    const double sum = wide_sum(tree, input(k).view(), precision, result);
    if (round_to_bits(result, sum) != round_to_bits(result, answer(k))) return false;
  }
  return true;
}

bool BoxReplay::exact(std::size_t k, Format result) {
  return exact_sum(input(k).view()).round_to(result) == round_to_bits(result, answer(k));
}

// Two orders that differ more than most: left to right, and right to left.
bool BoxReplay::tells(std::size_t k, Format accumulate, Format result) {
  if (exact(k, result)) return false;
  const Formats formats{box_.setting().format, accumulate, result};
  const auto bits = [&](const char* order) {
    const auto evaluator = Evaluator::make(parse_order(order), input(k).view(), formats, kSeed);
    return evaluator->evaluate(0, *evaluator->make_scratch()).bits;
  };
  return bits("seq") != bits("reverse | seq");
}

bool BoxReplay::tells_orders_apart(Format accumulate) {
  const Format result = result_format();
  std::size_t telling = 0;
  for (std::size_t k = 0; k < kInputs && telling < kTellingAnswers; ++k)
    telling += tells(k, accumulate, result) ? 1U : 0U;
  return telling == kTellingAnswers;
}

bool BoxReplay::varies(std::size_t inputs, std::size_t times) {
  for (std::size_t k = 0; k < inputs; ++k)
    for (std::size_t i = 0; i < times; ++i)
      if (!same_number(box_.sum(input(k).view()), answer(k))) return true;
  return false;
}

bool BoxReplay::same_when_permuted(Format accumulate) {
  RandomPlaces places(box_.n(), 4);
  const Format result = result_format();
  std::size_t permuted = 0;
  for (std::size_t k = 0; k < kInputs && permuted < kPermutedInputs; ++k) {
    if (!tells(k, accumulate, result)) continue;
    ++permuted;
    const TermView from = input(k).view();
    Terms x(from.format, from.n);
    Terms y(from.format, from.n);
    std::vector<std::size_t> order(from.n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[places.below(i + 1)]);
    for (std::size_t i = 0; i < order.size(); ++i) {
      x.set(i, from.left(order[i]));
      y.set(i, from.right(order[i]));
    }
    if (from.products()) x.multiply_by(std::move(y));
    if (!same_number(box_.sum(x.view()), answer(k))) return false;
  }
  return permuted > 0;
}

bool BoxReplay::starts_from_zero() {
  if (!from_zero_) {
    Terms terms = zeros(box_);
    for (std::size_t i = 0; i < terms.size(); ++i) terms.set(i, -0.0);
    from_zero_ = !std::signbit(box_.sum(terms.view()));
  }
  return *from_zero_;
}

}  // namespace orderlab
