// Runs of a solver as a finding: what is counted, what does not depend on threads, and records that come back.
#include "orderlab/study/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "orderlab/error.hpp"
#include "show/solve.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

study::SolveInput poisson(std::uint64_t k, double scale = 0) {
  return study::solve_input({.matrix = "poisson2d(" + std::to_string(k) + ")", .scale = scale});
}

study::SolveRequest some_request(const char* solver = "cg") {
  study::SolveRequest request;
  request.solver = solver;
  request.order = parse_order("halving(16) | arrive | seq(from=zero)");
  request.samples = 6;
  return request;
}

std::string all_of(const study::SolveFinding& finding) {
  return to_json(finding) + to_csv(finding) + to_text(finding, {});
}

}  // namespace

TEST_CASE("findings do not depend on threads, and say what their runs did") {
  for (const char* solver : {"cg", "bicgstab", "gmres"})
    for (const auto spmv : {study::RowSums::rows, study::RowSums::coo}) {
      CAPTURE(std::string(solver));
      study::SolveRequest request = some_request(solver);
      request.spmv = spmv;
      request.max_iterations = 600;
      const study::SolveInput input = poisson(12, 2);
      std::set<std::string> texts;
      for (const int threads : {1, 2, 3}) {
        request.threads = threads;
        texts.insert(all_of(study::find_solve(input, request).value()));
      }
      CHECK(texts.size() == 1);
      const auto finding = study::find_solve(input, request).value();
      CHECK(finding.samples == 6);
      CHECK(finding.distinct_solutions == 6);
      std::uint64_t runs = finding.not_converged.size();
      for (const study::IterationCount& one : finding.iterations) runs += one.count;
      CHECK(runs == 6);
      CHECK(finding.launch.solution_distance == 0);
      for (const double distance : finding.launch.distances) CHECK(distance == 0);
      for (const study::SolveRecord& run : finding.runs) {
        CHECK(run.solution_distance > 0);
        if (run.converged()) CHECK(run.residuals.back() <= 1e-8);
      }
      // Sums of two orders differ in last bits, and then more and more.
      const study::DivergencePoint& first = finding.divergence.front();
      CHECK(first.iteration == 1);
      CHECK(first.residual.spread() < 1e-13);
      CHECK(first.iterate->max < 1e-13);
      CHECK(finding.divergence[6].residual.spread() > 1e-10);
      for (std::size_t i = 1; i < finding.divergence.size(); ++i)
        CHECK(finding.divergence[i].iteration > finding.divergence[i - 1].iteration);
    }
}

TEST_CASE("launch order draws nothing, exact sums have no order") {
  study::SolveRequest request = some_request();
  const study::SolveInput input = poisson(12, 2);
  const auto finding = study::find_solve(input, request).value();
  const auto sampler = study::SolveSampler::make(input, request).value();
  for (const std::uint64_t sample : {0U, 1U, 5U}) {
    CHECK(sampler.record(sample, Reductions::launch) == finding.launch);
    CHECK(sampler.record(sample, Reductions::exact) == finding.exact);
    CHECK(sampler.record(sample) == finding.runs[sample]);
  }
  request.order = parse_order("shuffle | tree");
  const auto other = study::find_solve(input, request).value();
  CHECK(other.exact->residuals == finding.exact->residuals);
  CHECK(other.exact->solution_hash == finding.exact->solution_hash);
  request.order = parse_order("pairwise");  // fixed
  const auto fixed = study::find_solve(input, request).value();
  CHECK(fixed.distinct_solutions == 1);
  CHECK(fixed.runs.front() == fixed.launch);
  CHECK(contains(conclusions_of(fixed)[1], "All runs give the bits of launch order."));
}

