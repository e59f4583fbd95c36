// The list of solvers.
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/solver.hpp"

/// One line for each, the constant that its file defines, in the order that users see.
#define ORDERLAB_SOLVERS(ENTRY) \
  ENTRY(kConjugateGradients)    \
  ENTRY(kCgs)                   \
  ENTRY(kBicgstab)              \
  ENTRY(kGmres)

namespace orderlab {

#define ORDERLAB_DECLARE_SOLVER(constant) extern const Solver constant;
ORDERLAB_SOLVERS(ORDERLAB_DECLARE_SOLVER)
#undef ORDERLAB_DECLARE_SOLVER

namespace {

#define ORDERLAB_ADDRESS(constant) &constant,
constexpr const Solver* kSolvers[] = {ORDERLAB_SOLVERS(ORDERLAB_ADDRESS)};
#undef ORDERLAB_ADDRESS

}  // namespace

std::span<const Solver* const> solvers() { return kSolvers; }

const Solver& find_solver(std::string_view name) {
  std::vector<std::string> known;
  for (const Solver* solver : solvers()) {
    if (solver->name == name) return *solver;
    known.emplace_back(solver->name);
  }
  throw Error(ErrorKind::usage, unknown_name("solver", name, known));
}

}  // namespace orderlab
