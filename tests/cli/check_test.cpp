#include "orderlab/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "core/text.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

// Texts are wrapped, so a phrase may have an end of line in it.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Sampled: 1000 fp32 terms in random order.
const Line kRandom{"check", "--n", "1000", "--dist", "uniform(0,1)", "--format", "fp32", "--order", "random"};
// Enumerated: 6 terms.
const Line kFew{"check", "--n", "6", "--order", "random"};

Json verdicts(const Line& arguments, int status) {
  const Outcome outcome = run(arguments + Line{"--json", "-", "--quiet"});
  CAPTURE(outcome.err);
  CHECK(outcome.status == status);
  CHECK(outcome.err.empty());
  return Json::parse(outcome.out);
}

// Bits of the results that `sample` draws on the terms of kRandom, as often as they were drawn.
std::string sampled_values(const std::string& samples, const std::string& seed = "1", const std::string& n = "1000") {
  const Json drawn = json_of({"sample", "--n", n, "--dist", "uniform(0,1)", "--format", "fp32", "--order", "random",
                              "--input-seed", "1", "--seed", seed, "--samples", samples});
  std::string lines;
  for (const Json& r : drawn["results"])
    for (std::uint64_t i = 0; i < r["count"].count(); ++i) lines += "bits:" + r["bits"].text() + "\n";
  return lines;
}

}  // namespace

TEST_CASE("samples that overflow hide no value that is far beyond the finite ones") {
  const Line overflows{"check",    "--n",     "40",      "--dist", "uniform(-9500,9500)",
                       "--format", "fp16",    "--order", "random", "--value",
                       "65000",    "--value", "-65000"};
  const Outcome text = run(overflows);
  CHECK(text.status == kExitNo);
  CHECK(on_one_line(text.out).find("of them inf or NaN.") != std::string::npos);
  CHECK(on_one_line(text.out).find(" beyond every finite sample") != std::string::npos);
  CHECK(on_one_line(text.out).find("1 below, 1 above; too many for uniform arrivals") != std::string::npos);
  const Json json = verdicts(overflows + Line{"--value", "nan"}, kExitNo);
  for (const Json& value : json["values"])
    if (value["value"] != "nan") CHECK(value["verdict"] == "unlikely");
  CHECK(json["outliers"]["below"] == 1);
  CHECK(json["outliers"]["above"] == 1);
  CHECK(json["outliers"]["nonfinite"].is_count());
}

TEST_CASE("the JSON of a check that enumerates") {
  const std::string sum = json_of({"sum", "--n", "6", "--order", "seq"})["results"][0]["bits"].text();
  const Json json = verdicts(kFew + Line{"--value", "bits:" + sum}, kDone);
  std::string keys;
  for (const auto& [key, value] : json.members()) keys += key + " ";
  CHECK(keys ==
        "orderlab bits_version command config input order method orders distinct rounded_values values outliers misses "
        "joint frequencies_decide suggestions p verdict ");
  CHECK(json["method"] == "enumeration");
  CHECK(json["orders"] == "720");
  CHECK(json["verdict"] == "explained");
  CHECK(json["joint"].is_null());
  keys.clear();
  for (const auto& [key, value] : json["values"][0].members()) keys += key + " ";
  CHECK(keys == "bits value given digits numbers verdict reason probability seen p distance_ulp error_ulp ");
  CHECK(json["values"][0]["bits"] == sum);
  CHECK(json["values"][0]["probability"].number() > 0);
  CHECK(json["values"][0]["seen"].is_null());
  keys.clear();
  for (const auto& [key, value] : json["config"].members()) keys += key + " ";
  CHECK(keys == "n dist input_seed format order arrival seed confidence samples memory values ftz arrivals_known ");
}

TEST_CASE("the JSON of a check that samples") {
  const Json json = verdicts(kRandom + Line{"--value", "1000"}, kExitNo);
  CHECK(json["method"] == "sampling");
  CHECK(json["samples"] == 2000);
  CHECK(json["range"]["min"].number() < json["range"]["max"].number());
  CHECK(json["bound"].number() > 0);
  CHECK(json["values"][0]["verdict"] == "impossible");
  CHECK(json["values"][0]["seen"] == 0);
  CHECK(json["values"][0]["probability"].is_null());
  CHECK(json["values"][0]["p"] == 0.0);
  CHECK(json["verdict"] == "impossible");
}

