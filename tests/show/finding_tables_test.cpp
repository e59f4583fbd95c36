// CSV and JSON of findings made by hand, in which no two members are equal: each column shows its own.
#include <doctest/doctest.h>

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "config/json.hpp"
#include "crosscheck/known_kernels.hpp"
#include "show/check.hpp"
#include "show/crosscheck.hpp"
#include "show/csv_cell.hpp"
#include "show/error_table.hpp"
#include "show/fit.hpp"
#include "show/fit_operation.hpp"
#include "show/input_text.hpp"
#include "show/make_sample.hpp"
#include "show/sample.hpp"
#include "show/verify.hpp"
#include "show/worst.hpp"

using namespace orderlab;

namespace {

study::InputFacts facts_of_three() {  // 1, 2 and -0.5
  study::InputFacts input;
  input.n = 3;
  input.hash = "xxh3:0";
  input.exact = exact_sum(std::vector<double>{1, 2, -0.5});
  input.sum_abs = exact_sum(std::vector<double>{1, 2, 0.5});
  return input;
}

Capture two_runs() {
  Capture capture;
  capture.runs.push_back({.kernel = "spa", .format = Format::fp32, .n = 30, .input = "constant(1)", .seed = 7});
  capture.runs.push_back({.kernel = "ao", .format = Format::fp16, .n = 40, .input = "normal(0,1)", .seed = 8});
  capture.runs[0].repeat = 2;
  capture.runs[0].bits = 0x3f800000;
  capture.runs[0].line = 5;
  capture.runs[1].repeat = 3;
  capture.runs[1].bits = 0x3c00;
  capture.runs[1].line = 6;
  return capture;
}

}  // namespace

TEST_CASE("a cell of CSV is a number, a count, a text that is quoted where it must be, or empty") {
  CHECK(csv_line({0.5, std::uint64_t{3}, "plain", "a,b", "say \"x\"", {}}) ==
        "0.5,3,plain,\"a,b\",\"say \"\"x\"\"\",\n");
  CHECK(csv_line({{}, {}}) == ",\n");
}

TEST_CASE("a fit to a table of Vc has a row for each size by each model") {
  study::OperationFitFinding finding;
  finding.small.push_back({.arrival = "jitter(3)", .sizes = {{.n = 10}}});
  const std::string csv = to_csv(finding);
  CHECK(csv.starts_with("fitted,arrival,n,vc,vc_predicted,sd,sd_predicted\nsmall,jitter(3),10,"));
}

TEST_CASE("tables of cross-checks") {
  const KernelInfo* const kernel = known_kernels()[0];
  const std::string name(kernel->name);
  study::CrossCheckFinding finding;
  finding.checks.rows = {
      {.kernel = kernel, .device = "host", .formats = parse_formats("fp32"), .cases = 9, .replays = 4},
      {.kernel = kernel, .device = "model", .formats = parse_formats("fp16"), .cases = 8},
      {.kernel = kernel, .device = "cuda", .formats = parse_formats("bf16")}};
  finding.checks.rows[1].mismatches = 3;
  const Mismatch first{.n = 5,
                       .shape = kernel->shapes[0],
                       .terms = "constant(1)",
                       .seed = 6,
                       .sample = 7,
                       .claim = "sequential",
                       .expected = 0x3c00,
                       .got = 0x3c02};
  finding.checks.rows[1].first = first;
  CHECK(to_csv(finding) == "kernel,device,format,cases,replays,mismatches,verdict\n" + name +
                               ",host,fp32,9,4,0,identical\n" + name + ",model,fp16,8,0,3,differs\n" + name +
                               ",cuda,bf16,0,0,0,not_run\n");
  const Json json = Json::parse(to_json(finding));
  const Json empty_sizes{{"run", 0}, {"differ", Json::array()}};
  CHECK(json["rows"][0] == Json{{"kernel", name},
                                {"device", "host"},
                                {"format", "fp32"},
                                {"cases", 9},
                                {"replays", 4},
                                {"mismatches", 0},
                                {"first", nullptr},
                                {"kinds", Json::array()},
                                {"shapes", Json::array()},
                                {"sizes", empty_sizes}});
  CHECK(json["rows"][1]["first"] == Json{{"n", 5},
                                         {"threads", first.shape.threads},
                                         {"items", first.shape.items},
                                         {"grid", first.shape.grid},
                                         {"terms", "constant(1)"},
                                         {"seed", 6},
                                         {"sample", 7},
                                         {"claim", "sequential"},
                                         {"model_bits", "0x3c00"},
                                         {"bits", "0x3c02"},
                                         {"problem", nullptr},
                                         {"kind", name_of(first.kind)},
                                         {"model_value", 1.0},
                                         {"value", 1 + 0x1p-9},
                                         {"distance_ulp", 2},
                                         {"basis", nullptr}});
}

