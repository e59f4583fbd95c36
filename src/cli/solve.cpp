// orderlab solve: what order does to an iterative solver.
#include "orderlab/study/solve.hpp"

#include "cli/one_order.hpp"
#include "cli/order_files.hpp"
#include "cli/progress.hpp"
#include "cli/recorded.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "page/page_contents.hpp"
#include "study/solve_options.hpp"
#include "sweep/record_store.hpp"

namespace orderlab::cli {

namespace {

using study::kDots;
using study::kMatrix;
using study::kMaxIterations;
using study::kPreconditioner;
using study::kRestart;
using study::kRightSide;
using study::kRowOrder;
using study::kSolveFormat;
using study::kSolverRuns;
using study::kSolverTolerance;
using study::kSpmv;
using study::kSystemScale;
using study::kSystemSeed;

constexpr Flag kSolver{.key = "solver",
                       .positional = true,
                       .value = "SOLVER",
                       .help = "cg, cgs, bicgstab or gmres; see `orderlab list solvers`",
                       .required = true,
                       .list = "solvers"};
constexpr auto kSolveFlags = joined(
    std::array{&kSolver, &kMatrix, &kSystemScale, &kRightSide, &kSolveFormat, &kSeed, &kSystemSeed},
    std::array{&kDots, &kArrival, &kSpmv, &kRowOrder, &kPreconditioner, &kSolverTolerance, &kMaxIterations, &kRestart},
    std::array{&kSolverRuns, &kShard, &kThreads}, kOutputFlags, std::array{&kHtml, &kRecords});
constexpr const Options* kSolveTables[] = {&study::kSolveOptions, &study::kSystemOptions};

study::SolveInput load_system(const CommandLine& line, FileTable& files, const study::Watch& watch) {
  study::SystemSource source;
  source.matrix = line.text(kMatrix);
  if (source.matrix.empty())
    throw Error(ErrorKind::usage, "no matrix: give --matrix FILE.mtx, or a formula such as --matrix 'poisson2d(64)'");
  if (source.matrix.ends_with(".mtx")) files.reads(source.matrix);
  take(line, study::kSystemOptions, source);
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
  take(line, study::kSolveOptions, request);
  take_orders(line, files, request);
  if (line.has(kRestart) && !find_solver(request.solver).restarts)
    throw Error(ErrorKind::usage, line.quoted(kRestart) + ": " + request.solver + " has no restarts; gmres has");
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

study::SolveRecords records_in(RecordStore& store, const study::SystemFacts& input, const study::SolveRequest& request,
                               Session& session) {
  study::SolveRecords records;
  const std::string config = key_of(question_of(input, request));
  read_records(store, config, session, [&](std::uint64_t run, const std::string& text) {
    records.known.emplace(run, solve_record_from(text));
    return true;
  });
  records.record_done = [&store, config](std::uint64_t run, const study::SolveRecord& record) {
    store.keep(config, run, to_json(record));
  };
  return records;
}

std::optional<study::SolveFinding> find(const CommandLine& line, Session& session, const study::SolveRequest& request,
                                        RecordStore* store, const study::Watch& watch) {
  const study::SolveInput input = load_system(line, session.files, watch);
  study::SolveRecords records;
  if (store != nullptr) records = records_in(*store, input.facts, request, session);
  return find_solve(input, request, watch, records);
}

int solve_part(const CommandLine& line, Session& session, const study::SolveRequest& request, const Shard& part) {
  const study::Watch watch = watch_of(session, line, "solve");
  const study::SolveInput input = load_system(line, session.files, watch);
  const std::unique_ptr<RecordStore> store = record_store_of(line, session);
  const study::SolveRecords records = records_in(*store, input.facts, request, session);
  return report_part(line, session, "solve", make_solve_runs(input, request, part.number, part.count, watch, records));
}

int run_solve(const CommandLine& line, Session& session) {
  const study::SolveRequest request = solve_request(line, session.files);
  colored(line, session);
  if (const auto part = part_of_runs(line, request.samples)) return solve_part(line, session, request, *part);
  OutputTargets targets(line);
  const OutputTarget page = targets.further(line, kHtml);
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
    .options = kSolveTables,
    .run = run_solve,
    .recorded = &kRecordedSolve,
};

}  // namespace orderlab::cli
