// Systems of equations: matrices by formula or from files, scaled; right-hand sides.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/solve.hpp"
#include "orderlab/terms.hpp"
#include "study/solve_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kRightNumber = 0;  // numbers of the inputs that are drawn from one seed
constexpr std::uint64_t kScaleNumber = 1;

/// Error(input) naming the first number that is not finite, unless all are.
void require_finite(const std::vector<double>& numbers, const std::string& file) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw Error(ErrorKind::input, fmt::format("{}: number {} is {}; a right-hand side has finite numbers only", file,
                                                i + 1, shortest(numbers[i])));
}

/// The same of a matrix: sums of entries of one place, and scaling, may overflow.
void require_finite(const SparseMatrix<double>& matrix, const std::string& name) {
  for (std::uint32_t row = 0; row < matrix.rows; ++row)
    for (std::uint32_t e = matrix.row_begin[row]; e < matrix.row_begin[row + 1]; ++e)
      if (!std::isfinite(matrix.value[e]))
        throw Error(ErrorKind::input,
                    fmt::format("{}: the entry in row {}, column {} is {} after entries of one place are added, and "
                                "scaling; a matrix has finite numbers only",
                                name, row + 1, matrix.column[e] + 1, shortest(matrix.value[e])));
}

/// "xxh3:" and 32 hex digits: XXH3-128 of the sizes, row_begin, the columns and the values.
std::string hash_of_matrix(const SparseMatrix<double>& matrix) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  const auto add = [&](const void* from, std::size_t size) {
    stop_point();
    XXH3_128bits_update(state.get(), from, size);
  };
  const std::uint64_t sizes[] = {matrix.rows, matrix.columns};
  add(sizes, sizeof sizes);
  add(matrix.row_begin.data(), matrix.row_begin.size() * sizeof(std::uint32_t));
  add(matrix.column.data(), matrix.column.size() * sizeof(std::uint32_t));
  add(matrix.value.data(), matrix.value.size() * sizeof(double));
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
}

double entry_of(const SparseMatrix<double>& matrix, std::uint32_t row, std::uint32_t column) {
  const auto begin = matrix.column.begin() + matrix.row_begin[row];
  const auto end = matrix.column.begin() + matrix.row_begin[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found == end || *found != column ? 0 : matrix.value[static_cast<std::size_t>(found - matrix.column.begin())];
}

bool is_symmetric(const SparseMatrix<double>& matrix) {
  bool symmetric = true;
  each_in_pass(matrix.rows, [&](std::size_t row) {
    const auto i = static_cast<std::uint32_t>(row);
    for (std::uint32_t e = matrix.row_begin[i]; symmetric && e < matrix.row_begin[i + 1]; ++e)
      symmetric = entry_of(matrix, matrix.column[e], i) == matrix.value[e];
  });
  return symmetric;
}

SparseMatrix<double> rows_of(const CoordinateMatrix& matrix) {
  return sparse_matrix<double>(matrix.rows, matrix.columns, matrix.entries);
}

CoordinateMatrix matrix_of(const std::string& text, SystemFacts& facts) {
  if (text.ends_with(".mtx")) {
    CoordinateMatrix matrix = read_matrix_market(text);
    facts.file_hash = hash_of_matrix(rows_of(matrix));
    return matrix;
  }
  if (text.ends_with(".mtx.gz")) throw Error(ErrorKind::usage, text + ": is compressed; unpack it first, with gunzip");
  const MatrixCall call = parse_matrix(text);
  facts.matrix = to_string(call);
  return call.formula->make(call.arguments);
}

std::vector<double> numbers_of(const Terms& terms) {
  std::vector<double> numbers(terms.size());
  each_in_pass(numbers.size(), [&](std::size_t i) { numbers[i] = terms.view().left(i); });
  return numbers;
}

std::vector<double> scaling(std::size_t n, double decades, std::uint64_t seed) {
  const std::string distribution = "uniform(" + shortest(-decades / 2) + "," + shortest(decades / 2) + ")";
  std::vector<double> d = numbers_of(generate_terms(distribution, n, Format::fp64, seed, kScaleNumber));
  each_in_pass(d.size(), [&](std::size_t i) { d[i] = std::pow(10.0, d[i]); });
  return d;
}

std::vector<double> right_of(const SystemSource& source, std::size_t n, SystemFacts& facts) {
  if (source.right_file.empty())
    return numbers_of(generate_terms("uniform(-1,1)", n, Format::fp64, source.seed, kRightNumber));
  const Terms terms = read_terms(source.right_file, std::nullopt);
  if (terms.size() != n)
    throw Error(ErrorKind::input, source.right_file + ": has " + std::to_string(terms.size()) +
                                      " numbers; the matrix has " + std::to_string(n) + " rows");
  facts.right_hash = terms.hash();
  std::vector<double> numbers = numbers_of(terms);
  require_finite(numbers, source.right_file);
  return numbers;
}

}  // namespace

SolveInput solve_input(const SystemSource& source, const Watch& watch) {
  const FloatEnvironment environment;
  kSystemOptions.check(source);
  const WatchedWork work(watch, "system of equations");
  SolveInput input;
  SystemFacts& facts = input.facts;
  facts.scale = source.scale;
  facts.seed = source.seed;
  input.matrix = matrix_of(source.matrix, facts);
  const std::size_t n = input.matrix.rows;
  const std::string shape = std::to_string(n) + " x " + std::to_string(input.matrix.columns);
  if (n != input.matrix.columns)
    throw Error(ErrorKind::input, source.matrix + ": is " + shape + "; a system to solve has as many columns as rows");
  if (n == 0) throw Error(ErrorKind::input, source.matrix + ": is " + shape + "; there is nothing to solve");
  if (source.scale > 0) input.matrix = scaled(std::move(input.matrix), scaling(n, source.scale, source.seed));
  const SparseMatrix<double> rows = rows_of(input.matrix);
  require_finite(rows, source.matrix);
  facts.rows = n;
  facts.entries = rows.entries();
  facts.symmetric = is_symmetric(rows);
  facts.hash = hash_of_matrix(rows);
  input.right = right_of(source, n, facts);
  return input;
}

}  // namespace orderlab::study
