// The table of several orders, the lines below it, and JSON of two orders.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "show/samples.hpp"

using namespace orderlab;
using namespace orderlab::report_tests;

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

TEST_CASE("a typed order that is long continues in further rows") {
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
  CHECK(has(text, "\n\n3 different results among 3 orders, up to 2 ulp apart (relative 4.4e-16).\n\nseq: "));
  CHECK(has(text_of(of_values({"seq", "pairwise", "reverse | seq"}, "1,2,3,4")),
            "\n\nAll 3 orders give the same result.\n\n"));
  CHECK(has(text_of(of_values({"seq", "pairwise"}, "1,2,3,4")), "\n\nBoth orders give the same result.\n\n"));
  const std::string mixed = text_of(of_values({"seq", "random", "pairwise"}, "0x1p24,1,1,1", "fp32"));
  CHECK(has(mixed, "\nseq       16777216  0x4b800000 "));
  CHECK(has(mixed, "\nrandom           -           - "));
  CHECK(has(mixed, "\npairwise  16777218  0x4b800001 "));
  CHECK(has(mixed, "\n\n2 different results among 2 fixed orders, 1 ulp apart (relative 1.2e-07).\n\n"));
  CHECK(has(text_of(of_values({"seq", "reverse | seq"}, "0x1p1023,0x1p1023,-0x1p1023")),
            "\n\n2 different results among 2 orders.\n\n"));  // one is inf
  CHECK(!has(text_of(of_values({"seq", "random"}, values)), " fixed orders"));
  CHECK(!has(text_of(of_values({"random", "random_tree"}, values)), "bits  "));
}

TEST_CASE("of two orders a line and JSON say how often their runs differ") {
  const auto line = [](const study::SampleFinding& finding) { return unwrapped(text_of(finding)); };
  const study::SampleFinding two = of_values({"random", "seq"}, "1,0x1p-53,0x1p-53");
  const double differ = document(two)["differing_bits"]["probability"].number();
  CHECK(differ > 0.25);  // 1/3: seq keeps neither half of an ulp, as 2 of 3 random orders
  CHECK(differ < 0.42);
  CHECK(has(line(two),
            fmt::format("  A run of random and a run of seq differ in bits with probability {:.3g}.  ", differ)));
  CHECK(has(line(of_values({"random", "seq"}, "1,2,3")), "  All runs of random and seq gave the same bits.  "));
  CHECK(!has(line(of_values({"seq", "reverse | seq"}, "1,2,3")), "runs of"));
  CHECK(!document(of_values({"random", "seq", "random_tree"}, "1,2,3")).contains("differing_bits"));
}

TEST_CASE("fixed orders show their Vs where a baseline is given") {
  study::SampleFinding fixed = of_values({"seq", "pairwise"}, "0x1p53,1,1,1");
  CHECK(!has(text_of(fixed), "Vs"));
  fixed.baseline = "reverse | seq";
  CHECK(has(text_of(fixed), "  relative  Vs  height\n"));
  study::SampleFinding mixed = of_values({"seq", "random"}, "0x1p53,1,1,1");
  CHECK(!has(text_of(mixed, 140), "Vs offset"));
  mixed.baseline = "reverse | seq";
  CHECK(has(text_of(mixed, 140), "  relative  Vs offset  Vs spread  height\n"));
}
