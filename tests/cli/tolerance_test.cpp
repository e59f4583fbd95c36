// The command `tolerance`, and differences that `check` judges. Longer than most files: all that two commands compare
// results with, whose cases share what they ask.
#include "orderlab/tolerance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "orderlab/study/tolerance.hpp"
#include "show/input_text.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

// Whether the text has the part, wherever its lines were broken.
bool has_phrase(std::string text, const std::string& part) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.find(part) != std::string::npos;
}

std::string three_digits(double value) {
  std::ostringstream text;
  text << std::setprecision(3) << value;
  return text.str();
}

Json tolerance(const Line& more) { return json_of(Line{"tolerance", "--quiet"} + more); }
Json on_one_input(const Line& more) { return tolerance(Line{"--inputs", "1"} + more); }

// Bits of a number in JSON.
std::uint64_t bits(const Json& number) { return std::bit_cast<std::uint64_t>(number.number()); }

const Line kFresh{"tolerance", "--n", "50", "--order", "random", "--format", "fp32"};
const Line kSampled = kFresh + Line{"--inputs", "1"};

}  // namespace

TEST_CASE("the number of samples is stated before they are drawn, and taken") {
  const Outcome outcome = run(kSampled);
  CHECK(outcome.status == kDone);
  CHECK(outcome.err ==
        "drawing 9151 samples: coverage 0.999 with confidence 0.95; the 5th largest is the "
        "tolerance\n");
  CHECK(has_phrase(outcome.out, "the 5th largest of 9151 independent orders"));
  CHECK(run(kSampled + Line{"--quiet"}).err.empty());
  const Json json = on_one_input({"--n", "50", "--order", "random", "--format", "fp32"});
  CHECK(json["samples"] == 9151);
  const Json pairs = on_one_input({"--n", "50", "--order", "random", "--format", "fp32", "--against", "run"});
  CHECK(pairs["samples"] == 18302);
  CHECK(has_phrase(pairs["tolerance"]["atol"]["method"].text(), "9151 independent pairs"));
}

TEST_CASE("the tolerance is the error of that rank among the samples that `sample` draws") {
  const Line input{"--n", "100", "--order", "random", "--format", "fp32", "--dist", "normal(0,1)"};
  const Json drawn = json_of(Line{"sample", "--samples", "4000"} + input);
  std::vector<double> errors;
  const double exact =
      drawn["input"]["exact"]["value"].number();  // 100 fp32 numbers of like size: their sum is a double
  const auto fp32 = static_cast<double>(static_cast<float>(exact));
  for (const Json& r : drawn["results"]) {
    const double value = r["value"].number();
    errors.insert(errors.end(), r["count"].count(), std::max(std::fabs(value - exact), std::fabs(value - fp32)));
  }
  std::sort(errors.begin(), errors.end(), std::greater<>());
  const Json json = on_one_input(input + Line{"--samples", "4000", "--coverage", "0.99"});
  const std::uint64_t rank = orderlab::limit_rank(4000, 0.99, 0.95);
  CHECK(rank == 30);
  CHECK(bits(json["tolerance"]["atol"]["value"]) == std::bit_cast<std::uint64_t>(errors[rank - 1]));
  CHECK(bits(json["observed"]["largest"]) == std::bit_cast<std::uint64_t>(errors[0]));
}

