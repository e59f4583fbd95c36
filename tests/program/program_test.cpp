// Sums of programs against the evaluator of each, and against index_add as an operation.
#include "orderlab/program.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "order/resolve.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/output_sums.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

template <class T>
std::vector<T> some_numbers(std::uint64_t seed, std::size_t n, Trouble trouble = Trouble::cancelling) {
  const std::vector<double> numbers = troublesome_numbers(seed, kFormatOf<T>, trouble, n);
  return {numbers.begin(), numbers.end()};
}

/// As an evaluator adds x, or the products of x and y, in call `call` at a site.
template <class T>
T evaluated(const Order& order, const std::vector<T>& x, const std::vector<T>& y, DrawPath path, std::uint64_t sample) {
  constexpr Format kFormat = kFormatOf<T>;
  const TermView terms = view_of(x.data(), x.size(), y.empty() ? nullptr : y.data());
  const auto evaluator = Evaluator::make(order, terms, {kFormat, kFormat, kFormat}, path.key());
  const auto scratch = evaluator->make_scratch();
  return static_cast<T>(evaluator->evaluate(sample, *scratch).value);
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

constexpr const char* kOrders[] = {"seq",
                                   "seq(from=zero)",
                                   "shuffle | seq",
                                   "halving(32) | arrive(uniform) | seq(acc=atomic)",
                                   "shuffle | seq(acc=fma)",
                                   "pairwise",
                                   "tree"};

template <class T>
void check_sums() {
  for (const char* text : kOrders) {
    CAPTURE(text);
    const Order order = parse_order(text);
    const SumSite site(3, order);
    const bool fuses = std::string(text).find("fma") != std::string::npos;
    ProgramRun run(11, 5);
    std::uint64_t call = 0;
    for (const std::size_t n : std::initializer_list<std::size_t>{1, 2, 31, 33, 300}) {
      CAPTURE(n);
      const auto x = some_numbers<T>(n, n);
      const auto y = some_numbers<T>(n + 1, n, Trouble::ties);
      const auto path = [&] { return DrawPath{.seed = 11, .site = 3, .step = call++}; };
      CHECK(same_bits(run.dot<T>(site, x, y), evaluated<T>(order, x, y, path(), 5)));
      if (!fuses) CHECK(same_bits(run.sum<T>(site, x), evaluated<T>(order, x, {}, path(), 5)));
      CHECK(same_bits(run.norm2<T>(site, x), static_cast<T>(std::sqrt(evaluated<T>(order, x, x, path(), 5)))));
    }
  }
}

/// A matrix with rows of 0 to 9 entries.
template <class T>
SparseMatrix<T> some_matrix(std::size_t rows, std::size_t columns) {
  std::vector<Triplet> triplets;
  const auto values = some_numbers<float>(17, rows * 10, Trouble::ties);
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t e = 0; e < i % 10; ++e)
      triplets.push_back({i, static_cast<std::uint32_t>((i * 7 + e * 5) % columns), values[i * 10 + e]});
  return sparse_matrix<T>(rows, columns, triplets);
}

template <class T>
void check_spmv_by_rows() {
  const SparseMatrix<T> matrix = some_matrix<T>(60, 41);
  const auto x = some_numbers<T>(2, matrix.columns);
  for (const char* text : kOrders) {
    CAPTURE(text);
    const Order order = parse_order(text);
    const SumSite site(1, order);
    ProgramRun run(4, 9);
    std::vector<T> y(matrix.rows);
    for (std::uint64_t call = 0; call < 2; ++call) {
      run.spmv<T>(site, matrix, x, y);
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        std::vector<T> row, factors;
        for (std::uint32_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) {
          row.push_back(matrix.value[e]);
          factors.push_back(x[matrix.column[e]]);
        }
        const T expected =
            row.empty() ? T{0}
                        : evaluated<T>(order, row, factors, {.seed = 4, .site = 1, .step = call, .output = i}, 9);
        CHECK(same_bits(y[i], expected));
      }
    }
  }
}

template <class T>
Terms terms_of(const std::vector<T>& numbers) {
  Terms terms(kFormatOf<T>, numbers.size());
  std::memcpy(terms.bytes().data(), numbers.data(), numbers.size() * sizeof(T));
  return terms;
}

