// orderlab solve: what order does to an iterative solver.
#include "orderlab/study/solve.hpp"

#include "cli/one_order.hpp"
#include "cli/order_files.hpp"
#include "cli/progress.hpp"
#include "cli/recorded.hpp"
#include "core/text.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "page/page_contents.hpp"
#include "sweep/record_store.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kRowSumsWords[] = {"rows", "coo"};
constexpr std::string_view kPreconditionerWords[] = {"none", "jacobi"};
constexpr std::string_view kSolverFormats[] = {"fp64", "fp32"};
constexpr std::string_view kDefaultDots = "spa";

constexpr Flag kSolver{.name = "solver",
                       .value = "SOLVER",
                       .help = "cg, bicgstab or gmres; see `orderlab list solvers`",
                       .required = true,
                       .names = [] { return names_in("solvers"); }};
constexpr Flag kMatrix{.name = "--matrix",
                       .value = "MATRIX",
                       .help = "FILE.mtx, or a formula such as 'poisson2d(64)'; see `orderlab list matrices`",
                       .group = "Input",
                       .required = true,
                       .names = [] { return names_in("matrices"); }};
constexpr Flag kScale{.name = "--scale",
                      .value = "DECADES",
                      .fallback = "0",
                      .help = "scale rows and columns: D A D, D = diag(10^u), u uniform in +-DECADES/2",
                      .group = "Input"};
constexpr Flag kRight{.name = "--rhs",
                      .kind = FlagKind::reads,
                      .value = "FILE",
                      .help = "right-hand side: .npy, .txt, .csv, .f64, .f32; default: uniform(-1,1)",
                      .group = "Input"};
constexpr Flag kSolverFormat{.name = "--format",
                             .kind = FlagKind::word,
                             .value = "FORMAT",
                             .fallback = "fp64",
                             .help = "fp64 or fp32, of everything",
                             .group = "Input",
                             .words = kSolverFormats};
constexpr Flag kSystemSeed{.name = "--input-seed",
                           .kind = FlagKind::count,
                           .value = "COUNT",
                           .help = "seed of right-hand side and scaling alone",
                           .group = "Input"};
constexpr Flag kDots{.name = "--order",
                     .value = "ORDER",
                     .fallback = kDefaultDots,
                     .help = "order of dot products and norms, see `orderlab list orders`",
                     .group = "Order",
                     .names = [] { return names_in("orders"); }};
constexpr Flag kSpmv{.name = "--spmv",
                     .kind = FlagKind::word,
                     .value = "HOW",
                     .fallback = "rows",
                     .help =
                         "products with the matrix: rows, each added by itself; or coo, one atomic per entry, whose "
                         "thread blocks arrive as --arrival says",
                     .group = "Order",
                     .words = kRowSumsWords};
constexpr Flag kRowOrder{.name = "--row-order",
                         .value = "ORDER",
                         .fallback = "seq",
                         .help = "order in which the products of a row are added",
                         .group = "Order",
                         .names = [] { return names_in("orders"); }};
constexpr Flag kPreconditioner{.name = "--preconditioner",
                               .kind = FlagKind::word,
                               .value = "NAME",
                               .fallback = "none",
                               .help = "none or jacobi, which divides by the diagonal",
                               .words = kPreconditionerWords};
constexpr Flag kTolerance{
    .name = "--tolerance", .value = "T", .help = "stop at |r| <= T |r0|; default: 1e-8 in fp64, 1e-5 in fp32"};
constexpr Flag kMaxIterations{.name = "--max-iterations",
                              .kind = FlagKind::count,
                              .value = "COUNT",
                              .fallback = "100000",
                              .help = "iterations of a run that does not converge"};
constexpr Flag kRestart{.name = "--restart",
                        .kind = FlagKind::count,
                        .value = "M",
                        .fallback = "30",
                        .help = "of gmres: iterations between restarts"};
constexpr Flag kSolverRuns{
    .name = "--samples", .kind = FlagKind::count, .value = "COUNT", .fallback = "40", .help = "runs to draw"};
constexpr auto kSolveFlags =
    joined(std::array{&kSolver, &kMatrix, &kScale, &kRight, &kSolverFormat, &kSeed, &kSystemSeed},
           std::array{&kDots, &kArrival, &kSpmv, &kRowOrder, &kPreconditioner, &kTolerance, &kMaxIterations, &kRestart},
           std::array{&kSolverRuns, &kThreads}, kOutputFlags, std::array{&kHtml, &kRecords});

study::SolveInput load_system(const CommandLine& line, FileTable& files, const study::Watch& watch) {
  study::SystemSource source;
  source.matrix = line.text(kMatrix);
  if (source.matrix.empty())
    throw Error(ErrorKind::usage, "no matrix: give --matrix FILE.mtx, or a formula such as --matrix 'poisson2d(64)'");
  if (source.matrix.ends_with(".mtx")) files.reads(source.matrix);
  source.scale = line.real(kScale);
  source.right_file = line.text(kRight);
  source.seed = line.count(line.has(kSystemSeed) ? kSystemSeed : kSeed);
  return study::solve_input(source, watch);
}