TEST_CASE("what sample draws is explained, value by value and jointly, with the same seed and with another") {
  const TemporaryFolder folder;
  for (const char* seed : {"1", "2"}) {
    TemporaryFolder::write("runs.txt", sampled_values("5", seed));
    const Json json = verdicts(kRandom + Line{"--values", "runs.txt"}, kDone);
    const auto distinct = json["values"].size();
    CHECK(distinct > 2);
    CHECK(json["samples"] == 40000);
    std::uint64_t given = 0;
    for (const Json& value : json["values"]) given += value["given"].count();
    CHECK(given == 5);
    CHECK(json["joint"]["p"].number() >= 0.001);
    CHECK(json["joint"]["p"].number() < 1.0);  // the very same draws would give 1 or close to it
  }
}

TEST_CASE("where all samples of a check take long, the first 2000 judge what they explain or reject") {
  const TemporaryFolder folder;
  const Line many{"check", "--n", "20000", "--dist", "uniform(0,1)", "--format", "fp32", "--order", "random"};
  TemporaryFolder::write("runs.txt", sampled_values("12", "1", "20000"));
  const Json honest = verdicts(many + Line{"--values", "runs.txt"}, kDone);
  CHECK(honest["planned_samples"] == 96000);
  CHECK(honest["samples"] == 2000);
  CHECK(honest["part"] == 0.5);
  const Outcome outcome = run(many + Line{"--values", "runs.txt"});
  CHECK(has(outcome.err,
            "drawing 2000 samples, and up to 96000 where these leave a result open, to judge at confidence"));
  CHECK(on_one_line(outcome.out).find("Judged by the first 2000 of 96000 samples at") != std::string::npos);

  const Json drawn = json_of(Line{"sample"} + Line(many.begin() + 1, many.end()) + Line{"--samples", "12"});
  std::string shifted;  // beyond all samples, and inside the bound
  for (const Json& r : drawn["results"]) shifted += orderlab::shortest(r["value"].number() + 2) + "\n";
  TemporaryFolder::write("shifted.txt", shifted);
  const Json rejected = verdicts(many + Line{"--values", "shifted.txt"}, kExitNo);
  CHECK(rejected["verdict"] == "unlikely");
  CHECK(rejected["samples"] == 2000);

  const Json asked = verdicts(many + Line{"--values", "runs.txt", "--samples", "3000"}, kDone);
  CHECK(asked["samples"] == 3000);
  CHECK(asked["part"] == 1.0);
}

TEST_CASE("samples of a check are those from 2^47 on, not those that sample draws from 0") {
  const std::uint64_t first = orderlab::kFirstCheckSample;
  const Line terms{"--n", "1000", "--dist", "normal(0,1)", "--order", "random", "--format", "fp32"};
  const Json check = verdicts(Line{"check"} + terms + Line{"--value", "1e9"}, kExitNo);
  const auto range_of = [&](std::uint64_t begin) {
    const Json drawn =
        json_of(Line{"sample"} + terms +
                Line{"--samples", "2^48", "--range", std::to_string(begin) + ":" + std::to_string(begin + 2000)});
    return std::vector<double>{drawn["results"].front()["value"].number(), drawn["results"].back()["value"].number()};
  };
  const std::vector<double> used{check["range"]["min"].number(), check["range"]["max"].number()};
  CHECK(used == range_of(first));
  CHECK(used != range_of(0));
}

TEST_CASE("a value given often whose frequency does not fit makes the answer no") {
  const TemporaryFolder folder;
  const std::string lines = sampled_values("50");
  std::string same;
  for (int i = 0; i < 200; ++i) same += lines.substr(0, lines.find('\n') + 1);
  TemporaryFolder::write("runs.txt", same);
  Line known = kRandom;
  known.back() = "arrive(uniform) | seq";
  const Json json = verdicts(known + Line{"--values", "runs.txt", "--samples", "20000"}, kExitNo);
  CHECK(json["values"].size() == 1);
  CHECK(json["values"][0]["verdict"] == "explained");
  CHECK(json["values"][0]["given"] == 200);
  CHECK(json["joint"]["p"].number() <= 0.0002);
  CHECK(json["verdict"] == "unlikely");
  CHECK(has(on_one_line(run(known + Line{"--values", "runs.txt", "--samples", "20000"}).out),
            "not in these proportions"));
}

