#include "show/sample.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "show/input_json.hpp"
#include "show/samples.hpp"
#include "show/table.hpp"

using namespace orderlab;
using namespace orderlab::report_tests;

namespace {

std::vector<study::SampleFinding> typical() {
  return {
      of_draws({"warp"}, 10000),
      of_draws({"spa"}, 10000, "uniform(0,1)", "fp32"),
      of_draws({"random"}, 2000, "normal(0,1)"),
      of_draws({"random_tree"}, 500, "uniform(0,10)", "fp16:fp32:fp16"),
      of_draws({"ao"}, 2000, "cancel(1e12)"),
      of_draws({"sptr"}, 5000),
      of_draws({"tile(64,2) | halving(64) | arrive(slots(1280,0.2)) | seq(acc=atomic)"}, 20000),
      of_draws({"random"}, 3000, "lognormal(0,10)", "fp64", 4),
      of_draws({"warp", "spa", "sequential", "random_tree"}, 5000),
      of_draws({"warp", "seq", "tile(64,2) | halving(64) | seq(acc=neumaier)"}, 5000, "normal(0,1)", "bf16:fp32:bf16"),
      of_values({"sequential"}, "0.1,0.2,-0.3"),
      of_values({"random"}, "1e300,-1e300,1")};
}

}  // namespace

TEST_CASE("the text fits the width of the terminal") {
  for (const study::SampleFinding& finding : typical())
    for (const int width : {80, 100, 120, 60}) {
      std::istringstream lines(text_of(finding, width));
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(display_width(line) <= static_cast<std::size_t>(width));
        CHECK(!line.ends_with(" "));
      }
    }
}

TEST_CASE("a narrow table leaves columns out, never the extremes") {
  const study::SampleFinding cancelling = of_draws({"ao"}, 2000, "cancel(1e12)");
  CHECK(has(text_of(cancelling, 120), " 5 %"));
  CHECK(!has(text_of(cancelling, 60), " 5 %"));
  for (const char* title : {" min ", " median ", " max ", " sd\n"}) CHECK(has(text_of(cancelling, 60), title));
  const study::SampleFinding several = of_draws({"warp", "spa", "sequential", "random_tree"}, 5000);
  CHECK(has(text_of(several, 140), "  height\n"));
  CHECK(!has(text_of(several, 60), "  height\n"));
}

TEST_CASE("bounds and bars have a unit, which is u sum|x| next to an exact sum of 0") {
  // running sums 0 and 0.5: D1 = u / 2, and sum|x| = 3
  CHECK(has(text_of(of_values({"seq"}, "1,-1,0.5,-0.5")), "D1 (running) 0.167 u sum|x|, D2 (gamma_h) 3 u sum|x|\n"));
  CHECK(has(text_of(of_values({"seq"}, "1,1,0.5,0.5")), "D1 (running) 1.88 ulp, D2 (gamma_h) 2.25 ulp"));
  const std::string zero = text_of(of_values({"random"}, "1,-1,0x1p-53,-0x1p-53"));
  CHECK(has(zero, " 0.0 u sum|x|  "));
  CHECK(!has(zero, " ulp"));
  // of bins, too
  const SamplePlan plan{.orders = {"random"}, .samples = 200, .max_distinct = 2};
  const std::string bins = text_of(make_sample(plan, parse_terms("1,-1,0.1,-0.1,3,-3,0.7,-0.7", Format::fp64)));
  CHECK(has(bins, ") u sum|x|  "));
  CHECK(!has(bins, " ulp"));
}

