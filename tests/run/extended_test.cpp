// fp80 accumulators: each kind of them against the other and against x87's long double, sums of orders against MPFR
// with 64 bits and one more rounding, their trees and bounds; what is refused.
#include "run/extended.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "doubles.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "reference/mpfr_oracle.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr Formats kFp64{Format::fp64, Format::fp80, Format::fp64};

double sum_in(const std::string& order, const Formats& formats, const std::vector<double>& x) {
  return value_of_bits(formats.result, sum_bits_of(order, TypedTerms(formats.terms, x).view(), formats));
}

/// Numbers whose sums in 64 bits are ties, far apart, subnormal, or beyond the doubles.
double hard_double(IndexGenerator& draw, std::uint64_t kind) {
  switch (kind) {
    case 0:
      return any_finite(draw, Format::fp64);
    case 1:
      return with_random_sign(draw, static_cast<double>(below(draw, 9)) * kSmallest);
    case 2: {  // at most 6 bits, about 64 binary places apart
      const int place = static_cast<int>(below(draw, 131)) - 65;
      return with_random_sign(draw, std::ldexp(static_cast<double>(below(draw, 64)), place));
    }
    case 3:
      return with_random_sign(draw, kLargest / static_cast<double>(1 + below(draw, 3)));
    case 4:
      return with_random_sign(draw, 1 + 0x1p-52 * static_cast<double>(below(draw, 4)));
    default:
      return near_one(draw);
  }
}
constexpr std::uint64_t kKinds = 6;

/// The sum in turn by MPFR: 64 bits, then the result format.
std::uint64_t mpfr_sum_in_turn(Format result, const std::vector<double>& x) {
  Mpfr sum(x[0], 64);
  for (std::size_t i = 1; i < x.size(); ++i) mpfr_add_d(sum.get(), sum.get(), x[i], MPFR_RNDN);
  // A sum of 0 is +0 in MPFR as in x87, and -0 only where all terms are.
  return rounded_bits(result, sum);
}

template <class T>
T sum_in_turn(const std::vector<double>& x) {
  T sum(x[0]);
  for (std::size_t i = 1; i < x.size(); ++i) sum = sum + T(x[i]);
  return sum;
}

/// Of one kind, or of all; some cancel.
std::vector<double> hard_doubles(IndexGenerator& draw) {
  std::vector<double> x(2 + below(draw, 9));
  const std::uint64_t kind = below(draw, kKinds + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = hard_double(draw, kind == kKinds ? below(draw, kKinds) : kind);
    if (i > 0 && chance(draw, 5)) x[i] = -x[below(draw, i)];
  }
  return x;
}

bool refused_in_fp80(std::string_view pipeline, std::string_view why, bool products = false) {
  try {
    compile(parse_order(pipeline), 100, kFp64, products);
  } catch (const Error& error) {
    const bool said = std::string_view(error.what()).find(why) != std::string_view::npos;
    if (!said) MESSAGE(error.what());
    return said;
  }
  return false;
}

}  // namespace

TEST_CASE("1 + 1.5 * 2^-63 - 1 is 2^-62 in fp80: a tie that rounds to even") {
  const std::vector<double> x{1, 0x1.8p-63, -1};
  CHECK(bits(sum_in("seq", kFp64, x)) == bits(0x1p-62));
  CHECK(bits(sum_in("seq", {Format::fp64, Format::fp64, Format::fp64}, x)) == bits(0.0));
  CHECK(bits(sum_in("seq", {Format::fp32, Format::fp80, Format::fp32}, x)) == bits(0x1p-62));
  CHECK(bits(sum_in("seq", kFp64, {1, 0x1p-64, -1})) == bits(0.0));
  CHECK(bits(sum_in("seq", kFp64, {1, 0x1.000002p-64, -1})) == bits(0x1p-63));
}