TEST_CASE("few orders are enumerated, and the limit is certain") {
  const Line input{"--n", "8", "--order", "random", "--format", "fp32", "--dist", "normal(0,1)"};
  for (const char* against : {"exact", "run"}) {
    const Json json = on_one_input(input + Line{"--against", against});
    for (const char* unit : {"rtol", "atol", "ulp"}) {
      CHECK(json["tolerance"][unit]["method"] == "exact enumeration of 40320 orders");
      CHECK(json["tolerance"][unit]["confidence"] == 1.0);
      CHECK(json["tolerance"][unit]["coverage"] == 0.999);
    }
    // Sampling, asked for, comes to the same quantile from above: with probability 0.95, this seed among them.
    const Json sampled = on_one_input(input + Line{"--against", against, "--samples", "60000"});
    CHECK(has_phrase(sampled["tolerance"]["atol"]["method"].text(), "order statistic"));
    CHECK(sampled["tolerance"]["atol"]["value"].number() >= json["tolerance"]["atol"]["value"].number());
    CHECK(sampled["observed"]["largest"].number() <= json["observed"]["largest"].number());
  }
  const Json fixed = on_one_input({"--n", "1000", "--order", "seq"});
  CHECK(fixed["tolerance"]["atol"]["method"] == "the one result of a fixed order");
  CHECK(fixed["tolerance"]["atol"]["confidence"] == 1.0);
  CHECK(bits(on_one_input({"--n", "1000", "--order", "seq", "--against", "run"})["tolerance"]["atol"]["value"]) == 0);
}

TEST_CASE("more orders than a machine word counts are enumerated where few results come of them") {
  for (const char* constant : {"constant(0.1)", "constant(1)"}) {
    const Json json = on_one_input({"--n", "30", "--dist", constant, "--order", "random", "--format", "fp32"});
    CHECK(json["tolerance"]["atol"]["method"] == "exact enumeration of 2.65e+32 orders");
  }
}

TEST_CASE("new inputs are drawn, one each") {
  const TemporaryFolder folder;
  const Line input{"--n", "50", "--order", "seq", "--format", "fp32", "--dist", "normal(0,1)"};
  const Json json = tolerance(input + Line{"--inputs", "auto", "--coverage", "0.9", "--confidence", "0.9"});
  const auto rule = orderlab::sampling_rule(0.9, 0.9);
  CHECK(json["config"]["inputs"] == rule.samples);
  CHECK(json["samples"] == rule.samples);
  CHECK(json["tolerance"]["atol"]["confidence"] == 0.9);
  CHECK(json["tolerance"]["atol"]["value"].number() > 0);
  refuses_with(Line{"tolerance", "--inputs", "21", "--coverage", "0.9", "--confidence", "0.9"} + input, "at least 22");
  CHECK(tolerance(input + Line{"--inputs", "22", "--coverage", "0.9", "--confidence", "0.9"})["samples"] == 22);
}

TEST_CASE("terms of a distribution stand for all that it could draw, unless one input is asked for") {
  const Line input{"tolerance", "--n", "1000", "--order", "seq", "--format", "fp32"};
  const Outcome all = run(input);
  CHECK(all.status == kDone);
  CHECK(has_phrase(all.out, "99.9 % of new inputs and runs, confidence 95 %"));
  CHECK(!has_phrase(all.out, "For this input only"));
  const Outcome one = run(input + Line{"--inputs", "1"});
  CHECK(has_phrase(one.out, "For this input only:"));
  CHECK(has_phrase(run({"tolerance", "--values", "0.1,0.2,0.3", "--order", "seq"}).out, "For this input only:"));
  CHECK(tolerance({"--n", "1000", "--order", "seq", "--format", "fp32"})["tolerance"]["atol"]["value"].number() >
        on_one_input({"--n", "1000", "--order", "seq", "--format", "fp32"})["tolerance"]["atol"]["value"].number());
}

TEST_CASE("a tolerance for the largest of many outputs takes as many times the draws") {
  const TemporaryFolder folder;
  const Line input{"--n", "20", "--order", "random", "--format", "fp32", "--coverage", "0.9", "--confidence", "0.9"};
  const Json one = tolerance(input);
  const Json many = tolerance(input + Line{"--outputs", "50"});
  const orderlab::SamplingRule rule = orderlab::sampling_rule(orderlab::coverage_of_one(0.9, 50), 0.9);
  CHECK(many["samples"] == rule.samples);
  CHECK(rule.samples > 40 * one["samples"].count());
  CHECK(many["config"]["outputs"] == 50);
  CHECK(many["tolerance"]["atol"]["coverage"] == 0.9);
  CHECK(many["tolerance"]["atol"]["value"].number() > one["tolerance"]["atol"]["value"].number());
  const Outcome text = run(Line{"tolerance"} + input + Line{"--outputs", "50"});
  CHECK(has_phrase(text.out, "holds for the largest of 50 outputs in 90 % of new inputs and runs"));
  CHECK(has_phrase(text.err, "coverage 0.9 of the largest of 50 outputs with confidence 0.9"));
  refuses_with({"tolerance", "--values", "1,2,3", "--order", "random", "--outputs", "2"}, "takes terms of its own");
  refuses_with(Line{"tolerance", "--inputs", "1", "--outputs", "2"} + input, "takes terms of its own");
  refuses_with(Line{"tolerance", "--outputs", "0"} + input, "--outputs 0");
  refuses_with(Line{"tolerance", "--outputs", "1e9"} + input, "ask for less");
}

