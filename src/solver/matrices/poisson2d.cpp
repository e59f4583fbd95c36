// The Poisson equation on a square, five points.
#include "solver/matrices/grid_matrix.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSideOfSquare[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 4096}};

CoordinateMatrix poisson2d(const Arguments& arguments) {
  return grid_matrix<2>(arguments.count(0), {{{2, -1, -1}, {2, -1, -1}}});
}

}  // namespace

extern const MatrixFormula kPoisson2d;
const MatrixFormula kPoisson2d{
    .name = "poisson2d",
    .parameters = kSideOfSquare,
    .summary = "Poisson equation on k x k points: 4 on the diagonal, -1 for each of 4 neighbours",
    .make = poisson2d,
};

}  // namespace orderlab
