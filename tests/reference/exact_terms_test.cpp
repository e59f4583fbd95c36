// The fast ways to an exact sum against its scalar loop, on every vector extension of this machine.
// Longer than most files: every way is tried on the same hard inputs, in the same way.
#include "reference/exact_terms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "reference/exact_loop.hpp"
#include "reference/exponent_bins.hpp"
#include "reference/extraction.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/short_sum.hpp"
#include "reference/vector_targets.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace {

using namespace orderlab;
using namespace orderlab::testing;

constexpr std::uint64_t kExactTermsSeed = 20241103;

std::uint64_t rounded(const ExactSum& sum) { return sum.value().round_to(Format::fp64); }

/// Whether two values are the same as far as 159 bits and all formats tell; every digit is compared where `thorough`.
bool same_value(const ExactValue& a, const ExactValue& b, bool thorough) {
  for (const FormatInfo& f : kFormats)
    if (a.round_to(f.format) != b.round_to(f.format)) return false;
  if (a.finite() != b.finite() || a.zero() != b.zero()) return false;
  if (!a.finite() || a.zero()) return true;
  if (a.exponent() != b.exponent()) return false;
  const double nearest = a.to_double();
  if (std::isfinite(nearest) && bits_of(a.difference(nearest)) != bits_of(b.difference(nearest))) return false;
  constexpr int kEveryDigit = 2200;
  return !thorough || a.decimal(kEveryDigit) == b.decimal(kEveryDigit);
}

/// Whether both ways give one value: the difference is 0 without any rounding, and signs of zero and specials agree.
template <class T>
bool terms_agree(const std::vector<T>& x, const std::vector<T>& y, std::size_t offset, bool absolute) {
  const auto from = static_cast<std::ptrdiff_t>(offset);
  const std::size_t n = x.size() - offset;
  const T* factors = y.empty() ? nullptr : y.data() + from;
  const TermView terms = view_of(x.data() + from, n, factors);
  ExactSum scalar, vector;
  ExactLoop::add(scalar, terms, absolute);
  add_terms(vector, terms, absolute);
  if (rounded(vector) != rounded(scalar)) return false;
  const ExactValue at_once = absolute ? exact_sum_abs(terms) : exact_sum(terms);
  if (!same_value(at_once, scalar.value(), n % 16 == 3)) return false;
  if (!vector.value().finite()) return true;

  for (std::size_t i = offset; i < x.size(); ++i) {
    const auto a = static_cast<double>(x[i]);
    const double b = y.empty() ? 1.0 : static_cast<double>(y[i]);
    absolute ? vector.add_product(-std::fabs(a), std::fabs(b)) : vector.add_product(-a, b);
  }
  return vector.value().zero();
}

/// One kind of double for all terms of a vector.
class Kind {
 public:
  static constexpr std::uint64_t kCount = 9;

  Kind(IndexGenerator& draw, std::uint64_t kind)
      : kind_(kind), exponent_(static_cast<int>(below(draw, 2000)) - 1000), width_(1 + below(draw, 60)) {}

  double operator()(IndexGenerator& draw) const {
    const auto near = [&](int exponent) { return std::ldexp(near_one(draw), exponent); };
    switch (kind_) {
      case 0:
        return any_finite(draw, Format::fp64);
      case 1:
        return near(exponent_ + static_cast<int>(below(draw, width_)));
      case 2:
        return any_subnormal(draw);
      case 3:
        return with_random_sign(draw, 0.0);
      case 4:
        return -0.0;
      case 5:
        return chance(draw, 2) ? near(995) : with_random_sign(draw, kLargest);
      case 6:
        return static_cast<double>(below(draw, 100)) - 50;
      case 7:  // one in many leaves the window
        return chance(draw, 100) ? any_finite(draw, Format::fp64) : near(0);
      default:
        return chance(draw, 200) ? (chance(draw, 2)   ? kInfinity
                                    : chance(draw, 2) ? -kInfinity
                                                      : kNan)
                                 : near(exponent_);
    }
  }