/// The index_add of `what` as the operation does it, where its units arrive as in call `call` of the site.
template <class T>
std::vector<T> as_operation(const IndexAdd& what, const std::vector<T>& source, const std::vector<T>& self,
                            const char* arrival, DrawPath path, std::uint64_t sample) {
  std::vector<T> slices;
  for (std::size_t i = 0; i < what.target.size(); ++i) {
    const std::size_t row = what.source.empty() ? i : what.source[i];
    slices.insert(slices.end(), source.begin() + static_cast<std::ptrdiff_t>(row * what.width),
                  source.begin() + static_cast<std::ptrdiff_t>((row + 1) * what.width));
  }
  constexpr Format kFormat = kFormatOf<T>;
  OperationInputs inputs{{{what.target.size(), what.width}, terms_of(slices)},
                         std::nullopt,
                         IndexTensor{{what.target.size()}, {what.target.begin(), what.target.end()}},
                         Tensor{{what.outputs, what.width}, terms_of(self)},
                         {kFormat, kFormat, kFormat}};
  const auto operation =
      std::make_shared<const LoweredOperation>(lower(parse_operation("index_add"), std::move(inputs)));
  const auto sums = OutputSums::make(operation, parse_arrival(arrival), path);
  std::vector<T> outputs(what.outputs * what.width);
  std::memcpy(outputs.data(), sums->launch().bytes().data(), outputs.size() * sizeof(T));
  std::vector<std::byte> varying(sums->result_bytes());
  const auto scratch = sums->make_scratch();
  sums->evaluate(sample, varying, *scratch);
  for (std::size_t i = 0; i < sums->varying().size(); ++i)
    std::memcpy(&outputs[sums->varying()[i]], varying.data() + i * sizeof(T), sizeof(T));
  return outputs;
}

IndexAdd some_index_add(std::size_t slices, std::size_t width, bool gathers) {
  IndexAdd what;
  what.outputs = 9;
  what.width = width;
  for (std::uint32_t i = 0; i < slices; ++i) {
    what.target.push_back((i * i + 3 * i) % 9);
    if (gathers) what.source.push_back((i * 5) % 7);
  }
  return what;
}

template <class T>
void check_index_add(Trouble trouble, std::initializer_list<std::size_t> sizes = {5, 17, 60, 300},
                     std::initializer_list<std::size_t> widths = {1, 3, 100, 128, 200, 256}) {
  for (const std::size_t slices : sizes)
    for (const std::size_t width : widths)
      for (const char* arrival : {"uniform", "launch", "jitter(3)"})
        for (const bool gathers : {false, true}) {
          CAPTURE(slices);
          CAPTURE(width);
          CAPTURE(arrival);
          const IndexAdd what = some_index_add(slices, width, gathers);
          const IndexAddSite site(2, what, arrival);
          const auto source = some_numbers<T>(1, (gathers ? 7 : slices) * width, trouble);
          const auto self = some_numbers<T>(2, what.outputs * width, trouble);
          ProgramRun run(6, 3);
          for (std::uint64_t call = 0; call < 2; ++call) {
            std::vector<T> outputs = self;
            run.index_add<T>(site, source, outputs);
            CHECK(same_bits(outputs,
                            as_operation<T>(what, source, self, arrival, {.seed = 6, .site = 2, .step = call}, 3)));
          }
        }
}

}  // namespace

TEST_CASE("call k of a site draws as its path says, with the bits of an evaluator") {
  on_each_target([] {
    check_sums<double>();
    check_sums<float>();
  });
}

TEST_CASE("outputs of a matrix product draw by themselves") {
  const SumSite site(0, parse_order("shuffle | seq"));
  const std::size_t m = 3, k = 40, n = 2;
  const auto a = some_numbers<float>(1, m * k), b = some_numbers<float>(2, k * n);
  ProgramRun run(8, 2);
  std::vector<float> c(m * n);
  run.matmul<float>(site, m, k, n, a, b, c);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::vector<float> row(a.begin() + static_cast<std::ptrdiff_t>(i * k),
                                   a.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
      std::vector<float> column(k);
      for (std::size_t e = 0; e < k; ++e) column[e] = b[e * n + j];
      CHECK(same_bits(c[i * n + j], evaluated<float>(site.order(), row, column,
                                                     {.seed = 8, .site = 0, .step = 0, .output = j * m + i}, 2)));
    }
}

TEST_CASE("rows of a sparse product are added by the order of their site") {
  check_spmv_by_rows<double>();
  check_spmv_by_rows<float>();
}

TEST_CASE("an index_add of a program has the bits of the operation") {
  on_each_target([] {
    check_index_add<float>(Trouble::cancelling, {300}, {3, 200});
    check_index_add<float>(Trouble::subnormal, {60}, {3, 200});  // atomics flush
  });
  check_index_add<float>(Trouble::cancelling);
  check_index_add<double>(Trouble::cancelling);
}

TEST_CASE("outputs that are not wanted are left alone, and the others do not change") {
  const IndexAdd all = some_index_add(300, 200, false);
  IndexAdd some = all;
  some.wanted = {1, 4};
  const auto source = some_numbers<float>(1, 300 * 200);
  std::vector<float> a(9 * 200), b(9 * 200);
  ProgramRun(1, 0).index_add<float>(IndexAddSite(0, all), source, a);
  ProgramRun(1, 0).index_add<float>(IndexAddSite(0, some), source, b);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(same_bits(b[i], i / 200 == 1 || i / 200 == 4 ? a[i] : 0.0f));
}