TEST_CASE("a fixed order explains its one result and nothing else") {
  const Line line{"check", "--n", "1000", "--order", "pairwise", "--value"};
  const std::string sum = json_of({"sum", "--n", "1000", "--order", "pairwise"})["results"][0]["bits"].text();
  CHECK(verdicts(line + Line{"bits:" + sum}, kDone)["orders"] == "1");
  CHECK(verdicts(line + Line{"bits:" + sum, "--value", "9e9"}, kExitNo)["values"][1]["verdict"] == "impossible");
  CHECK(verdicts(line + Line{"bits:" + sum, "--value", "bits:" + sum}, kDone)["joint"]["p"] == 1.0);
}

TEST_CASE("values are read as the contract says, all ways to write one being the same") {
  const TemporaryFolder folder;
  TemporaryFolder::write("all.txt", "# runs\n0.5, 0x1p-1;bits:0x3f000000\n\n 5e-1 # again\n-0.5\n");
  TemporaryFolder::write("raw.f32", std::string("\0\0\0\x3f", 4));
  const Line line{"check", "--n", "8", "--format", "fp32", "--order", "random"};
  Json json = verdicts(line + Line{"--values", "all.txt", "--value", "0.5"}, kExitNo);
  REQUIRE(json["values"].size() == 3);  // two numbers; a decimal of one digit is not all that a hex float is
  CHECK(json["values"][0]["value"] == -0.5);
  CHECK(json["values"][1]["bits"] == "0x3f000000");
  CHECK(json["values"][2]["bits"] == "0x3f000000");
  CHECK(json["values"][1]["given"].count() + json["values"][2]["given"].count() == 5);
  CHECK(json["rounded_values"] == 0);
  CHECK(verdicts(line + Line{"--values", "raw.f32"}, kExitNo)["values"][0]["bits"] == "0x3f000000");

  json = verdicts(line + Line{"--value", "-0.1", "--value", "inf", "--value", "-inf", "--value", "nan", "--value", "-0",
                              "--value", "bits:0xffc12345"},
                  kExitNo);
  CHECK(json["rounded_values"] == 1);
  std::string all;
  for (const Json& value : json["values"]) all += value["bits"].text() + " ";
  CHECK(all == "0xff800000 0xbdcccccd 0x80000000 0x7f800000 0x7fc00000 ");
  CHECK(json["values"][4]["given"] == 2);  // NaN is one result
}

TEST_CASE("a result is one of the result format") {
  const Line line{"check", "--n", "8", "--format", "fp16:fp32:fp16", "--order", "random", "--value"};
  CHECK(verdicts(line + Line{"bits:0x4a00"}, kExitNo)["values"][0]["value"] == 12.0);
  CHECK(run(line + Line{"bits:0x41400000"}).status == kFailed);
}

TEST_CASE("NaN and infinity say where they come from") {
  const TemporaryFolder folder;
  TemporaryFolder::write("nan.txt", "1\nnan\n");
  TemporaryFolder::write("inf.txt", "1\ninf\n");
  TemporaryFolder::write("huge.txt", "1e308\n1e308\n-1e308\n");
  TemporaryFolder::write("both.txt", "1e308\n1e308\n-1e308\n-1e308\n");
  const auto text = [](const std::string& file, const std::string& value, const char* order, int status) {
    const Outcome outcome = run({"check", "--input", file, "--order", order, "--value", value});
    CHECK(outcome.status == status);
    CAPTURE(outcome.out);
    return on_one_line(outcome.out);
  };
  CHECK(has(text("nan.txt", "nan", "random", kDone), "the terms hold NaN"));
  CHECK(has(text("inf.txt", "inf", "random", kDone), "the terms hold inf"));
  CHECK(has(text("inf.txt", "3", "random", kExitNo), "no order gives it"));
  CHECK(has(text("huge.txt", "inf", "random", kDone), "some partial sum overflows"));
  CHECK(has(text("huge.txt", "1e308", "random", kDone), "probability 0.6667"));
  CHECK(has(text("both.txt", "nan", "random_tree", kDone), "overflow either way: inf - inf"));
  CHECK(has(text("both.txt", "-inf", "random", kDone), "overflows"));
  TemporaryFolder::write("few.txt", "1\n2\n3\n");
  CHECK(has(text("few.txt", "nan", "random", kExitNo), "no order gives it"));
}

TEST_CASE("by samples, NaN and infinity are impossible where nothing overflows") {
  const std::string text = on_one_line(run(kRandom + Line{"--value", "inf", "--value", "nan"}).out);
  CHECK(has(text, "no term is inf and no order overflows"));
  CHECK(has(text, "so inf - inf"));
}