TEST_CASE("tables of verified captures") {
  VerifyFinding finding;
  finding.captures.push_back({.file = "a.capture", .capture = two_runs(), .runs = {}});
  finding.captures[0].runs = {{.verdict = RunVerdict::impossible,
                               .claim = "ftz | seq",
                               .expected = 0x3f800001,
                               .p = {},
                               .mismatch = true,
                               .problem = {}},
                              {.verdict = RunVerdict::unlikely,
                               .claim = "ao",
                               .expected = {},
                               .p = 0.5,
                               .mismatch = true,
                               .problem = "returned, too"}};
  CHECK(to_csv(finding) ==
        "file,line,kernel,format,n,input,seed,repeat,claim,verdict,mismatch,model_bits,bits,problem\n"
        "a.capture,5,spa,fp32,30,constant(1),7,2,ftz | seq,impossible,1,0x3f800001,0x3f800000,\n"
        "a.capture,6,ao,fp16,40,\"normal(0,1)\",8,3,ao,unlikely,1,,0x3c00,\"returned, too\"\n");
  const Json json = Json::parse(to_json(finding));
  const Json& differences = json["captures"][0]["differences"];
  REQUIRE(differences.size() == 2);
  CHECK(differences[0] == Json{{"line", 5},
                               {"kernel", "spa"},
                               {"format", "fp32"},
                               {"n", 30},
                               {"claim", "ftz | seq"},
                               {"verdict", "impossible"},
                               {"model_bits", "0x3f800001"},
                               {"bits", "0x3f800000"},
                               {"problem", nullptr}});
  CHECK(differences[1]["model_bits"].is_null());
  CHECK(differences[1]["problem"] == "returned, too");
  finding.captures[0].runs[0].mismatch = false;
  CHECK(to_csv(finding).find(",impossible,0,0x3f800001,") != std::string::npos);
}

TEST_CASE("tables of extremes") {
  study::WorstFinding finding;
  finding.input = facts_of_three();
  finding.asked.expression = "shuffle | seq";
  finding.least = {.value = 2.25, .running_bound = 1, .order = {0, 2, 1}, .tree = {}};
  finding.least.bits = round_to_bits(Format::fp64, 2.25);
  finding.greatest = {.value = 3, .running_bound = {}, .order = {2, 1, 0}, .tree = {}};
  finding.greatest.bits = round_to_bits(Format::fp64, 3);
  const std::string ulp = "562949953421312";  // 2^49: a quarter in ulps of 2.5, which are 2^-51
  const std::string csv = to_csv(finding);
  CHECK(csv ==
        "end,bits,value,error_ulp,running_bound,order\n"
        "least,0x4002000000000000,2.25,-" +
            ulp +
            ",1,0 2 1\n"
            "greatest,0x4008000000000000,3,1125899906842624,,2 1 0\n");
  const Json json = Json::parse(to_json(finding));
  CHECK(json["least"] == Json{{"bits", "0x4002000000000000"},
                              {"value", 2.25},
                              {"error_ulp", -0x1p49},
                              {"error_relative", -0.1},
                              {"running_bound", 1},
                              {"share_of_bound", 0.25},
                              {"order", Json::array({0, 2, 1})}});
  CHECK(json["greatest"]["share_of_bound"].is_null());
}

TEST_CASE("tables of verdicts") {
  study::CheckFinding finding;
  finding.input = facts_of_three();
  finding.samples.emplace(CountingFrame{});
  ValueVerdict one;
  one.bits = round_to_bits(Format::fp64, 2.25);
  one.value = 2.25;
  one.given = 4;
  one.probability = 0.125;
  one.seen = 5;
  one.p = 0.25;
  one.distance_ulp = 6;
  one.error_ulp = -7;
  ValueVerdict other = one;
  other.probability.reset();
  other.seen.reset();
  other.p.reset();
  other.distance_ulp.reset();
  other.error_ulp.reset();
  finding.result.values = {one, other};
  const std::string words = std::string(name_of(one.verdict)) + "," + std::string(name_of(one.reason));
  CHECK(to_csv(finding) ==
        "bits,value,given,digits,numbers,verdict,reason,probability,seen,p,distance_ulp,error_ulp\n"
        "0x4002000000000000,2.25,4,,1," +
            words +
            ",0.125,5,0.25,6,-7\n"
            "0x4002000000000000,2.25,4,,1," +
            words + ",,,,,\n");
  const Json json = Json::parse(to_json(finding));
  CHECK(json["values"][0] == Json{{"bits", "0x4002000000000000"},
                                  {"value", 2.25},
                                  {"given", 4},
                                  {"digits", nullptr},
                                  {"numbers", 1},
                                  {"verdict", name_of(one.verdict)},
                                  {"reason", name_of(one.reason)},
                                  {"probability", 0.125},
                                  {"seen", 5},
                                  {"p", 0.25},
                                  {"distance_ulp", 6},
                                  {"error_ulp", -7}});
  CHECK(json["values"][1]["p"].is_null());
}