TEST_CASE("beside a claim on new inputs a bound is proven for all of them, or said to be of those drawn") {
  const auto d3 = [](const Json& json) {
    for (const Json& bound : json["bounds"])
      if (bound["name"] == "D3") return bound;
    return Json();
  };
  const Json uniform =
      d3(tolerance({"--n", "300", "--order", "random", "--format", "fp32", "--dist", "uniform(-2,1)"}));
  // (n - 1) u sum|x| with sum|x| = 2 n, in doubles rounded upward by 2^-46 at most.
  const double proven = 299 * 0x1p-24 * 600;
  CHECK(uniform["value"].number() >= proven);
  CHECK(uniform["value"].number() <= proven * (1 + 0x1p-45));
  CHECK(has(uniform["note"].text(), "every input"));
  const Json normal = d3(tolerance({"--n", "300", "--order", "random", "--format", "fp32", "--dist", "normal(0,1)"}));
  CHECK(has(normal["note"].text(), "on the inputs drawn"));
  const std::string text = run({"tolerance", "--n", "300", "--order", "random", "--format", "fp32"}).out;
  CHECK(has_phrase(text, "proven bound D3"));
  CHECK(!has_phrase(text, "proven bound D1"));
}

TEST_CASE("bounds stand beside the tolerance, with their ratio to it") {
  for (const char* against : {"exact", "run"}) {
    const Json json = on_one_input({"--n", "300", "--order", "random", "--format", "fp32", "--against", against});
    const double atol = json["tolerance"]["atol"]["value"].number();
    REQUIRE(json["bounds"].size() == 6);
    for (const Json& bound : json["bounds"]) {
      CAPTURE(bound.dump());
      CHECK(bits(bound["ratio"]) == std::bit_cast<std::uint64_t>(bound["value"].number() / atol));
      CHECK(bound["ratio"].number() > 1);
    }
    CHECK(json["bounds"][0]["name"] == "D1");
    CHECK(json["bounds"][0]["value"].number() <= json["bounds"][1]["value"].number());
    CHECK(json["bounds"][1]["value"].number() <= json["bounds"].back()["value"].number());
  }
}

TEST_CASE("a probabilistic bound that is no better than a proven one of the same sums is in JSON alone") {
  const auto bounds_of = [](const char* n) {
    const Line line{"--inputs", "1", "--n", n, "--order", "random", "--format", "fp32"};
    const Json json = tolerance(line);
    const std::string text = run(Line{"tolerance"} + line).out;
    std::map<std::string, double> values;
    for (const Json& bound : json["bounds"]) values[bound["name"].text()] = bound["value"].number();
    return std::pair(values, text);
  };
  const auto [few, text_of_few] = bounds_of("4");
  CHECK(few.at("P3") >= few.at("D1"));
  CHECK(few.at("P1") >= few.at("D2"));
  CHECK(!has(text_of_few, "bound P3"));
  CHECK(!has(text_of_few, "bound P1"));
  CHECK(has(text_of_few, "bound D1"));
  const auto [many, text_of_many] = bounds_of("300");
  CHECK(many.at("P3") < many.at("D1"));
  CHECK(many.at("P1") < many.at("D2"));
  CHECK(has(text_of_many, "bound P3"));
  CHECK(has(text_of_many, "bound P1"));
}

