#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "terms/distribution.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

std::vector<double> draw(const std::string& distribution, std::size_t n, Format format = Format::fp64,
                         std::uint64_t seed = 1, std::uint64_t input = 0) {
  const Terms terms = generate_terms(distribution, n, format, seed, input);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = terms.view().left(i);
  return x;
}

std::vector<std::uint64_t> bits(const std::vector<double>& x) {
  std::vector<std::uint64_t> b;
  for (const double v : x) b.push_back(std::bit_cast<std::uint64_t>(v));
  return b;
}

constexpr std::size_t kDraws = 100'000;
const double kLogTwoOverAlpha = std::log(2e9);  // every bound below holds with probability 1 - 1e-9

// Hoeffding: a mean of n numbers from an interval of length 1 is off by more than this with probability <= alpha;
// Dvoretzky-Kiefer-Wolfowitz with Massart's constant: the same for the greatest gap between two distribution functions.
const double kUnitBound = std::sqrt(kLogTwoOverAlpha / (2.0 * kDraws));

}  // namespace

TEST_CASE("terms are the same however their parts are drawn") {
  const auto backwards = [](std::size_t count, const std::function<void(std::size_t)>& body) {
    CHECK(count > 2);
    for (std::size_t part = count; part-- > 0;) body(part);
  };
  for (const char* text : {"uniform(0,10)", "normal(0,1)", "lognormal(0,1)", "exponential(2)", "cauchy(0,1e5)",
                           "constant(-0.1)", "integers(5)", "dyadic(4,-3)", "logspread(-160,160)"})
    for (const Format format : {Format::fp64, Format::fp16}) {
      CAPTURE(text);
      const std::size_t n = 600'001;
      CHECK(generate_terms(text, n, format, 3, 2, backwards).hash() == generate_terms(text, n, format, 3, 2).hash());
    }
}

TEST_CASE("uniform is Boost's distribution of the same words") {
  for (const auto& [a, b] :
       {std::pair(0.0, 10.0), std::pair(-3.0, 5.0), std::pair(-1e308, 1.7e308), std::pair(1.0, 1.0 + 0x1p-52),
        std::pair(-0x1p-1074, 0x1p-1073), std::pair(1e300, 1.1e300)}) {
    CAPTURE(a);
    CAPTURE(b);
    const std::size_t n = 3 * kDraws;  // more than the terms of a part
    const RandomStream words(7, streams::kTerms, 0);
    std::vector<double> expected;
    for (std::size_t i = 0; i < n; ++i) {
      IndexGenerator generator(words, i);
      expected.push_back(boost::random::uniform_real_distribution<double>(a, b)(generator));
    }
    CHECK(bits(draw("uniform(" + shortest(a) + "," + shortest(b) + ")", n, Format::fp64, 7)) == bits(expected));
  }
}

TEST_CASE("the first draws of every distribution are pinned") {
  struct Known {
    const char* distribution;
    std::array<double, 4> draws;
  };
  const Known known[] = {
      {"uniform(0,10)", {0x1.1e4c926c1ce21p+3, 0x1.17b73fee570a2p+3, 0x1.6428ff891e564p+2, 0x1.763567be4e187p-2}},
      {"normal(0,1)", {-0x1.787748fedf464p+0, 0x1.16fbc4acd2928p+1, -0x1.63cb6da5c7654p-2, 0x1.8a793d58bd6f7p-5}},
      {"lognormal(0,1)", {0x1.d69e767914a89p-3, 0x1.1af4f14d03949p+3, 0x1.69b82e153705cp-1, 0x1.0ca1011a6a2b1p+0}},
      {"exponential(1)", {0x1.ae85f4f913ea9p+0, 0x1.ac0641945224ap+1, 0x1.b8a222238c8dbp-3, 0x1.8088088d31fe6p-5}},
      {"cauchy(0,1)", {0x1.74a70cfe358b3p+1, 0x1.3298dd9184ce7p+1, 0x1.6f6351d7aaba6p-3, -0x1.158187962dccp+3}},
      {"cancel(1e8)", {-0x1.a7f6609379c07p+23, -0x1.8116dd5058b1dp+26, -0x1.8e76cc1cf899fp-1, 0x1.b615aa2795f22p+26}},
      {"logspread(-20,20)",
       {0x1.b615aa2795f22p+16, -0x1.a7f6609379c07p+15, 0x1.ebed3676b68fap+2, -0x1.0dc9abaa24b41p-19}},
      {"logspread(-1074,-1070)", {0x1.bp-1070, -0x1.ap-1070, 0x1.cp-1072, -0x1p-1074}},
      {"constant(0.1)", {0x1.999999999999ap-4, 0x1.999999999999ap-4, 0x1.999999999999ap-4, 0x1.999999999999ap-4}},
      {"integers(1000)", {0x1.8bp+9, 0x1.768p+9, 0x1.c4p+6, -0x1.cf8p+9}},
      {"dyadic(24,-23)", {-0x1.af5f2p-3, -0x1.01d1ap-2, -0x1.c624dp-1, 0x1.2b5dep-4}},
      {"dyadic(24,-23,8)", {-0x1.af5f2p-9, -0x1.01d1ap-7, -0x1.c624dp-9, 0x1.2b5dep-4}},
  };
  std::set<std::string_view> covered;
  for (const Known& k : known) {
    INFO(k.distribution);
    CHECK(bits(draw(k.distribution, 4)) == bits({k.draws.begin(), k.draws.end()}));
    covered.insert(std::string_view(k.distribution).substr(0, std::string_view(k.distribution).find('(')));
  }
  for (const TermDistribution* d : distributions()) {
    INFO(d->name);
    CHECK(covered.contains(d->name));
  }
}