TEST_CASE("records come back from their line without loss, and known ones are not run again") {
  const study::SolveInput input = poisson(8, 1);
  study::SolveRequest request = some_request("gmres");
  study::SolveRecords records;
  std::map<std::uint64_t, study::SolveRecord> done;
  records.record_done = [&](std::uint64_t sample, const study::SolveRecord& record) { done[sample] = record; };
  const auto finding = study::find_solve(input, request, {}, records).value();
  REQUIRE(done.size() == 6 + 2);
  CHECK(contains(to_csv(finding),
                 "run,end,iterations,recursive_residual,true_residual,solution_distance,solution_hash\nlaunch,"));
  CHECK(done[study::kLaunchRun] == finding.launch);
  CHECK(done[study::kExactRun] == finding.exact);
  for (std::uint64_t sample = 0; sample < 6; ++sample) CHECK(done[sample] == finding.runs[sample]);
  for (const auto& [run, record] : done) {
    const std::string line = to_json(record);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(solve_record_from(line) == record);
    if (run % 2 == 0) records.known[run] = solve_record_from(line);
  }
  const auto all = std::exchange(done, {});
  CHECK(all_of(study::find_solve(input, request, {}, records).value()) == all_of(finding));
  CHECK(done.size() == 3 + 1);  // the odd samples, and the run with exact sums
  // Records alone are looked at once a stop is requested; without the run with exact sums they are a part.
  records.known = all;
  std::stop_source stop;
  stop.request_stop();
  const study::Watch stopped{.stop = stop.get_token()};
  CHECK(all_of(study::find_solve(input, request, stopped, records).value()) == all_of(finding));
  records.known.erase(study::kExactRun);
  const auto part = study::find_solve(input, request, stopped, records).value();
  CHECK(part.partial);
  CHECK(part.runs == finding.runs);
  CHECK(contains(to_json(part), "\"exact\": null"));
  CHECK(contains(to_text(part, {}), "In launch order: "));
  study::SolveRecord odd;
  odd.end = SolveEnd::breakdown;
  odd.breakdown = "rho is 0, \"quoted\"";
  odd.residuals = {1, 0x1p-1074, 0.1};
  odd.true_residual = std::numeric_limits<double>::infinity();
  odd.distances = {0.25};
  CHECK(solve_record_from(to_json(odd)) == odd);
  CHECK(to_json(odd) ==  // what stores have
        R"({"end":"breakdown","breakdown":"rho is 0, \"quoted\"","true_residual":"inf","solution_distance":0.0,)"
        R"("solution_hash":"","distances":[0.25],"residuals":[1.0,5e-324,0.1]})");
  for (const char* wrong : {"", "{}", "[1]", "{\"end\":\"stopped\"}"}) CHECK_THROWS_AS(solve_record_from(wrong), Error);
  const auto refused = [&](const char* key, const Json& value) {
    Json json = Json::parse(to_json(odd));
    json[key] = value;
    CHECK_THROWS_AS(solve_record_from(json.dump()), Error);
    json = Json::parse(to_json(odd));
    json.erase(key);
    CHECK_THROWS_AS(solve_record_from(json.dump()), Error);
  };
  refused("end", "stopped");
  refused("breakdown", nullptr);
  refused("true_residual", "nan");
  refused("solution_distance", -1);
  refused("solution_hash", 5);
  refused("distances", Json::array({"nan"}));
  refused("residuals", Json::array());
}

TEST_CASE("a question comes back from its document") {
  const auto question = [](const char* solver, const study::SystemFacts& facts) {
    study::SolveFinding asked;
    asked.input = facts;
    asked.request = study::settings_of(some_request(solver));
    return asked;
  };
  const study::SystemFacts facts = poisson(4, 2).facts;
  study::SolveFinding coo = question("cg", facts);
  coo.request.spmv = study::RowSums::coo;
  coo.request.preconditioner = Preconditioner::jacobi;
  study::SolveFinding rows = question("gmres", facts);
  rows.request.row_order = "tree";
  rows.request.format = Format::fp32;
  study::SolveFinding files = question("bicgstab", facts);
  files.input.matrix.clear();
  files.input.file_hash = "xxh3:" + std::string(32, '1');
  files.input.right_hash = "xxh3:" + std::string(32, '2');
  for (const study::SolveFinding& asked : {coo, rows, files}) {
    const Json json = question_json(asked);
    CHECK(question_json(solve_question_from(json)) == json);
    for (const Json::Member& member : json["config"].members()) {
      Json less = json;
      less["config"].erase(member.key);
      CHECK_THROWS_AS(solve_question_from(less), Error);
    }
  }
  CHECK(solve_question_from(question_json(files)).input.file_hash == files.input.file_hash);
  const auto refused = [](Json json, const char* key, const Json& value) {
    json["config"][key] = value;
    CHECK_THROWS_AS(solve_question_from(json), Error);
  };
  refused(question_json(rows), "arrival", "uniform");
  refused(question_json(coo), "arrival", nullptr);
  refused(question_json(rows), "restart", nullptr);
  refused(question_json(rows), "rhs", "normal(0,1)");  // the one distribution, or a hash
  refused(question_json(files), "rhs", "");
  refused(question_json(coo), "restart", 30);
  refused(question_json(coo), "format", "fp16");
  refused(question_json(coo), "spmv", "columns");
  refused(question_json(coo), "solver", "jacobi");
  refused(question_json(coo), "tolerance", "nan");
}