TEST_CASE("tables of fits") {
  study::FitFinding finding;
  FittedModel model;
  model.arrival = "drift(0.5,2)";
  model.parameters = {{.name = "rate", .value = 0.5, .error = 0.25, .low = 0.125, .high = 0.75}};
  model.misfit = 1.5;
  model.held_out_misfit = 2.5;
  model.matches = {{.feature = 0, .recorded = 1, .low = 2, .high = 3, .fitted = 4, .accepted = true},
                   {.feature = 2, .recorded = 5, .low = 6, .high = 7, .fitted = 8, .accepted = false}};
  finding.fit.models = {model};
  Prediction prediction;
  prediction.ratio = 1.5;
  prediction.low = 1.25;
  prediction.high = 1.75;
  prediction.inputs.resize(1);
  prediction.inputs[0].recorded_sd = 11;
  prediction.inputs[0].fitted_sd = 12;
  prediction.inputs[0].recorded_distinct = 13;
  prediction.inputs[0].fitted_distinct = 14;
  prediction.inputs[0].distance = 15;
  prediction.inputs[0].p = 16;
  finding.predictions = {prediction};
  const std::string start = "\"drift(0.5,2)\",";
  const std::string feature = start + "feature,tau_to_launch";
  const std::string next = start + "feature,tau_sd";
  CHECK(to_csv(finding) == "model,kind,name,value,error,low,high,recorded,accepted\n" + start +
                               "parameter,rate,0.5,0.25,0.125,0.75,,\n" + start + "misfit,misfit,1.5,,,,,\n" + start +
                               "misfit,held_out_misfit,2.5,,,,,\n" + feature + ",4,,2,3,1,yes\n" + next +
                               ",8,,6,7,5,no\n" + start + "prediction,sd_ratio,1.5,,1.25,1.75,1,\n" + start +
                               "prediction,sd_0,12,,,,11,\n" + start + "prediction,distinct_0,14,,,,13,\n" + start +
                               "prediction,ks_distance_0,15,,,,,\n" + start + "prediction,ks_p_0,16,,,,,\n");
}

TEST_CASE("the table of errors has each quantile under its own title") {
  Summary ulp;
  ulp.set_extremes(-8, 9);
  ulp.mean = 0.5;
  ulp.sd = 3;
  for (std::size_t i = 0; i < std::size(kQuantiles); ++i) ulp.quantiles[i].value = static_cast<double>(i) - 4;
  ErrorSummary errors{.ulp = ulp, .relative = ulp, .u_sum_abs = ulp};
  const std::string text = error_table(errors, {.width = 120, .color = false});
  std::istringstream words(text);
  std::vector<std::string> found{std::istream_iterator<std::string>(words), {}};
  const std::vector<std::string> numbers{"-8", "-3", "-1", "0.5", "1", "9", "3"};
  std::vector<std::string> expected{"error", "min", "5", "%", "median", "mean", "95", "%", "max", "sd"};
  for (const char* unit : {"ulp", "relative"}) {
    expected.emplace_back(unit);
    expected.insert(expected.end(), numbers.begin(), numbers.end());
  }
  CHECK(found == expected);
  errors.relative = {};
  CHECK(error_table(errors, {.width = 120, .color = false}).find("u sum|x|") != std::string::npos);
}

TEST_CASE("the text says of Vs what was measured") {
  const study::SampleFinding finding = make_sample(
      {.orders = {"random"}, .samples = 100}, generate_terms("uniform(0,1)", 300, Format::fp64, 1), "uniform(0,1)");
  const auto& vs = finding.orders[0].metrics.of<VsSummary>();
  const std::string line = "Vs against " + vs.baseline + ": offset " + number(vs.offset) + ", spread " +
                           number(vs.spread) + ", largest " + number(vs.max_abs) + "\n";
  CHECK(number(vs.offset) != number(vs.spread));
  CHECK(to_text(finding, {.width = 200, .color = false}).find(line) != std::string::npos);
}