// --arrival goes to the thread blocks of coo, and to a bare `arrive` in any order; it is an error where none takes it.
void take_orders(const CommandLine& line, FileTable& files, study::SolveRequest& request) {
  const std::string& arrival = line.text(kArrival);
  bool taken = arrival.empty();
  const auto parsed = [&](const Flag& flag, bool last) {
    const bool takes = !arrival.empty() && (takes_arrival(line.text(flag)) || (last && !taken));
    taken = taken || takes;
    Order order = parse_order(line.text(flag), takes ? std::string_view(arrival) : std::string_view());
    read_files_of(order, files);
    return order;
  };
  request.spmv = line.word(kSpmv) == "coo" ? study::RowSums::coo : study::RowSums::rows;
  if (request.spmv == study::RowSums::coo) {
    if (!arrival.empty()) request.arrival = arrival;
    read_files_of(parse_arrival(request.arrival), files);
    taken = true;
  }
  if (line.has(kRowOrder)) request.row_order = parsed(kRowOrder, false);
  request.order = parsed(kDots, true);
}

study::SolveRequest solve_request(const CommandLine& line, FileTable& files) {
  study::SolveRequest request;
  request.solver = line.text(kSolver);
  if (request.solver.empty())
    throw Error(ErrorKind::usage, "no solver: name one, such as `orderlab solve cg --matrix 'poisson2d(64)'`");
  find_solver(request.solver);
  take_orders(line, files, request);
  request.preconditioner = line.word(kPreconditioner) == "jacobi" ? Preconditioner::jacobi : Preconditioner::none;
  request.format = line.word(kSolverFormat) == "fp32" ? Format::fp32 : Format::fp64;
  if (line.has(kTolerance)) request.tolerance = line.real(kTolerance);
  request.max_iterations = line.count(kMaxIterations, 1);
  if (line.has(kRestart) && !find_solver(request.solver).restarts)
    throw Error(ErrorKind::usage, line.quoted(kRestart) + ": " + request.solver + " has no restarts; gmres has");
  request.restart = line.count(kRestart, 1);
  request.samples = line.count(kSolverRuns, 1);
  request.seed = line.count(kSeed);
  request.threads = threads_of(line);
  validate(request);
  return request;
}

study::SolveFinding question_of(const study::SystemFacts& input, const study::SolveRequest& request) {
  study::SolveFinding question;
  question.input = input;
  question.request = settings_of(request);
  return question;
}

std::string key_of(const study::SolveFinding& question) {
  Json about = record_config(question);
  about["matrix_hash"] = question.input.hash;
  return record_key(about);
}

std::optional<study::SolveFinding> find(const CommandLine& line, Session& session, const study::SolveRequest& request,
                                        RecordStore* store, const study::Watch& watch) {
  const study::SolveInput input = load_system(line, session.files, watch);
  study::SolveRecords records;
  if (store != nullptr) {
    const std::string config = key_of(question_of(input.facts, request));
    read_records(*store, config, session, [&](std::uint64_t run, const std::string& text) {
      records.known.emplace(run, solve_record_from(text));
      return true;
    });
    records.record_done = [store, config](std::uint64_t run, const study::SolveRecord& record) {
      store->keep(config, run, to_json(record));
    };
  }
  return find_solve(input, request, watch, records);
}

int run_solve(const CommandLine& line, Session& session) {
  const study::SolveRequest request = solve_request(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  const std::unique_ptr<RecordStore> store = record_store_of(line, session);
  const auto finding = find(line, session, request, store.get(), watch_of(session, line, "solve"));
  if (!finding) return interrupted(session, "solve", "the first run was done");
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, *finding);
  if (page.wanted()) page.write(session, html_page(*finding));
  return finding->partial ? kInterrupted : kDone;
}

std::optional<RecordedAnswer> recorded_solving(const CommandLine& line, Session& session, RecordStore& store,
                                               const study::Watch& watch) {
  const auto finding = find(line, session, solve_request(line, session.files), &store, watch);
  if (!finding) return std::nullopt;
  return RecordedAnswer{finding->partial, page_content(*finding)};
}

std::optional<RecordedAnswer> known_solving(const Json& about, const RecordStore& store,
                                            const std::function<void(std::uint64_t)>& unusable) {
  study::SolveFinding question = solve_question_from(about);
  std::map<std::uint64_t, study::SolveRecord> known;
  const auto take = [&](std::uint64_t run, const std::string& text) {
    known.emplace(run, solve_record_from(text));
    return true;
  };
  read_records(store, key_of(question), take, unusable);
  const auto finding = solve_finding(std::move(question), std::move(known));
  if (!finding) return std::nullopt;
  return RecordedAnswer{finding->partial, page_content(*finding)};
}

Json about_solving(const CommandLine& line, Session& session) {
  const study::SolveRequest request = solve_request(line, session.files);
  const study::SolveInput input = load_system(line, session.files, watch_of(session, line, "solve"));
  return question_json(question_of(input.facts, request));
}

constexpr RecordedCommand kRecordedSolve{about_solving, recorded_solving, known_solving};

}  // namespace

extern const Command kSolve;
const Command kSolve{
    .name = "solve",
    .summary = "an iterative solver in drawn orders: how many iterations, how far runs drift apart",
    .example = "orderlab solve cg --matrix 'poisson2d(20)' --samples 20",
    .flags = kSolveFlags,
    .run = run_solve,
    .recorded = &kRecordedSolve,
};

}  // namespace orderlab::cli
