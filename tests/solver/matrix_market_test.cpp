// Matrix Market files: what is read, and every way to be refused.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "orderlab/solver.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

CoordinateMatrix read_text(const std::string& text) {
  const TemporaryFile file("a.mtx", text);
  return read_matrix_market(file.path());
}

std::vector<std::vector<double>> dense(const CoordinateMatrix& matrix) {
  std::vector<std::vector<double>> a(matrix.rows, std::vector<double>(matrix.columns, 0.0));
  for (const Triplet& t : matrix.entries) a[t.row][t.column] += t.value;
  return a;
}

/// The message for this text; it begins with the file, and the line where there is one.
std::string refusal(const std::string& text) {
  const TemporaryFile file("a.mtx", text);
  const std::string message = message_of(ErrorKind::input, [&] { read_matrix_market(file.path()); });
  return message.starts_with(file.path() + ":") ? message.substr(file.path().size() + 1) : "elsewhere: " + message;
}

using Dense = std::vector<std::vector<double>>;
const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";

}  // namespace

TEST_CASE("entries of every kind of file stand where they belong") {
  CHECK(dense(read_text(kReal + "% a comment\n\n2 3 3\n1 1 2.5\n2 3 -1e-3\r\n\n  1\t2   0x1.8p1  \n")) ==
        Dense{{2.5, 3, 0}, {0, 0, -1e-3}});
  CHECK(dense(read_text("%%matrixmarket MATRIX Coordinate Integer Symmetric\n2 2 2\n1 1 4\n2 1 -7\n")) ==
        Dense{{4, -7}, {-7, 0}});
  CHECK(dense(read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n")) ==
        Dense{{0, -3}, {3, 0}});
  CHECK(dense(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 2\n3 1\n")) ==
        Dense{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}});
  CHECK(dense(read_text("%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n")) == Dense{{0, 1}});
  CHECK(dense(read_text(kReal + "1 1 2\n1 1 1\n1 1 2\n")) == Dense{{3}});  // entries of one place are added
  CHECK(read_text(kReal + "0 0 0\n").entries.empty());
  CHECK(read_text(kReal + "3 2 0\n").columns == 2);
}

TEST_CASE("whatever is wrong with a file is refused, with its line and what would be right") {
  CHECK(contains(refusal(""), "is empty; a Matrix Market file begins with %%MatrixMarket"));
  CHECK(contains(refusal("1 1 1\n1 1 2\n"), "1: '1 1 1' is not the first line of a Matrix Market file"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate real\n"), "1: the header has 4 words; it must have 5"));
  CHECK(contains(refusal("%%MatrixMarket vector coordinate real general\n"), "1: the header says 'vector'"));
  CHECK(contains(refusal("%%MatrixMarket matrix array real general\n2 2\n"), "write it in coordinate format"));
  CHECK(contains(refusal("%%MatrixMarket matrix elemental real general\n"), "the format must be coordinate"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate complex general\n"), "real, integer or pattern"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate real hermitian\n"), "general, symmetric or skew-symmetric"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"), "general or symmetric"));
  CHECK(contains(refusal(kReal), "ends before the sizes"));
  CHECK(contains(refusal(kReal + "2 2\n"), "2: '2 2' are not the sizes; write ROWS COLUMNS ENTRIES"));
  CHECK(contains(refusal(kReal + "2 2 -1\n"), "2: '-1' is not a size"));
  CHECK(contains(refusal(kReal + "2 1e1 1\n"), "2: '1e1' is not a size"));
  CHECK(contains(refusal(kReal + "2 2147483648 1\n"), "below 2^31"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"), "2: the sizes are 2 x 3"));
  CHECK(contains(refusal(kReal + "2 2 2\n1 1 1\n"), "ends after 1 of 2 entries"));
  CHECK(contains(refusal(kReal + "2 2 1\n1 1 1\n2 2 1\n"), "4: more entries than the 1 that the sizes announce"));
  CHECK(contains(refusal(kReal + "% x\n2 2 1\n0 1 1\n"), "4: row '0': must be a whole number from 1 to 2"));
  CHECK(contains(refusal(kReal + "2 2 1\n1 3 1\n"), "3: column '3': must be a whole number from 1 to 2"));
  CHECK(contains(refusal(kReal + "2 2 1\n1.0 1 1\n"), "3: row '1.0'"));
  CHECK(contains(refusal(kReal + "2 2 1\n1 1\n"), "3: '1 1' is not an entry; write ROW COLUMN VALUE"));
  CHECK(contains(refusal(kReal + "2 2 1\n1 1 2 3\n"), "is not an entry"));
  CHECK(contains(refusal(kReal + "2 2 1\n1 1 1.0D+00\n"), "3: '1.0D+00' is not a finite number"));
  for (const char* value : {"nan", "inf", "1e999", "x", "1,5"})
    CHECK(contains(refusal(kReal + "2 2 1\n1 1 " + value + "\n"), "is not a finite number"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n"), "write ROW COLUMN"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"), "3: the entry is above"));
  CHECK(contains(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n"), "not below"));
  CHECK(message_of(ErrorKind::input, [] { read_matrix_market("no/such.mtx"); }) != "no error");
}

TEST_CASE("matrices by formula have the entries of their equations") {
  for (const MatrixFormula* formula : matrix_formulas()) {
    CAPTURE(std::string(formula->name));
    CHECK(!formula->summary.empty());
    const MatrixCall call = parse_matrix(std::string(formula->name) + "(3)");
    CHECK(parse_matrix(to_string(call)).formula == formula);
    const CoordinateMatrix matrix = formula->make(call.arguments);
    const Dense a = dense(matrix);
    REQUIRE(matrix.rows == matrix.columns);
    for (std::size_t i = 0; i < a.size(); ++i) {
      double off = 0;
      for (std::size_t j = 0; j < a.size(); ++j)
        if (i != j) off += std::abs(a[i][j]);
      CHECK(a[i][i] >= off);  // diagonally dominant, for c <= 1
    }
  }
  const MatrixCall poisson = parse_matrix("poisson2d(2)");
  CHECK(dense(poisson.formula->make(poisson.arguments)) ==
        Dense{{4, -1, -1, 0}, {-1, 4, 0, -1}, {-1, 0, 4, -1}, {0, -1, -1, 4}});
  const MatrixCall cube = parse_matrix("poisson3d(2)");
  CHECK(dense(cube.formula->make(cube.arguments))[5] == std::vector<double>{0, -1, 0, 0, -1, 6, 0, -1});
  const MatrixCall wind = parse_matrix("convection2d(2,0.25)");
  CHECK(dense(wind.formula->make(wind.arguments)) ==
        Dense{{4, -0.75, -1, 0}, {-1.25, 4, 0, -1}, {-1, 0, 4, -0.75}, {0, -1, -1.25, 4}});
  for (const char* wrong :
       {"poisson2d", "poisson2d(0)", "poisson2d(1.5)", "poisson4d(3)", "poisson3d(1e9)", "", "x.mtx.gz"})
    CHECK(message_of(ErrorKind::usage, [&] { parse_matrix(wrong); }) != "no error");
  const std::vector<double> d{0.1, 3, 7, 1.7};
  const Dense s = dense(scaled(poisson.formula->make(poisson.arguments), d));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) CHECK(s[i][j] == s[j][i]);
  CHECK(s[1][3] == -1 * (3 * 1.7));
}