 private:
  std::uint64_t kind_;
  int exponent_;
  std::uint64_t width_;
};

/// n terms of a kind, every fourth time cancelling each other.
template <class T>
std::vector<T> terms_of(IndexGenerator& draw, const Kind& kind, std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(round_to<T>(kind(draw)));
  if (chance(draw, 4)) {
    for (std::size_t i = 0; i < n / 2; ++i) x[n - 1 - i] = round_to<T>(-static_cast<double>(x[i]));
  }
  return x;
}

TEST_CASE_TEMPLATE("every vector extension gives the sum of the scalar loop at every length and alignment", T, double,
                   float, Half, Bfloat16) {
  INFO("seed " << kExactTermsSeed);
  const RandomStream stream(kExactTermsSeed, 1, 0);
  constexpr std::size_t kOffsets = 8;  // doubles of a cache line
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    std::uint64_t index = 0;
    for (std::size_t n = 0; n <= 200; ++n) {  // around every length from which another way is taken
      for (std::uint64_t kind = 0; kind < Kind::kCount; ++kind) {
        IndexGenerator draw(stream, index++);
        const std::size_t offset = index % kOffsets;
        const std::vector<T> x = terms_of<T>(draw, Kind(draw, kind), n + offset);
        const std::vector<T> y = terms_of<T>(draw, Kind(draw, below(draw, Kind::kCount)), n + offset);
        CAPTURE(n);
        CAPTURE(kind);
        for (const bool absolute : {false, true}) {
          REQUIRE(terms_agree(x, {}, offset, absolute));
          REQUIRE(terms_agree(x, y, offset, absolute));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("long sums agree where blocks end, fail, and change their kind", T, double, float, Half, Bfloat16) {
  INFO("seed " << kExactTermsSeed);
  const RandomStream stream(kExactTermsSeed, 2, 0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (std::uint64_t trial = 0; trial < trials(60); ++trial) {
      IndexGenerator draw(stream, trial);
      std::vector<T> x, y;
      while (x.size() < 3 * kBlockTerms) {
        const std::size_t n = chance(draw, 3) ? kBlockTerms + below(draw, 3) - 1 : below(draw, 3 * kBlockTerms);
        const std::uint64_t kinds = Kind::kCount - (trial % 4 == 0 ? 0 : 1);  // mostly finite
        const std::vector<T> more = terms_of<T>(draw, Kind(draw, below(draw, kinds)), n);
        const std::vector<T> factors = terms_of<T>(draw, Kind(draw, chance(draw, 2) ? 6 : below(draw, kinds)), n);
        x.insert(x.end(), more.begin(), more.end());
        y.insert(y.end(), factors.begin(), factors.end());
      }
      CAPTURE(trial);
      REQUIRE(terms_agree(x, {}, trial % 8, trial % 16 == 0));
      REQUIRE(terms_agree(x, y, trial % 8, trial % 16 == 1));
    }
  }
}

/// Whether what extract() returns, if anything, is the sum of the terms that it says.
bool extraction_is_exact(const std::vector<double>& x, int top, std::size_t& summed) {
  const Extracted part = extract(x.data(), x.size(), top);
  summed += part.count;
  ExactSum sum;
  for (std::size_t i = 0; i < part.count; ++i) sum.subtract(x[i]);
  sum.add_product(static_cast<double>(part.high >> 32), std::ldexp(1.0, top - kHighBits + 32));
  sum.add_product(static_cast<double>(part.high & 0xffffffff), std::ldexp(1.0, top - kHighBits));
  sum.add_product(static_cast<double>(part.low >> 32), std::ldexp(1.0, top - kWindowBits + 32));
  sum.add_product(static_cast<double>(part.low & 0xffffffff), std::ldexp(1.0, top - kWindowBits));
  return sum.value().zero();
}

TEST_CASE("an extraction is exact or stops, wherever the terms lie in its window") {
  constexpr std::size_t kTerms = 2 * kBlockTerms + 5;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (const int top : {kLowestTop, 0, kHighestTop}) {
      std::size_t summed = 0;
      for (int e = -105; e <= 1; ++e) {
        CAPTURE(top);
        CAPTURE(e);
        const double scale = std::ldexp(1.0, std::max(top + e, -1074));
        for (const double term : {scale, scale * 0x1.fffffffffffffp0, scale * 0x1.0000000000001p0, -scale,
                                  scale * (1 + 0x1p-41 - 0x1p-52), scale * 0x1.000007ffffffp0})
          REQUIRE(extraction_is_exact(std::vector<double>(kTerms, term), top, summed));
        std::vector<double> one_odd(kTerms, scale);
        one_odd[kTerms - 1] = std::ldexp(1.0, std::max(top - kWindowBits - 1, -1074));
        REQUIRE(extraction_is_exact(one_odd, top, summed));
      }
      CHECK(summed > 100 * kTerms);  // it does not just stop
    }
  }
}

// Terms that round up to 2^(top - 52) by a whole half ulp each push the lower accumulators to the end of their binade.
TEST_CASE("full blocks of the largest remainders stay in the lower accumulators") {
  constexpr std::size_t kTerms = 70 * kBlockTerms;  // more than one extraction takes
  constexpr std::size_t kLeast = 64 * 4 * 32;       // what one takes without vectors
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (const double remainder : {0x1p-53, -0x1p-53, 0x1.fffffffp-54, -0x1.fffffffp-54}) {
      for (const double head : {0.0, 0x1p-9, -0x1p-9, 0x1p-8 - 0x1p-40}) {
        CAPTURE(remainder);
        CAPTURE(head);
        std::size_t summed = 0;
        REQUIRE(extraction_is_exact(std::vector<double>(kTerms, head + remainder), 0, summed));
        CHECK(summed >= kLeast);
        CHECK(summed < kTerms);
      }
    }
  }
}

/// Whether what extract_near() returns, if anything, is the sum of the terms that it says.
bool near_is_exact(const std::vector<double>& x, std::size_t& summed) {
  const Extracted part = extract_near(x.data(), x.size());
  summed += part.count;
  ExactSum sum;
  ExactLoop::add_scaled(sum, part.high, part.top - kHighBits);
  ExactLoop::add_scaled(sum, part.low, part.top - kWindowBits);
  for (std::size_t i = 0; i < part.count; ++i) sum.subtract(x[i]);
  return sum.value().zero();
}

TEST_CASE("an extraction of near exponents is exact or stops, wherever the odd term lies") {
  const RandomStream stream(kExactTermsSeed, 4, 0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    std::size_t near = 0, far = 0;
    for (std::uint64_t trial = 0; trial < trials(4000); ++trial) {
      IndexGenerator draw(stream, trial);
      const int exponent = static_cast<int>(below(draw, 2020)) - 1000;
      const std::size_t n = 1 + below(draw, trial % 8 == 0 ? 4 * kBlockTerms : 200);
      std::vector<double> x(n);
      for (double& term : x)
        term = std::ldexp(with_random_sign(draw, 1 + static_cast<double>(draw() >> 12) * 0x1p-52), exponent);
      const int distance = static_cast<int>(below(draw, 80)) - 50;
      double odd = std::ldexp(0x1.0000000000001p0, std::max(exponent + distance, -1074));
      if (chance(draw, 8)) odd = any_finite(draw, Format::fp64);
      if (chance(draw, 8)) odd = kInfinity;
      if (chance(draw, 8)) odd = kNan;
      if (chance(draw, 8)) odd = 0;
      if (chance(draw, 8)) odd = any_subnormal(draw);
      const std::size_t place = below(draw, n);
      x[place] = with_random_sign(draw, odd);
      CAPTURE(trial);
      std::size_t summed = 0;
      REQUIRE(near_is_exact(x, summed));
      if (!std::isfinite(odd)) REQUIRE(summed <= place);
      summed == n ? ++near : ++far;
    }
    CHECK(near > trials(4000) / 8);  // it does not just stop
    CHECK(far > trials(4000) / 8);
  }
}

TEST_CASE("near terms that cancel and negative zeros behind them have the sum +0") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (const std::size_t zeros : {1U, 7U, 40U, 3000U}) {
      std::vector<double> x(2 * kBlockTerms + zeros, -0.0);
      for (std::size_t i = 0; i < 2 * kBlockTerms; ++i) x[i] = i % 2 == 0 ? 1.5 : -1.5;
      CAPTURE(zeros);
      CHECK(exact_sum(x).round_to(Format::fp64) == bits_of(0.0));
    }
  }
}

