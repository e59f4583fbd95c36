#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "crosscheck/runtimes/model_of_case.hpp"
#include "crosscheck/runtimes/program_sources.hpp"
#include "crosscheck/runtimes/runtime.hpp"
#include "crosscheck/runtimes/runtime_program.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"

using namespace orderlab;

namespace {

std::vector<RuntimeSetting> settings_of_runtime(const Runtime& runtime, const RuntimeScope& scope) {
  return runtime.settings(scope, runtime.builds.front());
}

// Scopes in which a runtime has cases: OpenBLAS has those of the kernels that its version names.
std::vector<RuntimeScope> scopes_of(const Runtime& runtime, bool full) {
  const std::vector<Format> formats{Format::fp64, Format::fp32};
  if (runtime.device != "blas") return {{formats, {}, full, {}}};
  return {{formats, {}, full, "OpenBLAS, kernels of Haswell"}, {formats, {}, full, "OpenBLAS, kernels of SkylakeX"}};
}

RuntimeCase case_of_order(const std::string& order, std::size_t n, std::size_t outputs = 1) {
  RuntimeCase one;
  one.n = n;
  one.outputs = outputs;
  one.orders = {{0, order}};
  return one;
}

// What an order gives for a job, whatever its case says.
std::vector<std::uint64_t> sums_in(const RuntimeJob& job, const std::string& order) {
  std::vector<std::uint64_t> bits;
  const auto plan = compile(parse_order(order), job.one->n, {});
  for (std::size_t e = 0; e < job.one->outputs; ++e)
    bits.push_back(round_to_bits(Format::fp64, sum_of(*plan, job.x.view().part(e * job.one->n, job.one->n))));
  return bits;
}

}  // namespace

TEST_CASE("every runtime has a name of its own, a program, a way to build it, and orders that fit their terms") {
  std::set<std::string_view> names;
  for (const Runtime* runtime : runtimes()) {
    CAPTURE(runtime->name);
    CHECK(names.insert(runtime->name).second);
    CHECK(!runtime->packages.empty());
    CHECK(program_source(runtime->source).find("run_jobs(") != std::string_view::npos);
    REQUIRE(!runtime->builds.empty());
    for (const RuntimeScope& scope : scopes_of(*runtime, true))
      for (const RuntimeSetting& setting : settings_of_runtime(*runtime, scope))
        for (const RuntimeCase& one : setting.cases) {
          CHECK(!one.rule.empty());
          CHECK(one.orders.empty() == (one.possible != nullptr));
          for (const OrderPart& part : one.orders) {
            CAPTURE(part.order);
            CHECK_NOTHROW(compile(parse_order(part.order), one.n, {one.format, one.format, one.format}, one.products));
          }
        }
  }
  CHECK(jobs_header().find("run_jobs") != std::string_view::npos);
}

TEST_CASE("sums in the order match, and those in another are counted, the first of them named") {
  RuntimeCase one = case_of_order("seq(from=zero)", 100, 3);
  one.calls = 2;
  one.others = {"pairwise"};
  RuntimeJob job = make_job(one, 7);
  for (int call = 0; call < 2; ++call)
    for (const std::uint64_t bits : sums_in(job, "seq(from=zero)")) job.got.push_back(bits);
  const JudgedJob right = judge(job);
  CHECK(right.sums == 6);
  CHECK(right.matching == 6);
  CHECK(!right.first);
  CHECK(right.differs_elsewhere.value_or(0) > 0);

  const std::vector<std::uint64_t> wrong = sums_in(job, "pairwise");
  const std::vector<std::uint64_t> expected(job.got.begin(), job.got.begin() + 3);
  std::copy(wrong.begin(), wrong.end(), job.got.begin() + 3);
  const JudgedJob judged = judge(job);
  std::size_t differ = 0;
  for (std::size_t e = 0; e < 3; ++e) differ += wrong[e] != expected[e] ? 1U : 0U;
  REQUIRE(differ > 0);
  CHECK(judged.matching == 6 - differ);
  CHECK(judged.distinct == 2);
  REQUIRE(judged.first);
  CHECK(judged.first->call == 1);
  CHECK(judged.first->expected == expected[judged.first->output]);
  CHECK(judged.first->got == wrong[judged.first->output]);
}

