// What is typed wrong: numbers, orders, models, distributions, flags.
#include "cli/refusals.hpp"

using namespace orderlab::cli;

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a count that is none, or out of range, is refused") {
  const TemporaryFolder folder;
  const Texts nonsense{
      "",      "-1",   "1.5",      "1e400", "nan",  "abc", "1e-3", "2^64",  "2^-1", "99999999999999999999",
      "0x10",  "1__0", "_1",       "1_",    "+5",   " 5",  "5 ",   "1e",    "^",    "2^",
      "1e6e6", "inf",  "\xd9\xa1", "\n",    "5\n6", "--",  "\xff", "1,000", "1e5.5"};
  for (const char* flag : {"--samples", "--seed", "--input-seed", "--threads", "--max-distinct"})
    refuses_each(kWarpLine, flag, nonsense);
  refuses_each({"sample", "--order", "warp"}, "--n", nonsense);
  refuses_each({"tree", "--n", "5", "--order", "warp", "--json", "never.json"}, "--sample",
               {"-1", "", "1.5", "2^48", "x"});
  refuses_each({"sample", "--order", "warp"}, "--n", {"0", "1e15", "1e400"});
  refuses_each(kWarpLine, "--samples", {"0", "2^49", "1e30"});
  refuses_each(kWarpLine, "--threads", {"4097", "1e9"});
  refuses_each(kWarpLine, "--max-distinct", {"0", "1"});
}

TEST_CASE("a range that is none is refused") {
  const TemporaryFolder folder;
  refuses_each(kWarpLine, "--range",
               {"", "3", ":", "3:", ":3", "::", "3:3", "5:3", "-1:3", "0:1001", "a:b", "0:1e400", "1.5:3", " 0:3",
                "0:3:4", "0-3", "0:3\n", "\xff:3"});
}

TEST_CASE("an order that is none is refused") {
  const TemporaryFolder folder;
  const Texts orders{"",
                     " ",
                     "warpp",
                     "|",
                     "seq |",
                     "| seq",
                     "seq || seq",
                     "seq(",
                     "seq)",
                     "seq(0)",
                     "seq(-1)",
                     "seq(1.5)",
                     "seq(1e400)",
                     "halving(33)",
                     "halving(0)",
                     "halving(2^70)",
                     "tile(64)",
                     "tile(0,1) | seq",
                     "tile(64,2,0) | seq",
                     "halving(32,acc=kahan)",
                     "shuffle",
                     "halving(2)",
                     "chunks(5)",
                     "strided(8)",
                     "strided(0) | seq",
                     "chunks(0) | seq",
                     "pairwise(base=0)",
                     "((((seq",
                     "warp(3)",
                     "spa(b=0)",
                     "spa(b=63)",
                     "spa(b=1e400)",
                     "spa(q=1)",
                     "sort(up) | seq",
                     "sort() | seq",
                     "seq(acc=foo)",
                     "seq(from=foo)",
                     "seq(acc=fma)",
                     "seq(acc=kahan,acc=kahan)",
                     "seq seq",
                     "seq;seq",
                     "numpy(3)",
                     "tree(3)",
                     "seq\x01",
                     "\x1b[31mseq",
                     "seq |\nfoo",
                     "seq\xff\xfe",
                     "'seq'",
                     "\"seq\"",
                     "seq('a",
                     "perm",
                     "arrive(foo) | seq",
                     "arrive(uniform",
                     "arrive(slots(0,1)) | seq",
                     "arrive(slots(5,-1)) | seq",
                     "arrive(jitter(nan)) | seq",
                     "arrive(jitter(-1)) | seq",
                     "arrive(jitter(1e400)) | seq",
                     "arrive(arrive(uniform)) | seq",
                     "arrive(uniform) | arrive(jitter(1)) |",
                     "-1",
                     "--",
                     "seq,seq",
                     "1"};
  refuses_each(kThree, "--order", orders);
  refuses_each({"sum", "--values", "1,2,3"}, "--order", orders);
  for (const std::string& order : orders)
    refuses({"tree", "--values", "1,2,3", "--json", "never.json", "--order", order});
  refuses_each(kThree + Line{"--order", "seq"}, "--order", {"warpp", "seq(", ""});
  refuses_each(kThree + Line{"--order", "random"}, "--baseline",
               {"", "random", "warp", "nope", "halving(2)", "seq(acc=fma)", "ao", "perm('nope') | seq"});
}

