// Solvers from the command line: what runs, what is written, what is refused.
#include "orderlab/study/solve.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const Line kSmall{"solve", "cg", "--matrix", "poisson2d(8)", "--samples", "5"};
const std::string kThreeRows = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 2 2\n3 3 2\n2 1 -1\n";

}  // namespace

TEST_CASE("every solver runs, and its JSON keeps to the contract") {
  for (const Solver* solver : solvers()) {
    const Line line{"solve", std::string(solver->name), "--matrix", "poisson2d(8)", "--samples", "5", "--scale", "1"};
    const Json json = json_of(line);
    REQUIRE(!json.is_null());
    CHECK(json["command"] == "solve");
    CHECK(json["config"]["solver"] == std::string(solver->name));
    CHECK(json["config"]["matrix"] == "poisson2d(8)");
    CHECK(json["input"]["rows"] == 64);
    CHECK(json["samples"] == 5);
    CHECK(json["iterations"]["exact"].is_count());
    CHECK(json["iterations"]["launch"].is_count());
    double runs = 0;
    for (const Json& one : json["iterations"]["results"]) runs += one["count"].number();
    CHECK(runs == 5);
    CHECK(json["divergence"].front()["iteration"] == 1);
    CHECK(json["divergence"].front()["residual"]["mean"].is_number());
    CHECK(!json.contains("partial"));
    CHECK(run(line + Line{"--threads", "1"}).out == run(line + Line{"--threads", "3"}).out);
  }
}

TEST_CASE("a matrix and a right-hand side from files") {
  const TemporaryFolder folder;
  TemporaryFolder::write("a.mtx", kThreeRows);
  TemporaryFolder::write("b.txt", "1\n0\n4\n");
  const Line line{"solve", "gmres", "--matrix", "a.mtx", "--rhs", "b.txt", "--samples", "2"};
  CHECK(run(line + Line{"--csv", "runs.csv", "--json", "a.json", "--html", "page.html", "--quiet"}).status == kDone);
  CHECK(lines_of(TemporaryFolder::read("runs.csv")).size() == 1 + 2 + 2);
  CHECK(TemporaryFolder::read("runs.csv").starts_with("run,end,iterations,recursive_residual,true_residual,"));
  const Json json = Json::parse(TemporaryFolder::read("a.json"));
  CHECK(json["config"]["matrix"].text().starts_with("xxh3:"));
  CHECK(json["config"]["rhs"].text().starts_with("xxh3:"));
  CHECK(json["iterations"]["launch"] == 3);  // three distinct eigenvalues
  CHECK(has(TemporaryFolder::read("page.html"), "solve_divergence"));
  // The same matrix under another name gives the same document.
  TemporaryFolder::write("other.mtx", kThreeRows);
  Line renamed = line;
  renamed[3] = "other.mtx";
  CHECK(run(renamed + Line{"--json", "-"}).out == TemporaryFolder::read("a.json"));
  for (const char* matrix : {"poisson2d(1)", "poisson3d(1)"}) {
    const Json tiny = json_of({"solve", "bicgstab", "--matrix", matrix, "--samples", "2", "--spmv", "coo"});
    CHECK(tiny["iterations"]["launch"] == 1);
  }
}

