#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "crosscheck/instructions/instruction.hpp"
#include "crosscheck/known_kernels.hpp"
#include "cuda/gpu_kernels.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const Line kCrosscheckFew{"crosscheck", "--n", "300", "--format", "fp32"};

// Exit status 2, one line on stderr that has `part`, nothing on stdout.
void refuses_crosscheck(const Line& arguments, const std::string& part) {
  const Outcome outcome = run(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.status == kFailed);
  CHECK(outcome.out.empty());
  CHECK(has(outcome.err, part));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("all kernels are cross-checked on the CPU, and the model with itself") {
  const Outcome outcome = run(kCrosscheckFew);
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "every sum is bit-identical to its claim"));
  CHECK(!has(outcome.out, "DIFFER"));
  const Json json = json_of(kCrosscheckFew);
  REQUIRE(json.is_object());
  CHECK(json["mismatches"] == 0);
  std::set<std::string> on_host;
  std::set<std::string> on_model;
  for (const Json& row : json["rows"]) {
    CHECK(row["first"].is_null());
    if (row["device"] == "host") on_host.insert(row["kernel"].text());
    if (row["device"] == "model") on_model.insert(row["kernel"].text());
  }
  for (const KernelInfo* kernel : known_kernels()) {
    CHECK(on_model.contains(std::string(kernel->name)) == (kernel->outputs == nullptr && kernel->has(Format::fp32)));
    CHECK(on_host.contains(std::string(kernel->name)) ==
          (kernel->runs == Runs::everywhere && kernel->has(Format::fp32)));
  }
}

TEST_CASE("the choice of kernels, device, format, seed and arrival orders is obeyed") {
  const Json json = json_of({"crosscheck", "--kernel", "ao", "--kernel", "sptr", "--device", "host", "--n", "100",
                             "--format", "fp64", "--format", "bf16", "--seed", "7", "--samples", "3"});
  REQUIRE(json.is_object());
  CHECK(json["config"]["seed"] == 7);
  REQUIRE(json["rows"].size() == 4);
  for (const Json& row : json["rows"]) {
    CHECK(row["device"] == "host");
    CHECK(row["cases"] == (row["kernel"] == "ao" ? 45 : 15));  // in three launch shapes
    CHECK(row["replays"] == (row["kernel"] == "ao" ? 45 : 0));
    REQUIRE(row["shapes"].size() == 3);
    for (const Json& shape : row["shapes"]) CHECK(shape["cases"] == (row["kernel"] == "ao" ? 15 : 5));
    CHECK(row["sizes"]["run"] == 1);
    CHECK(row["kinds"].size() == 0);
  }
  CHECK(json["config"]["kernels"] == Json({"ao", "sptr"}));
  CHECK(json["config"]["formats"] == Json({"fp64", "bf16"}));
  const Outcome csv = run({"crosscheck", "--kernel", "ao", "--device", "host", "--n", "10", "--csv", "-"});
  CHECK(has(csv.out, "kernel,device,format,cases,replays,mismatches,verdict\nao,host,fp32,15,15,0,identical\n"));
}

TEST_CASE("the report is the same for any number of threads") {
  const Line line{"crosscheck", "--kernel", "spa", "--device", "host", "--n", "1000", "--samples", "4", "--json", "-"};
  CHECK(run(line + Line{"--threads", "1"}).out == run(line + Line{"--threads", "5"}).out);
}

TEST_CASE("a cross-check that cannot be is refused in one line") {
  refuses_crosscheck({"crosscheck", "--kernel", "spb"}, "spb: no such kernel; did you mean spa?");
  refuses_crosscheck({"crosscheck", "--device", "hots"}, "did you mean host?");
  refuses_crosscheck({"crosscheck", "--format", "fp8"}, "fp8");
  refuses_crosscheck({"crosscheck", "--format", "fp32:fp16"}, "a kernel has one format");
  refuses_crosscheck({"crosscheck", "--kernel", "dot_fma", "--format", "fp16"},
                     "none of these kernels has one of these formats");
  refuses_crosscheck({"crosscheck", "--kernel", "cub_block", "--device", "host"}, "take --device cuda");
  refuses_crosscheck({"crosscheck", "--n", "0"}, "--n");
  refuses_crosscheck({"crosscheck", "--device", "mpii"}, "did you mean mpi?");
  refuses_crosscheck({"crosscheck", "--device", "gpu"}, "did you mean cuda?");
  refuses_crosscheck({"crosscheck", "--device", "quantum"}, "openmp");
  refuses_crosscheck({"crosscheck", "--device", "mpi", "--kernel", "spa"}, "runtimes have no kernels");
  refuses_crosscheck({"crosscheck", "--device", "mpi", "--samples", "3"}, "leave out --samples");
  refuses_crosscheck({"crosscheck", "--device", "openmp", "--format", "bf16"}, "fp64 and fp32");
  refuses_crosscheck({"crosscheck", "--samples", "0"}, "--samples");
  refuses_crosscheck({"crosscheck", "--seeds", "0"}, "--seeds");
  refuses_crosscheck({"crosscheck", "--device", "tbb", "--seeds", "3"}, "leave out --seeds");
  refuses_crosscheck({"crosscheck", "--device", "cpu", "--kernel", "spa"},
                     cpu_executors().empty() ? "nothing to check" : "take --device host");
  refuses_crosscheck({"crosscheck", "--seed", "-1"}, "--seed");
}

