// The command probe: its words, its documents, its exit statuses, and what it refuses.
#include "orderlab/probe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const std::string kAwk = "awk '{s += $1} END {printf \"%.17g\", s}'";
const std::string kSorted = "sort -g | " + kAwk;

Line probe_of(const std::string& command, std::string n = "12") { return {"probe", "--command", command, "--n", n}; }

}  // namespace

TEST_CASE("a command that adds in turn") {
  const Outcome outcome = run(probe_of(kAwk));
  CHECK(outcome.err.empty());
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, kAwk + ": 12 fp32 terms\n"));
  CHECK(has(outcome.out, "\nprecision  fp32:fp64 (53 bits)\n"));
  CHECK(has(outcome.out, "\ntree       height 11, certified node by node\n"));
  CHECK(has(outcome.out, "\nbits       equal on 64 random inputs, sums in fp32:fp64\n"));
  CHECK(has(outcome.out, "\nn = 25     the same order"));
  // 64 replayed inputs, 11 pairs of a certificate, and 24 inputs asked again.
  CHECK(has(outcome.out, "\nrarely     an order used in fewer than 1 of 29 calls may have been missed (95 %)\n"));
  CHECK(outcome.out.ends_with("\n\nnamed: seq(from=zero)\n"));
}

TEST_CASE("what is not a sum has exit status 1") {
  const Outcome outcome = run(probe_of("awk '{s += $1} END {printf \"%.17g\", s / NR}'"));
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, "not a sum: "));
}

TEST_CASE("the document of a probe") {
  const Json json = json_of(probe_of(kAwk));
  CHECK(json["command"] == Json("probe"));
  CHECK(json["verdict"] == Json("named"));
  CHECK(json["order"] == Json("seq(from=zero)"));
  CHECK(json["accumulator"]["narrowest"] == Json(53));
  CHECK(json["tree"]["terms"] == Json(12));
  CHECK(json["settings"].size() == 1);
  CHECK(json["settings"][0]["calls"] == json["calls"]);
  CHECK(json["as_expected"] == Json());
  CHECK(json["settings"][0]["compared"] == Json(88));
  CHECK(json["settings"][0]["excluded_share"] == Json(excluded_share(88)));
  CHECK(json["one_thread"] == Json());
}

TEST_CASE("an order that depends on the values") {
  const Outcome outcome = run(probe_of(kSorted, "32"));
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, "data-dependent: sort(asc) | seq"));
}

TEST_CASE("an expected order decides the exit status") {
  CHECK(run(probe_of(kAwk) + Line{"--expect", "seq"}).status == kDone);
  const Outcome other = run(probe_of(kAwk) + Line{"--expect", "pairwise"});
  CHECK(other.status == kExitNo);
  CHECK(has(other.out, "not pairwise: terms "));
  CHECK(has(other.out, "named: seq(from=zero)"));
  const Json json = Json::parse(run(probe_of(kAwk) + Line{"--expect", "pairwise", "--json", "-"}).out);
  CHECK(json["as_expected"] == Json(false));
  CHECK(json["settings"][0]["differs"]["expected"] != json["settings"][0]["differs"]["found"]);
}