TEST_CASE("the same config gives the same bytes, whatever the threads") {
  const Line line{"tolerance", "--quiet", "--inputs", "1", "--n",        "64",
                  "--order",   "random",  "--json",   "-", "--coverage", "0.99"};
  for (const char* against : {"exact", "run"}) {
    const std::string one = run(line + Line{"--against", against, "--threads", "1"}).out;
    CHECK(one == run(line + Line{"--against", against, "--threads", "3"}).out);
    CHECK(one.size() > 1000);
  }
}

TEST_CASE("two orders are compared with each other, and the bounds of both are added") {
  const Line input{"--n", "300", "--format", "fp32", "--dist", "normal(0,1)"};
  const auto value = [](const Line& line, const char* order) {
    return json_of(Line{"sum", "--order", order} + line)["results"][0]["value"].number();
  };
  const Json fixed = on_one_input(input + Line{"--order", "seq", "--against", "pairwise(8)"});
  const double apart = std::fabs(value(input, "seq") - value(input, "pairwise(8)"));
  CHECK(apart > 0);
  CHECK(bits(fixed["tolerance"]["atol"]["value"]) == std::bit_cast<std::uint64_t>(apart));
  CHECK(fixed["tolerance"]["atol"]["method"] == "the one result of each of two fixed orders");
  CHECK(fixed["config"]["against"] == "pairwise(8)");
  CHECK(fixed["config"]["against_format"] == "fp32");
  const auto bound = [&](const Json& json, const char* name) {
    for (const Json& b : json["bounds"])
      if (b["name"] == name) return b["value"].number();
    return 0.0;
  };
  const Json one = on_one_input(input + Line{"--order", "seq"});
  const Json other = on_one_input(input + Line{"--order", "pairwise(8)"});
  for (const char* name : {"D1", "D2"}) {
    const double both = bound(one, name) + bound(other, name);  // within an ulp of the sum rounded upward
    CHECK(bound(fixed, name) >= both);
    CHECK(bound(fixed, name) <= std::nextafter(both, 2 * both));
  }

  const Json random = on_one_input(input + Line{"--order", "random", "--against", "numpy", "--against-format", "fp64"});
  CHECK(random["config"]["against_format"] == "fp64");
  CHECK(random["samples"] == 9151);
  CHECK(has_phrase(random["tolerance"]["atol"]["method"].text(), "9151 independent pairs of orders"));
  const Json few = on_one_input({"--n", "5", "--format", "fp32", "--order", "random", "--against", "random"});
  CHECK(few["tolerance"]["atol"]["method"] == "exact enumeration of 14400 pairs of orders");
  const Json itself = on_one_input({"--n", "5", "--format", "fp32", "--order", "random", "--against", "run"});
  CHECK(few["tolerance"]["atol"]["value"] == itself["tolerance"]["atol"]["value"]);
}

TEST_CASE("a text that is neither a word nor an order, and formats without an order, are refused") {
  const TemporaryFolder folder;
  refuses_with(kFresh + Line{"--against", "exakt"},
               "--against exakt: is not exact, run or an order: did you mean exact?");
  refuses_with(kFresh + Line{"--against-format", "fp32"}, "--against-format fp32: needs an order in --against");
  refuses_with(kFresh + Line{"--against", "run", "--against-format", "fp32"}, "needs an order in --against");
  refuses_with(kFresh + Line{"--against", "seq", "--against-format", "fp32:fp32:fp32"},
               "ACCUMULATE or ACCUMULATE:RESULT");
  refuses_with(kFresh + Line{"--against", "seq", "--against-format", "fp31"}, "fp31");
  refuses_with({"tolerance", "--op", "index_add", "--shape", "9x9", "--against", "seq"}, "must be exact or run");
  refuses_with({"tolerance", "--n", "9", "--order", "seq", "--against", "butterfly(4)"}, "butterfly");
}