TEST_CASE("an order nested deep, long or with huge numbers is refused without harm") {
  const TemporaryFolder folder;
  refuses_each(kThree, "--order",
               {repeated("(", 100000), "seq" + repeated("(", 100000), repeated("seq(", 5000),
                repeated("arrive(", 20000), repeated("seq|", 50000), repeated("seq | ", 50000) + "x",
                "seq(k=" + repeated("9", 100000) + ")", repeated("x", 100000)});
  refuses_each({"sample", "--n", "5", "--order", "warp"}, "--dist",
               {repeated("(", 100000), "uniform" + repeated("(0,", 50000)});
}

TEST_CASE("an arrival model that is none, or that nothing takes, is refused") {
  const TemporaryFolder folder;
  refuses_each(kThree + Line{"--order", "warp"}, "--arrival",
               {"", "uniformm", "launch(1)", "jitter", "jitter()", "jitter(x)", "slots(1)", "slots(1280,0.2,2)",
                "trace", "trace('nope')", "trace(", "launch | seq", "\n", "v100_b64(3)", "seq"});
  for (const char* order : {"seq", "random", "numpy", "arrive(uniform) | seq", "shuffle | tree"})
    refuses_each(kThree + Line{"--order", order}, "--arrival", {"launch"});
  refuses_each(kThree + Line{"--order", "seq", "--order", "numpy"}, "--arrival", {"launch"});
}

TEST_CASE("a distribution, format, color or list of values that is none is refused") {
  const TemporaryFolder folder;
  refuses_each(kWarpLine, "--dist",
               {"",
                "unifor(0,1)",
                "uniform",
                "uniform()",
                "uniform(0)",
                "uniform(0,1,2)",
                "uniform(1,0)",
                "uniform(nan,1)",
                "uniform(0,inf)",
                "normal(0,-1)",
                "cancel(0.5)",
                "cancel(1e400)",
                "logspread(5,-5)",
                "logspread(-99999,99999)",
                "integers(-1)",
                "integers(1.5)",
                "constant()",
                "uniform(0,1",
                "uniform 0,1",
                "uniform(0,1)x",
                "exponential(0)",
                "cauchy(0,-1)",
                "uniform(a,b)",
                "\n",
                "\xff",
                "uniform(0,1)\n"});
  refuses_each(
      kWarpLine, "--format",
      {"", "fp8", "fp64:", "fp64:fp32:fp16:fp16", "FP8", "fp32:fp", "doubl", ":", "::", "fp64 ", "\n", "\xff"});
  refuses_each(kWarpLine, "--color", {"", "sometimes", "ALWAYS", "\n", "always "});
  refuses_each({"sample", "--order", "seq", "--json", "never.json"}, "--values",
               {"", "1,", ",1", "1,,2", ",", "1 2", "1;2", "abc", "0x", "1e", "--", "1,2,three", "nan(1)", "1,\n2x",
                "\xff", "1_0", "1..2", "1,2\x01"});
}

TEST_CASE("a stray argument, an unknown flag or command is refused") {
  const TemporaryFolder folder;
  for (const Line& stray : std::vector<Line>{{"extra"},
                                             {"--jsn", "x"},
                                             {"-x"},
                                             {"-"},
                                             {""},
                                             {"\n"},
                                             {"--", "x"},
                                             {"sample"},
                                             {"sum"},
                                             {"--foo\nbar"},
                                             {"--\xff"},
                                             {"--quiet=5"},
                                             {"--quiet=maybe"},
                                             {"--n"},
                                             {"--n", "6"},
                                             {"--csv"},
                                             {"--samples=0"},
                                             {"---json"}})
    refuses(kWarpLine + stray);
  for (const char* first : {"", "smple", "--smple", "-", "--", "\n", "\xff", "-n", "sample\n", "SAMPLE", "helps", "-v"})
    refuses({first});
  refuses({"--quiet", "sample", "--n", "40", "--order", "warp", "--json", "never.json"});
  refuses({"x", "sample", "--n", "40", "--order", "warp", "--json", "never.json"});
  refuses({"sum", "--values", "1", "--order", "seq", "--samples", "5"});
  refuses({"sum", "--values", "1", "--order", "seq", "--order", "seq"});
  refuses({"list", "orders", "--csv", "x"});
  refuses({"list", ""});
  refuses({"list", "order"});
  refuses({"list", "orders", "stages"});
  refuses({"list", "orders", "cub", "cub"});
  refuses({"list", "orders", "CUB", "--json", "never.json"});
  refuses({"list", "metrics", ""});
  refuses({"help", "smple"});
  refuses({"help", ""});
  refuses({"help", "sample", "sum"});
  refuses({"help", "sample", "--man"});
  refuses({"help", "--man", "--completion", "bash"});
  refuses({"help", "--completion", "tcsh"});
  refuses({"help", "--completion"});
  refuses({"list", "orders", "--x"});
}