TEST_CASE("a number that is not finite is refused, wherever it comes from") {
  const TemporaryFolder folder;
  const auto bytes = [](double x) { return std::string(reinterpret_cast<const char*>(&x), sizeof x); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TemporaryFolder::write("a.mtx", kThreeRows);
  TemporaryFolder::write("nan.txt", "1\nnan\n4\n");
  TemporaryFolder::write("inf.csv", "1\n0\n-inf\n");
  TemporaryFolder::write("nan.f64", bytes(-nan) + bytes(1) + bytes(2));
  TemporaryFolder::write("large.txt", "1\n1e300\n4\n");
  TemporaryFolder::write("sum.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1e308\n1 1 1e308\n");
  TemporaryFolder::write("large.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e300\n2 2 1\n");
  TemporaryFolder::write("nan.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n");
  const Line rows{"solve", "cg", "--matrix", "a.mtx", "--samples", "1"};
  refuses_with(rows + Line{"--rhs", "nan.txt"}, "nan.txt: number 2 is nan; a right-hand side has finite numbers only");
  refuses_with(rows + Line{"--rhs", "inf.csv"}, "inf.csv: number 3 is -inf;");
  refuses_with(rows + Line{"--rhs", "nan.f64"}, "nan.f64: number 1 is nan;");
  refuses_with(rows + Line{"--rhs", "large.txt", "--format", "fp32"}, "right-hand side has numbers that are inf");
  CHECK(run(rows + Line{"--rhs", "large.txt"}).status == kDone);
  const auto of = [](const char* file) { return Line{"solve", "cg", "--samples", "1", "--matrix", file}; };
  refuses_with(of("nan.mtx"), "nan.mtx:3: 'nan' is not a finite number");
  refuses_with(of("sum.mtx"), "sum.mtx: the entry in row 1, column 1 is inf");
  refuses_with(of("large.mtx") + Line{"--scale", "100"}, "large.mtx: the entry in row ");
  refuses_with(of("large.mtx") + Line{"--format", "fp32"}, "matrix has numbers that are inf");
  refuses_with({"train", "--learning-rate", "nan"}, "--learning-rate nan: is not a number");
  refuses_with({"train", "--weight-decay", "inf"}, "--weight-decay inf: is not a number");
}

TEST_CASE("arrivals go where something arrives") {
  const auto config = [](const Line& more) { return json_of(kSmall + more)["config"]; };
  CHECK(config({})["order"].text().ends_with("arrive(uniform) | seq(acc=atomic)"));
  CHECK(config({"--arrival", "jitter(3)"})["order"].text().ends_with("arrive(jitter(3)) | seq(acc=atomic)"));
  CHECK(config({})["arrival"].is_null());
  const Json coo = config({"--order", "pairwise", "--spmv", "coo", "--arrival", "launch"});
  CHECK(coo["arrival"] == "launch");
  const Json rows = config({"--order", "pairwise", "--row-order", "ao", "--arrival", "jitter(3)"});
  CHECK(rows["row_order"].text().starts_with("arrive(jitter(3))"));
  const TemporaryFolder folder;
  refuses_with(kSmall + Line{"--order", "pairwise", "--arrival", "jitter(3)"}, "arrive");
}

TEST_CASE("nonsense is refused in one line") {
  const TemporaryFolder folder;
  TemporaryFolder::write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  TemporaryFolder::write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 x\n");
  TemporaryFolder::write("hole.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n");
  refuses_with({"solve"}, "no solver");
  refuses_with({"solve", "cg"}, "no matrix");
  refuses_with({"solve", "gc", "--matrix", "poisson2d(8)"}, "did you mean cg");
  refuses_with({"solve", "cg", "--matrix", "poisson(8)"}, "did you mean poisson2d");
  refuses_with({"solve", "cg", "--matrix", "poisson3d(1e9)"}, "k 1e9: must be at least 1 and at most 256");
  refuses_with({"solve", "cg", "--matrix", "none.mtx"}, "no such file");
  refuses_with({"solve", "cg", "--matrix", "a.mtx.gz"}, "gunzip");
  refuses_with({"solve", "cg", "--matrix", "wide.mtx"}, "is 2 x 3");
  refuses_with({"solve", "cg", "--matrix", "bad.mtx"}, "bad.mtx:3: 'x' is not a finite number");
  refuses_with({"solve", "cg", "--matrix", "hole.mtx", "--preconditioner", "jacobi"}, "row 1 of the matrix has a 0");
  refuses(Line{"solve", "cg", "--matrix", "bad.mtx", "--csv", "bad.mtx"}, "bad.mtx");
  for (const Line& more : std::vector<Line>{{"--samples", "0"},
                                            {"--samples", "1e9"},
                                            {"--tolerance", "0"},
                                            {"--tolerance", "small"},
                                            {"--tolerance", "nan"},
                                            {"--scale", "-1"},
                                            {"--scale", "x"},
                                            {"--format", "fp16"},
                                            {"--spmv", "csr"},
                                            {"--restart", "5"},
                                            {"--max-iterations", "0"},
                                            {"--preconditioner", "ilu"},
                                            {"--rhs", "none.txt"},
                                            {"--order", "warp("},
                                            {"--order", "halving(7) | tile(2,2)"},
                                            {"--spmv", "coo", "--row-order", "seq"},
                                            {"--spmv", "coo", "--arrival", "never"}})
    refuses_with(kSmall + more, "solve: ");
}

TEST_CASE("a run that is stopped before its first sample says so") {
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  const Outcome outcome = run(kSmall + Line{"--json", "new.json"}, source.get_token());
  CHECK(outcome.status == kInterrupted);
  CHECK(outcome.out.empty());
  CHECK(has(outcome.err, "solve: interrupted before there was anything to report"));
  CHECK(TemporaryFolder::listing().empty());
}