TEST_CASE("trees and tables") {
  const Outcome newick = run(probe_of(kAwk, "3") + Line{"--newick"});
  CHECK(newick.status == kDone);
  CHECK(newick.out == "((x0,x1)n3,x2)n4;\n");
  const std::string csv = run(probe_of(kAwk, "3") + Line{"--sizes", "4", "--csv", "-"}).out;
  CHECK(csv.starts_with("n,offset,threads,verdict,order,format,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
  const Outcome sizes = run(probe_of(kAwk, "3") + Line{"--sizes", "4,5"});
  CHECK(has(sizes.out, "named: seq(from=zero)"));
}

TEST_CASE("boxes that crash, hang, or answer with no number give one line and no verdict") {
  const TemporaryFolder folder;
  refuses_with(probe_of("kill -9 $$"), "crashed (SIGKILL)");
  refuses_with(probe_of("sleep 100") + Line{"--time-limit", "0.2"}, "no answer within 0.2 s");
  refuses_with(probe_of("echo hello"), "answered 'hello'; a number is needed");
  refuses_with(probe_of("true"), "answered nothing");
  refuses_with(probe_of("printf '1\\0\\0'"), "answered '1\\0\\0', which has NUL bytes; a number is needed");
  refuses_with(probe_of("exit 3"), "exited with status 3");
  refuses_with(probe_of("awk '{s += $1} END {print s}'"), "too few digits to compare bits");
  refuses_with({"probe", "--library", "./absent.so:sum"}, "absent.so");
  refuses_with({"probe", "--library", "libc.so.6:no_such_function"}, "no_such_function");
}

TEST_CASE("the steps of a command that adds products") {
  const std::string products = "awk '{s += $1 * $2} END {printf \"%.17g\", s}'";
  const Line line = probe_of(products) + Line{"--fused", "--format", "fp16:fp64"};
  const Outcome outcome = run(line);
  CHECK(outcome.err.empty());
  CHECK(outcome.status == kDone);
  CHECK(has(outcome.out, products + ": 12 fp16 products\nsums       fp64\nsteps      1 product each, from the first"));
  CHECK(has(outcome.out, "\n\nrevealed: no unit of the table; seq(acc=fma) agrees with all "));
  const Json json = json_of(line);
  CHECK(json["command"] == Json("probe"));
  CHECK(json["verdict"] == Json("revealed"));
  CHECK(json["described"].size() == 1);
  CHECK(json["described"][0] == Json("seq(acc=fma)"));
  CHECK(json["units"].size() == 0);
  CHECK(json["reading"]["length"] == Json(1));
  CHECK(json["repeated"] == Json(16));
  CHECK(json["disagrees"] == Json());
  CHECK(run(line + Line{"--csv", "-"}).out.starts_with("verdict,order,sums,step,length,run,fraction_bits,"));
}

TEST_CASE("a command whose steps are none that is known has exit status 1") {
  const std::string decimal = "awk '{s += sprintf(\"%.9g\", $1 * $2)} END {printf \"%.17g\", s}'";
  const Outcome outcome = run(probe_of(decimal) + Line{"--fused", "--format", "fp64", "--repeats", "2"});
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, "\nnot fused: no step that is known gives all its answers\nnearest: "));
}

TEST_CASE("steps are asked of products, with what they need") {
  const TemporaryFolder folder;
  const Line line = probe_of(kAwk) + Line{"--fused"};
  refuses_with({"probe", "--fused", "--library", "libc.so.6:atof"},
               "atof takes one input, and fused steps add products");
  refuses_with(line + Line{"--of", "square"}, "--of square: is not for --fused");
  refuses_with(line + Line{"--sizes", "5"}, "--sizes 5: is not for --fused");
  refuses_with(line + Line{"--expect", "seq"}, "--expect seq: is not for --fused");
  refuses_with(line + Line{"--format", "bf16"}, "--format bf16: a fused step is asked with the format of the factors");
  refuses_with(line + Line{"--format", "fp16:fp32:fp16"}, "such as fp16:fp32");
  refuses_with(probe_of(kAwk, "7") + Line{"--fused"}, "--n 7: must be from 8 to 1024");
}

TEST_CASE("command lines that make no sense are refused") {
  const TemporaryFolder folder;
  refuses_with({"probe"}, "no black box: give one of --command");
  refuses_with({"probe", "--command", kAwk, "--library", "a:b"}, "more than one black box");
  refuses_with({"probe", "--library", "libc.so.6:atof", "--lines"}, "--lines: needs --command");
  refuses_with(probe_of(kAwk) + Line{"--axis", "0"}, "--axis 0: needs --python");
  refuses_with({"probe", "--python", "numpy:sum", "--axis", "2"}, "--axis 2: must be at most 1");
  refuses_with(probe_of(kAwk) + Line{"--offsets", "0:3"}, "a command reads text");
  refuses_with({"probe", "--library", "libc.so.6:atof", "--offsets", "3:1"}, "the first offset is above the last");
  refuses_with(probe_of(kAwk) + Line{"--sizes", "1,,2"}, "--sizes 1,,2: an entry is empty");
  refuses_with(probe_of(kAwk) + Line{"--sizes", "3,3"}, "--sizes 3,3: is given twice");
  refuses_with(probe_of("awk '{s += $1} END {printf \"%.10f\", s}'"), "too few digits to compare bits");
  refuses_with(probe_of(kAwk, "0"), "--n 0");
  refuses_with(probe_of(kAwk, "2^25"), "--n 2^25");
  refuses_with(probe_of(kAwk) + Line{"--format", "fp8"}, "give the format of the terms");
  refuses_with(probe_of(kAwk) + Line{"--repeats", "1"}, "--repeats 1");
  refuses_with(probe_of(kAwk) + Line{"--time-limit", "0"}, "--time-limit 0");
  refuses_with(probe_of(kAwk) + Line{"--expect", "sqe"}, "did you mean seq?");
  refuses_with({"probe", "--command", ""}, "");
}