TEST_CASE("every distribution describes itself with a name of its own") {
  std::set<std::string_view> names;
  for (const DistributionDefinition* d : distribution_definitions()) {
    INFO(d->name);
    CHECK(names.insert(d->name).second);
    CHECK_FALSE(d->summary.empty());
    CHECK_FALSE(d->source.empty());
    std::string written;
    for (const Parameter& p : d->accepts)
      written += (written.empty() ? "(" : ",") + std::string(p.name) +
                 (p.default_text.empty() ? "" : "=" + std::string(p.default_text));
    CHECK(written + ")" == d->parameters);
  }
  CHECK(distributions().size() == distribution_definitions().size());
}

TEST_CASE("a term depends on seed, input and index only") {
  for (const char* d : {"uniform(0,10)", "normal(0,1)", "lognormal(0,1)", "exponential(2)", "cauchy(0,1)",
                        "logspread(-5,5)", "constant(3)", "integers(7)", "dyadic(20,-5,3)"}) {
    INFO(d);
    const auto longer = bits(draw(d, 1000));
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{999}})
      CHECK(bits(draw(d, n)) == std::vector(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(n)));
    if (std::string_view(d).starts_with("constant")) continue;
    CHECK(bits(draw(d, 1000, Format::fp64, 2)) != longer);
    CHECK(bits(draw(d, 1000, Format::fp64, 1, 1)) != longer);
  }
}

TEST_CASE(
    "distributions use the same random numbers: lognormal is exp of normal, uniform(0,10) ten times uniform(0,1)") {
  const auto normal = draw("normal(0,1)", 1000);
  const auto lognormal = draw("lognormal(0,1)", 1000);
  const auto unit = draw("uniform(0,1)", 1000);
  const auto ten = draw("uniform(0,10)", 1000);
  for (std::size_t i = 0; i < normal.size(); ++i) {
    // exp is within an ulp or two of either libm call; a product and a sum are rounded once each.
    CHECK(std::fabs(lognormal[i] - std::exp(normal[i])) <= 0x1p-50 * lognormal[i]);
    CHECK(std::fabs(ten[i] - 10 * unit[i]) <= 0x1p-51 * ten[i]);
  }
}

TEST_CASE("a term of a narrow format is the draw rounded once") {
  for (const char* d : {"uniform(0,10)", "normal(0,1)", "lognormal(0,3)", "cauchy(0,1e5)", "logspread(-160,160)",
                        "constant(0.1)", "integers(100000)", "dyadic(53,-140,30)"})
    for (const FormatInfo& f : kFormats) {
      INFO(d, " ", f.name);
      const auto wide = draw(d, 500);
      const auto narrow = draw(d, 500, f.format);
      for (std::size_t i = 0; i < wide.size(); ++i)
        CHECK(round_to_bits(f.format, narrow[i]) == round_to_bits(f.format, wide[i]));
    }
}

TEST_CASE("draws stay in their range") {
  for (const double x : draw("uniform(-3,5)", kDraws)) CHECK((x >= -3 && x < 5));
  for (const double x : draw("uniform(-1e308,1.7e308)", 1000)) CHECK((x >= -1e308 && x < 1.7e308));
  for (const double x : draw("lognormal(0,1)", kDraws)) CHECK(x > 0);
  for (const double x : draw("exponential(3)", kDraws)) CHECK(x >= 0);
  for (const double x : draw("logspread(-1074,1023)", kDraws)) CHECK((std::isfinite(x) && std::fabs(x) > 0));
}

