#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "show/crosscheck.hpp"

using namespace orderlab;

namespace {

study::RuntimeRow runtime_row(const std::string& call, std::size_t workers, std::size_t n, const std::string& rule) {
  study::RuntimeRow row;
  row.runtime = "libomp";
  row.call = call;
  row.n = n;
  row.workers = workers;
  row.rule = rule;
  row.order = rule;
  row.terms = "normal(0,1)";
  row.inputs = 1;
  row.calls = 10;
  row.sums = 10;
  row.matching = 10;
  return row;
}

study::CrossCheckFinding finding_of(const std::vector<study::RuntimeRow>& rows) {
  study::CrossCheckFinding finding;
  finding.devices = {"openmp"};
  study::RuntimeChecks& checks = finding.runtimes.emplace();
  checks.device = "openmp";
  checks.used = {{"libomp", "libomp, clang 16.0.6", "clang++-16"}};
  checks.skipped = {"libgomp: skipped, g++ is not installed: apt-get install g++"};
  checks.rows = rows;
  return finding;
}

bool shows(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("numbers of threads with the same orders at the same sizes share a line") {
  std::vector<study::RuntimeRow> rows;
  for (const std::size_t workers : {5U, 6U, 7U, 9U})
    for (const std::size_t n : {1U, 100U}) rows.push_back(runtime_row("for", workers, n, "openmp_llvm(t)"));
  rows.push_back(runtime_row("for", 10, 1, "openmp_llvm(t)"));
  rows.push_back(runtime_row("for", 10, 100, "openmp(t)"));
  const std::string text = to_text(finding_of(rows), {});
  CHECK(shows(text, "for   5-7 9    1-100  fp64     openmp_llvm(t)    80        1  identical\n"));
  CHECK(shows(text, "for   10       1      fp64     openmp_llvm(t)    10        1  identical\n"));
  CHECK(shows(text, "               100             openmp(t)         10        1  identical\n"));
  CHECK(shows(text, "\nlibgomp: skipped, g++ is not installed: apt-get install g++\n1 of 2 runtimes skipped\n"));
}

TEST_CASE("a sum that its order does not give is shown, and counted as a mismatch") {
  study::RuntimeRow row = runtime_row("for", 5, 100, "openmp_llvm(t)");
  row.matching = 9;
  row.first = study::RuntimeDifference{3, 0, 4, 0x3ff0000000000000, 0x3ff0000000000001};
  const study::CrossCheckFinding finding = finding_of({row});
  CHECK(finding.mismatches() == 1);
  const std::string text = to_text(finding, {});
  CHECK(shows(text, "1 DIFFER\n"));
  CHECK(shows(text, "libomp, for, fp64, 5 threads, 100 terms, sum 0 of 1, terms normal(0,1) seed 3, call 4\n"));
  CHECK(shows(text, "0x3ff0000000000001"));
  const Json json = Json::parse(to_json(finding));
  CHECK(json["mismatches"] == 1);
  const Json& shown = json["runtimes"]["rows"][0];
  CHECK(shown["verdict"] == "differs");
  CHECK(shown["first"]["model_bits"] == "0x3ff0000000000000");
  CHECK(shown["first"]["call"] == 4);

  row.possible = 24;
  row.first->expected.reset();
  const study::CrossCheckFinding several = finding_of({row});
  CHECK(shows(to_text(several, {}), "none of its 24 results"));
  CHECK(Json::parse(to_json(several))["runtimes"]["rows"][0]["first"]["model_bits"].is_null());
  CHECK(shows(to_csv(several), "libomp,for,fp64,5,100,1,openmp_llvm(t),openmp_llvm(t),1,10,10,9,"));
}