TEST_CASE("the answer does not depend on the number of threads, and depends on the seed") {
  const Line line = kRandom + Line{"--value", "499", "--value", "500", "--value", "503", "--quiet", "--json", "-"};
  const std::string one = run(line + Line{"--threads", "1"}).out;
  CHECK(one == run(line + Line{"--threads", "3"}).out);
  CHECK(one != run(line + Line{"--seed", "2", "--input-seed", "1"}).out);
}

TEST_CASE("the number of samples is told before they are drawn, unless --quiet") {
  CHECK(has(run(kRandom + Line{"--value", "1"}).err, "drawing 2000 samples"));
  CHECK(has(run(kRandom + Line{"--value", "1", "--value", "2", "--confidence", "0.95"}).err, "drawing 320 samples"));
  CHECK(run(kRandom + Line{"--value", "1", "--quiet"}).err.empty());
  CHECK(run(kRandom + Line{"--value", "1", "--quiet"}).out.empty());
}

TEST_CASE("a confidence that would take hours is refused with the number of samples") {
  const Outcome outcome = run({"check", "--n", "100", "--order", "random", "--value", "500", "--confidence",
                               "0.9999999999"});  // 2 / (1 - that double)
  CHECK(outcome.status == kFailed);
  CHECK(has(outcome.err, ": needs 19999976141 samples"));
  CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("orders that do not fit into --memory are sampled, and the text says so") {
  const Outcome outcome = run(kFew + Line{"--value", "1", "--memory", "1"});
  CHECK(outcome.status == kExitNo);
  CHECK(has(on_one_line(outcome.out), "note: sampled, as the orders could not be enumerated"));
  CHECK(verdicts(kFew + Line{"--value", "1", "--memory", "1"}, kExitNo)["method"] == "sampling");
}

TEST_CASE("an order whose arrivals are no uniform ones is sampled, however few they are") {
  const Json json = verdicts({"check", "--n", "6", "--order", "ao", "--arrival", "jitter(2)", "--value", "1"}, kExitNo);
  CHECK(json["method"] == "sampling");
}

TEST_CASE("the CSV of a check has a row for each distinct value") {
  const Outcome outcome =
      run(kRandom + Line{"--value", "1", "--value", "nan", "--value", "1", "--csv", "-", "--quiet"});
  const Line rows = lines_of(outcome.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "bits,value,given,digits,numbers,verdict,reason,probability,seen,p,distance_ulp,error_ulp");
  CHECK(rows[1].starts_with("0x3f800000,1,2,1,12582913,impossible,outside_bound,,0,0,"));
  CHECK(rows[2] == "0x7fc00000,nan,1,,1,impossible,no_overflow,,0,0,,");
}

TEST_CASE("a person reads the conclusion, and what an explained value does not prove") {
  const std::string lines = sampled_values("2");
  const Outcome fine = run(kRandom + Line{"--value", lines.substr(0, lines.find('\n'))});
  CHECK(fine.status == kDone);
  CHECK(has(fine.out, "\nEXPLAINED: order alone gives this value."));
  CHECK(has(on_one_line(fine.out), "is not detected"));
  const Outcome wrong = run(kRandom + Line{"--value", "1", "--color", "always"});
  CHECK(has(wrong.out, "\x1b[1mNOT EXPLAINED: no arrival order gives this value"));
  for (const std::string& line : lines_of(run(kRandom + Line{"--value", "1"}).out)) CHECK(line.size() <= 80);
}

TEST_CASE("of many values the text shows some of each verdict, the others on request") {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "0x" + std::to_string(i) + "p0\n";
  TemporaryFolder::write("runs.txt", lines);
  CHECK(has(on_one_line(run(kFew + Line{"--values", "runs.txt"}).out), "and 28 more; --csv lists all"));
}

TEST_CASE("the count of orders stays readable, and a zero of the other sign is named") {
  const Outcome many = run({"check", "--n", "1000", "--dist", "constant(1)", "--order", "random", "--value", "1000"});
  CHECK(has(on_one_line(many.out), "all 4.02e+2567 orders (sequences of 1000 partial sums) give the same"));
  const Outcome zero =
      run({"check", "--n", "10", "--dist", "constant(0)", "--order", "random", "--value", "bits:0x8000000000000000"});
  CHECK(has(on_one_line(zero.out), "the nearest result is the zero of the other sign"));
}