TEST_CASE("no draw is larger than its distribution says, and some come near") {
  for (const char* text : {"uniform(-2,1)", "uniform(3,4)", "constant(-0.1)", "integers(5)", "dyadic(4,-3)",
                           "dyadic(4,-3,2)", "logspread(-3,7)"})
    for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16}) {
      CAPTURE(text);
      const std::optional<double> limit = largest_magnitude_of(text, format);
      REQUIRE(limit.has_value());
      const Terms terms = generate_terms(text, 3000, format, 1);
      double largest = 0;
      for (std::size_t i = 0; i < terms.size(); ++i) largest = std::max(largest, std::fabs(terms.view().left(i)));
      CHECK(largest <= *limit);
      CHECK(largest > 0.9 * *limit);  // each misses that tenth with at most (1 - 1/30)^3000
    }
  for (const char* text : {"normal(0,1)", "lognormal(0,1)", "exponential(1)", "cauchy(0,1)", "cancel(10)"})
    CHECK(!largest_magnitude_of(text, Format::fp32));
}

TEST_CASE("distribution functions agree with theory") {
  const auto gap = [](std::vector<double> x, auto cdf) {
    std::sort(x.begin(), x.end());
    const auto n = static_cast<double>(x.size());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double f = cdf(x[i]);
      worst = std::max({worst, static_cast<double>(i + 1) / n - f, f - static_cast<double>(i) / n});
    }
    return worst;
  };
  const auto normal = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };
  CHECK(gap(draw("uniform(-3,5)", kDraws), [](double x) { return (x + 3) / 8; }) < kUnitBound);
  CHECK(gap(draw("normal(10,3)", kDraws), [&](double x) { return normal((x - 10) / 3); }) < kUnitBound);
  CHECK(gap(draw("lognormal(1,2)", kDraws), [&](double x) { return normal((std::log(x) - 1) / 2); }) < kUnitBound);
  CHECK(gap(draw("exponential(4)", kDraws), [](double x) { return -std::expm1(-4 * x); }) < kUnitBound);
  CHECK(gap(draw("cauchy(2,5)", kDraws), [](double x) { return 0.5 + std::atan((x - 2) / 5) / std::numbers::pi; }) <
        kUnitBound);
}

TEST_CASE("moments agree with theory") {
  const auto n = static_cast<double>(kDraws);
  const auto mean = [&](const std::vector<double>& x, auto f) {
    double sum = 0;
    for (const double v : x) sum += f(v);
    return sum / n;
  };
  const auto same = [](double v) { return v; };
  CHECK(std::fabs(mean(draw("uniform(0,10)", kDraws), same) - 5) < 10 * kUnitBound);
  // A mean of normals is normal; P(|Z| > z) <= 2 exp(-z^2 / 2).
  CHECK(std::fabs(mean(draw("normal(0,1)", kDraws), same)) < std::sqrt(2 * kLogTwoOverAlpha / n));
  // Chi-square with n degrees [Laurent and Massart 2000, lemma 1].
  CHECK(std::fabs(mean(draw("normal(0,1)", kDraws), [](double v) { return v * v; }) - 1) <
        2 * std::sqrt(kLogTwoOverAlpha / n) + 2 * kLogTwoOverAlpha / n);
  // 2 n times the mean is chi-square with 2 n degrees.
  CHECK(std::fabs(mean(draw("exponential(1)", kDraws), same) - 1) <
        std::sqrt(2 * kLogTwoOverAlpha / n) + kLogTwoOverAlpha / n);
}

TEST_CASE("logspread takes every binade and sign equally often") {
  std::map<int, double> share;
  double negative = 0;
  for (const double x : draw("logspread(-20,20)", kDraws)) {
    share[std::ilogb(x)] += 1.0 / kDraws;
    if (x < 0) negative += 1.0 / kDraws;
  }
  CHECK(share.size() == 41);
  CHECK(share.begin()->first == -20);
  CHECK(share.rbegin()->first == 20);
  for (const auto& [exponent, s] : share) CHECK(std::fabs(s - 1.0 / 41) < kUnitBound);
  CHECK(std::fabs(negative - 0.5) < kUnitBound);
}

TEST_CASE("integers takes every whole number of -k..k equally often") {
  std::map<double, double> share;
  for (const double x : draw("integers(5)", kDraws)) share[x] += 1.0 / kDraws;
  CHECK(share.size() == 11);
  for (const auto& [value, s] : share) {
    CHECK((std::trunc(value) <= value && std::trunc(value) >= value && value >= -5 && value <= 5));
    CHECK(std::fabs(s - 1.0 / 11) < kUnitBound);
  }
  for (const double x : draw("integers(0)", 10)) CHECK(bits({x}) == bits({0.0}));
  for (const double x : draw("integers(2^53)", 1000)) CHECK(std::fabs(x) <= 0x1p53);
}

