// Proofs over every order: random trees of an output's numbers are never excluded, and all else is where numbers are
// few.
#include "operation/every_order.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/ordered_number.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "run/addition.hpp"

namespace orderlab::testing {

namespace {

/// The numbers of an output of an operation that adds where an index says.
std::vector<double> numbers_of(const LoweredOperation& operation, std::size_t r) {
  const Contributions& rows = operation.raw ? *operation.raw : operation.rows;
  std::vector<double> numbers;
  for (std::size_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c) numbers.push_back(rows.values.view().left(c));
  if (operation.rows.initial) numbers.push_back(operation.rows.initial->view().left(r));
  return numbers;
}

/// Bits of a sum that is kept in fp32: divided there, and rounded once.
std::uint64_t finished_bits_of_fp32(const LoweredOperation& operation, std::size_t r, float sum) {
  if (!operation.divide_by.empty()) sum /= static_cast<float>(operation.divide_by[r]);
  return round_to_bits(operation.formats.result, static_cast<double>(sum));
}

std::uint64_t finished_bits(const LoweredOperation& operation, std::size_t r, double sum) {
  const Formats& formats = operation.formats;
  sum = value_of_bits(formats.accumulate, round_to_bits(formats.accumulate, sum));
  if (!operation.divide_by.empty())
    sum = value_of_bits(formats.accumulate,
                        round_to_bits(formats.accumulate, sum / static_cast<double>(operation.divide_by[r])));
  return round_to_bits(formats.result, sum);
}

template <class T>
T combined(T a, T b, Combine combine, bool flush) {
  if (combine == Combine::multiply) return a * b;
  if constexpr (std::is_same_v<T, float>)
    if (flush) return added<float, true>(a, b);
  return added<T, false>(a, b);
}

/// A random tree over the numbers, each addition flushing or not where `flushes`.
template <class T>
double random_sum(const std::vector<double>& numbers, Combine combine, bool flushes, IndexGenerator& draw) {
  std::vector<T> left;
  for (const double x : numbers) left.push_back(round_to<T>(x));
  if (left.empty()) return combine == Combine::multiply ? 1 : 0;
  while (left.size() > 1) {
    const std::size_t i = below(draw, left.size());
    std::swap(left[i], left.back());
    const T a = left.back();
    left.pop_back();
    T& b = left[below(draw, left.size())];
    b = combined(a, b, combine, flushes && chance(draw, 2));
  }
  return static_cast<double>(left.front());
}

/// The results of all trees.
void add_all_sums(std::vector<float> left, std::set<std::uint64_t>& results) {
  if (left.size() == 1) {
    results.insert(bits_of(left.front()));
    return;
  }
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = i + 1; j < left.size(); ++j) {
      std::vector<float> next = left;
      next[i] = left[i] + left[j];
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(j));
      add_all_sums(std::move(next), results);
    }
}

}  // namespace

TEST_CASE("no sum of any tree is excluded, in any format, flushed or not") {
  std::uint64_t judged = 0;
  for (const char* text : kIndexedOperations)
    for (const FormatInfo& format : kFormats)
      for (const Trouble trouble : kTroubles)
        for (std::uint64_t seed = 0; seed < trials(3); ++seed) {
          CAPTURE(text);
          CAPTURE(format.name);
          CAPTURE(seed);
          const auto operation = some_operation(text, format.format, trouble, seed);
          const ExactRows exact = exact_outputs(*operation);
          IndexGenerator draw(RandomStream(seed, 91, 0), 0);
          for (const Flushing flushing : {Flushing::either, Flushing::no}) {
            const EveryOrder proof(*operation, exact, flushing);
            const bool flushes = format.format == Format::fp32 && flushing == Flushing::either;
            for (std::size_t r = 0; r < operation->outputs(); ++r) {
              const std::vector<double> numbers = numbers_of(*operation, r);
              const Combine combine = operation->addition.combine;
              const double sum = with_type_of(format.format, [&](auto* type) {
                using T = std::remove_pointer_t<decltype(type)>;
                return random_sum<T>(numbers, combine, flushes, draw);
              });
              CHECK(!proof.excludes(r, finished_bits(*operation, r, sum)));
              if (format.bits == 16) {
                const double wide = random_sum<float>(numbers, combine, false, draw);
                CHECK(!proof.excludes(r, finished_bits(*operation, r, wide)));
                CHECK(!proof.excludes(r, finished_bits_of_fp32(*operation, r, static_cast<float>(wide))));
              }
              ++judged;
            }
          }
        }
  CHECK(judged > 10000);
}

TEST_CASE("the mean of a 16-bit format may be divided in fp32 and rounded once") {
  const std::vector<double> numbers{4.40625, 3.5, 0.375, 0, 0};
  OperationInputs inputs{tensor_of(Format::bf16, {5, 1}, numbers),
                         std::nullopt,
                         IndexTensor{{5, 1}, {0, 0, 0, 0, 0}},
                         std::nullopt,
                         {Format::bf16, Format::bf16, Format::bf16}};
  const auto operation = lower(parse_operation("scatter_reduce(mean)"), inputs);
  const ExactRows exact = exact_outputs(operation);
  const EveryOrder proof(operation, exact, Flushing::no);
  REQUIRE(operation.divide_by.at(0) == 6);
  CHECK(!proof.excludes(0, round_to_bits(Format::bf16, 1.3828125)));  // 8.28125 / 6; of 8.25, the sum in bf16, 1.375
  CHECK(!proof.excludes(0, round_to_bits(Format::bf16, 1.375)));
  CHECK(proof.excludes(0, round_to_bits(Format::bf16, 1.390625)));
}