TEST_CASE("outputs with orders of their own are each compared with theirs") {
  RuntimeCase one = case_of_order("rotate(0) | seq", 9, 4);
  one.orders.push_back({2, "rotate(5) | seq"});
  RuntimeJob job = make_job(one, 3);
  const std::vector<std::uint64_t> first = sums_in(job, "rotate(0) | seq");
  const std::vector<std::uint64_t> second = sums_in(job, "rotate(5) | seq");
  job.got = {first[0], first[1], second[2], second[3]};
  CHECK(judge(job).matching == 4);
  job.got = second;
  const std::size_t alike = (first[0] == second[0] ? 1U : 0U) + (first[1] == second[1] ? 1U : 0U);
  REQUIRE(alike < 2);
  CHECK(judge(job).matching == 2 + alike);
}

TEST_CASE("where threads add as they finish, a sum of any order of them is possible and no other is") {
  RuntimeCase one = case_of_order("openmp(3)", 100);
  one.terms = "normal(0,1)";
  one.calls = 4;
  std::uint64_t several = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RuntimeJob job = make_job(one, seed);
    for (const char* order : {"chunks(3) | seq(from=zero)", "chunks(3) | reverse | seq(from=zero)",
                              "chunks(3) | rotate(1) | seq(from=zero)", "chunks(3) | rotate(2) | seq(from=zero)"})
      job.got.push_back(sums_in(job, order)[0]);
    const JudgedJob all = judge(job);
    CHECK(all.matching == 4);
    REQUIRE(all.possible);
    several += *all.possible > 1 ? 1U : 0U;
    job.got.back() += 64;  // that many numbers farther
    const JudgedJob judged = judge(job);
    CHECK(judged.matching == 3);
    REQUIRE(judged.first);
    CHECK(judged.first->call == 3);
    CHECK(!judged.first->expected);
  }
  CHECK(several > 0);
}

TEST_CASE("splits of parallel_reduce: halves in a row or apart, and no other order") {
  const auto tbb = std::find_if(runtimes().begin(), runtimes().end(), [](auto* r) { return r->name == "oneTBB"; });
  REQUIRE(tbb != runtimes().end());
  const RuntimeScope scope{{Format::fp64}, {4}, false, {}};
  RuntimeCase one;
  for (const RuntimeSetting& setting : settings_of_runtime(**tbb, scope))
    for (const RuntimeCase& listed : setting.cases)
      if (listed.call == "auto") one = listed;
  REQUIRE((one.possible != nullptr));
  // 1 + u = 1 and u + u = 2u: every way to add these tells itself by how many u it has.
  const double u = 0x1p-53;
  RuntimeJob job{&one, parse_terms("1,0x1p-53,0x1p-53,0x1p-53", Format::fp64), {}, {}};
  const std::vector<std::uint64_t> sums = one.possible(one, job.x.view());
  const auto possible = [&](double sum) {
    return std::binary_search(sums.begin(), sums.end(), round_to_bits(Format::fp64, sum));
  };
  CHECK(possible(((1 + u) + u) + u));
  CHECK(possible((1 + u) + (u + u)));
  CHECK(!possible(1 + ((u + u) + u)));  // 1 is never left until last
  CHECK(sums.size() == 2);
}

TEST_CASE("a compiler that is missing is named, and what to install") {
  static constexpr RuntimeBuild kNoBuild[] = {{"no-such-compiler", "no-such-launcher"}};
  Runtime runtime = *runtimes().front();
  runtime.builds = kNoBuild;
  std::string problem;
  CHECK(RuntimeProgram::make(runtime, {}, problem) == nullptr);
  CHECK(problem == "no-such-compiler is not installed");
}

TEST_CASE("devices and formats that no runtime has are refused") {
  CHECK(study::runtime_devices() == std::vector<std::string>{"openmp", "tbb", "mpi", "blas"});
  CHECK_THROWS_WITH_AS(study::crosscheck_runtimes({.device = "openmpi"}), doctest::Contains("did you mean openmp?"),
                       Error);
  CHECK_THROWS_WITH_AS(study::crosscheck_runtimes({.device = "tbb", .formats = {Format::fp16}}),
                       doctest::Contains("fp64 and fp32"), Error);
  CHECK_THROWS_AS(study::crosscheck_runtimes({.device = "tbb", .sizes = {0}}), Error);
}
