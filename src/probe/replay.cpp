#include "probe/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "probe/few_terms.hpp"
#include "probe/random_places.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kPermutedInputs = 3;
constexpr std::size_t kDigitsOfFp32 = 9;

bool same_number(double a, double b) { return round_to_bits(Format::fp64, a) == round_to_bits(Format::fp64, b); }

bool holds(Format format, double value) {
  return same_number(value_of_bits(format, round_to_bits(format, value)), value);
}

// Kinds of inputs: every one tells other orders apart.
enum class Kind {
  normal,   ///< normal(0,1)
  spread,   ///< exponents within the precision of the terms
  wide,     ///< exponents so far apart that sums in a wider format are rounded too
  cancels,  ///< pairs that cancel, up to the square of the precision above the rest: it shows what compensation loses
};

constexpr std::array<Kind, 8> kKinds{Kind::normal, Kind::spread,  Kind::wide,   Kind::cancels,
                                     Kind::normal, Kind::cancels, Kind::spread, Kind::normal};

Terms terms_of(Kind kind, std::size_t n, Format format, std::uint64_t number) {
  Terms terms = generate_terms("normal(0,1)", n, format, kSeed, number);
  if (kind == Kind::normal) return terms;
  const FormatInfo& f = info(format);
  const TermView view = terms.view();
  RandomPlaces draws(n, number);
  const auto scaled = [&](std::size_t i, int low, int high) {
    const int exponent = low + static_cast<int>(draws.below(static_cast<std::size_t>(high - low + 1)));
    return view.left(i) * power_of_two(exponent);
  };
  if (kind != Kind::cancels) {
    const int spread = kind == Kind::spread ? f.precision / 4 : std::min(40, f.e_max / 2);
    for (std::size_t i = 0; i < n; ++i) terms.set(i, scaled(i, -spread, spread));
    return terms;
  }
  const int squared = number % 4 == 2 ? 2 * f.precision : 2 * info(Format::fp64).precision;
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t k = 0; k + 1 < n / 2; k += 2) {
    for (const std::size_t at : {k, k + 1}) std::swap(places[at], places[at + draws.below(n - at)]);
    terms.set(places[k], scaled(places[k], 0, std::min(squared, f.e_max - 4)));
    terms.set(places[k + 1], -view.left(places[k]));
  }
  return terms;
}

}  // namespace

const Terms& Replay::input(std::size_t k) {
  while (inputs_.size() <= k) {
    const std::size_t number = inputs_.size();
    const Kind kind = kKinds[number % kKinds.size()];
    Terms x = terms_of(kind, box_.n(), box_.setting().format, 2 * number);
    if (box_.products()) x.multiply_by(terms_of(Kind::normal, box_.n(), box_.setting().format, 2 * number + 1));
    inputs_.push_back(std::move(x));
  }
  return inputs_[k];
}

double Replay::answer(std::size_t k) {
  while (answers_.size() <= k) answers_.push_back(box_.sum(input(answers_.size()).view()));
  return answers_[k];
}

Format Replay::result_format(Format accumulate) const {
  const Format terms = box_.setting().format;
  if (box_.box().digits() <= kDigitsOfFp32) return terms;  // decimals that read back as the same number of that format
  const bool narrow =
      std::all_of(answers_.begin(), answers_.end(), [&](double answer) { return holds(terms, answer); });
  return narrow ? terms : accumulate;
}

bool Replay::equal(const Order& order, const Formats& formats, std::size_t k) {
  const auto evaluator = Evaluator::make(order, input(k).view(), formats, kSeed);
  const auto scratch = evaluator->make_scratch();
  return evaluator->evaluate(0, *scratch).bits == round_to_bits(formats.result, answer(k));
}

bool Replay::equal_all(const SummationTree& tree, Format result) {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const double sum = evaluate(tree, input(k).view())[tree.roots()[0]];
    if (round_to_bits(result, sum) != round_to_bits(result, answer(k))) return false;
  }
  return true;
}

bool Replay::exact(Format result) {
  for (std::size_t k = 0; k < kInputs; ++k)
    if (exact_sum(input(k).view()).round_to(result) != round_to_bits(result, answer(k))) return false;
  return true;
}

bool Replay::varies(std::size_t inputs, std::size_t times) {
  for (std::size_t k = 0; k < inputs; ++k)
    for (std::size_t i = 0; i < times; ++i)
      if (!same_number(box_.sum(input(k).view()), answer(k))) return true;
  return false;
}

bool Replay::same_when_permuted() {
  RandomPlaces places(box_.n(), 4);
  for (std::size_t k = 0; k < kPermutedInputs; ++k) {
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
  return true;
}

bool Replay::starts_from_zero() {
  if (!from_zero_) {
    Terms terms = zeros(box_);
    for (std::size_t i = 0; i < terms.size(); ++i) terms.set(i, -0.0);
    from_zero_ = !std::signbit(box_.sum(terms.view()));
  }
  return *from_zero_;
}

}  // namespace orderlab
