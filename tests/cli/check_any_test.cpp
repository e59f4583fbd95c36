// check --order any on the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

const Line kTerms{"--n", "1000", "--dist", "normal(0,1)", "--format", "fp32"};
const Line kCheckTerms = Line{"check"} + kTerms;
const Line kAnyOrder = kCheckTerms + Line{"--order", "any"};

std::string bits_by(const std::string& order, const Line& terms = kTerms) {
  return "bits:" + json_of(Line{"sum"} + terms + Line{"--order", order})["results"][0]["bits"].text();
}

std::string unwrapped(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("check --order any names the order of a sum") {
  const Outcome found = run(kAnyOrder + Line{"--value", bits_by("simd(128)")});
  CHECK(found.status == kDone);
  CHECK(found.err.empty());
  CHECK(has(unwrapped(found.out), "in every bit"));
  CHECK(has(found.out, "CONSISTENT: "));
  CHECK(has(unwrapped(found.out), " would give such a value by chance"));
  CHECK(has(found.out,
            "\n  orderlab check --n 1000 --dist 'normal(0,1)' --input-seed 2 --format fp32 --value RESULT "
            "--order any\n"));
  const Json json = Json::parse(run(kAnyOrder + Line{"--value", bits_by("simd(128)"), "--json", "-"}).out);
  bool listed = false;
  for (const Json& order : json["values"][0]["orders"]) listed = listed || order == "simd(128)";
  CHECK(listed);
  CHECK(json["verdict"] == "consistent");
}

TEST_CASE("check --order any of two kernels' values shows the orders of each") {
  const Line both = kAnyOrder + Line{"--value", bits_by("numpy"), "--value", bits_by("sequential")};
  const Outcome found = run(both + Line{"--device", "cpu"});
  CHECK(found.status == kDone);
  CHECK(has(found.out, "\nnumpy "));
  CHECK(has(found.out, "\nsequential "));
  CHECK_FALSE(has(found.out, "mpossible"));
  CHECK(has(unwrapped(found.out), "No fixed order gives both results"));
  CHECK(has(found.out, "Only orders of CPU programs were tried."));
  CHECK_FALSE(has(found.out, "sprg"));
}

TEST_CASE("check --order any of what no order of the terms gives") {
  const TemporaryFolder folder;
  TemporaryFolder::write("terms.txt", "1\n2\n3\n");
  const Outcome found = run({"check", "--input", "terms.txt", "--order", "any", "--value", "10"});
  CHECK(found.status == kExitNo);
  CHECK(has(unwrapped(found.out),
            "IMPOSSIBLE: no order of these terms gives this result: none rounds a partial sum, so "
            "every order gives 6 "));
  CHECK_FALSE(has(found.out, "may be another one"));
  const Outcome far = run(kAnyOrder + Line{"--value", "1e30"});
  CHECK(far.status == kExitNo);
  CHECK(has(unwrapped(far.out),
            "IMPOSSIBLE: no order of these terms gives this result: it is farther from the exact "
            "sum than rounding in any order can put it."));
}

TEST_CASE("check --order any takes printed digits as what they leave open") {
  const Outcome found = run(kAnyOrder + Line{"--value", "7.1176"});
  CHECK(found.status == kDone);
  CHECK(has(unwrapped(found.out), ", printed with 5 digits, which "));
  CHECK(has(unwrapped(found.out), "sequential gives this result to the 5 digits given"));
}

TEST_CASE("check --order any of means says which sums they are of") {
  const Line means = kAnyOrder + Line{"--value", "mean:0.0071"};
  const Outcome found = run(means);
  CHECK(found.status == kDone);
  CHECK(has(found.out, "result: the mean 0.0071, of sums from 7.0"));
  CHECK(has(unwrapped(found.out), "A mean is a sum of 1000 terms, divided and rounded to fp32"));
  CHECK(has(found.out, " --value mean:RESULT --order any\n"));
  const Json json = Json::parse(run(means + Line{"--json", "-"}).out);
  CHECK(json["config"]["means"] == "fp32");
  CHECK(json["config"]["values"][0][2] == 2);
  CHECK_FALSE(Json::parse(run(kAnyOrder + Line{"--value", "7.1176", "--json", "-"}).out)["config"].contains("means"));
}

TEST_CASE("check --order any of means in a narrow format keeps that format in its commands") {
  const Outcome found = run({"check", "--n", "1000", "--dist", "uniform(0,1)", "--format", "fp32:fp32:bf16", "--order",
                             "any", "--value", "mean:0.5"});
  CHECK(found.status == kDone);
  CHECK(has(found.out, " --format fp32:fp32:bf16 --value mean:RESULT --order any\n"));
  CHECK_FALSE(has(found.out, "--format fp32:fp32:fp32"));
}

TEST_CASE("check --order any counts in words") {
  const Line one{"check", "--n", "1", "--dist", "constant(0.3)", "--format", "fp32", "--order", "any"};
  CHECK(
      has(unwrapped(run(one + Line{"--value", "0.5"}).out), "0 of 1 fixed order gives this result to the one digit "));
  const Outcome digit = run(one + Line{"--value", "0.3"});
  CHECK(has(unwrapped(digit.out), ", printed with 1 digit, which "));
  CHECK_FALSE(has(digit.out, "1 digits"));
}

TEST_CASE("check --order any says why a sum is not finite in no order") {
  for (const char* value : {"inf", "-inf", "nan"})
    CHECK(has(unwrapped(run(kAnyOrder + Line{"--value", value}).out),
              "IMPOSSIBLE: no order of these terms gives this result: no order overflows."));
  const TemporaryFolder folder;
  TemporaryFolder::write("terms.txt", "1\ninf\n3\n");
  CHECK(has(unwrapped(run({"check", "--input", "terms.txt", "--order", "any", "--value", "4"}).out),
            "the terms hold inf or NaN, so every order gives inf or NaN, and never this."));
}

TEST_CASE("check --order any of several results counts orders and formats by result") {
  const Line ten{"check", "--n", "10", "--dist", "constant(0.3)", "--format", "fp32", "--order", "any"};
  const Line several{"--value", "3.0000", "--value", "bits:0x40400000", "--value", "inf"};
  const std::string text = unwrapped(run(ten + several).out);
  CHECK(has(text,
            "No fixed order gives 1 of the 3 different results, nor does one with partial sums in a wider format: "
            "fp32:fp64:fp32."));
  CHECK(has(text, " orders in all formats tried about "));
  CHECK(has(text, "The exact sum, correctly rounded, is 2 of the 3 results."));
  const Json json = Json::parse(run(ten + several + Line{"--json", "-"}).out);
  for (const Json& value : json["values"]) CHECK(value["by_chance"].number() <= value["tried"].number());
}

TEST_CASE("check --order any names a second input that differs") {
  const Line ten{"check", "--n", "10", "--dist", "constant(0.3)", "--format", "fp32", "--order", "any"};
  const std::string text = run(ten + Line{"--value", "bits:0x40400000"}).out;
  CHECK(has(text, "\n  orderlab check --n 10 --dist 'normal(0,1)' --format fp32 --value RESULT --order any\n"));
  CHECK_FALSE(has(text, "--input-seed 2"));
  CHECK(has(run(ten + Line{"--value", "bits:0x40400000", "--value", "3.0000"}).out,
            " --value RESULT1 --value RESULT2 --order any\n"));
}

TEST_CASE("check --order any of a result that no order gives") {
  const Outcome found = run(kAnyOrder + Line{"--value", "7.15"});
  CHECK(found.status == kExitNo);
  CHECK(has(found.out, "NOT EXPLAINED"));
  CHECK(has(unwrapped(found.out), "nor does one with partial sums in a wider format: fp32:fp64:fp32."));
  const Json json = Json::parse(run(kAnyOrder + Line{"--value", "7.15", "--json", "-"}).out);
  CHECK(json["verdict"] == "not_explained");
  CHECK(json["wider"][0] == "fp32:fp64:fp32");
}

TEST_CASE("check --order any names a wider format of partial sums that explains a result") {
  const TemporaryFolder folder;
  // The sum is the first term: the others, exact in fp16, are 10195 numbers and then their negatives in another order.
  std::string terms = "3\n";
  for (int i = 0; i < 5 * 2039; ++i) terms += std::to_string(i * 7919 % 2039) + "\n";
  for (int i = 0; i < 5 * 2039; ++i) terms += std::to_string(-(i * 611 % 2039)) + "\n";
  TemporaryFolder::write("terms.txt", terms);
  const Line given{"--input", "terms.txt", "--format"};
  const std::string sum = bits_by("simd(8)", given + Line{"fp16:fp32:fp16"});
  const Outcome found = run(Line{"check"} + given + Line{"fp16", "--order", "any", "--value", sum});
  CHECK(found.status == kDone);
  CHECK(has(unwrapped(found.out), "No fixed order in fp16 gives this result; with --format fp16:fp32:fp16"));
  CHECK(has(unwrapped(found.out), " in fp16:fp32:fp16 gives this result in every bit"));
}

TEST_CASE("check --order any says where orders agree because nothing is rounded") {
  const Outcome found = run({"check", "--n", "1000", "--dist", "constant(1)", "--order", "any", "--value", "1000"});
  CHECK(found.status == kDone);
  CHECK(has(unwrapped(found.out), "The fixed orders give 1 different sum: these terms do not tell orders apart."));
  CHECK(has(unwrapped(found.out), "The exact sum, correctly rounded, is this result"));
  CHECK(has(found.out, "more; --csv and --json have them"));
}

TEST_CASE("CSV of check --order any has the rows of its JSON") {
  const Line line = kAnyOrder + Line{"--value", bits_by("numpy"), "--value", bits_by("reverse | seq")};
  const std::string csv = run(line + Line{"--csv", "-"}).out;
  CHECK(csv.starts_with(
      "order,expression,format,kind,verdict,explained,bits,value,distance_ulp,orders,samples,distinct,p,also\n"));
  const Json json = Json::parse(run(line + Line{"--json", "-"}).out);
  CHECK(json["config"]["order"] == "any");
  CHECK(json["config"]["values"].size() == 2);
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == 1 + json["candidates"].size());
  CHECK(has(csv, "\nnumpy,numpy,fp32,fixed,impossible,1,"));
  CHECK(has(csv, "\nrandom,shuffle | seq,fp32,random,explained,2,,,,,"));
}

