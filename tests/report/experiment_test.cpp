#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "experiment/input_json.hpp"
#include "orderlab/terms.hpp"
#include "report/experiment_csv.hpp"
#include "report/experiment_json.hpp"
#include "report/experiment_text.hpp"
#include "report/make_experiment.hpp"
#include "report/table.hpp"

using namespace orderlab;

namespace {

ExperimentReport of_values(const std::vector<std::string>& orders, const std::string& values,
                           const std::string& format = "fp64", std::uint64_t samples = 1000) {
  const ExperimentPlan plan{.orders = orders, .formats = parse_formats(format), .samples = samples};
  return make_experiment(plan, parse_terms(values, plan.formats.terms));
}

ExperimentReport of_draws(const std::vector<std::string>& orders, std::size_t n,
                          const std::string& distribution = "uniform(0,10)", const std::string& format = "fp64",
                          std::uint64_t max_distinct = 1U << 20U) {
  const ExperimentPlan plan{
      .orders = orders, .formats = parse_formats(format), .samples = 300, .max_distinct = max_distinct};
  return make_experiment(plan, generate_terms(distribution, n, plan.formats.terms, 1), distribution);
}

Json document(const ExperimentReport& report) { return Json::parse(to_json(report)); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Without line breaks, which depend on the width.
std::string unwrapped(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::string text_of(const ExperimentReport& report, int width = 80, bool color = false) {
  return to_text(report, {width, color});
}

std::vector<ExperimentReport> typical() {
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
  for (const ExperimentReport& report : typical())
    for (const int width : {80, 100, 120, 60}) {
      std::istringstream lines(text_of(report, width));
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(display_width(line) <= static_cast<std::size_t>(width));
        CHECK(!line.ends_with(" "));
      }
    }
}

TEST_CASE("a narrow table leaves columns out, never the extremes") {
  const ExperimentReport cancelling = of_draws({"ao"}, 2000, "cancel(1e12)");
  CHECK(has(text_of(cancelling, 120), " 5 %"));
  CHECK(!has(text_of(cancelling, 60), " 5 %"));
  for (const char* title : {" min ", " median ", " max ", " sd\n"}) CHECK(has(text_of(cancelling, 60), title));
  const ExperimentReport several = of_draws({"warp", "spa", "sequential", "random_tree"}, 5000);
  CHECK(has(text_of(several, 140), "  height\n"));
  CHECK(!has(text_of(several, 60), "  height\n"));
}

TEST_CASE("bounds next to an exact sum of 0 are plain numbers") {
  CHECK(has(text_of(of_values({"seq"}, "1,-1,0.5,-0.5")), "running D1 5.55e-17, gamma_h "));
  CHECK(has(text_of(of_values({"seq"}, "1,1,0.5,0.5")), "running D1 1.88 ulp, gamma_h 2.25 ulp"));
}

TEST_CASE("a probabilistic bound is shown where it is below the proven one, and JSON has it anyway") {
  const auto bounds = [](const ExperimentReport& report) { return document(report)["bounds"]; };
  const ExperimentReport few = of_draws({"random"}, 8);
  CHECK(bounds(few)["probabilistic"]["value"].number() >= bounds(few)["running"]["max"].number());
  CHECK(!has(text_of(few), "P3"));
  CHECK(!has(unwrapped(text_of(few)), "with probability 0.99 "));
  const ExperimentReport fixed = of_draws({"pairwise"}, 8);
  CHECK(!has(text_of(fixed), "P3"));
  CHECK(has(text_of(fixed), "running D1 "));
  const ExperimentReport many = of_draws({"random"}, 2000);
  CHECK(bounds(many)["probabilistic"]["value"].number() < bounds(many)["running"]["max"].number());
  CHECK(has(unwrapped(text_of(many)), "ulp (P3, assumes random roundings)"));
  CHECK(has(unwrapped(text_of(of_draws({"seq(acc=kahan)"}, 8))), "with probability 0.99 none derived (P3"));
  CHECK(!has(text_of(of_values({"seq"}, "5")), "P3"));  // both 0
}

TEST_CASE("the conclusion is one plain sentence") {
  CHECK(text_of(of_values({"random"}, "1,0x1p-53,0x1p-53", "fp64", 500))
            .ends_with(" runs gave 2 different sums, spread 1 ulp; relative to the exact sum at most\n2.2e-16.\n"));
  CHECK(text_of(of_values({"random"}, "1,2,3", "fp64", 7))
            .ends_with("\n7 runs gave one and the same sum; always the exact sum.\n"));
  CHECK(text_of(of_values({"random"}, "1,2,3", "fp64", 1))
            .ends_with("\n1 run gave one and the same sum; always the exact sum.\n"));
  CHECK(text_of(of_values({"seq"}, "1,2,3"))
            .ends_with("\nA fixed order: every run gives this sum, and it is the exact one.\n"));
  CHECK(has(unwrapped(text_of(of_values({"seq"}, "0x1p53,1,1"))),
            "A fixed order: every run gives this sum, 1 ulp from the exact one, relative error 2.2e-16."));
  CHECK(has(unwrapped(text_of(of_draws({"random"}, 3000, "normal(0,1)", "fp64", 4))),
            "300 runs gave more than 4 different sums, spread "));
}

TEST_CASE("several orders have a row and a sentence each") {
  const std::string text = text_of(of_draws({"warp", "sequential"}, 2000));
  CHECK(has(text, "\norder "));
  CHECK(has(text, "\nwarp "));
  CHECK(has(text, "\nsequential "));
  CHECK(has(text, "\nwarp: 300 runs gave "));
  CHECK(has(text, "\nsequential: A fixed order: every run gives this sum, "));
}

TEST_CASE("a row is called what was typed, and numbered where that was typed before") {
  const std::string text = text_of(
      of_draws({"cub", "cub(load=striped)", " cub", "nccl_ring(chunk=1)", "nccl_ring", "seq\n|\treverse"}, 300));
  CAPTURE(text);
  for (const char* row :
       {"\ncub  ", "\ncub(load=striped)  ", "\ncub #2  ", "\nnccl_ring(chunk=1)  ", "\nnccl_ring  ",
        "\nseq | reverse  ", "\ncub(load=striped) = cub_tile(5280,striped) | ", "\nnccl_ring: A fixed order"})
    CHECK(has(text, row));
  CHECK(!has(text, "order 1"));
}

TEST_CASE("a typed order that is long goes on below, whole") {
  const std::string text = text_of(of_draws({"seq", "tile(64,2)|halving(64)|seq(acc=neumaier)"}, 300));
  CHECK(has(text, "\ntile(64,2)|halving(64)|  "));
  CHECK(has(text, "\nseq(acc=neumaier)\n"));
}

TEST_CASE("labels give way to results and their bits") {
  const std::string text = text_of(of_draws({"nccl_ring", "nccl_ring(chunk=3)", "warp", "warp"}, 10000));
  CHECK(has(text, "\norder                   result                bits  min ulp  max ulp  sd ulp\n"));
  CHECK(has(text, "\nnccl_ring(  "));
  CHECK(has(text, "\nchunk=3)\n"));
  CHECK(has(text, "\nwarp #2  "));
  CHECK(has(text, "\nwarp #2: 300 runs gave "));
}

TEST_CASE("several fixed orders show their results, their bits, and how many differ") {
  const std::string values = "0x1p53,1,1,1";
  const std::string text = text_of(of_values({"seq", "pairwise", "reverse | seq"}, values));
  CHECK(has(text, "\norder                    result                bits  error ulp  relative  height\n"));
  CHECK(has(text, "\nseq            9007199254740992  0x4340000000000000"));
  CHECK(has(text, "\npairwise       9007199254740994  0x4340000000000001"));
  CHECK(has(text, "\nreverse | seq  9007199254740996  0x4340000000000002"));
  CHECK(has(text, "\n\n3 different results among 3 orders.\n\nseq: "));
  CHECK(has(text_of(of_values({"seq", "pairwise", "reverse | seq"}, "1,2,3,4")),
            "\n\nAll 3 orders give the same result.\n\n"));
  CHECK(has(text_of(of_values({"seq", "pairwise"}, "1,2,3,4")), "\n\nBoth orders give the same result.\n\n"));
  const std::string mixed = text_of(of_values({"seq", "random", "pairwise"}, "0x1p24,1,1,1", "fp32"));
  CHECK(has(mixed, "\nseq       16777216  0x4b800000 "));
  CHECK(has(mixed, "\nrandom           -           - "));
  CHECK(has(mixed, "\npairwise  16777218  0x4b800001 "));
  CHECK(has(mixed, "\n\n2 different results among 2 fixed orders.\n\n"));
  CHECK(!has(text_of(of_values({"seq", "random"}, values)), " fixed orders"));
  CHECK(!has(text_of(of_values({"random", "random_tree"}, values)), "bits  "));
}

TEST_CASE("one line says how often two runs agree and how many runs show that they do not") {
  const auto line = [](const ExperimentReport& report) { return unwrapped(text_of(report)); };
  ExperimentReport halves = of_values({"random"}, "1,0x1p-53,0x1p-53", "fp64", 500);
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

TEST_CASE("of two orders a line and JSON say how often their runs differ") {
  const auto line = [](const ExperimentReport& report) { return unwrapped(text_of(report)); };
  const ExperimentReport two = of_values({"random", "seq"}, "1,0x1p-53,0x1p-53");
  const double differ = document(two)["differing_bits"]["probability"].number();
  CHECK(differ > 0.25);  // 1/3: seq keeps neither half of an ulp, as 2 of 3 random orders
  CHECK(differ < 0.42);
  CHECK(has(line(two),
            fmt::format("  A run of random and a run of seq differ in bits with probability {:.3g}.  ", differ)));
  CHECK(has(line(of_values({"random", "seq"}, "1,2,3")), "  All runs of random and seq gave the same bits.  "));
  CHECK(!has(line(of_values({"seq", "reverse | seq"}, "1,2,3")), "runs of"));
  CHECK(!document(of_values({"random", "seq", "random_tree"}, "1,2,3")).contains("differing_bits"));
}

TEST_CASE("a fixed order says its Vs where a baseline is given") {
  ExperimentReport fixed = of_values({"seq"}, "0x1p53,1,1");
  CHECK(!has(text_of(fixed), "Vs against"));
  fixed.baseline = "reverse | seq";
  CHECK(has(text_of(fixed), "\nVs against seq: 0\n"));
}

TEST_CASE("the text says that uniform arrivals are conservative and names the alternative where that was fitted") {
  const ExperimentReport fitted = of_draws({"spa"}, 1'000'000);
  const std::string text = unwrapped(text_of(fitted));
  REQUIRE(fitted.orders[0].advice.has_value());
  CHECK(std::fabs(fitted.orders[0].advice->tau - 0.9183) < 0.01);  // as recorded
  CHECK(has(text, "the conservative model"));
  CHECK(has(text, "--arrival v100_b64, Kendall tau 0.9"));
  CHECK(has(text, " for these 7813 thread blocks. "));
  for (const ExperimentReport& other : {of_draws({"spa"}, 2000), of_draws({"warp"}, 250016), of_draws({"ao"}, 7813)}) {
    CHECK(has(unwrapped(text_of(other)), "Arrivals are drawn uniformly, the conservative model. "));
    CHECK(!has(text_of(other), "v100"));
  }
  CHECK(!has(text_of(of_draws({"random"}, 2000)), "conservative"));
  const auto arrivals = [](std::size_t n, std::uint64_t samples) {
    const ExperimentPlan plan{.orders = {"halving(32) | arrive(slots(4,0.2)) | seq"}, .samples = samples};
    return unwrapped(text_of(make_experiment(plan, generate_terms("uniform(0,10)", n, Format::fp64, 1))));
  };
  CHECK(has(arrivals(2000, 300), "Kendall tau 0."));
  CHECK(has(arrivals(2000, 300), " between samples (300 draws; ± standard error)."));
  CHECK(has(arrivals(2000, 3), " (3 draws; ± standard error)."));
  CHECK(has(arrivals(2000, 1), " to launch order (1 draw)."));
}

TEST_CASE("no text has an infinity or NaN that the sums do not have") {
  for (const ExperimentReport& report :
       {of_values({"random"}, "1,-1,0.5,-0.5"), of_values({"seq"}, "1,-1"), of_values({"random"}, "0,0,0"),
        of_values({"random"}, "-0,-0"), of_values({"random"}, "5"), of_values({"seq"}, "5"),
        of_values({"warp", "seq"}, "5"), of_values({"warp", "seq"}, "1,-1"),
        of_values({"random"}, "5e-324,5e-324,-5e-324"), of_values({"random"}, "1e300,5e-324,-1e300"),
        of_values({"random"}, "1,2", "fp16", 1)}) {
    for (const bool color : {false, true}) {
      std::string text = text_of(report, 80, color);
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
  CHECK(text_of(of_values({"seq"}, "inf,1"))
            .ends_with("\nA fixed order: every run gives this sum, which is not finite.\n"));
  CHECK(text_of(of_values({"random"}, "inf,-inf,1"))
            .ends_with("\n1000 runs gave one and the same result, inf or NaN.\n"));
  CHECK(text_of(of_values({"random"}, "65504,65504", "fp16", 9))
            .ends_with("\n9 runs gave one and the same result, inf or NaN.\n"));
  const std::string text = unwrapped(text_of(of_values({"random"}, "65504,65504,-65504,-65504", "fp16")));
  CHECK(has(text, "the finite ones the exact sum; "));
  CHECK(has(text, " of them inf or NaN."));
  for (const char* values : {"inf,1", "inf,-inf", "nan,1,2", "-inf,-inf,3"})
    for (const char* order : {"seq", "random"}) {
      const ExperimentReport report = of_values({order}, values);
      CHECK(!text_of(report).empty());
      CHECK(!to_csv(report).empty());
      CHECK_NOTHROW(Json::parse(to_json(report)));
    }
}

TEST_CASE("colors stand around words, and only when asked for") {
  for (const ExperimentReport& report : typical()) {
    const std::string plain = text_of(report);
    std::string colored = text_of(report, 80, true);
    CHECK(!has(plain, "\x1b"));
    CHECK(has(colored, "\x1b["));
    for (auto at = colored.find("\x1b["); at != std::string::npos; at = colored.find("\x1b["))
      colored.erase(at, colored.find('m', at) + 1 - at);
    CHECK(colored == plain);
  }
}

TEST_CASE("an interrupted report says so, in text and in JSON") {
  ExperimentReport report = of_draws({"warp"}, 1000);
  CHECK(!document(report).contains("partial"));
  report.partial = true;
  CHECK(text_of(report).ends_with("\ninterrupted: these are the samples that were done\n"));
  CHECK(document(report)["partial"] == true);
}

TEST_CASE("a range stands in the JSON beside the config") {
  ExperimentReport report = of_draws({"warp"}, 1000);
  report.range = {3, 10};
  CHECK(document(report)["range"] == Json::array({3, 10}));
  CHECK(!document(report)["config"].contains("range"));
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