TEST_CASE("near exponents need no rounding mode, and no subnormals") {
  const RandomStream stream(kExactTermsSeed, 5, 0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (std::uint64_t trial = 0; trial < trials(100); ++trial) {
      IndexGenerator draw(stream, trial);
      const int exponent = static_cast<int>(below(draw, 1900)) - 900;
      std::vector<double> x(8 + below(draw, 3 * kBlockTerms));
      const bool one_sign = chance(draw, 2);  // remainders then add up in a directed mode
      for (double& term : x) {
        term =
            std::ldexp(1 + static_cast<double>(draw() >> 12) * 0x1p-52, exponent - static_cast<int>(below(draw, 28)));
        if (!one_sign) term = with_random_sign(draw, term);
      }
      x[0] = std::ldexp(1.0, exponent);
      for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
        std::fesetround(mode);
#ifdef __SSE2__
        const unsigned control = _mm_getcsr();
        _mm_setcsr(control | 0x8040);  // flush to zero, denormals are zero
#endif
        const Extracted part = extract_near(x.data(), x.size());
#ifdef __SSE2__
        _mm_setcsr(control);
#endif
        std::fesetround(FE_TONEAREST);
        ExactSum sum;
        ExactLoop::add_scaled(sum, part.high, part.top - kHighBits);
        ExactLoop::add_scaled(sum, part.low, part.top - kWindowBits);
        for (std::size_t i = 0; i < part.count; ++i) sum.subtract(x[i]);
        CAPTURE(trial);
        CAPTURE(mode);
        REQUIRE(part.count == x.size());
        REQUIRE(sum.value().zero());
      }
    }
  }
}