TEST_CASE("of few numbers everything is excluded that no tree gives") {
  std::uint64_t excluded = 0;
  std::uint64_t allowed = 0;
  for (std::uint64_t seed = 0; seed < trials(30); ++seed) {
    const auto operation = some_operation("scatter_add", Format::fp32, Trouble::near_one, seed);
    const ExactRows exact = exact_outputs(*operation);
    const EveryOrder proof(*operation, exact, Flushing::no);
    for (std::size_t r = 0; r < operation->outputs(); ++r) {
      const std::vector<double> numbers = numbers_of(*operation, r);
      if (numbers.size() < 2 || numbers.size() > 5) continue;
      std::set<std::uint64_t> results;
      add_all_sums({numbers.begin(), numbers.end()}, results);
      float value = static_cast<float>(exact.high[r]);
      for (int i = 0; i < 4; ++i) value = std::nextafter(value, -1e9F);
      for (int i = 0; i < 9; ++i, value = std::nextafter(value, 1e9F)) {
        const bool reachable =
            results.count(bits_of(value)) > 0 || round_to_bits(Format::fp32, exact.high[r]) == bits_of(value);
        CHECK(proof.excludes(r, bits_of(value)) == !reachable);
        ++(reachable ? allowed : excluded);
      }
    }
  }
  CHECK(allowed > 100);
  CHECK(excluded > 100);
}

TEST_CASE("whole numbers have one sum in every order, of however many") {
  OperationInputs inputs{tensor_of(Format::fp32, {3000}, std::vector<double>(3000, 3.0)),
                         std::nullopt,
                         IndexTensor{{3000}, std::vector<std::int64_t>(3000, 0)},
                         std::nullopt,
                         {Format::fp32, Format::fp32, Format::fp32}};
  const auto operation = lower(parse_operation("scatter_add"), inputs);
  const ExactRows exact = exact_outputs(operation);
  const EveryOrder proof(operation, exact, Flushing::either);
  CHECK(!proof.excludes(0, bits_of(9000.0F)));
  CHECK(proof.excludes(0, bits_of(9001.0F)));
  CHECK(proof.excludes(0, bits_of(std::nextafter(9000.0F, 0.0F))));
}

TEST_CASE("whether sums flush decides what is excluded near the least normal number") {
  const double x = 0x1p-127;
  OperationInputs inputs{tensor_of(Format::fp32, {3}, {x, x, x}),
                         std::nullopt,
                         IndexTensor{{3}, {0, 0, 0}},
                         std::nullopt,
                         {Format::fp32, Format::fp32, Format::fp32}};
  const auto operation = lower(parse_operation("scatter_add"), inputs);
  const ExactRows exact = exact_outputs(operation);
  const std::uint64_t kept = bits_of(static_cast<float>(3 * x));
  const auto excludes = [&](Flushing flushing, std::uint64_t bits) {
    return EveryOrder(operation, exact, flushing).excludes(0, bits);
  };
  CHECK(!excludes(Flushing::either, kept));
  CHECK(!excludes(Flushing::either, 0));
  CHECK(!excludes(Flushing::no, kept));
  CHECK(excludes(Flushing::no, 0));
  CHECK(excludes(Flushing::yes, kept));
  CHECK(!excludes(Flushing::yes, 0));
  CHECK(excludes(Flushing::either, bits_of(static_cast<float>(5 * x))));
}

TEST_CASE("products may be fused or rounded first, in any order") {
  const OperationCall call = parse_operation("matmul(6,7,40,split_k=3)");
  const auto operation = lower(call, generated_inputs(call, GeneratedInputs()));
  const ExactRows exact = exact_outputs(operation);
  const EveryOrder proof(operation, exact, Flushing::either);
  IndexGenerator draw(RandomStream(5, 92, 0), 0);
  TermBuffer buffer;
  for (std::size_t r = 0; r < operation.outputs(); ++r) {
    const TermView row = operation.terms.row(r, buffer);
    std::vector<float> sums(1 + below(draw, 5));
    for (std::size_t i = 0; i < row.n; ++i) {
      float& sum = sums[below(draw, sums.size())];
      const auto x = static_cast<float>(row.left(i));
      const auto y = static_cast<float>(row.right(i));
      sum = chance(draw, 2) ? std::fma(x, y, sum) : sum + x * y;
    }
    float all = 0;
    for (const float sum : sums) all += sum;
    CHECK(!proof.excludes(r, bits_of(all)));
    CHECK(proof.excludes(r, bits_of(all + static_cast<float>(row.left(3) * row.right(3)))));
  }
}

TEST_CASE("outputs of a scan are sums of the terms before them, in any order") {
  const OperationCall call = parse_operation("cumsum");
  const auto operation = lower(call, generated_inputs(call, GeneratedInputs{.shape = {300}}));
  const ExactRows exact = exact_outputs(operation);
  const EveryOrder proof(operation, exact, Flushing::either);
  IndexGenerator draw(RandomStream(6, 93, 0), 0);
  const TermView terms = operation.scan->terms.view();
  std::vector<double> numbers;
  for (std::size_t i = 0; i < terms.n; ++i) {
    numbers.push_back(terms.left(i));
    const double sum = random_sum<float>(numbers, Combine::add, true, draw);
    CHECK(!proof.excludes(i, bits_of(static_cast<float>(sum))));
    CHECK(proof.excludes(i, bits_of(static_cast<float>(sum) + 0.25F)));
  }
}

}  // namespace orderlab::testing
