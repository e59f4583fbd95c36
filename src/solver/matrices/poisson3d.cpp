// The Poisson equation on a cube, seven points.
#include "solver/matrices/grid_matrix.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSideOfCube[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 256}};

CoordinateMatrix poisson3d(const Arguments& arguments) {
  return grid_matrix<3>(arguments.count(0), {{{2, -1, -1}, {2, -1, -1}, {2, -1, -1}}});
}

}  // namespace

extern const MatrixFormula kPoisson3d;
const MatrixFormula kPoisson3d{
    .name = "poisson3d",
    .parameters = kSideOfCube,
    .summary = "Poisson equation on k x k x k points: 6 on the diagonal, -1 for each of 6 neighbours",
    .make = poisson3d,
};

}  // namespace orderlab