TEST_CASE("full blocks of the largest near terms stay in their accumulators") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (const int above : {0, 1, 2, 3, 4, 5}) {
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> x(70 * kBlockTerms, sign * std::ldexp(0x1.fffffffffffffp0, above));
        std::fill_n(x.begin(), kNearSample, sign);
        CAPTURE(above);
        std::size_t summed = 0;
        REQUIRE(near_is_exact(x, summed));
        CHECK(summed >= (above <= 2 ? 64 * 4 * 32 : 0));  // what one takes without vectors
        CHECK(summed < x.size());
      }
    }
  }
}

TEST_CASE_TEMPLATE("a short sum is that of the scalar loop or none", T, double, float, Half, Bfloat16) {
  const RandomStream stream(kExactTermsSeed, 6, 0);
  std::uint64_t none = 0;
  for (std::uint64_t trial = 0; trial < trials(20000); ++trial) {
    IndexGenerator draw(stream, trial);
    const std::size_t n = below(draw, 40);
    const std::vector<T> x = terms_of<T>(draw, Kind(draw, below(draw, Kind::kCount)), n);
    const std::vector<T> y = terms_of<T>(draw, Kind(draw, below(draw, Kind::kCount)), n);
    CAPTURE(trial);
    for (const TermView& terms : {view_of(x.data(), n), view_of(x.data(), n, y.data())}) {
      for (const bool absolute : {false, true}) {
        const auto sum = short_sum(terms, absolute);
        ExactSum scalar;
        ExactLoop::add(scalar, terms, absolute);
        if (sum)
          REQUIRE(same_value(*sum, scalar.value(), trial % 16 == 0));
        else
          ++none;
      }
    }
  }
  CHECK(none < 3 * trials(20000));  // of four sums each
}

