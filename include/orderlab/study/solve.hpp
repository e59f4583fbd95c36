// What order does to an iterative solver: how many iterations runs take, how far they drift apart, whether they agree
// in the end.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/order.hpp"
#include "orderlab/program.hpp"
#include "orderlab/run_summary.hpp"
#include "orderlab/solver.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Where a system A x = b comes from.
struct SystemSource {
  std::string matrix;           ///< a formula such as "poisson2d(64)", or the path of a Matrix Market file, FILE.mtx
  double scale = 0;             ///< decades: D A D takes the place of A, D = diag(10^u), u uniform in +-scale/2
  std::string right_file = {};  ///< file of b; empty: uniform(-1,1)
  std::uint64_t seed = 1;       ///< seed of b and D
};

/// A system as findings say it.
struct SystemFacts {
  std::string matrix;     ///< canonical formula; empty for a file
  std::string file_hash;  ///< hash of a file's matrix, "xxh3:..."; empty for a formula
  double scale = 0;
  std::string right_hash;  ///< hash of a given b; empty where it is drawn
  std::uint64_t seed = 1;  ///< seed of what is drawn
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;  ///< stored, each place once
  bool symmetric = false;     ///< a_ij = a_ji to the last bit
  std::string hash;           ///< hash of the matrix that is solved with, scaled and in fp64
};

struct SolveInput {
  CoordinateMatrix matrix;  ///< scaled
  std::vector<double> right;
  SystemFacts facts;
};

/// Reads or makes the system. Errors: input for files; usage for a formula, a scale outside 0 to 100, a matrix that is
/// not square or empty, a right-hand side of another length, numbers that are not finite; Stopped.
SolveInput solve_input(const SystemSource& source, const Watch& watch = {});

/// What adds the products of a row.
enum class RowSums : std::uint8_t {
  rows,  ///< a thread of its own: left to right, or as an order says
  coo,   ///< one atomic addition per entry, in the arrival order of thread blocks
};

constexpr std::string_view name_of(RowSums sums) { return sums == RowSums::rows ? "rows" : "coo"; }

struct SolveRequest {
  std::string solver = "cg";
  Order order = parse_order("spa");  ///< order of dot products and norms
  RowSums spmv = RowSums::rows;
  std::optional<Order> row_order = {};  ///< order of the products of a row; empty: left to right
  std::string arrival = "uniform";      ///< arrival model of coo
  Preconditioner preconditioner = Preconditioner::none;
  Format format = Format::fp64;          ///< format of everything: fp64 or fp32
  std::optional<double> tolerance = {};  ///< empty: 1e-8 in fp64, 1e-5 in fp32
  std::uint64_t max_iterations = 100'000;
  std::uint64_t restart = 30;  ///< iterations of gmres between restarts
  std::uint64_t samples = 40;
  std::uint64_t seed = 1;  ///< seed of the orders
  int threads = 0;         ///< 0: all; findings never depend on it
};

/// A request as findings say it, in texts and numbers alone: it can be kept, and read where what it names is not there.
struct SolveSettings {
  std::string solver;
  std::string order_name;  ///< empty for an expression
  std::string order;       ///< its expression
  RowSums spmv = RowSums::rows;
  std::optional<std::string> row_order = {};  ///< its expression
  std::string arrival;                        ///< canonical
  Preconditioner preconditioner = Preconditioner::none;
  Format format = Format::fp64;
  double tolerance = 0;
  std::uint64_t max_iterations = 0;
  std::uint64_t restart = 0;
  std::uint64_t samples = 0;
  std::uint64_t seed = 0;
};

/// One run of a solver, and how far it is from the run in launch order.
struct SolveRecord {
  SolveEnd end = SolveEnd::converged;
  std::string breakdown = {};  ///< what happened, where it broke down
  /// |r| / |r0| by the solver's own residual, before the first iteration and after each.
  std::vector<double> residuals;
  double true_residual = 0;        ///< |b - A x| / |b| at the end, exact in each row; inf for NaN
  std::vector<double> distances;   ///< |x - launch| / |launch| after iterations 1, 2, 5, 10, ..., while both runs go on
  double solution_distance = 0;    ///< the same of the two solutions
  std::string solution_hash = {};  ///< "xxh3:..." of x

  std::uint64_t iterations() const { return residuals.size() - 1; }
  bool converged() const { return end == SolveEnd::converged; }
  bool operator==(const SolveRecord&) const = default;
};

/// A system with its solver and the run in launch order, with which every other run is compared. Threads can share it.
class SolveSampler {
 public:
  struct Parts;

