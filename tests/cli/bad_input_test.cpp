#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;

namespace {

using Line = std::vector<std::string>;
using Texts = std::vector<std::string>;

// Exit 2, one line on standard error, nothing on standard output, no file written, changed or left.
void refuses(const Line& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += " [" + argument.substr(0, 80) + "]";
  CAPTURE(line);
  const std::string before = TemporaryFolder::listing();
  const Outcome outcome = run(arguments);
  CAPTURE(outcome.err.substr(0, 300));
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("orderlab: "));
  CHECK(std::count_if(outcome.err.begin(), outcome.err.end(),
                      [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }) == 1);
  CHECK(outcome.err.ends_with("\n"));
  CHECK(TemporaryFolder::listing() == before);
}

// With a file to write, which must not appear.
void refuses_each(const Line& arguments, const std::string& flag, const Texts& texts) {
  for (const std::string& text : texts) refuses(arguments + Line{flag, text, "--csv", "never.csv"});
}

const Line kWarp{"sample", "--n", "40", "--order", "warp", "--json", "never.json"};
const Line kThree{"sample", "--values", "1,2,3", "--json", "never.json"};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// A .npy file of version 1.0 with this header dictionary.
std::string npy(const std::string& header, const std::string& data) {
  std::string padded = header;
  while ((10 + padded.size() + 1) % 64 != 0) padded += ' ';
  padded += '\n';
  const auto size = static_cast<unsigned>(padded.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(size & 0xffU) + static_cast<char>(size >> 8U) +
         padded + data;
}

std::string npy_of(const std::string& type, const std::string& data, const std::string& shape = "(3,)") {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

}  // namespace

TEST_CASE("a count that is none, or out of range, is refused") {
  const TemporaryFolder folder;
  const Texts nonsense{
      "",      "-1",   "1.5",      "1e400", "nan",  "abc", "1e-3", "2^64",  "2^-1", "99999999999999999999",
      "0x10",  "1__0", "_1",       "1_",    "+5",   " 5",  "5 ",   "1e",    "^",    "2^",
      "1e6e6", "inf",  "\xd9\xa1", "\n",    "5\n6", "--",  "\xff", "1,000", "1e5.5"};
  for (const char* flag : {"--samples", "--seed", "--input-seed", "--threads", "--max-distinct"})
    refuses_each(kWarp, flag, nonsense);
  refuses_each({"sample", "--order", "warp"}, "--n", nonsense);
  refuses_each({"tree", "--n", "5", "--order", "warp", "--json", "never.json"}, "--sample",
               {"-1", "", "1.5", "2^48", "x"});
  refuses_each({"sample", "--order", "warp"}, "--n", {"0", "1e15", "1e400"});
  refuses_each(kWarp, "--samples", {"0", "2^49", "1e30"});
  refuses_each(kWarp, "--threads", {"4097", "1e9"});
  refuses_each(kWarp, "--max-distinct", {"0", "1"});
}

TEST_CASE("a range that is none is refused") {
  const TemporaryFolder folder;
  refuses_each(kWarp, "--range",
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
  refuses_each(kWarp, "--dist",
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
      kWarp, "--format",
      {"", "fp8", "fp64:", "fp64:fp32:fp16:fp16", "FP64", "fp32:fp", "double", ":", "::", "fp64 ", "\n", "\xff"});
  refuses_each(kWarp, "--color", {"", "sometimes", "ALWAYS", "\n", "always "});
  refuses_each({"sample", "--order", "seq", "--json", "never.json"}, "--values",
               {"", "1,", ",1", "1,,2", ",", "1 2", "1;2", "abc", "0x", "1e", "--", "1,2,three", "nan(1)", "1,\n2x",
                "\xff", "1_0", "1..2", "1,2\x01"});
}

TEST_CASE("terms from nowhere or from two places are refused") {
  const TemporaryFolder folder;
  TemporaryFolder::write("two.txt", "1\n2\n");
  refuses({"sample", "--order", "seq"});
  refuses({"sample", "--n", "5"});
  refuses({"sample"});
  refuses({"sum"});
  refuses({"tree"});
  refuses({"sample", "--n", "5", "--values", "1", "--order", "seq"});
  refuses({"sample", "--n", "5", "--input", "two.txt", "--order", "seq"});
  refuses({"sample", "--values", "1,2", "--with", "two.txt", "--order", "seq"});
  refuses({"sample", "--n", "2", "--with", "two.txt", "--order", "seq"});
}

TEST_CASE("a file of terms that cannot be read right is refused") {
  const TemporaryFolder folder;
  const std::string doubles(24, '\0');
  TemporaryFolder::write("three.txt", "1\n2\n3\n");
  TemporaryFolder::write("two.txt", "1\n2\n");
  TemporaryFolder::write("empty.npy", "");
  TemporaryFolder::write("empty.txt", "");
  TemporaryFolder::write("empty.csv", "");
  TemporaryFolder::write("empty.f64", "");
  TemporaryFolder::write("blank.txt", "\n\n");
  TemporaryFolder::write("odd.f64", "1234567890");
  TemporaryFolder::write("odd.f32", "12345");
  TemporaryFolder::write("words.txt", "1\n2\nthree\n");
  TemporaryFolder::write("hole.csv", "1\n,\n3\n");
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  TemporaryFolder::write("bytes.txt", bytes);
  TemporaryFolder::write("text.npy", "1\n2\n3\n");
  TemporaryFolder::write("magic.npy", "\x93NUMPY");
  TemporaryFolder::write("header.npy", npy("not a dictionary", doubles));
  TemporaryFolder::write("cut.npy", npy_of("<f8", doubles.substr(1)));
  TemporaryFolder::write("long.npy", npy_of("<f8", doubles + "x"));
  TemporaryFolder::write("cut_header.npy", npy_of("<f8", doubles).substr(0, 40));
  TemporaryFolder::write("pickled.npy", npy_of("|O", "\x80\x03]q\x00."));
  TemporaryFolder::write("integers.npy", npy_of("<i8", doubles));
  TemporaryFolder::write("bools.npy", npy_of("|b1", "\1\1\1"));
  TemporaryFolder::write("complex.npy", npy_of("<c16", doubles + doubles));
  TemporaryFolder::write("no_terms.npy", npy_of("<f8", "", "(0,)"));
  TemporaryFolder::write("huge.npy", npy_of("<f8", doubles, "(4294967296,4294967296)"));
  TemporaryFolder::write("negative.npy", npy_of("<f8", doubles, "(-3,)"));
  TemporaryFolder::write("data.dat", "1");
  TemporaryFolder::write("none", "1");
  for (const char* name : {"folder", "folder.npy", "folder.txt", "folder.f64"}) std::filesystem::create_directory(name);
  const Texts bad{"nope.npy",     "nope.txt",       "nope",           "",
                  "empty.npy",    "empty.txt",      "empty.csv",      "empty.f64",
                  "blank.txt",    "odd.f64",        "odd.f32",        "words.txt",
                  "hole.csv",     "bytes.txt",      "text.npy",       "magic.npy",
                  "header.npy",   "cut.npy",        "cut_header.npy", "pickled.npy",
                  "integers.npy", "bools.npy",      "complex.npy",    "no_terms.npy",
                  "huge.npy",     "negative.npy",   "data.dat",       "none",
                  "folder",       "folder.npy",     "folder.txt",     "folder.f64",
                  "a\nb.txt",     "a\x1b[31mb.txt", "\xff.txt",       "three.txt/x.txt",
                  "long.npy"};
  for (const char* command : {"sample", "sum"}) {
    refuses_each({command, "--order", "seq", "--json", "never.json"}, "--input", bad);
    refuses_each({command, "--order", "seq", "--json", "never.json", "--input", "three.txt"}, "--with", bad);
    refuses({command, "--order", "seq", "--json", "never.json", "--input", "three.txt", "--with", "two.txt"});
  }
  CHECK(run({"sum", "--order", "seq", "--input", "three.txt"}).status == kDone);
}

TEST_CASE("a big-endian .npy file is read right or refused") {
  const TemporaryFolder folder;
  const std::string one("\x3f\xf0\0\0\0\0\0\0", 8);
  TemporaryFolder::write("big.npy", npy_of(">f8", one + one + one));
  const Line arguments{"sum", "--order", "seq", "--input", "big.npy"};
  if (run(arguments).status == kDone)
    CHECK(json_of(arguments)["results"][0]["bits"] == "0x4008000000000000");
  else
    refuses(arguments);
}

TEST_CASE("a recording of arrivals or a permutation that is wrong is refused") {
  const TemporaryFolder folder;
  TemporaryFolder::write("twice", "0 1 1\n");
  TemporaryFolder::write("short", "0 1\n");
  TemporaryFolder::write("long", "0 1 2 3\n");
  TemporaryFolder::write("mixed", "0 1 2\n0 1\n");
  TemporaryFolder::write("second_twice", "0 1 2\n2 2 0\n");
  TemporaryFolder::write("negative", "-1 0 1\n");
  TemporaryFolder::write("large", "0 1 3\n");
  TemporaryFolder::write("fraction", "0 1 1.5\n");
  TemporaryFolder::write("words", "zero one two\n");
  TemporaryFolder::write("empty", "");
  TemporaryFolder::write("broken.bz2", "BZh9garbage");
  TemporaryFolder::write("empty.bz2", "");
  std::filesystem::create_directory("folder");
  for (const char* name : {"twice", "short", "long", "mixed", "second_twice", "negative", "large", "fraction", "words",
                           "empty", "broken.bz2", "empty.bz2", "folder", "nope", "", "a\nb"}) {
    const std::string trace = std::string("trace('") + name + "')";
    refuses(kThree + Line{"--order", "arrive(" + trace + ") | seq"});
    refuses(kThree + Line{"--order", "ao", "--arrival", trace});
    refuses(kThree + Line{"--order", std::string("perm('") + name + "') | seq"});
  }
}

TEST_CASE("an output that cannot be written is refused before anything is read") {
  const TemporaryFolder folder;
  TemporaryFolder::write("file", "mine");
  std::filesystem::create_directory("folder");
  for (const std::string& path : {std::string("folder"), std::string("folder/"), std::string("nope/x.json"),
                                  std::string("/proc/x.json"), std::string("file/x.json"), std::string(300, 'a'),
                                  std::string("/"), std::string(), std::string("x\n/y"), std::string(".")}) {
    for (const char* flag : {"--json", "--csv"}) {
      refuses({"sample", "--n", "40", "--order", "warp", flag, path});
      refuses({"sum", "--n", "40", "--order", "seq", flag, path});
      const Outcome outcome = run({"sample", "--input", "missing.txt", "--order", "warp", flag, path});
      CHECK(outcome.err.find("missing.txt") == std::string::npos);
    }
    refuses({"tree", "--n", "4", "--order", "warp", "--json", path});
  }
}

TEST_CASE("two outputs to one place are refused") {
  const TemporaryFolder folder;
  std::filesystem::create_directory("folder");
  refuses(kWarp + Line{"--csv", "never.json"});
  refuses(kWarp + Line{"--csv", "./never.json"});
  refuses(kWarp + Line{"--csv", "folder/../never.json"});
  refuses(kWarp + Line{"--csv", std::filesystem::absolute("never.json").string()});
  refuses({"sample", "--n", "40", "--order", "warp", "--json", "-", "--csv", "-"});
  refuses(kWarp + Line{"--json", "other.json"});
  refuses({"tree", "--n", "4", "--order", "seq", "--dot", "--newick"});
  refuses({"tree", "--n", "4", "--order", "seq", "--dot", "--json", "never.json"});
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
    refuses(kWarp + stray);
  refuses({});
  for (const char* first : {"", "smple", "--smple", "-", "--", "\n", "\xff", "-n", "sample\n", "SAMPLE", "help"})
    refuses({first});
  refuses({"--quiet", "sample", "--n", "40", "--order", "warp", "--json", "never.json"});
  refuses({"x", "sample", "--n", "40", "--order", "warp", "--json", "never.json"});
  refuses({"sum", "--values", "1", "--order", "seq", "--samples", "5"});
  refuses({"sum", "--values", "1", "--order", "seq", "--order", "seq"});
  refuses({"list", "orders", "--csv", "x"});
  refuses({"list"});
  refuses({"list", ""});
  refuses({"list", "order"});
  refuses({"list", "orders", "stages"});
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
  offers(kWarp + Line{"--sampels", "5"}, "--samples");
  offers(kThree + Line{"--order", "warpp"}, "warp");
  offers(kThree + Line{"--order", "halvin(32)"}, "halving");
  offers(kThree + Line{"--order", "ao", "--arrival", "lanuch"}, "launch");
  offers(kWarp + Line{"--dist", "nrmal(0,1)"}, "normal");
  offers(kWarp + Line{"--format", "fp63"}, "fp64");
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

TEST_CASE("a file that was there survives a failed run unchanged") {
  const TemporaryFolder folder;
  TemporaryFolder::write("mine.json", "mine");
  TemporaryFolder::write("mine.csv", "mine too");
  const Line outputs{"--json", "mine.json", "--csv", "mine.csv"};
  refuses(Line{"sample", "--n", "40", "--order", "halving(2)"} + outputs);
  refuses(Line{"sample", "--input", "nope.npy", "--order", "seq"} + outputs);
  refuses(Line{"sample", "--n", "40", "--order", "warp", "--samples", "0"} + outputs);
  refuses(Line{"sample", "--n", "40", "--order", "warp", "--baseline", "random"} + outputs);
  refuses(Line{"sum", "--n", "40", "--order", "warp"} + outputs);
  refuses({"sample", "--n", "40", "--order", "warp", "--json", "mine.json", "--csv", "nope/x.csv"});
  refuses({"tree", "--n", "40", "--order", "halving(2)", "--json", "mine.json"});
}

TEST_CASE("a flag given twice or without its value is told in plain words") {
  const Outcome twice = run({"check", "--n", "9", "--order", "random", "--order", "warp", "--value", "1"});
  CHECK(twice.status == kFailed);
  CHECK(twice.err == "orderlab: check: --order: is given more than once; give it once\n");
  const Outcome none = run({"check", "--n", "9", "--order", "random", "--value"});
  CHECK(none.status == kFailed);
  CHECK(none.err == "orderlab: check: --value: has no value; see --help for what it takes\n");
}
