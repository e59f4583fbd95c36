// The vector paths of the exact sum against its scalar loop, on every vector extension of this machine.
#include "reference/exact_terms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "reference/exact_loop.hpp"
#include "reference/extraction.hpp"
#include "reference/hard_inputs.hpp"
#include "reference/vector_targets.hpp"

namespace {

using namespace orderlab;
using namespace orderlab::testing;

constexpr std::uint64_t kExactTermsSeed = 20241103;

std::uint64_t rounded(const ExactSum& sum) { return sum.value().round_to(Format::fp64); }

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
    for (std::size_t n = 0; n <= 200; ++n) {
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
  constexpr std::size_t kLeast = 64 * 4 * 128;      // what one takes without vectors
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