TEST_CASE("sums beyond the doubles are finite in fp80, and overflow only as results") {
  CHECK(bits(sum_in("seq", kFp64, {1e308, 1e308, -1e308})) == bits(1e308));
  CHECK(std::isinf(sum_in("seq", kFp64, {1e308, 1e308})));
  CHECK(bits(sum_in("seq", kFp64, {kLargest, kLargest, kLargest, -kLargest, -kLargest, 1})) == bits(kLargest));
  const double fp32_largest = std::numeric_limits<float>::max();
  CHECK(bits(sum_in("seq", {Format::fp32, Format::fp80, Format::fp32}, {fp32_largest, fp32_largest, -fp32_largest})) ==
        bits(fp32_largest));
  CHECK(std::isnan(sum_in("seq", kFp64, {HUGE_VAL, -HUGE_VAL})));
  const std::vector<double> x{1e308, 1e308, -1e308};
  const auto evaluator = Evaluator::make(parse_order("seq"), view_of(x.data(), x.size()), kFp64, 1);
  const auto bound = running_bound(evaluator->evaluate(0, *evaluator->make_scratch()).error);
  REQUIRE(bound.has_value());
  CHECK(std::isfinite(*bound));
}

TEST_CASE("a sum of fp80 is rounded to fp64 once more, and to narrower formats once") {
  CHECK(bits(sum_in("seq", kFp64, {1, 0x1p-53, 0x1p-70})) == bits(1));  // 2^-70 is lost in 64 bits: a tie of fp64
  CHECK(bits(sum_in("seq", kFp64, {1, 0x1p-53, 0x1p-63})) == bits(1 + 0x1p-52));
  // 1 + 2^-24 + 2^-63 is a number of fp80, a tie of fp32 as an fp64 number, and above that tie.
  CHECK(bits(sum_in("seq", {Format::fp64, Format::fp80, Format::fp32}, {1, 0x1p-24, 0x1p-63})) == bits(1 + 0x1p-23));
}

