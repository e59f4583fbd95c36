// Rows of several samples added together against each row added by itself.
#include "run/sample_rows.hpp"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "reference/vector_targets.hpp"
#include "run/group_trees.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// A NaN's sign and payload do not show anywhere.
std::uint64_t bits_of_bound(double x) { return x != x ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(x); }

void check_same(const RunningError& a, const RunningError& b) {
  CHECK(bits_of_bound(a.linear) == bits_of_bound(b.linear));
  CHECK(bits_of_bound(a.square) == bits_of_bound(b.square));
  CHECK(bits_of_bound(a.extra) == bits_of_bound(b.extra));
  CHECK(bits_of_bound(a.scale) == bits_of_bound(b.scale));
  CHECK(a.roundings == b.roundings);
  CHECK(a.allowances == b.allowances);
  CHECK(a.bounded == b.bounded);
  CHECK(a.random_model == b.random_model);
  CHECK(a.plain == b.plain);
}

void check_same(const Evaluation& a, const Evaluation& b) {
  CHECK(a.bits == b.bits);
  CHECK(bits_of_bound(a.value) == bits_of_bound(b.value));
  CHECK(a.height == b.height);
  check_same(a.error, b.error);
}

/// Adds rows of troublesome numbers together and one by one; row r starts with errors of its own.
template <class T>
void check_rows(Trouble trouble, std::size_t row_count, std::size_t count, InTurn how) {
  CAPTURE(static_cast<int>(trouble));
  CAPTURE(row_count);
  CAPTURE(count);
  CAPTURE(static_cast<int>(how.accumulate));
  CAPTURE(how.from_zero);
  constexpr Format kFormat = kFormatOf<T>;
  std::vector<std::vector<T>> rows(row_count);
  std::array<const void*, kMaxRows> data;
  std::array<RunningError, kMaxRows> errors;
  std::array<double, kMaxRows> sums;
  for (std::size_t r = 0; r < row_count; ++r) {
    for (const double x : troublesome_numbers(100 * count + r, kFormat, trouble, count))
      rows[r].push_back(round_to<T>(x));
    data[r] = rows[r].data();
    errors[r].linear = 0x1p-60 * static_cast<double>(r);
    errors[r].square = 0x1.8p-90 * static_cast<double>(r + 1);
    errors[r].scale = std::ldexp(1.0, -static_cast<int>(r));
    errors[r].extra = 0x1p-110 * static_cast<double>(r);
    errors[r].roundings = r;
    errors[r].allowances = 2 * r;
    errors[r].plain = r % 2 == 0;
  }
  const std::array<RunningError, kMaxRows> start = errors;
  add_sample_rows({.format = kFormat,
                   .data = std::span(data).first(row_count),
                   .count = count,
                   .atomic = how.accumulate == Accumulate::atomic,
                   .from_zero = how.from_zero},
                  sums, errors);
  for (std::size_t r = 0; r < row_count; ++r) {
    CAPTURE(r);
    Floats<T> arith(start[r]);
    std::size_t i = 0;
    const T expected = add_in_turn(arith, how, count, [&] { return rows[r][i++]; });
    CHECK(round_to_bits(kFormat, sums[r]) == round_to_bits(kFormat, static_cast<double>(expected)));
    check_same(errors[r], arith.error());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("rows added together are rows added one by one, on every vector extension", T, double, float, Half,
                   Bfloat16) {
  const InTurn ways[] = {{Accumulate::plain, false}, {Accumulate::plain, true}, {Accumulate::atomic, false}};
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    for (const Trouble trouble : kTroubles)
      for (const InTurn how : ways) {
        for (const std::size_t count : {1u, 2u, 3u, 63u, 64u, 65u, 200u})
          check_rows<T>(trouble, 1 + count % kMaxRows, count, how);
        for (std::size_t row_count = 1; row_count <= kMaxRows; ++row_count) check_rows<T>(trouble, row_count, 20, how);
      }
  }
}

TEST_CASE_TEMPLATE("sums of two numbers of 16 bits are rounded as one by one, whatever their bits", T, Half, Bfloat16) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    IndexGenerator draw(RandomStream(3, 1, 0), 0);
    for (std::uint64_t trial = 0; trial < trials(20000); ++trial) {
      std::array<std::array<T, 2>, kMaxRows> rows;
      std::array<const void*, kMaxRows> data;
      std::array<RunningError, kMaxRows> errors;
      std::array<double, kMaxRows> sums;
      for (std::size_t r = 0; r < kMaxRows; ++r) {
        for (T& x : rows[r]) x.bits = static_cast<std::uint16_t>(draw());
        if (trial % 2 == 0)  // of nearby exponents
          rows[r][1].bits = static_cast<std::uint16_t>(rows[r][0].bits ^ (draw() & 0x8FFF));
        data[r] = rows[r].data();
      }
      add_sample_rows({.format = kFormatOf<T>, .data = data, .count = 2, .atomic = false, .from_zero = false}, sums,
                      errors);
      for (std::size_t r = 0; r < kMaxRows; ++r) {
        CAPTURE(rows[r][0].bits);
        CAPTURE(rows[r][1].bits);
        const double expected = static_cast<double>(rows[r][0] + rows[r][1]);
        REQUIRE(bits_of_bound(sums[r]) == bits_of_bound(expected));
      }
    }
  }
}

TEST_CASE("samples evaluated together are samples evaluated one by one, for every order and format") {
  std::uint64_t seed = 1;
  for (const Formats& formats : formats_to_try())
    for (const std::string& pipeline : numeric_pipelines()) {
      CAPTURE(pipeline);
      CAPTURE(to_string(formats));
      const std::size_t n = 1 + seed * 37 % 200;
      CAPTURE(n);
      const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
      const TypedTerms terms(formats.terms, troublesome_numbers(seed, formats.terms, trouble, n));
      const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), formats, seed);
      const auto scratch = evaluator->make_scratch();
      std::vector<Evaluation> together(1 + seed % 20);
      evaluator->evaluate_all(seed, together, *scratch);
      for (std::size_t i = 0; i < together.size(); ++i) {
        CAPTURE(i);
        check_same(together[i], evaluator->evaluate(seed + i, *scratch));
      }
      ++seed;
    }
}
