// The list of matrices made by formula, and how they are written.
#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "core/text.hpp"
#include "order/resolve.hpp"
#include "order/syntax.hpp"
#include "orderlab/solver.hpp"

/// One line for each, the constant that its file defines, in the order that users see.
#define ORDERLAB_MATRICES(ENTRY) \
  ENTRY(kPoisson2d)              \
  ENTRY(kPoisson3d)              \
  ENTRY(kConvection2d)

namespace orderlab {

#define ORDERLAB_DECLARE_MATRIX(constant) extern const MatrixFormula constant;
ORDERLAB_MATRICES(ORDERLAB_DECLARE_MATRIX)
#undef ORDERLAB_DECLARE_MATRIX

namespace {

#define ORDERLAB_ADDRESS(constant) &constant,
constexpr const MatrixFormula* kMatrices[] = {ORDERLAB_MATRICES(ORDERLAB_ADDRESS)};
#undef ORDERLAB_ADDRESS

}  // namespace

std::span<const MatrixFormula* const> matrix_formulas() { return kMatrices; }

MatrixCall parse_matrix(std::string_view text) {
  const FloatEnvironment environment;
  const SyntaxCall call = parse_call("matrix", text);
  std::vector<std::string> known;
  for (const MatrixFormula* formula : matrix_formulas()) {
    known.emplace_back(formula->name);
    if (formula->name != call.name) continue;
    const Resolver resolver("matrix", text, built_in_vocabulary(), {});
    return {formula, resolver.arguments(call, formula->parameters)};
  }
  fail_at("matrix", text, call.position,
          unknown_name("matrix", call.name, known) + " (names of Matrix Market files end in .mtx)");
}

std::string to_string(const MatrixCall& call) {
  const FloatEnvironment environment;
  return call_text(call.formula->name, call.formula->parameters, call.arguments);
}

CoordinateMatrix scaled(CoordinateMatrix matrix, std::span<const double> d) {
  const FloatEnvironment environment;
  each_in_pass(matrix.entries.size(), [&](std::size_t i) {
    Triplet& t = matrix.entries[i];
    t.value *= d[t.row] * d[t.column];
  });
  return matrix;
}

}  // namespace orderlab