TEST_CASE("a difference is read as it was printed, and 0 exactly") {
  const Line line{"check",       "--n",     "1000", "--format",  "fp32",       "--dist",
                  "normal(0,1)", "--order", "seq",  "--against", "pairwise(8)"};
  const auto judged = [&](const std::string& value) {  // exit status 1 where it is not explained
    return Json::parse(run(line + Line{"--value", value, "--quiet", "--json", "-"}).out);
  };
  const double apart = judged("1")["largest"].number();
  REQUIRE(apart > 0);
  const auto verdict = [&](const std::string& value) { return judged(value)["verdict"].text(); };
  CHECK(verdict("0") == "impossible");
  CHECK(verdict("0.0") == "impossible");
  CHECK(verdict(three_digits(apart)) == "explained");
  CHECK(verdict("-" + three_digits(apart)) == "explained");
  CHECK(verdict(three_digits(1.01 * apart)) == "impossible");
}

TEST_CASE("arrivals go to both orders of a comparison") {
  const Line line{"--n", "300", "--format", "fp32", "--order", "seq", "--against", "warp", "--arrival", "launch"};
  CHECK(on_one_input(line)["config"]["against"] == "halving(32) | arrive(launch) | seq(acc=atomic)");
  CHECK(on_one_input(line)["tolerance"]["atol"]["method"] == "the one result of each of two fixed orders");
}

TEST_CASE("the mean of the largest of many outputs is there for many outputs alone") {
  const Line line = Line{"--n", "20", "--order", "seq", "--against", "pairwise(8)", "--coverage", "0.5"};
  CHECK(!tolerance(line)["observed"].contains("mean_largest"));
  const Json many = tolerance(line + Line{"--outputs", "10"});
  CHECK(many["observed"]["mean_largest"].number() > many["observed"]["rms"].number());
  CHECK(many["observed"]["mean_largest"].number() < many["observed"]["largest"].number());
  CHECK(has_phrase(run(Line{"tolerance", "--outputs", "10"} + line).out, "observed, mean of largest"));
}

TEST_CASE("results that overflow leave no tolerance, or are counted") {
  const TemporaryFolder folder;
  const Line input{"tolerance", "--inputs", "1",    "--n",    "400",           "--order",
                   "random",    "--format", "fp16", "--dist", "normal(0,2600)"};
  const Outcome none = run(input + Line{"--quiet", "--json", "-", "--coverage", "0.9"});
  CHECK(none.status == 1);
  const Json json = Json::parse(none.out);
  CHECK(json["tolerance"]["atol"]["value"].is_null());
  CHECK(json["observed"]["nonfinite"].number() > 0.1);
  CHECK(json["lines"].empty());
  const Outcome some = run(input + Line{"--coverage", "0.2", "--samples", "1000"});
  CHECK(some.status == kDone);
  CHECK(has_phrase(some.out, "they fail every tolerance"));
  refuses_with({"tolerance", "--values", "60000,60000", "--format", "fp16", "--order", "seq"}, "overflows fp16");
  refuses_with({"tolerance", "--values", "inf,1", "--order", "seq"}, "exact sum is inf");
}

TEST_CASE("CSV has a row for every number") {
  const TemporaryFolder folder;
  CHECK(run(kSampled + Line{"--csv", "t.csv", "--quiet"}).status == kDone);
  const auto rows = lines_of(TemporaryFolder::read("t.csv"));
  REQUIRE(rows.size() == 14);
  CHECK(rows[0] == "kind,name,value,probability,confidence,note");
  CHECK(rows[2].starts_with("tolerance,atol,"));
  CHECK(has_phrase(rows[2], ",0.999,0.95,\"order statistic: the 5th largest of 9151 independent orders\""));
}