TEST_CASE("a product with a matrix in coordinate format adds its products as index_add does") {
  const SparseMatrix<float> matrix = some_matrix<float>(600, 41);  // rows of one unit, of two units, and empty ones
  SparseMatrix<float> wide{2, 400, {0, 1, 400}, {}, some_numbers<float>(5, 400, Trouble::subnormal)};  // and of four
  for (std::uint32_t i = 0; i < 400; ++i) wide.column.push_back(i);
  for (const SparseMatrix<float>* const one : std::initializer_list<const SparseMatrix<float>*>{&matrix, &wide}) {
    const IndexAddSite site(3, coordinate_product(*one));
    CHECK(site.varies());
    const auto x = some_numbers<float>(4, one->columns);
    std::vector<float> products(one->entries());
    for (std::size_t e = 0; e < products.size(); ++e) products[e] = one->value[e] * x[one->column[e]];
    for (const std::uint64_t sample : {0u, 1u, 2u}) {
      std::vector<float> y(one->rows, 7.0f), added(one->rows);
      ProgramRun(1, sample).spmv<float>(site, *one, x, y);
      ProgramRun(1, sample).index_add<float>(site, products, added);
      CHECK(same_bits(y, added));
    }
  }
}

TEST_CASE("in launch order no run differs; exact sums do not depend on the order") {
  const auto x = some_numbers<double>(1, 1000);
  const auto source = some_numbers<float>(3, 300 * 200);
  const SparseMatrix<double> matrix = some_matrix<double>(60, 41);
  const IndexAddSite slices(1, some_index_add(300, 200, false));
  const IndexAddSite entries(2, coordinate_product(matrix));
  const auto results = [&](Reductions reductions, std::uint64_t sample, const char* order) {
    const SumSite site(0, parse_order(order));
    ProgramRun run(1, sample, reductions);
    std::vector<float> outputs(9 * 200);
    run.index_add<float>(slices, source, outputs);
    std::vector<double> y(matrix.rows);
    run.spmv<double>(entries, matrix, std::span(x).first(matrix.columns), y);
    std::vector<double> all(outputs.begin(), outputs.end());
    all.insert(all.end(), y.begin(), y.end());
    run.spmv<double>(site, matrix, std::span(x).first(matrix.columns), y);
    all.insert(all.end(), y.begin(), y.end());
    all.push_back(run.sum<double>(site, x));
    all.push_back(run.dot<double>(site, x, x));
    return all;
  };
  const auto launch = results(Reductions::launch, 0, "shuffle | seq");
  const auto exact = results(Reductions::exact, 0, "shuffle | seq");
  CHECK(!same_bits(results(Reductions::drawn, 0, "shuffle | seq"), results(Reductions::drawn, 1, "shuffle | seq")));
  CHECK(same_bits(results(Reductions::launch, 1, "shuffle | seq"), launch));
  CHECK(same_bits(results(Reductions::exact, 1, "shuffle | seq"), exact));
  CHECK(same_bits(results(Reductions::exact, 2, "pairwise"), exact));
  CHECK(same_bits(exact[exact.size() - 2], exact_sum(x).to_double()));
}

TEST_CASE("runs of a program are the same on any number of threads, and from any first sample") {
  const SumSite site(0, parse_order("shuffle | seq"));
  const auto x = some_numbers<double>(5, 500);
  const auto body = [&](ProgramRun& run) {
    double total = 0;
    for (int step = 0; step < 5; ++step) total += run.sum<double>(site, x) / (step + 1);
    return total;
  };
  const auto one = run_samples<double>({.seed = 3, .samples = 40, .threads = 1}, body);
  const auto some = run_samples<double>({.seed = 3, .samples = 40, .threads = 5}, body);
  const auto later = run_samples<double>({.seed = 3, .first = 30, .samples = 10}, body);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(same_bits(*one[i], *some[i]));
    if (i >= 30) CHECK(same_bits(*one[i], *later[i - 30]));
  }
}

TEST_CASE("a stop begins no further run") {
  std::stop_source stop;
  std::uint64_t reported = 0;
  const auto results = run_samples<int>({.samples = 100,
                                         .threads = 1,
                                         .stop = stop.get_token(),
                                         .progress = [&](std::uint64_t done, std::uint64_t) { reported = done; }},
                                        [&](ProgramRun& run) {
                                          if (run.sample() == 4) stop.request_stop();
                                          return 1;
                                        });
  CHECK(results[4]);
  CHECK(!results[5]);
  CHECK(reported == 5);
}

TEST_CASE("programs refuse lengths and indices that do not fit") {
  const SumSite site(0, parse_order("seq"));
  ProgramRun run(1, 0);
  const std::vector<double> two{1, 2}, three{1, 2, 3};
  CHECK_THROWS_WITH_AS(run.dot<double>(site, two, three), "dot: an array has 2 numbers; it must have 3", Error);
  CHECK_THROWS_WITH_AS(IndexAddSite(0, {.target = {0, 7}, .outputs = 7}), "index_add: target 1 is 7; must be below 7",
                       Error);
  CHECK_THROWS_AS(SumSite(DrawPath::kSiteLimit, parse_order("seq")), Error);
  CHECK(run.sum<double>(site, {}) == 0);
  const SparseMatrix<double> one = some_matrix<double>(60, 41);
  const IndexAddSite other(1, coordinate_product(some_matrix<double>(50, 41)));
  std::vector<double> x(41), y(60);
  CHECK_THROWS_AS(run.spmv<double>(other, one, x, y), Error);
}