TEST_CASE("a stop leaves the samples before the first that is missing") {
  study::SolveRequest request = some_request();
  request.samples = 50;
  request.threads = 2;
  const study::SolveInput input = poisson(10);
  std::stop_source source;
  study::SolveRecords records;
  records.record_done = [&](std::uint64_t sample, const study::SolveRecord&) {
    if (sample == 20) source.request_stop();
  };
  const auto finding = study::find_solve(input, request, {.stop = source.get_token()}, records);
  REQUIRE(finding);
  CHECK(finding->partial);
  CHECK(finding->samples < 50);
  CHECK(finding->samples >= 19);
  request.samples = finding->samples;
  CHECK(study::find_solve(input, request)->runs == finding->runs);
  CHECK(!study::find_solve(input, request, {.stop = source.get_token()}));
}

TEST_CASE("runs that break down or do not converge are counted and named") {
  const TemporaryFile zero("zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 0\n");
  study::SolveRequest request = some_request();
  request.order = parse_order("seq");
  const auto broken = study::find_solve(study::solve_input({.matrix = zero.path()}), request).value();
  CHECK(broken.breakdowns == 6);
  CHECK(broken.not_converged.size() == 6);
  CHECK(broken.iterations.empty());
  const std::string text = to_text(broken, {});
  CHECK(contains(text, "6 broke down"));
  CHECK(contains(text, "No run converged."));
  request = some_request();
  request.max_iterations = 3;
  const auto ended = study::find_solve(poisson(10), request).value();
  CHECK(ended.not_converged.size() == 6);
  CHECK(ended.breakdowns == 0);
  CHECK(ended.divergence.back().iteration == 3);
  // In fp32 a badly scaled matrix ends far from its solution: the solver's own residual says otherwise.
  request = some_request();
  request.format = Format::fp32;
  const auto narrow = study::find_solve(poisson(16, 4), request).value();
  CHECK(narrow.recursive_residual.max <= 1e-5);
  CHECK(narrow.true_residual.max > 1e-4);
  CHECK(contains(conclusions_of(narrow).back(), "no longer tells"));
}

TEST_CASE("systems say what they are made of, and are refused where they cannot be solved") {
  const study::SolveInput input = poisson(4, 3);
  CHECK(input.facts.symmetric);
  CHECK(input.facts.rows == 16);
  CHECK(input.facts.entries == 64);
  CHECK(study::solve_input({.matrix = "poisson2d( 4 )", .scale = 3}).facts.hash == input.facts.hash);
  CHECK(study::solve_input({.matrix = "poisson2d(4)", .scale = 3, .seed = 2}).facts.hash != input.facts.hash);
  CHECK(!study::solve_input({.matrix = "convection2d(4)"}).facts.symmetric);
  const TemporaryFile wide("w.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1\n");
  const TemporaryFile empty("e.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  const TemporaryFile right("b.txt", "1\n2\n");
  CHECK(contains(message_of(ErrorKind::input, [&] { study::solve_input({.matrix = wide.path()}); }), "is 1 x 2"));
  CHECK(contains(message_of(ErrorKind::input, [&] { study::solve_input({.matrix = empty.path()}); }),
                 "nothing to solve"));
  CHECK(contains(
      message_of(ErrorKind::input, [&] { study::solve_input({.matrix = "poisson2d(2)", .right_file = right.path()}); }),
      "has 2 numbers; the matrix has 4 rows"));
  for (const double scale : {-1.0, 1e9, std::nan("")})
    CHECK_THROWS_AS(study::solve_input({.matrix = "poisson2d(2)", .scale = scale}), RequestError);
  const auto refused = [&](auto change) {
    study::SolveRequest request = some_request();
    change(request);
    CHECK_THROWS_AS(study::validate(request), Error);
  };
  refused([](auto& r) { r.solver = "lu"; });
  refused([](auto& r) { r.format = Format::fp16; });
  refused([](auto& r) { r.tolerance = 0; });
  refused([](auto& r) { r.tolerance = 1; });
  refused([](auto& r) { r.samples = 0; });
  refused([](auto& r) { r.max_iterations = 0; });
  refused([](auto& r) { r.restart = 0; });
  refused([](auto& r) {
    r.spmv = study::RowSums::coo;
    r.row_order = parse_order("seq");
  });
}