TEST_CASE("a misspelt name is answered with the nearest known one") {
  const TemporaryFolder folder;
  const auto offers = [](const Line& arguments, const std::string& name) {
    const Outcome outcome = run(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find("did you mean " + name + "?") != std::string::npos);
  };
  offers({"smple"}, "sample");
  offers({"list", "order"}, "orders");
  offers(kWarpLine + Line{"--sampels", "5"}, "--samples");
  offers(kThree + Line{"--order", "warpp"}, "warp");
  offers(kThree + Line{"--order", "halvin(32)"}, "halving");
  offers(kThree + Line{"--order", "ao", "--arrival", "lanuch"}, "launch");
  offers(kWarpLine + Line{"--dist", "nrmal(0,1)"}, "normal");
  offers(kWarpLine + Line{"--format", "fp63"}, "fp64");
  offers(kWarpLine + Line{"--samp", "5"}, "--samples");
  offers(kWarpLine + Line{"--SAMPLES", "5"}, "--samples");
  offers(kThree + Line{"--order", "ao", "--arrival", "v100"}, "v100_b64, v100_b64_drift or v100_loaded_guess");
  offers(kThree + Line{"--order", "kahan"}, "seq(acc=kahan)");
  offers(kThree + Line{"--order", "atomic"}, "warp, ao, spa or seq(acc=atomic)");
  offers(kWarpLine + Line{"--format", "hlaf"}, "half");
  offers({"SAMPLE"}, "sample");
  offers({"--versoin"}, "--version");
  offers({"help", "smple"}, "sample");
  offers({"list", "orders", "cubb"}, "cub");
}

TEST_CASE("a pipeline that leaves several partial sums is told how many and what would finish it") {
  const TemporaryFolder folder;
  const std::string err = run({"sum", "--n", "100", "--order", "halving(32)"}).err;
  CHECK(err.find("4 partial sums of 100 terms") != std::string::npos);
  CHECK(err.find("`halving(32) | seq`") != std::string::npos);
}

TEST_CASE("more memory than there is is refused before the work, with its size") {
  const TemporaryFolder folder;
  for (const char* command : {"sample", "sum"}) {
    refuses({command, "--n", "1e14", "--order", "seq", "--json", "never.json"});
    CHECK(run({command, "--n", "1e14", "--order", "seq"}).err.find("iB of memory") != std::string::npos);
  }
  refuses({"tree", "--n", "1e12", "--order", "seq", "--json", "never.json"});
  refuses({"tree", "--n", "65", "--order", "seq"});
}

TEST_CASE("a flag given twice or without its value is told in plain words") {
  const Outcome twice = run({"check", "--n", "9", "--order", "random", "--order", "warp", "--value", "1"});
  CHECK(twice.status == kFailed);
  CHECK(twice.err == "orderlab: check: --order: is given more than once; give it once\n");
  const Outcome none = run({"check", "--n", "9", "--order", "random", "--value"});
  CHECK(none.status == kFailed);
  CHECK(none.err == "orderlab: check: --value: needs a value\n");
  const Outcome taken = run({"sample", "--n", "--order", "warp"});
  CHECK(taken.status == kFailed);
  CHECK(taken.err == "orderlab: sample: --n: needs a value, COUNT, before --order\n");
}
