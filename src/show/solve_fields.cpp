// The fields of `solve`. Longer than most files: what is asked, what is kept of a run and what is found share their
// fields.
#include "show/solve_fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/enum_names.hpp"
#include "orderlab/error.hpp"
#include "show/fields_csv.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "show/shared_fields.hpp"
#include "show/solve.hpp"
#include "study/solve_options.hpp"

namespace orderlab::described {

namespace {

using study::DivergencePoint;
using study::FirstDifference;
using study::IterationCount;
using study::SolveFinding;
using study::SolveRecord;
using study::SolveSettings;
using study::SystemFacts;
namespace k = kinds;

// ---- what is asked

template <auto member>
constexpr auto kOfSystem = kThrough<&SolveFinding::input, member>;
template <auto member>
constexpr auto kOfSettings = kThrough<&SolveFinding::request, member>;

std::vector<std::string_view> solver_names() {
  std::vector<std::string_view> names;
  for (const Solver* solver : solvers()) names.push_back(solver->name);
  return names;
}

bool is_hash(std::string_view text) { return text.starts_with("xxh3:"); }

constexpr std::string_view kDrawnRight = "uniform(-1,1)";
constexpr Kind kSolveTolerance{
    Holds::number, R"({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})", {}, [](double number) {
      return number > 0 && number < 1;
    }};

constexpr Field kSolveRecordConfigFields[] = {
    value<kOfSettings<&SolveSettings::solver>>("solver", k::kText, "The solver", {.words_of = solver_names}),
    value(
        "matrix", k::kText, "Formula of the matrix, or the hash of a file's matrix",
        [](const SolveFinding& f) { return f.input.matrix.empty() ? f.input.file_hash : f.input.matrix; },
        [](SolveFinding& f, const std::string& matrix) {
          (is_hash(matrix) ? f.input.file_hash : f.input.matrix) = matrix;
          return true;
        }),
    value<kOfSystem<&SystemFacts::scale>>(study::kSystemScale, k::kFraction),
    value(
        study::kRightSide, k::kText,
        [](const SolveFinding& f) {
          return f.input.right_hash.empty() ? std::string(kDrawnRight) : f.input.right_hash;
        },
        [](SolveFinding& f, const std::string& right) {
          if (is_hash(right)) f.input.right_hash = right;
          return is_hash(right) || right == kDrawnRight;
        }),
    word<kOfSettings<&SolveSettings::format>, study::kSolveFormat>(),
    value<kOfSettings<&SolveSettings::order>>("order", k::kText, "Expression of the order of dot products and norms"),
    word<kOfSettings<&SolveSettings::spmv>, study::kSpmv>(),
    value<kOfSettings<&SolveSettings::row_order>>("row_order", k::kText,
                                                  "Expression of the order in which the products of a row are added",
                                                  {.null = ": left to right"}),
    value(
        "arrival", k::kText, "Arrival model of the thread blocks of coo",
        [](const SolveFinding& f) {
          return f.request.spmv == study::RowSums::coo ? std::optional(f.request.arrival) : std::nullopt;
        },
        [](SolveFinding& f, const std::optional<std::string>& arrival) {
          f.request.arrival = arrival.value_or("");
          return arrival.has_value() == (f.request.spmv == study::RowSums::coo);
        },
        {.null = "for rows"}),
    word<kOfSettings<&SolveSettings::preconditioner>, study::kPreconditioner>(),
    value<kOfSettings<&SolveSettings::tolerance>>(study::kSolverTolerance, kSolveTolerance),
    value<kOfSettings<&SolveSettings::max_iterations>>(study::kMaxIterations, k::kSome),
    value(
        study::kRestart, k::kSome,
        [](const SolveFinding& f) {
          return find_solver(f.request.solver).restarts ? std::optional(f.request.restart) : std::nullopt;
        },
        [](SolveFinding& f, const std::optional<std::uint64_t>& restart) {
          f.request.restart = restart.value_or(0);
          return restart.has_value() == find_solver(f.request.solver).restarts;
        },
        {.null = "for other solvers"}),
    value<kOfSettings<&SolveSettings::seed>>(study::kSeed, k::kCount),
    value<kOfSystem<&SystemFacts::seed>>("input_seed", k::kCount, "Seed of the right-hand side and of the scaling"),
};
constexpr TableOf<SolveFinding> kSolveRecordConfig{{.key = "record_config",
                                                    .title = "Solve record config",
                                                    .help = "What decides every number of a record.",
                                                    .fields = kSolveRecordConfigFields}};

constexpr Field kSolveConfigFields[] = {
    merged(kSolveRecordConfig),
    value<kOfSettings<&SolveSettings::samples>>(study::kSolverRuns, k::kSome),
};
constexpr TableOf<SolveFinding> kSolveConfig{
    {.key = "config", .title = "Solve config", .help = kConfigSentence, .fields = kSolveConfigFields}};

constexpr Field kSystemFields[] = {
    value<&SystemFacts::rows>("rows", k::kSome, "Number of rows"),
    value<&SystemFacts::entries>("entries", k::kCount, "Number of stored entries"),
    value<&SystemFacts::symmetric>("symmetric", k::kTruth, "Whether the matrix is symmetric to the last bit"),
    value<&SystemFacts::hash>("hash", k::kHash, "Hash of the matrix that is solved with, scaled and in fp64"),
};
constexpr TableOf<SystemFacts> kSystem{
    {.key = "system", .title = "System", .help = "The system of equations.", .fields = kSystemFields}};

constexpr Field kSolveConfigPart = group("config", kSolveConfig);
constexpr Field kSystemPart = part<&SolveFinding::input>("input", kSystem);
constexpr Field kSolveQuestionFields[] = {kSolveConfigPart, kSystemPart};
constexpr TableOf<SolveFinding> kSolveQuestion{
    {.key = "question", .title = "Solve question", .help = "What a finding is about.", .fields = kSolveQuestionFields}};

// ---- runs

/// A residual or a distance: neither is negative or NaN.
constexpr Kind kLength{k::kMagnitude.holds, k::kMagnitude.schema, {}, [](double number) { return number >= 0; }};

constexpr Field kRunEnd = word<&SolveRecord::end, names_through<SolveEnd::breakdown>()>(
    "end", k::kText, "How the run ended", {.where = Where::both});
constexpr Field kTrueResidual = value<&SolveRecord::true_residual>(
    "true_residual", kLength, "|b - A x| / |b| at the end, computed exactly in each row; inf for NaN",
    {.where = Where::both});
constexpr Field kSolutionDistance = value<&SolveRecord::solution_distance>(
    "solution_distance", kLength,
    "|x - launch| / |launch|, of the solutions of this run and of the run in launch order", {.where = Where::both});

constexpr Field kSolverRunFields[] = {
    kRunEnd,
    value("breakdown", k::kText, "What broke down, in words",
          [](const SolveRecord& r) { return text_or_none(r.breakdown); }, {.null = "where nothing did"}),
    value<&SolveRecord::iterations>("iterations", k::kCount, "Number of iterations", {.where = Where::both}),
    value("recursive_residual", kLength, "|r| / |r0| by the solver's own residual at the end",
          [](const SolveRecord& r) { return r.residuals.back(); }, {.where = Where::both}),
    kTrueResidual,
    kSolutionDistance,
    value<&SolveRecord::solution_hash>("solution_hash", k::kHash, "Hash of the solution", {.where = Where::csv}),
};
constexpr TableOf<SolveRecord> kSolverRun{
    {.key = "run", .title = "Solver run", .help = "How a run ended.", .fields = kSolverRunFields}};

/// A run as a row.
struct SolverRow {
  std::string name;
  const SolveRecord& record;
};
constexpr Field kSolverRowFields[] = {
    value<&SolverRow::name>("run", k::kText, "Number of the run, or which it is", {.where = Where::csv}),
    merged([](const SolverRow& r) -> const SolveRecord& { return r.record; }, kSolverRun),
};
constexpr TableOf<SolverRow> kSolverRow{
    {.key = "row", .title = "Solver row", .help = "A run.", .fields = kSolverRowFields}};

constexpr Field kOneLengthFields[] = {itself<double>(kLength)};
constexpr TableOf<double> kOneLength{
    {.key = "length", .title = "Length", .help = "A residual or a distance.", .fields = kOneLengthFields}};

/// A record as it is kept, without loss.
constexpr Field kSolveRecordFields[] = {
    kRunEnd,
    value<&SolveRecord::breakdown>("breakdown", k::kText, "What broke down, in words; empty where nothing did"),
    kTrueResidual,
    kSolutionDistance,
    value<&SolveRecord::solution_hash>("solution_hash", k::kHash, "Hash of the solution"),
    part<&SolveRecord::distances>("distances", kOneLength,
                                  "|x - launch| / |launch| after iterations 1, 2, 5, 10 and so on"),
    part<&SolveRecord::residuals>("residuals", kOneLength,
                                  "|r| / |r0| by the solver's own residual, before the first iteration and after each"),
};
constexpr TableOf<SolveRecord> kSolveRecord{
    {.key = "record", .title = "Solve record", .help = "A run as it is kept.", .fields = kSolveRecordFields}};

// ---- what was found

constexpr Field kRunSummaryFields[] = {
    value<&RunSummary::min>("min", k::kMagnitude, "Least"),
    value<&RunSummary::low>("quantile_0.05", k::kMagnitude, "5 % quantile"),
    value<&RunSummary::median>("median", k::kMagnitude, "Median"),
    value<&RunSummary::high>("quantile_0.95", k::kMagnitude, "95 % quantile"),
    value<&RunSummary::max>("max", k::kMagnitude, "Greatest"),
    value<&RunSummary::mean>("mean", k::kMagnitude, "Mean"),
    value<&RunSummary::spread>("spread", k::kMagnitude, "(max - min) / mean; 0 where all are equal"),
};
constexpr TableOf<RunSummary> kRunSummary{{.key = "run_spread",
                                           .title = "Run spread",
                                           .help = "One number of each run, over the runs.",
                                           .fields = kRunSummaryFields}};

constexpr Field kIterationCountFields[] = {
    value<&IterationCount::value>("value", k::kCount, "Iterations"),
    value<&IterationCount::count>("count", k::kSome, "Number of runs"),
};
constexpr TableOf<IterationCount> kIterationCount{{.key = "iteration_count",
                                                   .title = "Iteration count",
                                                   .help = "Runs that took equally many iterations.",
                                                   .fields = kIterationCountFields}};

std::optional<std::uint64_t> iterations_of(const SolveRecord& record) {
  return record.converged() ? std::optional(record.iterations()) : std::nullopt;
}

constexpr Field kIterationsFields[] = {
    value("exact", k::kCount, "Iterations of the run with exact sums",
          [](const SolveFinding& f) { return f.exact ? iterations_of(*f.exact) : std::nullopt; },
          {.null = "where it did not converge or was interrupted"}),
    value("launch", k::kCount, "Iterations of the run in launch order",
          [](const SolveFinding& f) { return iterations_of(f.launch); }, {.null = "where it did not converge"}),
    part<&SolveFinding::iterations>("results", kIterationCount,
                                    "Drawn runs that converged, by their iterations, ascending"),
};
constexpr TableOf<SolveFinding> kIterations{{.key = "iterations",
                                             .title = "Iterations",
                                             .help = "Iterations of runs that converged.",
                                             .fields = kIterationsFields}};

constexpr Field kSampleNumberFields[] = {itself<std::uint64_t>(k::kCount)};
constexpr TableOf<std::uint64_t> kSampleNumber{
    {.key = "sample", .title = "Sample", .help = "Number of a sample.", .fields = kSampleNumberFields}};

constexpr Field kNotConvergedFields[] = {
    value("runs", k::kCount, "Number of these runs", [](const SolveFinding& f) { return f.not_converged.size(); }),
    value<&SolveFinding::breakdowns>("breakdowns", k::kCount, "Number of these that broke down"),
    part<&SolveFinding::not_converged>("samples", kSampleNumber, "Their numbers, from 0"),
};
constexpr TableOf<SolveFinding> kNotConverged{{.key = "not_converged",
                                               .title = "Not converged",
                                               .help = "Drawn runs that did not converge.",
                                               .fields = kNotConvergedFields}};

constexpr Field kFirstDifferenceFields[] = {
    value<&FirstDifference::threshold>("threshold", k::kFraction, "Relative difference that counts"),
    value<&FirstDifference::runs>("runs", k::kCount, "Number of runs that ever differ so far"),
    part<&FirstDifference::iteration>("iteration", kRunSummary,
                                      "Iteration of the first such difference, over those runs",
                                      {.null = "where there are none"}),
};
constexpr TableOf<FirstDifference> kFirstDifference{
    {.key = "first_difference",
     .title = "First difference",
     .help = "The first iteration at which the residual of a run differs from that in launch order.",
     .fields = kFirstDifferenceFields}};

constexpr Field kResidualSpreadFields[] = {
    merged<&DivergencePoint::residual>(kRunSummary),
    value<&DivergencePoint::launch>("launch", k::kNumber, "|r| / |r0| of the run in launch order",
                                    {.null = "where it had ended"}),
    value<&DivergencePoint::exact>("exact", k::kNumber, "|r| / |r0| of the run with exact sums",
                                   {.null = "where it had ended"}),
};
constexpr TableOf<DivergencePoint> kResidualSpread{{.key = "residual_spread",
                                                    .title = "Residual spread",
                                                    .help = "|r| / |r0| by the solver's own residual, over the runs.",
                                                    .fields = kResidualSpreadFields}};

constexpr Field kDivergencePointFields[] = {
    value<&DivergencePoint::iteration>("iteration", k::kCount, "The iteration, from 1"),
    value<&DivergencePoint::runs>("runs", k::kCount, "Number of runs that came so far"),
    group("residual", kResidualSpread),
    part<&DivergencePoint::iterate>("iterate", kRunSummary, "|x - launch| / |launch| over the runs",
                                    {.null = "where the run in launch order had ended"}),
};
constexpr TableOf<DivergencePoint> kDivergencePoint{{.key = "divergence_point",
                                                     .title = "Divergence point",
                                                     .help = "The runs after one iteration.",
                                                     .fields = kDivergencePointFields}};

constexpr Field kSolveFields[] = {
    head<SolveFinding>(),
    command<SolveFinding>(R"("solve")"),
    kSolveConfigPart,
    partial<&SolveFinding::partial>(),
    kSystemPart,
    value<&SolveFinding::samples>("samples", k::kSome, "Number of runs that were drawn"),
    group("iterations", kIterations),
    group("not_converged", kNotConverged),
    part<&SolveFinding::launch>("launch", kSolverRun, "The run in launch order"),
    part<&SolveFinding::exact>("exact", kSolverRun, "The run with exact sums", {.null = "where it was interrupted"}),
    part<&SolveFinding::recursive_residual>("recursive_residual", kRunSummary,
                                            "|r| / |r0| by the solver's own residual at the end"),
    part<&SolveFinding::true_residual>("true_residual", kRunSummary,
                                       "|b - A x| / |b| at the end, computed exactly in each row"),
    part<&SolveFinding::solution_distance>("solution_distance", kRunSummary,
                                           "|x - launch| / |launch| of the solutions"),
    value<&SolveFinding::distinct_solutions>("distinct_solutions", k::kSome, "Number of solutions with different bits"),
    part<&SolveFinding::first_differences>(
        "first_differences", kFirstDifference,
        "When residuals first differ from those in launch order, for several thresholds"),
    part<&SolveFinding::divergence>(
        "divergence", kDivergencePoint,
        "The runs after iterations 1, 2, 5, 10, ..., and after the last one that all runs came to"),
};

}  // namespace

constexpr TableOf<SolveFinding> kSolveDocument{
    {.key = "solve",
     .title = "Solve",
     .help = "Written by `orderlab solve --json`: what order does to an iterative solver.",
     .fields = kSolveFields}};

}  // namespace orderlab::described