TEST_CASE("what cannot be answered is refused in one line") {
  const TemporaryFolder folder;
  for (const char* flag : {"--coverage", "--confidence"})
    for (const char* text : {"0", "1", "-0.5", "1.5", "99.9", "nan", "x", ""})
      refuses_with(kSampled + Line{flag, text}, flag);
  refuses_with(kSampled + Line{"--against", "sum"}, "--against sum: is not exact, run or an order: ");
  refuses_with(kSampled + Line{"--samples", "2994"}, "at least 2995");
  refuses_with(kSampled + Line{"--samples", "5989", "--against", "run"}, "at least 2995 pairs");
  CHECK(run(kSampled + Line{"--samples", "5990", "--against", "run"}).status == kDone);
  refuses_with(kFresh + Line{"--inputs", "2994"}, "at least 2995");
  refuses_with(kFresh + Line{"--inputs", "5000", "--samples", "5000"}, "orders of one input");
  refuses_with(kFresh + Line{"--samples", "5000"}, "add --inputs 1");
  refuses_with(kFresh + Line{"--inputs", "some"}, "--inputs");
  refuses_with({"tolerance", "--values", "1,2,3", "--order", "random", "--inputs", "auto"},
               "given terms are one input");
  refuses_with(kSampled + Line{"--coverage", "0.9999999999"}, "needs 29957320257 draws");
  refuses_with(kSampled + Line{"--memory", "-1"}, "--memory");
}

TEST_CASE("rows are errors against the exact sum, and a line says what its roundings add") {
  // bf16: the exact sum of few terms is far from its rounding, next to the errors.
  const Line input{"--n", "6", "--order", "random", "--format", "bf16", "--samples", "4000", "--memory", "1"};
  const Json drawn = json_of(Line{"sample", "--n", "6", "--order", "random", "--format", "bf16", "--samples", "4000"});
  const double exact = drawn["input"]["exact"]["value"].number();
  double squares = 0;
  double largest = 0;
  for (const Json& r : drawn["results"]) {
    const double error = std::fabs(r["value"].number() - exact);
    squares += error * error * static_cast<double>(r["count"].count());
    largest = std::max(largest, error);
  }
  const Json observed = on_one_input(input)["observed"];
  CHECK(std::fabs(observed["rms_from_exact"].number() - std::sqrt(squares / 4000)) <= 1e-12);
  CHECK(observed["largest_from_exact"].number() == largest);
  CHECK(observed["rms"].number() > 1.01 * observed["rms_from_exact"].number());  // as ever, from the farthest of all
  const std::string text = run(Line{"tolerance", "--inputs", "1"} + input).out;
  CHECK(has(text, "|run - exact sum|"));
  CHECK(has(text, orderlab::number(observed["rms_from_exact"].number(), 3) + " "));
  CHECK(has_phrase(text,
                   "The tolerance also covers a comparison with the rounded exact sum. Measured from whichever of the "
                   "exact sum and its roundings is farthest, the rms error is " +
                       orderlab::number(observed["rms"].number(), 2)));
  const Json pairs = on_one_input(input + Line{"--against", "run"})["observed"];
  CHECK(pairs["rms"] == pairs["rms_from_exact"]);
  CHECK(!has(run(Line{"tolerance", "--inputs", "1", "--against", "run"} + input).out, "rounded exact sum"));
  const Json all = on_one_input({"--n", "6", "--order", "random", "--format", "bf16"});
  CHECK(all["observed"]["largest_from_exact"].number() == largest);  // 4000 draws of 720 orders see all results
}

TEST_CASE("without an order the answer is that of random permutations, with a list of the usual orders") {
  const Line line{"tolerance", "--n", "50", "--format", "fp32"};
  const Outcome outcome = run(line);
  CHECK(outcome.status == kDone);
  CHECK(has_phrase(outcome.out, "No order was given, so the terms were added one at a time in random order."));
  CHECK(has(outcome.out, "OpenMP reduction by 8 threads           --order 'openmp(8)'\n"));
  Json json = json_of(line + Line{"--quiet"});
  const Json named = json_of(line + Line{"--quiet", "--order", "random"});
  CHECK(json["config"]["order_assumed"] == true);
  CHECK(json["usual_orders"].size() == orderlab::study::usual_orders().size());
  CHECK(!named.contains("usual_orders"));
  CHECK(json["tolerance"] == named["tolerance"]);
  CHECK(json["lines"] == named["lines"]);
  for (const orderlab::study::UsualOrder& usual : orderlab::study::usual_orders()) {
    CAPTURE(usual.order);
    CHECK(!orderlab::parse_order(usual.order).name().empty());
    CHECK(run(line + Line{"--quiet", "--order", std::string(usual.order), "--coverage", "0.9"}).status == kDone);
  }
  CHECK(has_phrase(run({"tolerance", "--values", "1e8,1,1"}).out, "name it with --order."));
  CHECK(!has(run(line + Line{"--order", "seq"}).out, "No order was given"));
}