TEST_CASE("results of --values are counted each") {
  const TemporaryFolder folder;
  TemporaryFolder::write("sums.txt", bits_by("numpy") + "\n" + bits_by("numpy") + "\n");
  const Json json = Json::parse(run(kAnyOrder + Line{"--values", "sums.txt", "--json", "-"}).out);
  CHECK(json["config"]["values"][0][1] == 2);
  CHECK(json["candidates"][0]["explained"] == 2);
  CHECK(json["values"][0]["given"] == 2);
  CHECK(json["verdict"] == "consistent");
}

TEST_CASE("check --order any is the same on any number of threads") {
  const Line line = kAnyOrder + Line{"--value", "3", "--json", "-"};
  CHECK(run(line + Line{"--threads", "1"}).out == run(line + Line{"--threads", "3"}).out);
}

TEST_CASE("check --order any that is stopped before it tried an order says so") {
  std::stop_source source;
  source.request_stop();
  const Outcome stopped = run(kAnyOrder + Line{"--value", "3"}, source.get_token());
  CHECK(stopped.status == kInterrupted);
  CHECK(stopped.err == "orderlab: check: interrupted before there was anything to report\n");
  CHECK(stopped.out.empty());
}

TEST_CASE("check --order any refuses what it cannot take") {
  const TemporaryFolder folder;
  TemporaryFolder::write("empty.txt", "");
  refuses_with({"check", "--n", "10", "--value", "3"}, "or --order any to try all that are known");
  refuses_with(kAnyOrder, "no result to check");
  refuses_with(kAnyOrder + Line{"--value", "hello"}, "--value hello: is not a number");
  refuses_with(kAnyOrder + Line{"--value", "1", "--arrival", "uniform"}, "--arrival uniform: --order any tries orders");
  refuses_with(kAnyOrder + Line{"--value", "1", "--samples", "10"}, "too few to judge 1 result");
  refuses_with(kAnyOrder + Line{"--value", "1", "--confidence", "1"}, "--confidence 1");
  refuses_with(kAnyOrder + Line{"--value", "1", "--threads", "-1"}, "--threads -1");
  refuses_with(kAnyOrder + Line{"--values", "empty.txt"}, "empty.txt");
  refuses_with(kAnyOrder + Line{"--actual", "a.npy"}, "is of operations; add --op NAME");
  refuses_with({"check", "--op", "index_add", "--shape", "3x3", "--order", "any", "--actual", "a.npy"},
               "--order any: is about sums of one output");
  refuses_with(kAnyOrder + Line{"--value", "1", "--device", "tpu"}, "--device tpu");
  refuses_with(kCheckTerms + Line{"--order", "warp", "--value", "1", "--device", "gpu"},
               "--device gpu: chooses among the orders that --order any tries");
  refuses_with({"check", "--n", "0", "--order", "any", "--value", "1"}, "--n 0");
  refuses_with(kCheckTerms + Line{"--order", "any | seq", "--value", "1"}, "any");
  refuses_with({"sum", "--n", "10", "--order", "any"}, "any");
}