namespace orderlab {

std::string to_json(const study::SolveFinding& finding) {
  return json_document(to_json(described::kSolveDocument, finding));
}

std::string to_csv(const study::SolveFinding& finding) {
  std::vector<described::SolverRow> rows{{"launch", finding.launch}};
  if (finding.exact) rows.push_back({"exact", *finding.exact});
  for (std::size_t i = 0; i < finding.runs.size(); ++i) rows.push_back({std::to_string(i), finding.runs[i]});
  return csv_table(described::kSolverRow, rows);
}

Json record_config(const study::SolveFinding& question) { return to_json(described::kSolveRecordConfig, question); }

Json question_json(const study::SolveFinding& question) { return to_json(described::kSolveQuestion, question); }

study::SolveFinding solve_question_from(const Json& json) {
  study::SolveFinding question;
  read_whole(described::kSolveQuestion, json, question);
  return question;
}

std::string to_json(const study::SolveRecord& record) { return to_json(described::kSolveRecord, record).dump(); }

study::SolveRecord solve_record_from(const std::string& text) {
  study::SolveRecord record;
  read_whole(described::kSolveRecord, Json::parse(text), record);
  if (record.residuals.empty()) throw Error(ErrorKind::input, "record of a solver: it has no residuals");
  return record;
}

}  // namespace orderlab