TEST_CASE("a probabilistic bound is shown where it is below the proven one, and JSON has it anyway") {
  const auto bounds = [](const study::SampleFinding& finding) { return document(finding)["bounds"]; };
  const study::SampleFinding few = of_draws({"random"}, 8);
  CHECK(bounds(few)["probabilistic"]["value"].number() >= bounds(few)["running"]["max"].number());
  CHECK(!has(text_of(few), "P3"));
  CHECK(!has(unwrapped(text_of(few)), "with probability 0.99 "));
  const study::SampleFinding fixed = of_draws({"pairwise"}, 8);
  CHECK(!has(text_of(fixed), "P3"));
  CHECK(has(text_of(fixed), "D1 (running) "));
  const study::SampleFinding many = of_draws({"random"}, 2000);
  CHECK(bounds(many)["probabilistic"]["value"].number() < bounds(many)["running"]["max"].number());
  CHECK(has(unwrapped(text_of(many)), "ulp with probability 0.99 (assumes random roundings)"));
  CHECK(has(unwrapped(text_of(of_draws({"seq(acc=kahan)"}, 8))), "; P3 none derived with probability 0.99 (assumes"));
  CHECK(!has(text_of(of_values({"seq"}, "5")), "P3"));  // both 0
}

TEST_CASE("the conclusion is one plain sentence") {
  CHECK(text_of(of_values({"random"}, "1,0x1p-53,0x1p-53", "fp64", 500))
            .ends_with("\n500 runs gave 2 different sums over a range of 1 ulp; largest relative error\n2.2e-16.\n"));
  CHECK(text_of(of_values({"random"}, "1,2,3", "fp64", 7)).ends_with("\n7 runs gave the same sum, which is exact.\n"));
  CHECK(text_of(of_values({"random"}, "1,2,3", "fp64", 1)).ends_with("\n1 run gave one sum, which is exact.\n"));
  CHECK(text_of(of_values({"seq"}, "1,2,3")).ends_with("\nA fixed order: every run gives this sum, which is exact.\n"));
  CHECK(has(unwrapped(text_of(of_values({"seq"}, "0x1p53,1,1"))),
            "A fixed order: every run gives this sum, 1 ulp from the exact sum (relative error 2.2e-16)."));
  CHECK(has(unwrapped(text_of(of_draws({"random"}, 3000, "normal(0,1)", "fp64", 4))),
            "300 runs gave more than 4 different sums over a range of "));
}

TEST_CASE("one line says how often two runs agree and how many runs show that they do not") {
  const auto line = [](const study::SampleFinding& finding) { return unwrapped(text_of(finding)); };
  study::SampleFinding halves = of_values({"random"}, "1,0x1p-53,0x1p-53", "fp64", 500);
  const Json json = document(halves)["same_bits"];
  CHECK(has(line(halves), fmt::format("Two runs give the same bits with probability {:.3g}; {} runs show a difference "
                                      "with probability 99.9 %. ",
                                      json["probability"].number(), json["runs_to_differ"].count())));
  CHECK(json["low"].number() < 5.0 / 9);
  CHECK(json["high"].number() > 5.0 / 9);
  // 1 - 0.025^(1/500)
  CHECK(has(line(of_values({"random"}, "1,2,3")),
            "1000 runs gave the same bits: two runs differ with probability at most 0.0074 (confidence 95 %). "));
  CHECK(has(line(of_draws({"random"}, 20000, "normal(0,1)", "fp64", 1U << 20U)), "wo runs give the same bits with "));
  CHECK(!has(line(of_values({"seq"}, "1,2,3")), "wo runs"));
  CHECK(!has(line(of_values({"random"}, "1,2,3", "fp64", 1)), "wo runs"));
  CHECK(!has(line(of_draws({"random"}, 3000, "normal(0,1)", "fp64", 4)), "wo runs"));
}