TEST_CASE("a wrong distribution is refused in one line that says what would be right") {
  struct Wrong {
    const char* text;
    const char* says;
  };
  const Wrong wrong[] = {
      {"unifrom(0,1)", "unifrom: no such distribution; did you mean uniform?"},
      {"", "no distribution is named"},
      {"(1)", "no distribution is named"},
      {"zzzzzzzzzzz(1)", "known: uniform normal"},
      {"uniform", "takes 2 numbers, not 0; write uniform(a,b)"},
      {"uniform()", "takes 2 numbers, not 0"},
      {"uniform(1)", "takes 2 numbers, not 1"},
      {"constant(1,2)", "takes 1 number, not 2"},
      {"uniform(1,2", "parentheses"},
      {"uniform(1,2))", "parentheses"},
      {"uniform(1,2)x", "parentheses"},
      {"uniform(1,,2)", "not 3"},
      {"uniform(1,)", "b = '' is not a finite decimal number"},
      {"uniform(a,2)", "a = 'a' is not a finite decimal number"},
      {"uniform(0,inf)", "b = 'inf' is not a finite"},
      {"uniform(nan,1)", "a = 'nan' is not a finite"},
      {"uniform(0,1e400)", "b = '1e400' is not a finite"},
      {"uniform(3,1)", "write uniform(1,3)"},
      {"uniform(3,3)", "write constant(3)"},
      {"normal(0,-1)", "sd = '-1' is out of range; it must be at least 0"},
      {"lognormal(0,-1)", "s = '-1' is out of range"},
      {"cauchy(0,-1)", "s = '-1' is out of range"},
      {"exponential(0)", "must be above 0"},
      {"exponential(-2)", "must be above 0"},
      {"cancel(0.5)", "cond = '0.5' is out of range; it must be at least 1"},
      {"logspread(1.5,2)", "emin is not a whole number"},
      {"logspread(1,2.5)", "emax is not a whole number"},
      {"logspread(2,1)", "write logspread(1,2)"},
      {"logspread(-1075,1)", "must be from -1074 to 1023"},
      {"logspread(0,1024)", "must be from -1074 to 1023"},
      {"integers(1.5)", "k = '1.5' is not a whole number"},
      {"integers(-1)", "k = '-1' is negative"},
      {"integers(1e17)", "k = '1e17' is out of range"},
      {"dyadic(24)", "takes 2 to 3 numbers, not 1; write dyadic(bits,exponent,spread=0)"},
      {"dyadic(24,0,1,2)", "takes 2 to 3 numbers, not 4"},
      {"dyadic(0,0)", "bits = '0' is out of range; it must be from 1 to 53"},
      {"dyadic(54,0)", "bits = '54' is out of range"},
      {"dyadic(24,0.5)", "exponent is not a whole number"},
      {"dyadic(24,-1075)", "exponent = '-1075' is out of range"},
      {"dyadic(24,-1074,1)", "exponent - spread must be at least -1074"},
      {"dyadic(24,1001)", "exponent + bits - 1 at most 1023"},
      {"dyadic(24,0,-1)", "spread = '-1' is negative"},
  };
  for (const Wrong& w : wrong) {
    const std::string message =
        message_of(ErrorKind::usage, [&] { (void)generate_terms(w.text, 10, Format::fp64, 1); });
    INFO(w.text, " gave: ", message);
    CHECK(contains(message, w.says));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message_of(ErrorKind::usage, [&] { (void)canonical_distribution(w.text); }) == message);
  }
}

TEST_CASE("canonical text reads back as the same distribution") {
  CHECK(canonical_distribution(" uniform ( 0 , 10.0 ) ") == "uniform(0,10)");
  CHECK(canonical_distribution("integers(1_000)") == "integers(1000)");
  CHECK(canonical_distribution("integers(2^20)") == "integers(1048576)");
  CHECK(canonical_distribution("constant(-0)") == "constant(-0)");
  CHECK(canonical_distribution("cancel(100000000)") == "cancel(1e+08)");
  CHECK(canonical_distribution("dyadic(24,-23)") == "dyadic(24,-23,0)");
  for (const char* text :
       {"dyadic(8,-1074)", "uniform(0,1e300)", "constant(0.1)", "cancel(1e8)", "integers(1e6)", "logspread(-3,4)"}) {
    const std::string once = canonical_distribution(text);
    CHECK(canonical_distribution(once) == once);
    CHECK(bits(draw(once, 20)) == bits(draw(text, 20)));
  }
}
