// Convection and diffusion on a square, central differences: not symmetric.
#include "solver/matrices/grid_matrix.hpp"

namespace orderlab {

namespace {

constexpr Parameter kConvectionParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1, .high = 4096},
    {.name = "c", .kind = ParameterKind::real, .default_text = "0.5", .low = -1e6, .high = 1e6}};

CoordinateMatrix convection2d(const Arguments& arguments) {
  const double c = arguments.real(1);
  return grid_matrix<2>(arguments.count(0), {{{2, -1, -1}, {2, -1 - c, -1 + c}}});
}

}  // namespace

extern const MatrixFormula kConvection2d;
const MatrixFormula kConvection2d{
    .name = "convection2d",
    .parameters = kConvectionParameters,
    .summary =
        "convection and diffusion on k x k points: as poisson2d, but -1-c and -1+c for the neighbours along a "
        "row; c is half the mesh Peclet number",
    .make = convection2d,
};

}  // namespace orderlab