TEST_CASE("a running sum that stops growing is told with its value and the terms added by then") {
  const auto end = [](const std::string& order, std::size_t n, const std::string& format) {
    const std::string text = unwrapped(text_of(of_draws({order}, n, "constant(1)", format)));
    const auto at = text.find("The running sum");
    return at == std::string::npos ? std::string() : text.substr(at, text.size() - at - 1);
  };
  CHECK(end("sequential", 1000, "bf16") == "The running sum stops growing at 256, after 256 of 1000 terms.");
  CHECK(end("ao", 4096, "fp16") == "The running sum stops growing at 2048, after 2048 of 4096 terms.");
  CHECK(end("tile(2,1) | halving(2) | seq", 1200, "bf16") ==
        "The running sum stops growing at 512, after 256 of 600 partial sums.");
  CHECK(end("pairwise", 4096, "fp16").empty());
  CHECK(end("sequential", 1000, "fp32").empty());
  const study::SampleFinding two = of_draws({"sequential", "pairwise"}, 1000, "constant(1)", "bf16");
  CHECK(has(unwrapped(text_of(two)), "The running sum stops growing at 256, after 256 of 1000 terms. pairwise: "));
  const Json json = document(of_draws({"sequential"}, 1000, "constant(-1)", "bf16"))["stagnation"];
  CHECK(json["sum"] == -256.0);
  CHECK(json["after"] == 256);
  CHECK(json["partial_sums"] == 1000);
}

TEST_CASE("generated terms that overflow their format are counted in text and JSON") {
  const SamplePlan plan{.orders = {"seq"}, .formats = parse_formats("fp16"), .samples = 1};
  study::SampleFinding finding = make_sample(plan, parse_terms("1,2", Format::fp16));
  CHECK(!has(text_of(finding), "overflow"));
  finding.input.overflowed_terms = 1;
  CHECK(has(unwrapped(text_of(finding)), "2 terms, fp16; warning: 1 of them overflow to inf"));
  CHECK(document(finding)["input"]["overflowed_terms"] == 1);
}

TEST_CASE("a fixed order says its Vs where a baseline is given") {
  study::SampleFinding fixed = of_values({"seq"}, "0x1p53,1,1");
  CHECK(!has(text_of(fixed), "Vs against"));
  fixed.baseline = "reverse | seq";
  CHECK(has(text_of(fixed), "\nVs against seq: 0\n"));
}

TEST_CASE("the text says that uniform arrivals are conservative and names the alternative where that was fitted") {
  const study::SampleFinding fitted = of_draws({"spa"}, 1'000'000);
  const std::string text = unwrapped(text_of(fitted));
  REQUIRE(fitted.orders[0].advice.has_value());
  CHECK(std::fabs(fitted.orders[0].advice->tau - 0.9183) < 0.01);  // as recorded
  CHECK(has(text, "the conservative model"));
  CHECK(has(text, "Recorded arrivals are closer to launch order: --arrival v100_b64, Kendall tau 0.9"));
  CHECK(has(text, " for these 7813 thread blocks. "));
  for (const study::SampleFinding& other :
       {of_draws({"spa"}, 2000), of_draws({"warp"}, 250016), of_draws({"ao"}, 7813)}) {
    CHECK(has(unwrapped(text_of(other)), "Arrivals are drawn uniformly, the conservative model. "));
    CHECK(!has(text_of(other), "v100"));
  }
  CHECK(!has(text_of(of_draws({"random"}, 2000)), "conservative"));
  const auto arrivals = [](std::size_t n, std::uint64_t samples) {
    const SamplePlan plan{.orders = {"halving(32) | arrive(slots(4,0.2)) | seq"}, .samples = samples};
    return unwrapped(text_of(make_sample(plan, generate_terms("uniform(0,10)", n, Format::fp64, 1))));
  };
  CHECK(has(arrivals(2000, 300), "Kendall tau 0."));
  CHECK(has(arrivals(2000, 300), " between samples (300 draws; ± standard error)."));
  CHECK(has(arrivals(2000, 3), " (3 draws; ± standard error)."));
  CHECK(has(arrivals(2000, 1), " to launch order (1 draw)."));
}