TEST_CASE("short sums have room for the most terms and the ends of their window") {
  for (int shift = -60; shift <= 60; ++shift) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> x(kMostShortTerms, sign * std::ldexp(0x1.fffffffffffffp0, shift));
      x[0] = 1;
      ExactSum scalar;
      ExactLoop::add(scalar, view_of(x.data(), x.size()), false);
      const auto sum = short_sum(view_of(x.data(), x.size()), false);
      CAPTURE(shift);
      CHECK(sum.has_value() == (shift >= -40 && shift <= 23));
      if (sum) CHECK(same_value(*sum, scalar.value(), true));
    }
  }
}

TEST_CASE("bins are drained to the sum of the scalar loop") {
  const RandomStream stream(kExactTermsSeed, 7, 0);
  const double zero = 0;  // bins are not asked for the sign of a zero
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (std::uint64_t trial = 0; trial < trials(400); ++trial) {
      IndexGenerator draw(stream, trial);
      ExponentBins bins;
      ExactSum sum, scalar;
      for (std::uint64_t part = 0; part <= trial % 3; ++part) {
        const std::vector<double> x = terms_of<double>(draw, Kind(draw, below(draw, Kind::kCount)), below(draw, 1200));
        bins.add(sum, x.data(), x.size());
        ExactLoop::add(scalar, view_of(x.data(), x.size()), false);
      }
      bins.drain(sum);
      ExactLoop::add(sum, view_of(&zero, 1), false);
      ExactLoop::add(scalar, view_of(&zero, 1), false);
      CAPTURE(trial);
      REQUIRE(same_value(sum.value(), scalar.value(), trial % 8 == 0));
    }
    for (const int exponent : {-1022, -1021, -1, 0, 1, 2, 3, 1023}) {
      for (const double sign : {1.0, -1.0}) {
        const std::vector<double> x(5000, sign * std::ldexp(0x1.fffffffffffffp0, exponent));
        ExponentBins bins;
        ExactSum sum, scalar;
        bins.add(sum, x.data(), x.size());
        bins.drain(sum);
        ExactLoop::add(scalar, view_of(x.data(), x.size()), false);
        CAPTURE(exponent);
        CHECK(same_value(sum.value(), scalar.value(), true));
      }
    }
  }
}

TEST_CASE("bins carry where a significand is added more often than they have room for") {
  std::vector<double> x;
  for (std::size_t i = 0; i < 8 * kBlockTerms; ++i) x.push_back(i % 2 == 0 ? 0x1.fffffffffffffp900 : -0x1.8p-900);
  CHECK(terms_agree(x, {}, 0, false));
  CHECK(terms_agree(x, {}, 0, true));
  for (std::size_t i = 0; i < x.size(); i += 1001) x[i] = i % 3 == 0 ? kSmallest : -0x1p-1030;
  CHECK(terms_agree(x, {}, 0, false));
  std::fill(x.begin() + static_cast<std::ptrdiff_t>(4 * kBlockTerms), x.end(), kInfinity);  // would wrap to nothing
  CHECK(terms_agree(x, {}, 0, false));
  x.back() = -kInfinity;
  CHECK(terms_agree(x, {}, 0, false));
}

TEST_CASE("long sums do not depend on the rounding mode") {
  IndexGenerator draw(RandomStream(kExactTermsSeed, 3, 0), 0);
  for (const std::uint64_t kind : {0U, 1U, 6U}) {
    const std::vector<double> x = terms_of<double>(draw, Kind(draw, kind), 3 * kBlockTerms);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      CAPTURE(mode);
      std::fesetround(mode);
      const bool good = terms_agree(x, {}, 0, false) && terms_agree(x, x, 0, false);
      std::fesetround(FE_TONEAREST);
      CHECK(good);
    }
  }
}

}  // namespace
