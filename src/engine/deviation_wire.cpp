// LargestValues as bytes: 'L', version 1, how many are kept, how many there are, those descending. DeviationTally: 'D',
// version 3, draws, infinite ones, the inputs' maxima, the largest from the exact sum, and the wire forms of what it
// consists of.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/arithmetic_guard.hpp"
#include "core/bytes.hpp"
#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {
namespace {

constexpr char kLargestLetter = 'L';
constexpr char kLargestVersion = 1;
constexpr char kDeviationsLetter = 'D';
constexpr char kDeviationsVersion = 3;

/// Whether these are the largest of so many distances.
bool possible(const LargestValues& values, std::uint64_t draws) {
  const std::vector<double> largest = values.largest();
  return largest.size() == std::min(draws, values.keep()) && (largest.empty() || largest.back() >= 0);
}

std::uint64_t infinities(const LargestValues& values) {
  const std::vector<double> largest = values.largest();
  return static_cast<std::uint64_t>(std::count(largest.begin(), largest.end(), kInfinity));
}

}  // namespace

std::vector<double> LargestValues::largest() const {
  const FloatEnvironment environment;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  if (sorted.size() > keep_) sorted.resize(keep_);
  return sorted;
}

std::string LargestValues::wire() const {
  std::string bytes{kLargestLetter, kLargestVersion};
  put_varint(bytes, keep_);
  const std::vector<double> values = largest();
  put_varint(bytes, values.size());
  for (const double value : values) put_fp64(bytes, value);
  return bytes;
}

LargestValues LargestValues::from_wire(std::string_view bytes) {
  const FloatEnvironment environment;
  ByteReader reader(bytes, "largest values", "the wire form of largest values");
  reader.header(kLargestLetter, kLargestVersion);
  LargestValues largest(reader.varint());
  const std::uint64_t count = reader.varint();
  if (count > largest.keep_) reader.refuse("more values than are kept");
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = reader.fp64();
    if (std::isnan(value) || (value == 0 && std::signbit(value))) reader.refuse("a value that is NaN or -0");
    if (i > 0 && value > largest.values_.back()) reader.refuse("values that do not descend");
    largest.values_.push_back(value);
  }
  reader.end();
  return largest;
}

std::string DeviationTally::wire() const {
  std::string bytes{kDeviationsLetter, kDeviationsVersion};
  put_varint(bytes, draws_);
  put_varint(bytes, nonfinite_);
  put_fp64(bytes, sum_abs_);
  put_fp64(bytes, condition_);
  put_fp64(bytes, largest_from_exact_);
  for (const LargestValues* values : {&absolute_, &relative_, &ulp_}) put_bytes(bytes, values->wire());
  put_bytes(bytes, squares_.wire());
  put_bytes(bytes, squares_from_exact_.wire());
  for (const LargestBounds* largest : {&bounds, &other_bounds}) put_bytes(bytes, largest->wire());
  return bytes;
}

DeviationTally DeviationTally::from_wire(std::string_view bytes) {
  const FloatEnvironment environment;
  ByteReader reader(bytes, "deviations", "the wire form of deviations");
  reader.header(kDeviationsLetter, kDeviationsVersion);
  DeviationTally tally(0);
  tally.draws_ = reader.varint();
  tally.nonfinite_ = reader.varint();
  if (tally.nonfinite_ > tally.draws_) reader.refuse("more infinite deviations than draws");
  tally.sum_abs_ = reader.magnitude();
  tally.condition_ = reader.magnitude();
  tally.largest_from_exact_ = reader.magnitude();
  for (LargestValues* values : {&tally.absolute_, &tally.relative_, &tally.ulp_}) {
    *values = LargestValues::from_wire(reader.bytes());
    if (values->keep() != tally.absolute_.keep() || !possible(*values, tally.draws_))
      reader.refuse("largest deviations that no draws have");
  }
  if (infinities(tally.absolute_) != std::min(tally.nonfinite_, tally.absolute_.keep()))
    reader.refuse("largest deviations that do not have the infinite ones");
  for (ExactSum* sum : {&tally.squares_, &tally.squares_from_exact_}) {
    *sum = ExactSum::from_wire(reader.bytes());
    const ExactValue squares = sum->value();
    if (!squares.finite() || std::signbit(squares.scaled(0))) reader.refuse("a sum of squares that no draws have");
  }
  for (LargestBounds* largest : {&tally.bounds, &tally.other_bounds})
    *largest = LargestBounds::from_wire(reader.bytes());
  reader.end();
  return tally;
}

}  // namespace orderlab
