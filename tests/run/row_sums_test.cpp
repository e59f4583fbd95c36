// Sums of rows against an evaluator of each row, for every stage, option and named order, on every vector extension of
// this machine.
#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/plan.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Bits = std::vector<std::uint64_t>;

Bits bits_of_all(const std::vector<double>& sums) {
  Bits bits;
  for (const double sum : sums) bits.push_back(std::bit_cast<std::uint64_t>(sum));
  return bits;
}

/// `count` rows of n troublesome terms, one after the other.
class SomeRows {
 public:
  SomeRows(Format format, Trouble trouble, std::size_t count, std::size_t n, bool products, std::uint64_t seed)
      : terms_(make(format, trouble, count * n, products, seed)), count_(count), n_(n) {}

  TermRows view() const {
    const TermView all = terms_.view();
    return {all.format, count_, n_, all.x, n_, all.y, n_};
  }

 private:
  static TypedTerms make(Format format, Trouble trouble, std::size_t numbers, bool products, std::uint64_t seed) {
    const auto x = troublesome_numbers(seed, format, trouble, numbers);
    if (!products) return {format, x};
    return {format, x, troublesome_numbers(seed + 1, format, Trouble::ties, numbers)};
  }

  TypedTerms terms_;
  std::size_t count_;
  std::size_t n_;
};

/// What evaluators of the rows give; row r has a key of its own.
Bits expected_bits(const std::shared_ptr<const Plan>& plan, const TermRows& rows, DrawPath path, std::uint64_t sample) {
  std::vector<double> sums;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const auto evaluator = Evaluator::make(plan, rows.row(r), path.key());
    const Evaluation evaluation = evaluate_once(*evaluator, sample);
    CHECK(round_to_bits(plan->formats().result, evaluation.value) == evaluation.bits);
    sums.push_back(evaluation.value);
    ++*path.output;
  }
  return bits_of_all(sums);
}

Bits bits_by_rows(const RowSums& row_sums, const TermRows& rows, const DrawPath& first, std::uint64_t sample) {
  std::vector<double> sums(rows.count, 12345);
  row_sums.evaluate(rows, sums, first, sample);
  return bits_of_all(sums);
}

template <class Visit>
void on_every_target(Visit visit) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    visit();
  }
}

void check_rows(const std::string& pipeline, const TermRows& rows, const Formats& formats) {
  CAPTURE(pipeline);
  const std::string format_text = to_string(formats);
  CAPTURE(format_text);
  CAPTURE(rows.n);
  CAPTURE(rows.count);
  const DrawPath first{.seed = 5, .output = 7 * rows.n};
  const std::uint64_t sample = rows.n % 3;
  const auto plan = compile(parse_order(pipeline), rows.n, formats, rows.products());
  const Bits expected = expected_bits(plan, rows, first, sample);
  const RowSums row_sums(plan);
  std::vector<double> alike;
  for (std::size_t r = 0; r < rows.count; ++r) alike.push_back(sum_of(*plan, rows.row(r), first.key(), sample));
  const Bits expected_alike = bits_of_all(alike);
  on_every_target([&] {
    CHECK(bits_by_rows(row_sums, rows, first, sample) == expected);
    row_sums.evaluate_alike(rows, alike, first.key(), sample);
    CHECK(bits_of_all(alike) == expected_alike);
  });
}

void check_all(const std::vector<std::string>& pipelines, bool products) {
  const auto formats = formats_to_try();
  const auto sizes = boundary_sizes(256);
  std::uint64_t seed = products ? 1'000'000 : 0;
  const auto check = [&](const std::string& pipeline, std::size_t n, const Formats& some) {
    const Trouble trouble = kTroubles[++seed % std::size(kTroubles)];
    check_rows(pipeline, SomeRows(some.terms, trouble, 1 + seed % 5, n, products, seed).view(), some);
  };
  for (const std::string& pipeline : pipelines) {
    for (const std::size_t n : sizes) check(pipeline, n, formats[++seed % formats.size()]);
    for (const Formats& some : formats)
      for (const std::size_t n : {2u, 8u, 21u, 64u}) check(pipeline, n, some);
  }
}

TEST_CASE("rows of numbers have the sums that evaluators of each have") { check_all(numeric_pipelines(), false); }

TEST_CASE("rows of products have the sums that evaluators of each have") { check_all(product_pipelines(), true); }

TEST_CASE("rows that draw alike have the sums of one key, for any number of rows") {
  std::uint64_t seed = 2'000'000;
  for (const char* pipeline : {"seq(acc=fma)", "shuffle | seq(acc=fma)", "reverse | shuffle | seq(from=zero,acc=fma)",
                               "arrive(jitter(3)) | seq(acc=fma)", "shuffle | pairwise", "random_tree",
                               "shuffle | seq(acc=kahan)", "sort(asc) | seq(acc=fma)", "chunks(2,acc=fma) | seq"})
    for (const Formats& formats : formats_to_try())
      for (const std::size_t count : {1u, 15u, 16u, 17u, 63u, 64u, 65u, 133u}) {
        const std::size_t n = 2 + ++seed % 23;
        const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
        check_rows(pipeline, SomeRows(formats.terms, trouble, count, n, true, seed).view(), formats);
      }
}