TEST_CASE("both kinds of fp80 give the bits of x87's long double") {
  static_assert(std::numeric_limits<long double>::digits != 64 || sizeof(long double) == 16);
  IndexGenerator draw(RandomStream(41, 0, 0), 0);
  std::uint64_t wrong = 0;
  std::uint64_t wrong_keys = 0;
  std::uint64_t additions = 0;
  for (std::uint64_t i = 0; i < trials(200'000); ++i) {
    const std::vector<double> x = hard_doubles(draw);
    SoftExtended soft(x[0]);
    Extended chosen(x[0]);
    long double hard = x[0];
    for (std::size_t k = 1; k < x.size(); ++k, ++additions) {
      const bool product = chance(draw, 5);
      const double y = product ? hard_double(draw, below(draw, kKinds)) : 1;
      soft = soft + (product ? SoftExtended::product(x[k], y) : SoftExtended(x[k]));
      chosen = chosen + (product ? Extended::product(x[k], y) : Extended(x[k]));
      hard = hard + static_cast<long double>(x[k]) * static_cast<long double>(y);
      if (soft.key() != chosen.key()) ++wrong_keys;
      if (SoftExtended::of_key(soft.key()).key() != soft.key() || !(SoftExtended::of_key(soft.key()) == soft))
        ++wrong_keys;
      if (bits(static_cast<double>(soft)) != bits(static_cast<double>(chosen))) ++wrong;
      if constexpr (std::numeric_limits<long double>::digits == 64) {
        const auto high = static_cast<double>(hard);
        if (bits(high) != bits(static_cast<double>(soft))) ++wrong;
        const auto rest = static_cast<double>((hard - static_cast<long double>(high)) * 0x1p64L);
        const auto soft_rest = static_cast<double>((soft - SoftExtended(high)).scaled(64));
        if (std::isfinite(high) && bits(rest) != bits(soft_rest)) ++wrong;
      }
    }
  }
  MESSAGE(additions << " additions, long double has " << std::numeric_limits<long double>::digits << " bits");
  CHECK(wrong == 0);
  CHECK(wrong_keys == 0);
}

TEST_CASE("additions that are ties but for the last bit of the smaller number are rounded by it") {
  IndexGenerator draw(RandomStream(44, 0, 0), 0);
  std::uint64_t wrong = 0;
  std::uint64_t ties = 0;
  for (std::uint64_t i = 0; i < trials(100'000); ++i) {
    const double large[] = {1, std::ldexp(static_cast<double>(below(draw, 4)), -63)};
    const double half = with_random_sign(draw, std::ldexp(1.0, -63 - static_cast<int>(below(draw, 4))));
    const double last = std::ldexp(half, -63 - static_cast<int>(below(draw, 2)));
    const double small[] = {half, static_cast<double>(static_cast<int>(below(draw, 3)) - 1) * last};
    const auto sum_of_both = [&]<class T>(T*) { return (T(large[0]) + T(large[1])) + (T(small[0]) + T(small[1])); };
    Mpfr a(large[0], 64);
    Mpfr b(small[0], 64);
    mpfr_add_d(a.get(), a.get(), large[1], MPFR_RNDN);
    mpfr_add_d(b.get(), b.get(), small[1], MPFR_RNDN);
    mpfr_add(a.get(), a.get(), b.get(), MPFR_RNDN);
    // Exact in two doubles.
    const double high = mpfr_get_d(a.get(), MPFR_RNDN);
    mpfr_sub_d(a.get(), a.get(), high, MPFR_RNDN);
    const double rest = mpfr_get_d(a.get(), MPFR_RNDN);
    const auto same = [&](const auto& sum) {
      using T = std::remove_cvref_t<decltype(sum)>;
      return bits(static_cast<double>(sum)) == bits(high) && bits(static_cast<double>(sum - T(high))) == bits(rest);
    };
    if (!same(sum_of_both(static_cast<SoftExtended*>(nullptr)))) ++wrong;
    if (!same(sum_of_both(static_cast<Extended*>(nullptr)))) ++wrong;
    if (small[1] == 0) ++ties;
  }
  CHECK(wrong == 0);
  CHECK(ties > 0);
}

TEST_CASE("keys of fp80 are in the order of values") {
  IndexGenerator draw(RandomStream(42, 0, 0), 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < trials(100'000); ++i) {
    const auto a = sum_in_turn<Extended>(hard_doubles(draw));
    const auto b = sum_in_turn<Extended>(hard_doubles(draw));
    const auto c = sum_in_turn<SoftExtended>({static_cast<double>(a), static_cast<double>(b)});
    if (a < b && number_key(a) >= number_key(b)) ++wrong;
    if ((SoftExtended(static_cast<double>(a)) < c) != (Extended(static_cast<double>(a)) < Extended::of_key(c.key())))
      ++wrong;
    if (!(number_of<Extended>(number_key(a)) == a)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("random sums in fp80 are those of MPFR with 64 bits, rounded once more") {
  IndexGenerator draw(RandomStream(43, 0, 0), 0);
  std::uint64_t wrong = 0;
  std::uint64_t soft_wrong = 0;
  std::uint64_t unlike_fp64 = 0;
  const Order in_turn = parse_order("seq");
  for (std::uint64_t i = 0; i < trials(150'000); ++i) {
    const std::vector<double> x = hard_doubles(draw);
    const Formats formats{Format::fp64, Format::fp80, kFormats[below(draw, 4)].format};
    const TermView terms = view_of(x.data(), x.size());
    const std::uint64_t right = mpfr_sum_in_turn(formats.result, x);
    const auto plan = compile(in_turn, x.size(), formats);
    const double sum = sum_of(*plan, terms);
    if (round_to_bits(formats.result, sum) != right) ++wrong;
    if (i % 4 == 0) {
      const auto evaluator = Evaluator::make(plan, terms, 1);
      if (evaluator->evaluate(0, *evaluator->make_scratch()).bits != right) ++wrong;
    }
    if (formats.result == Format::fp64 &&
        round_to_bits(Format::fp64, static_cast<double>(sum_in_turn<SoftExtended>(x))) != right)
      ++soft_wrong;
    if (bits(value_of_bits(formats.result, round_to_bits(formats.result, sum_in_turn<double>(x)))) !=
        bits(value_of_bits(formats.result, right)))
      ++unlike_fp64;
  }
  CHECK(wrong == 0);
  CHECK(soft_wrong == 0);
  CHECK(unlike_fp64 > 0);
}

TEST_CASE("every order adds in fp80 as its tree says, and keeps its bounds") {
  const Formats all[] = {kFp64,
                         {Format::fp32, Format::fp80, Format::fp32},
                         {Format::fp16, Format::fp80, Format::fp64},
                         {Format::fp64, Format::fp80, Format::bf16}};
  std::uint64_t sums = 0;
  for (const char* pipeline : kPipelines) {
    CAPTURE(std::string(pipeline));
    const Order order = parse_order(pipeline);
    if (order.changes_format()) continue;
    for (const std::size_t n : {1u, 2u, 7u, 33u, 300u})
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Formats& formats = all[(seed + n) % 4];
        const Trouble trouble = kTroubles[(seed + n / 2) % std::size(kTroubles)];
        const auto x = troublesome_numbers(seed, formats.terms, trouble, n);
        const bool products = seed % 2 == 1;
        const TypedTerms terms =
            products ? TypedTerms(formats.terms, x, troublesome_numbers(seed + 9, formats.terms, trouble, n))
                     : TypedTerms(formats.terms, x);
        CAPTURE(n);
        CAPTURE(seed);
        const TermView view = terms.view();
        const auto plan = compile(order, n, formats, products);
        const auto evaluator = Evaluator::make(plan, view, seed);
        const auto scratch = evaluator->make_scratch();
        const ExactValue exact = exact_sum(view);
        for (const std::uint64_t sample : {0u, 5u}) {
          const Evaluation e = evaluator->evaluate(sample, *scratch);
          const SummationTree tree = evaluator->tree(sample);
          CHECK(e.bits == round_to_bits(formats.result, evaluate(tree, view)[tree.roots()[0]]));
          CHECK(e.height == tree.height());
          CHECK(bits_of(sum_of(*plan, view, seed, sample)) == bits_of(e.value));
          if (exact.finite() && std::isfinite(e.value)) {
            const double error = std::fabs(exact.difference(e.value));
            if (const auto bound = running_bound(e.error)) CHECK(error <= *bound);
            const double sum_abs = exact_sum_abs(view).to_double();
            if (const auto bound = gamma_bound(e.error.plain, Format::fp80, e.height, sum_abs, e.error.extra))
              CHECK(error <= *bound);
          }
          ++sums;
        }
      }
  }
  CHECK(sums > 1000);
}

TEST_CASE("partial sums of fp80 are sorted by their own values") {
  // 1 + 2^-63 and 1 - 2^-64 are one number of fp64; ascending, -2 + (1 - 2^-64) is a tie that rounds to -1.
  const std::vector<double> x{1, 0x1p-63, 1, -0x1p-64, -2, 0};
  CHECK(bits(sum_in("seq(2) | sort(asc) | seq", kFp64, x)) == bits(0x1p-63));
  CHECK(bits(sum_in("seq(2) | sort(desc) | seq", kFp64, x)) == bits(0.0));
  const auto evaluator =
      Evaluator::make(parse_order("seq(2) | sort(asc) | seq"), view_of(x.data(), x.size()), kFp64, 1);
  const SummationTree tree = evaluator->tree(0);
  CHECK(bits(evaluate(tree, view_of(x.data(), x.size()))[tree.roots()[0]]) == bits(0x1p-63));
}

TEST_CASE("an evaluator says where partial sums of fp80 are no doubles") {
  const std::vector<double> x{1, 0x1p-63, 1, -0x1p-64, -2, 0};
  const auto doubles = [&](const char* order) {
    return Evaluator::make(parse_order(order), view_of(x.data(), x.size()), kFp64, 1)->inputs_are_doubles();
  };
  CHECK(doubles("shuffle | seq"));
  CHECK(!doubles("seq(2) | shuffle | seq"));
  CHECK(doubles("seq(5) | shuffle | seq"));  // both are 0
}

TEST_CASE("what fp80 accumulators cannot do is refused in one line") {
  CHECK(refused_in_fp80("seq(acc=fma)", "acc=fma does not go with fp80 accumulators", true));
  CHECK(refused_in_fp80("chunks(4) | round(bf16) | seq", "`round` does not go with fp80 accumulators"));
  CHECK(refused_in_fp80("in(fp64) | seq", "`in` does not go with fp80 accumulators"));
  CHECK_THROWS_AS(compile(parse_order("seq"), 3, {Format::fp64, Format::fp64, Format::fp80}), Error);
  CHECK_THROWS_AS(compile(parse_order("seq"), 3, {Format::fp80, Format::fp80, Format::fp64}), Error);
  CHECK_THROWS_AS(parse_formats("fp80"), Error);
  CHECK_THROWS_AS(parse_formats("fp64:fp80:fp80"), Error);
  CHECK_THROWS_AS(parse_formats("fp80:fp64"), Error);
}

TEST_CASE("the result after fp80 is of the format of the terms") {
  CHECK(parse_formats("fp64:fp80") == kFp64);
  CHECK(parse_formats("fp32:longdouble").result == Format::fp32);
  for (const char* text : {"fp64:fp80:fp64", "fp32:fp80:fp32", "fp16:fp80:fp64"})
    CHECK(to_string(parse_formats(text)) == text);
}