TEST_CASE("no text has an infinity or NaN that the sums do not have") {
  for (const study::SampleFinding& finding :
       {of_values({"random"}, "1,-1,0.5,-0.5"), of_values({"seq"}, "1,-1"), of_values({"random"}, "0,0,0"),
        of_values({"random"}, "-0,-0"), of_values({"random"}, "5"), of_values({"seq"}, "5"),
        of_values({"warp", "seq"}, "5"), of_values({"warp", "seq"}, "1,-1"),
        of_values({"random"}, "5e-324,5e-324,-5e-324"), of_values({"random"}, "1e300,5e-324,-1e300"),
        of_values({"random"}, "1,2", "fp16", 1)}) {
    for (const bool color : {false, true}) {
      std::string text = text_of(finding, 80, color);
      const std::string condition = "condition number inf";  // of a sum of 0, or next to it
      if (const auto at = text.find(condition); at != std::string::npos) text.erase(at, condition.size());
      CAPTURE(text);
      CHECK(!has(text, "nan"));
      CHECK(!has(text, "inf"));
      CHECK(!has(text, "-0 "));
      CHECK(!has(text, "e+308 ulp from"));
    }
  }
}

TEST_CASE("sums that are not finite are named as such") {
  CHECK(text_of(of_values({"seq"}, "inf,1")).ends_with("\nA fixed order: every run gives inf.\n"));
  CHECK(text_of(of_values({"random"}, "inf,-inf,1")).ends_with("\n1000 runs gave the same result, nan.\n"));
  CHECK(text_of(of_values({"random"}, "65504,65504", "fp16", 9)).ends_with("\n9 runs gave the same result, inf.\n"));
  const std::string text = unwrapped(text_of(of_values({"random"}, "65504,65504,-65504,-65504", "fp16")));
  CHECK(has(text, "; the finite ones are exact; "));
  CHECK(has(text, " runs gave inf or NaN."));
  for (const char* values : {"inf,1", "inf,-inf", "nan,1,2", "-inf,-inf,3"})
    for (const char* order : {"seq", "random"}) {
      const study::SampleFinding finding = of_values({order}, values);
      CHECK(!text_of(finding).empty());
      CHECK(!to_csv(finding).empty());
      CHECK_NOTHROW(Json::parse(to_json(finding)));
    }
}

TEST_CASE("colors stand around words, and only when asked for") {
  for (const study::SampleFinding& finding : typical()) {
    const std::string plain = text_of(finding);
    std::string colored = text_of(finding, 80, true);
    CHECK(!has(plain, "\x1b"));
    CHECK(has(colored, "\x1b["));
    for (auto at = colored.find("\x1b["); at != std::string::npos; at = colored.find("\x1b["))
      colored.erase(at, colored.find('m', at) + 1 - at);
    CHECK(colored == plain);
  }
}

TEST_CASE("an interrupted report says so, in text and in JSON") {
  study::SampleFinding finding = of_draws({"warp"}, 1000);
  CHECK(!document(finding).contains("partial"));
  finding.partial = true;
  CHECK(text_of(finding).ends_with("\nincomplete: these are the samples that were drawn\n"));
  CHECK(document(finding)["partial"] == true);
}

TEST_CASE("a range stands in the JSON beside the config") {
  study::SampleFinding finding = of_draws({"warp"}, 1000);
  finding.range = {3, 10};
  CHECK(document(finding)["range"] == Json::array({3, 10}));
  CHECK(!document(finding)["config"].contains("range"));
}

TEST_CASE("JSON numbers are numbers, or texts where JSON has none") {
  CHECK(json_number(0.1).dump() == "0.1");
  CHECK(json_number(-0.0).dump() == "-0.0");
  CHECK(json_number(kInfinity).dump() == "\"inf\"");
  CHECK(json_number(-kInfinity).dump() == "\"-inf\"");
  CHECK(json_number(std::nan("")).dump() == "\"nan\"");
  CHECK(bits_text(Format::fp64, 1) == "0x0000000000000001");
  CHECK(bits_text(Format::fp32, 0x80000000U) == "0x80000000");
  CHECK(bits_text(Format::fp16, 0) == "0x0000");
  CHECK(bits_text(Format::bf16, 0x7f80U) == "0x7f80");
}
