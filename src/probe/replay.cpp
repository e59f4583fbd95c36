#include "probe/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/distinguishing_digits.hpp"
#include "core/text.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "probe/few_terms.hpp"
#include "probe/input_kinds.hpp"
#include "probe/random_places.hpp"
#include "reference/wide_sum.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kPermutedInputs = 3;
constexpr std::size_t kTellingAnswers = 4;

bool same_number(double a, double b) { return round_to_bits(Format::fp64, a) == round_to_bits(Format::fp64, b); }

bool holds(Format format, double value) {
  return same_number(value_of_bits(format, round_to_bits(format, value)), value);
}

Terms normal_terms(std::size_t n, Format format, std::uint64_t number) {
  return generate_terms("normal(0,1)", n, format, kSeed, number);
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

// The square root of a sum, rounded to the format that it was added in and then to that of results.
std::uint64_t rooted_bits(double sum, const Formats& formats) {
  const double root = value_of_bits(formats.accumulate, round_to_bits(formats.accumulate, std::sqrt(sum)));
  return round_to_bits(formats.result, root);
}

}  // namespace

const Terms& BoxReplay::input(std::size_t k) {
  while (inputs_.size() <= k) {
    const std::size_t number = inputs_.size();
    const std::size_t n = box_.n();
    const Format format = box_.setting().format;
    if (box_.summands() != Summands::terms) {
      inputs_.push_back(one_sided_terms(box_, number));
      continue;
    }
    Terms x = set_ == InputSet::normal ? normal_terms(n, format, 2 * number)
                                       : telling_terms(n, format, exponents_of_terms(box_), 2 * number);
    if (box_.products()) x.multiply_by(normal_terms(n, format, 2 * number + 1));
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

Formats BoxReplay::formats_in(Format accumulate) const {
  return {box_.setting().format, accumulate, result_format(accumulate)};
}

SummationTree BoxReplay::tree(const Order& order, const Formats& formats) {
  return Evaluator::make(order, input(0).view(), formats, kSeed)->tree(0);
}

bool BoxReplay::equal(const Order& order, const Formats& formats, std::size_t k) {
  const bool rooted = box_.summands() == Summands::norm;
  const Formats summed{formats.terms, formats.accumulate, rooted ? formats.accumulate : formats.result};
  const auto evaluator = Evaluator::make(order, input(k).view(), summed, kSeed);
  const auto scratch = evaluator->make_scratch();
  const auto sum = evaluator->evaluate(0, *scratch);
  const std::uint64_t bits = rooted ? rooted_bits(sum.value, formats) : sum.bits;
  return bits == round_to_bits(formats.result, answer(k));
}

bool BoxReplay::equal_all(const SummationTree& tree, Format result) {
  for (std::size_t k = 0; k < kInputs; ++k) {
    const double sum = evaluate(tree, input(k).view())[tree.roots()[0]];
    const std::uint64_t bits =
        box_.summands() == Summands::norm ? rooted_bits(sum, {result, result, result}) : round_to_bits(result, sum);
    if (bits != round_to_bits(result, answer(k))) return false;
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

double BoxReplay::evidence(const Formats& formats, const std::vector<const Order*>& rivals, double enough) {
  double bits = 0;
  for (std::size_t k = 0; k < kInputs && bits < enough; ++k) {
    std::size_t asked = 1;
    std::size_t equal = 1;
    for (const Order* rival : rivals) {
      box_.obey_stop();
      ++asked;
      if (this->equal(*rival, formats, k)) ++equal;
    }
    bits += std::log2(static_cast<double>(asked) / static_cast<double>(equal));
  }
  return bits;
}

bool BoxReplay::faithful() {
  const Format result = result_format();
  const FormatInfo& f = info(result);
  for (std::size_t k = 0; k < kInputs; ++k) {
    const double sum = exact_sum(input(k).view()).to_double();
    const double right = box_.summands() == Summands::norm ? std::sqrt(sum) : sum;
    // An ulp is at most two unit roundoffs, and `right` was rounded itself.
    if (!(std::fabs(answer(k) - right) <= 3 * f.unit_roundoff() * right + power_of_two(f.e_min) * f.unit_roundoff()))
      return false;
  }
  return true;
}

std::size_t BoxReplay::exact_answers(Format result) {
  std::size_t exact_ones = 0;
  for (std::size_t k = 0; k < kInputs; ++k) exact_ones += exact(k, result) ? 1U : 0U;
  return exact_ones;
}

BoxReplay::Error BoxReplay::error_of(std::size_t k, double answer) {
  const ExactValue sum = exact_sum(input(k).view());
  return {std::fabs(sum.difference(answer)), std::fabs(sum.to_double()),
          exact_sum(magnitudes(input(k).view()).view()).to_double()};
}

// Relative to an answer: half a unit of its last decimal digit.
double BoxReplay::last_digit() const {
  return box_.box().digits() >= Box::kAllDigits ? 0 : 5 * std::pow(10.0, -static_cast<double>(box_.box().digits()));
}

std::string BoxReplay::impossible_answer(int precision) {
  const FormatInfo& f = info(box_.setting().format);
  const double roundings = (static_cast<double>(box_.n()) + 2) * power_of_two(1 - std::min(precision, f.precision));
  if (roundings >= 1) return {};
  const double underflows = static_cast<double>(box_.n()) * power_of_two(f.e_min);
  for (std::size_t k = 0; k < answers_.size(); ++k) {
    if (!std::isfinite(answers_[k])) continue;  // overflow inside
    const Error error = error_of(k, answers_[k]);
    const double bound = roundings / (1 - roundings) * error.sum_magnitudes + last_digit() * error.sum + underflows;
    if (error.of_sum > bound)
      return std::to_string(box_.n()) + " terms gave " + shortest(answers_[k]) + ", which is off by " +
             shortest(error.of_sum) + "; no order of additions with " + std::to_string(precision) +
             " bits is off by more than " + shortest(bound);
  }
  return {};
}

bool BoxReplay::compensated() {
  const Format format = box_.setting().format;
  const double u = info(format).unit_roundoff();
  const auto n = static_cast<double>(box_.n());
  const auto near = [&](std::size_t k, double answer) {
    const Error error = error_of(k, answer);
    return error.of_sum <= 2 * u * error.sum + n * n * u * u * error.sum_magnitudes + last_digit() * error.sum;
  };
  std::size_t telling = 0;
  for (std::size_t k = 0; k < kInputs; ++k) {
    if (!near(k, answer(k))) return false;
    const auto plain = Evaluator::make(parse_order("seq"), input(k).view(), {format, format, format}, kSeed);
    telling += near(k, plain->evaluate(0, *plain->make_scratch()).value) ? 0U : 1U;
  }
  return telling >= kTellingAnswers;
}

bool BoxReplay::near_exact(int precision) {
  const double u = info(box_.setting().format).unit_roundoff();
  const double v = power_of_two(-precision) * static_cast<double>(box_.n());
  for (std::size_t k = 0; k < kInputs; ++k) {
    const Error error = error_of(k, answer(k));
    if (error.of_sum > 2 * u * error.sum + v * error.sum_magnitudes + last_digit() * error.sum) return false;
  }
  return true;
}

bool BoxReplay::varies(std::size_t inputs, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i)
    for (std::size_t k = 0; k < inputs; ++k) {
      const double now = box_.sum(input(k).view());
      if (!same_number(now, answer(k))) return true;
    }
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