TEST_CASE("instructions of this CPU are cross-checked by --device cpu, and what it lacks is skipped and counted") {
  const Line line{"crosscheck", "--device", "cpu", "--n", "40", "--seeds", "11"};
  const std::vector<std::string> skipped = skipped_instructions();
  for (const Instruction* one : instructions())
    if (const std::string problem = one->problem(); !problem.empty())
      refuses_crosscheck(line + Line{"--kernel", std::string(one->kernel.name)},
                         cpu_executors().empty() ? "--device cpu: nothing to check: " : problem);
  if (cpu_executors().empty()) {
    refuses_crosscheck(line, "--device cpu: nothing to check: " + skipped.front());
    return;
  }
  const Outcome outcome = run(line);
  CAPTURE(outcome.out);
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "every sum is bit-identical to its claim"));
  for (const std::string& text : skipped) CHECK(has(outcome.out, "\n" + text + "\n"));
  CHECK(has(outcome.out, " of 2 kernels skipped\n") == !skipped.empty());
  const Json json = json_of(line);
  CHECK(json["config"]["devices"] == Json::array({"cpu"}));
  CHECK(json["config"]["formats"] == Json::array({"bf16"}));
  CHECK(json["config"]["seeds"] == 11);
  CHECK(json["rows"].size() + skipped.size() == instructions().size());
  CHECK(json.contains("skipped") == !skipped.empty());
  for (const Json& row : json["rows"]) {
    CHECK(row["format"] == "bf16:fp32");
    CHECK(row["cases"] == 11 * row["shapes"].size());
    CHECK(row["mismatches"] == 0);
  }
}

TEST_CASE("an instruction that is named runs on the CPU unless a device is named") {
  for (const Instruction* one : instructions()) {
    const std::string name(one->kernel.name);
    const Line line{"crosscheck", "--kernel", name, "--n", "40"};
    CAPTURE(name);
    refuses_crosscheck(line + Line{"--kernel", "spa"},
                       "--kernel " + name + " is an instruction of this CPU, --kernel spa is not: ");
    if (const std::string problem = one->problem(); !problem.empty()) {
      refuses_crosscheck(line, cpu_executors().empty() ? "--device cpu: nothing to check: " : problem);
      continue;
    }
    const Json json = json_of(line);
    REQUIRE(json.is_object());
    CHECK(json["config"]["devices"] == Json::array({"cpu"}));
    CHECK(json["config"]["formats"] == Json::array({"bf16"}));
    CHECK(json["rows"].size() == 1);
    CHECK(json == json_of(line + Line{"--device", "cpu"}));
  }
}

TEST_CASE("the compilers of this machine give sums that OpenMP's orders have, or are skipped") {
  const Line line{"crosscheck", "--device", "openmp", "--n", "7", "--format", "fp64"};
  const Outcome outcome = run(line);
  if (outcome.status == kFailed) {  // neither compiler
    CHECK(has(outcome.err, "--device openmp: nothing to check: libgomp: skipped, "));
    return;
  }
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(!has(outcome.out, "DIFFER"));
  const Json json = json_of(line);
  REQUIRE(json.is_object());
  CHECK(json["config"]["devices"] == Json::array({"openmp"}));
  CHECK(json["mismatches"] == 0);
  CHECK(json["rows"].size() == 0);
  const Json& runtimes = json["runtimes"];
  CHECK(runtimes["used"].size() + runtimes["skipped"].size() == 2);
  CHECK(runtimes["rows"].size() == 16 * runtimes["used"].size());  // two loops by 1 to 8 threads
  for (const Json& skipped : runtimes["skipped"]) CHECK(has(skipped.text(), ": skipped, "));
  for (const Json& row : runtimes["rows"]) {
    CHECK(row["n"] == 7);
    CHECK(row["matching"] == row["sums"]);
    CHECK(row["verdict"] == (row["possible"].is_null() ? "identical" : "possible"));
  }
  CHECK(has(run(line + Line{"--csv", "-"}).out, "runtime,call,format,workers,n,outputs,rule,order,inputs,calls,sums,"));
}

TEST_CASE("without a GPU, --device cuda says why in one line") {
  if (cuda::gpu_problem()) refuses_crosscheck({"crosscheck", "--device", "cuda"}, *cuda::gpu_problem());
}

TEST_CASE("every kernel is listed with its claim") {
  const Json listed = json_of({"list", "kernels"});
  REQUIRE(listed["entries"].size() == known_kernels().size());
  for (std::size_t i = 0; i < known_kernels().size(); ++i) {
    const KernelInfo& kernel = *known_kernels()[i];
    CHECK(listed["entries"][i]["name"] == kernel.name);
    CHECK(listed["entries"][i]["claim"] == kernel.claim(kernel.shapes[0], 1'000'000));
  }
}
