// Exact sums of many terms: which of the ways to add is taken. All of them are exact, so none of the choices made here
// can be seen in a result; the scalar loop of exact_sum.cpp adds what the fast methods cannot.
#include "reference/exact_terms.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "reference/exact_loop.hpp"
#include "reference/exponent_bins.hpp"
#include "reference/extraction.hpp"
#include "reference/short_sum.hpp"
#include "vectors/largest_magnitude.hpp"

namespace orderlab {
namespace {

// Measured: an ExactSum takes 0.1 us before the first term, bins 0.4 us more, and the scalar loop 2 ns a term more than
// bins. Neither is more than a choice of speed.
constexpr std::size_t kWorthVectors = 32;
constexpr std::size_t kWorthBins = 200;

/// floor(log2) of the greatest |x[i]|: -1023 if all are zero or subnormal, 1024 if one is infinite or NaN.
int largest_exponent(const double* x, std::size_t n) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(largest_magnitude({x, n})) >> 52) - 1023;
}

/// Whether additions round to nearest and keep subnormals, asked of the machine: a caller can have changed its modes.
bool environment_is_default() {
  const volatile double one = 1, half_ulp = 0x1p-53, more = 0x1.8p-53;
  const volatile double tiny = std::numeric_limits<double>::denorm_min();
  return one + half_ulp == 1 && one + more > 1 && tiny + tiny > 0;
}

/// What was extracted, in units of 2^(top - kWindowBits).
Integer128 integer_of(const Extracted& part) {
  return Integer128{part.high} * (std::int64_t{1} << (kWindowBits - kHighBits)) + part.low;
}

/// Adds what was extracted; the number of its terms.
std::size_t add_extracted(ExactSum& sum, const Extracted& part) {
  ExactLoop::add_scaled(sum, integer_of(part), part.top - kWindowBits);
  return part.count;
}

/// A stream of doubles that goes into an ExactSum.
class Stream {
 public:
  explicit Stream(ExactSum& sum) : sum_(sum) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (bins_) bins_->drain(sum_);
  }

  void add(const double* x, std::size_t n) {
    while (n > 0) {
      std::size_t count = blocks_for_bins_ > 0 ? 0 : add_in_vectors(x, n);
      if (count == 0) {
        count = std::min(n, kBlockTerms);
        add_block(x, count, n);
      }
      x += count;
      n -= count;
    }
  }

 private:
  // A block has at most 2^5 terms for each accumulator. 2^5 terms below 2^(e + 1) stay below 2^(e + 6), and the window
  // holds 2^(top - 1); 3 bits more because the largest exponent e may be that of the first few terms only.
  static constexpr int kMargin = 10;
  static constexpr std::size_t kSample = 32;

  /// Adds the leading terms that one extraction can take, and returns their number.
  std::size_t add_in_vectors(const double* x, std::size_t n) {
    std::size_t count = add_extracted(sum_, extract_near(x, n));
    if (count == 0) count = add_window(x, n);
    if (count == 0 && move_window(x, std::min(n, kBlockTerms))) count = add_window(x, n);
    if (count > 0) blocks_after_failure_ = 1;
    return count;
  }

  std::size_t add_window(const double* x, std::size_t n) {
    if (!top_) top_ = top_for(largest_exponent(x, std::min(n, kSample)));
    return add_extracted(sum_, extract(x, n, *top_));
  }

  /// Moves the window to where the n terms that it did not hold may fit; false if it is there already.
  bool move_window(const double* x, std::size_t n) {
    const int top = top_for(largest_exponent(x, n));
    return top != std::exchange(top_, top);
  }

  /// A block of `count` terms that fits no window, the first of `left`. The next ones are likely not to either.
  void add_block(const double* x, std::size_t count, std::size_t left) {
    constexpr int kMost = 32;
    if (blocks_for_bins_ == 0)
      blocks_for_bins_ = std::exchange(blocks_after_failure_, std::min(2 * blocks_after_failure_, kMost));
    --blocks_for_bins_;
    if (!bins_ && left < kWorthBins) {
      ExactLoop::add(sum_, view_of(x, count), false);
      return;
    }
    if (!bins_) bins_.emplace();
    bins_->add(sum_, x, count);
  }

  static int top_for(int exponent) { return std::clamp(exponent + kMargin, kLowestTop, kHighestTop); }

  ExactSum& sum_;
  std::optional<int> top_;
  std::optional<ExponentBins> bins_;
  int blocks_for_bins_ = 0;
  int blocks_after_failure_ = 1;
};

/// Terms that are no plain doubles, by way of buffers that stay in the cache.
void add_split(ExactSum& sum, const TermView& terms, bool absolute) {
  constexpr std::size_t kBuffer = 2048;
  alignas(64) double high[kBuffer], low[kBuffer];
  const bool pairs = terms.products() && terms.format == Format::fp64;
  Stream high_stream(sum), low_stream(sum);
  for (std::size_t begin = 0; begin < terms.n; begin += kBuffer) {
    const TermView part = terms.part(begin, std::min(kBuffer, terms.n - begin));
    if (!split_terms(part, absolute, high, low)) {
      ExactLoop::add(sum, part, absolute);
      continue;
    }
    high_stream.add(high, part.n);
    if (pairs) low_stream.add(low, part.n);
  }
}

}  // namespace

void add_terms(ExactSum& sum, const TermView& terms, bool absolute) {
  if (terms.n < kWorthVectors || !environment_is_default()) {
    ExactLoop::add(sum, terms, absolute);
    return;
  }
  // One term settles the sign of a zero sum, unless it is -0. Nothing below needs to know of it then.
  std::size_t leading = 0;
  do {
    ExactLoop::add(sum, terms.part(leading++, 1), absolute);
  } while (leading < terms.n && !ExactLoop::zero_is_positive(sum));

  const TermView rest = terms.part(leading, terms.n - leading);
  if (rest.format == Format::fp64 && !rest.products() && !absolute)
    Stream(sum).add(static_cast<const double*>(rest.x), rest.n);
  else
    add_split(sum, rest, absolute);
}

namespace {

/// Most sums are one extraction, or short, and need no accumulator.
ExactValue sum_of_terms(const TermView& terms, bool absolute) {
  Extracted near{};
  if (terms.n >= kMostLanes && terms.format == Format::fp64 && !terms.products() && !absolute) {
    near = extract_near(static_cast<const double*>(terms.x), terms.n);
    if (near.count == terms.n) return ExactLoop::value_of(integer_of(near), near.top - kWindowBits);
  }
  if (terms.n < kWorthVectors)
    if (auto sum = short_sum(terms, absolute)) return *std::move(sum);
  ExactSum sum;
  if (near.count > 0) {
    add_extracted(sum, near);
    ExactLoop::note_nonzero(sum);
  }
  add_terms(sum, terms.part(near.count, terms.n - near.count), absolute);
  return sum.value();
}

}  // namespace

ExactValue exact_sum(const TermView& terms) {
  const FloatEnvironment environment;
  return sum_of_terms(terms, false);
}

ExactValue exact_sum(std::span<const double> terms) {
  const FloatEnvironment environment;
  return exact_sum(view_of(terms.data(), terms.size()));
}

ExactValue exact_sum_abs(const TermView& terms) {
  const FloatEnvironment environment;
  return sum_of_terms(terms, true);
}

}  // namespace orderlab