TEST_CASE("an interrupted run answers with what its draws cover") {
  const auto after = [](std::uint64_t draws, const Line& line) {
    std::stop_source source;
    std::ostringstream out;
    std::ostringstream err;
    Session session{.out = out, .err = err, .stop = source.get_token()};
    session.caller.follows = [&](const std::string&, const orderlab::study::Progress& progress) {
      if (progress.done >= draws) source.request_stop();
    };
    const int status = run_program(line, session);
    return Outcome{status, out.str(), err.str()};
  };
  const Line line = kSampled + Line{"--quiet", "--threads", "1", "--json", "-"};
  const Outcome enough = after(2995, line);
  CHECK(enough.status == kInterrupted);
  const Json whole = Json::parse(enough.out);
  CHECK(whole["partial"] == true);
  CHECK(whole["tolerance"]["atol"]["coverage"] == 0.999);
  CHECK(whole["samples"].count() < 9151);
  CHECK(whole["tolerance"]["atol"]["value"].number() > 0);

  const Outcome fewer = after(200, line);
  CHECK(fewer.status == kInterrupted);
  const Json part = Json::parse(fewer.out);
  const std::uint64_t draws = part["samples"].count();
  REQUIRE(draws < 2995);
  const double coverage = part["tolerance"]["atol"]["coverage"].number();
  CHECK(coverage <= std::pow(0.05, 1 / static_cast<double>(draws)));
  CHECK(coverage > std::pow(0.05, 1 / static_cast<double>(draws)) - 2e-4);
  CHECK(part["tolerance"]["atol"]["value"] == part["observed"]["largest"]);
  CHECK(part["config"]["coverage"] == 0.999);
  const std::string text = after(200, kSampled + Line{"--threads", "1"}).out;
  CAPTURE(text);
  CHECK(has_phrase(text, " of 9151 draws; these suffice for 9"));
  CHECK(has_phrase(text, " % of runs instead of 99.9 %."));
}

TEST_CASE("an interrupted run has no tolerance before its draws cover nine runs of ten") {
  const Outcome outcome = run_until("sampling", kSampled + Line{"--quiet", "--threads", "1"});
  CHECK(outcome.status == kInterrupted);
  CHECK(outcome.out.empty());
  CHECK(has_phrase(outcome.err, "takes at least 2995"));
}

TEST_CASE("equal terms have an exact tolerance, though their orders are more than machine words count") {
  const Json ones = on_one_input({"--n", "1000", "--dist", "constant(1)", "--order", "random"});
  CHECK(ones["tolerance"]["atol"]["value"] == 0.0);
  CHECK(has_phrase(ones["tolerance"]["atol"]["method"].text(), "exact enumeration"));
  std::string values = "0.1";  // 24!/(12! 12!) = 2.7e6 sequences of values, 24! = 6.2e23 of terms
  for (int i = 1; i < 24; ++i) values += i < 12 ? ",0.1" : ",0.3";
  const Line line{"tolerance", "--order", "random", "--values", values};
  const Outcome exact = run(line);
  CHECK(exact.status == kDone);
  CHECK(exact.err.empty());
  CHECK(has_phrase(exact.out, "exact enumeration"));
}

TEST_CASE("the memory that decides between all orders and samples stands in the config") {
  const Json all = on_one_input({"--n", "8", "--order", "random"});
  const Json sampled = on_one_input({"--n", "8", "--order", "random", "--memory", "1"});
  CHECK(all["samples"] != sampled["samples"]);
  CHECK(all["config"]["memory"] == 1073741824);
  CHECK(sampled["config"]["memory"] == 1);
}