TEST_CASE("a product of doubles is rounded once to a narrower format") {
  // 1 + 2^-24 + 2^-64 - 2^-80: the nearest double is a tie of floats, of which the even one is 1.
  const double x = 1 + 0x1p-24 - 0x1p-40;
  const double y = 1 + 0x1p-40;
  const auto plan = compile(parse_order("seq"), 1, parse_formats("fp64:fp32"), true);
  std::vector<double> sums(1);
  RowSums(plan).evaluate(rows_of(&x, 1, 1, &y), sums);
  CHECK(sums[0] == 1 + 0x1p-23);
  CHECK(sum_of(*plan, view_of(&x, 1, &y)) == 1 + 0x1p-23);
}

const char* const kPlainPipelines[] = {"seq",
                                       "halving(8) | seq",
                                       "pairwise",
                                       "numpy",
                                       "strided(4) | halving(4)",
                                       "reverse | adjacent(8) | seq",
                                       "seq(acc=atomic)",
                                       "chunks(3,from=zero) | double_tree(2)"};

TEST_CASE("any number of rows") {
  const auto formats = formats_to_try();
  std::uint64_t seed = 2'000'000;
  for (const char* pipeline : kPlainPipelines)
    for (const std::size_t n : {1u, 3u, 8u, 33u, 256u})
      for (const std::size_t count : {1u, 15u, 16u, 17u, 127u, 129u, 511u, 513u, 1100u}) {
        if (n * count > 10'000) continue;
        const Formats& some = formats[++seed % formats.size()];
        check_rows(pipeline, SomeRows(some.terms, Trouble::wide, count, n, seed % 3 == 0, seed).view(), some);
      }
}

TEST_CASE("rows with gaps between them, rows that overlap, and one row many times") {
  constexpr std::size_t kNumbers = 400;
  const TypedTerms x(Format::fp32, troublesome_numbers(1, Format::fp32, Trouble::near_one, kNumbers));
  const TypedTerms y(Format::fp32, troublesome_numbers(2, Format::fp32, Trouble::near_one, kNumbers));
  for (const char* pipeline : {"adjacent(4) | seq", "seq(acc=kahan)", "shuffle | seq", "sort(asc) | pairwise"})
    for (const char* format : {"fp32", "fp32:fp64:bf16"})
      for (const std::size_t x_stride : {0u, 1u, 10u, 13u})
        for (const std::size_t y_stride : {0u, 3u, 10u, 11u}) {
          TermRows rows{Format::fp32, 29, 10, x.view().x, x_stride, nullptr, y_stride};
          check_rows(pipeline, rows, parse_formats(format));
          rows.y = y.view().x;
          check_rows(pipeline, rows, parse_formats(format));
        }
}

TEST_CASE("a row of an array is its terms") {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const std::vector<float> y{7, 8, 9, 10, 11, 12};
  const TermRows rows = rows_of(x.data(), 2, 3, y.data());
  CHECK(rows.products());
  CHECK(rows.row(1).n == 3);
  CHECK(rows.row(1).x == x.data() + 3);
  CHECK(rows.row(1).y == y.data() + 3);
  CHECK(!rows_of(x.data(), 2, 3).row(1).products());
}

TEST_CASE("a row's draws depend on its number, not on the rows of the call") {
  constexpr std::size_t kRows = 40;
  const std::vector<double> terms = troublesome_numbers(3, Format::fp64, Trouble::near_one, 50);
  const TermRows rows{Format::fp64, kRows, terms.size(), terms.data()};  // one row many times
  for (const char* pipeline : {"shuffle | seq", "tree", "halving(4) | arrive(jitter(3)) | seq(acc=atomic)"}) {
    CAPTURE(pipeline);
    const auto plan = compile(parse_order(pipeline), terms.size(), {});
    const RowSums row_sums(plan);
    const DrawPath first{.seed = 9, .site = 3, .step = 11, .output = 100};
    const Bits all = bits_by_rows(row_sums, rows, first, 6);
    CHECK(all == expected_bits(plan, rows, first, 6));
    CHECK(std::count(all.begin(), all.end(), all[0]) < std::ptrdiff_t{kRows});
    CHECK(all != bits_by_rows(row_sums, rows, first, 7));
    TermRows some = rows;
    some.count = 7;
    DrawPath later = first;
    *later.output += 20;
    CHECK(bits_by_rows(row_sums, some, later, 6) == Bits(all.begin() + 20, all.begin() + 27));
    // Without a number of the first output, it is 0.
    CHECK(bits_by_rows(row_sums, some, {.seed = 9}, 6) == bits_by_rows(row_sums, some, {.seed = 9, .output = 0}, 6));
  }
}

TEST_CASE("threads share row sums") {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kEach = 300;
  const SomeRows some(Format::fp64, Trouble::wide, kThreads * kEach, 24, false, 4);
  for (const char* pipeline : {"strided(8) | halving(8)", "shuffle | numpy"}) {
    CAPTURE(pipeline);
    const auto plan = compile(parse_order(pipeline), 24, {});
    const RowSums row_sums(plan);
    const TermRows all = some.view();
    std::vector<double> sums(all.count);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        TermRows part = all;
        part.count = kEach;
        part.x = all.row(t * kEach).x;
        row_sums.evaluate(part, std::span(sums).subspan(t * kEach, kEach), {.seed = 1, .output = t * kEach});
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(bits_of_all(sums) == expected_bits(plan, all, {.seed = 1, .output = 0}, 0));
  }
}

void check_error(const RowSums& row_sums, const TermRows& rows, std::size_t room, const DrawPath& first,
                 const std::string& message) {
  std::vector<double> sums(room, 12345);
  CHECK_THROWS_WITH_AS(row_sums.evaluate(rows, sums, first), message.c_str(), Error);
  CHECK(std::all_of(sums.begin(), sums.end(), [](double sum) { return sum == 12345; }));
}

TEST_CASE("rows that the plan is not for, sums without room, and outputs beyond the limit are errors") {
  const std::vector<double> x(32, 1.0);
  const std::vector<float> narrow(32, 1.0f);
  for (const char* pipeline : {"seq", "shuffle | seq"}) {
    const RowSums row_sums(compile(parse_order(pipeline), 4, {}));
    check_error(row_sums, rows_of(x.data(), 8, 3), 8, {}, "3 numbers of fp64: the plan is for 4 numbers of fp64");
    check_error(row_sums, rows_of(narrow.data(), 8, 4), 8, {}, "4 numbers of fp32: the plan is for 4 numbers of fp64");
    check_error(row_sums, rows_of(x.data(), 8, 4, x.data()), 8, {},
                "4 products of fp64: the plan is for 4 numbers of fp64");
    check_error(row_sums, rows_of(x.data(), 8, 4), 7, {}, "8 rows: there is room for 7 sums");
    check_error(row_sums, rows_of(x.data(), 0, 4), 1, {}, "0 rows: there is room for 1 sums");
    const std::string limit = std::to_string(DrawPath::kOutputLimit);
    check_error(row_sums, rows_of(x.data(), 8, 4), 8, {.output = DrawPath::kOutputLimit - 7},
                "output " + limit + " of a draw path: must be below " + limit);
    check_error(row_sums, rows_of(x.data(), 8, 4), 8, {.output = ~std::uint64_t{0}},
                "output 18446744073709551615 of a draw path: must be below " + limit);
    check_error(row_sums, rows_of(x.data(), 8, 4), 8, {.site = DrawPath::kSiteLimit},
                "site 65535 of a draw path: must be below 65535");
    std::vector<double> sums(8);
    row_sums.evaluate(rows_of(x.data(), 8, 4), sums, {.output = DrawPath::kOutputLimit - 8});
    CHECK(sums == std::vector<double>(8, 4.0));
  }
}

TEST_CASE("no rows have no sums") {
  for (const bool products : {false, true}) {
    const RowSums row_sums(compile(parse_order("seq"), 4, {}, products));
    row_sums.evaluate({}, {});
    CHECK(row_sums.plan().term_count() == 4);
  }
}

TEST_CASE("the sum of one row alone is its evaluator's") {
  const auto check = [](const std::string& pipeline, const TermView& terms, const Formats& formats) {
    CAPTURE(pipeline);
    CAPTURE(terms.n);
    const std::string format_text = to_string(formats);
    CAPTURE(format_text);
    const auto plan = compile(parse_order(pipeline), terms.n, formats, terms.products());
    const auto expected = std::bit_cast<std::uint64_t>(evaluate_once(*Evaluator::make(plan, terms, 3), 2).value);
    on_every_target([&] { CHECK(std::bit_cast<std::uint64_t>(sum_of(*plan, terms, 3, 2)) == expected); });
  };
  const auto formats = formats_to_try();
  std::uint64_t seed = 3'000'000;
  for (const bool products : {false, true})
    for (const std::string& pipeline : products ? product_pipelines() : numeric_pipelines())
      for (const std::size_t n : {1u, 8u, 300u, 1025u, 4131u}) {
        const Formats& some = formats[++seed % formats.size()];
        const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
        check(pipeline, SomeRows(some.terms, trouble, 1, n, products, seed).view().row(0), some);
      }
  for (const char* pipeline : {"halving(32) | pairwise(128)", "strided(8) | halving(8)", "adjacent(4096) | seq",
                               "tile(256,4) | halving(256) | pairwise", "numpy", "chunks(64) | shuffle | seq"})
    for (const char* format : {"fp64", "fp32", "fp16", "bf16:fp32"}) {
      const Formats some = parse_formats(format);
      check(pipeline, SomeRows(some.terms, Trouble::wide, 1, 100'003, false, ++seed).view().row(0), some);
    }
}

TEST_CASE("terms that the plan is not for have no sum") {
  const std::vector<double> x(5, 1.0);
  CHECK_THROWS_WITH_AS(sum_of(*compile(parse_order("seq"), 4, {}), view_of(x.data(), 5)),
                       "5 numbers of fp64: the plan is for 4 numbers of fp64", Error);
}

}  // namespace