  /// Makes the run in launch order. Empty when a stop is requested before its end.
  ///
  /// Errors: as find_solve.
  static std::optional<SolveSampler> make(const SolveInput& input, const SolveRequest& request,
                                          const std::stop_token& stop = {});
  ~SolveSampler();
  SolveSampler(SolveSampler&&) noexcept;

  const SolveRecord& launch() const;

  /// The record of one sample, a pure function of input, request and sample. Empty when a stop is requested before its
  /// end.
  std::optional<SolveRecord> record(std::uint64_t sample, Reductions reductions = Reductions::drawn,
                                    const std::stop_token& stop = {}) const;

 private:
  explicit SolveSampler(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

/// How many runs took so many iterations.
struct IterationCount {
  std::uint64_t value = 0;
  std::uint64_t count = 0;
};

/// The runs after one iteration.
struct DivergencePoint {
  std::uint64_t iteration = 0;
  std::uint64_t runs = 0;               ///< that came so far
  RunSummary residual;                  ///< |r| / |r0|
  std::optional<double> launch, exact;  ///< that of these runs; empty where they had ended
  std::optional<RunSummary> iterate;    ///< |x - launch| / |launch|; empty where the run in launch order had ended
};

/// The first iteration at which the residual of a run differs from that in launch order by so much, relative.
struct FirstDifference {
  double threshold = 0;
  std::uint64_t runs = 0;               ///< that ever do
  std::optional<RunSummary> iteration;  ///< iteration of those
};

struct SolveFinding {
  SystemFacts input;
  SolveSettings request;
  std::uint64_t samples = 0;
  bool partial = false;
  SolveRecord launch;
  std::optional<SolveRecord> exact;  ///< empty where it was interrupted
  std::vector<SolveRecord> runs;     ///< samples 0, 1, ...

  std::vector<IterationCount> iterations;    ///< iterations of runs that converged, ascending
  std::vector<std::uint64_t> not_converged;  ///< samples
  std::uint64_t breakdowns = 0;              ///< runs that ended in a breakdown
  std::vector<DivergencePoint> divergence;   ///< iterations 1, 2, 5, ..., and the last that all runs came to
  std::vector<FirstDifference> first_differences;
  RunSummary recursive_residual;  ///< at the end
  RunSummary true_residual;
  RunSummary solution_distance;
  std::uint64_t distinct_solutions = 0;  ///< different bits
};

/// Numbers of the runs beside the samples, among records.
inline constexpr std::uint64_t kLaunchRun = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kExactRun = kLaunchRun + 1;

/// What is already known of a question, and who wants to know more.
struct SolveRecords {
  std::map<std::uint64_t, SolveRecord> known = {};  ///< by sample, or number as above; these are not run again

  /// Called with each new record, from one thread at a time.
  std::function<void(std::uint64_t sample, const SolveRecord& record)> record_done = {};
};

/// Error(usage) for a request that no system could answer.
void validate(const SolveRequest& request);

/// With its tolerance, and the canonical text of its arrival model. Error(usage).
SolveSettings settings_of(const SolveRequest& request);

/// Its tolerance, or the default of its format.
double tolerance_of(const SolveRequest& request);

/// The finding of a question, of which input and request are set, from records by run; nothing is computed but what
/// sums them up. Empty and partial as of find_solve.
std::optional<SolveFinding> solve_finding(SolveFinding question, std::map<std::uint64_t, SolveRecord> records);

/// Runs the solver in launch order, with exact sums, and with a drawn order for each sample. Empty when interrupted
/// before the first sample; of an interrupted one, the finding is of the samples before the first that is missing. The
/// run with exact sums may be missing too. A stop that is requested before means that records alone are looked at.
///
/// Errors: usage for a request that does not fit the system: an order that cannot add so many terms, jacobi with a 0 on
///         the diagonal.
std::optional<SolveFinding> find_solve(const SolveInput& input, const SolveRequest& request, const Watch& watch = {},
                                       const SolveRecords& records = {});

/// Makes the runs of one of `parts` consecutive parts of the samples, `part` from 1, for records that are joined later:
/// each part has the run in launch order, the first also that with exact sums. Whether all are there, which they are
/// not after a stop.
///
/// Shape:  1 <= part <= parts.
/// Errors: as find_solve.
bool make_solve_runs(const SolveInput& input, const SolveRequest& request, std::uint64_t part, std::uint64_t parts,
                     const Watch& watch, const SolveRecords& records);

}  // namespace orderlab::study
