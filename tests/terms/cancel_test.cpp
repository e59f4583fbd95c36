#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/text.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/terms.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

/// sum |x| / |sum x| of the terms as they are, two ways of rounding it away from exact: at most 3 roundings.
double condition_of(const Terms& terms) {
  return exact_sum_abs(terms.view()).to_double() / std::fabs(exact_sum(terms.view()).to_double());
}

Terms cancel(double condition, std::size_t n, Format format, std::uint64_t seed) {
  return generate_terms("cancel(" + shortest(condition) + ")", n, format, seed);
}

void check_all(Format format, std::initializer_list<double> conditions, std::initializer_list<std::size_t> sizes) {
  for (const double condition : conditions)
    for (const std::size_t n : sizes)
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        INFO(info(format).name, " cond ", condition, " n ", n, " seed ", seed);
        CHECK(std::fabs(condition_of(cancel(condition, n, format, seed)) / condition - 1) <= 0.01);
      }
}

}  // namespace

TEST_CASE("cancel reaches its condition number within 1 % in every format") {
  check_all(Format::fp64, {1, 1.001, 2, 10, 1e4, 1e8, 1e12, 1e16, 1e20}, {10, 11, 31, 32, 33, 100, 1001});
  check_all(Format::fp32, {1, 1.001, 2, 10, 1e4, 1e8, 1e12}, {10, 11, 32, 100, 1001});
  check_all(Format::fp16, {1, 1.001, 2, 10, 1e4, 1e6}, {10, 11, 32, 100, 1001});
  check_all(Format::bf16, {1, 1.001, 2, 10, 1e4, 1e6}, {11, 32, 100, 1001});
}

TEST_CASE("cancel spans the range of fp64") { check_all(Format::fp64, {1e50, 1e100, 1e300}, {50, 1000}); }

TEST_CASE("cancel adds within the range of the format in any order") {
  for (const FormatInfo& f : kFormats) {
    INFO(f.name);
    const Terms terms = cancel(1e4, 100'000, f.format, 1);
    CHECK(exact_sum_abs(terms.view()).to_double() < value_of_bits(f.format, round_to_bits(f.format, HUGE_VAL) - 1));
  }
}

TEST_CASE("one term has condition number 1, and cancel says so") {
  CHECK(cancel(1, 1, Format::fp64, 1).size() == 1);
  CHECK(contains(message_of(ErrorKind::usage, [] { (void)cancel(1e8, 1, Format::fp64, 1); }), "take more terms"));
}

TEST_CASE("two terms reach a condition number that their format holds") {
  for (const double condition : {1.0, 1.5, 2.0, 1e6}) {
    INFO(condition);
    CHECK(std::fabs(condition_of(cancel(condition, 2, Format::fp64, 3)) / condition - 1) <= 0.01);
  }
}

TEST_CASE("a condition number out of reach is refused, never missed in silence") {
  const auto refusal = [](double condition, std::size_t n, Format format) {
    return message_of(ErrorKind::usage, [&] { (void)cancel(condition, n, format, 1); });
  };
  CHECK(contains(refusal(1e300, 100, Format::fp32), "not within 1 % of it; take more terms"));
  CHECK(contains(refusal(1e12, 1000, Format::fp16), "1000 terms of fp16 reach"));
  CHECK(contains(refusal(1e20, 2, Format::fp64), "2 terms of fp64 reach"));
}

TEST_CASE("cancel depends on seed and input, and on nothing else") {
  const auto hash = [](std::uint64_t seed, std::uint64_t input) {
    return generate_terms("cancel(1e8)", 1000, Format::fp64, seed, input).hash();
  };
  CHECK(hash(1, 0) == hash(1, 0));
  CHECK(hash(1, 0) != hash(2, 0));
  CHECK(hash(1, 0) != hash(1, 1));
}
