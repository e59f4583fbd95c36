// Files that cannot be read right or cannot be written, and terms from no file at all.
#include "cli/refusals.hpp"

using namespace orderlab::cli;

namespace {

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
  const Texts bad{"nope.npy",
                  "nope.txt",
                  "nope",
                  "",
                  "empty.npy",
                  "empty.txt",
                  "empty.csv",
                  "empty.f64",
                  "blank.txt",
                  "odd.f64",
                  "odd.f32",
                  "words.txt",
                  "hole.csv",
                  "bytes.txt",
                  "text.npy",
                  "magic.npy",
                  "header.npy",
                  "cut.npy",
                  "cut_header.npy",
                  "pickled.npy",
                  "bools.npy",
                  "complex.npy",
                  "no_terms.npy",
                  "huge.npy",
                  "negative.npy",
                  "data.dat",
                  "none",
                  "folder",
                  "folder.npy",
                  "folder.txt",
                  "folder.f64",
                  "a\nb.txt",
                  "a\x1b[31mb.txt",
                  "\xff.txt",
                  "three.txt/x.txt",
                  "long.npy",
                  "/dev/zero",
                  "/dev/null"};
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
                           "empty", "broken.bz2", "empty.bz2", "folder", "nope", "", "a\nb", "/dev/zero", "\xff"}) {
    const std::string trace = std::string("trace('") + name + "')";
    refuses(kThree + Line{"--order", "arrive(" + trace + ") | seq"});
    refuses(kThree + Line{"--order", "ao", "--arrival", trace});
    refuses(kThree + Line{"--order", std::string("perm('") + name + "') | seq"});
  }
}

TEST_CASE("a device is refused at once wherever a file is read") {
  const TemporaryFolder folder;
  refuses({"fit", "/dev/zero"});
  refuses({"sweep", "/dev/zero", "--db", "never.sqlite"});
  refuses({"verify", "/dev/zero"});
  refuses({"check", "--n", "9", "--order", "random", "--values", "/dev/zero"});
  for (const Line& line : {Line{"report", "/dev/zero", "-o", "never.html"},
                           {"export", "/dev/zero", "--csv", "never.csv"},
                           {"merge", "/dev/zero", "/dev/zero", "-o", "never.sqlite"}})
    refuses(line);
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
  refuses(kWarpLine + Line{"--csv", "never.json"});
  refuses(kWarpLine + Line{"--csv", "./never.json"});
  refuses(kWarpLine + Line{"--csv", "folder/../never.json"});
  refuses(kWarpLine + Line{"--csv", std::filesystem::absolute("never.json").string()});
  refuses({"sample", "--n", "40", "--order", "warp", "--json", "-", "--csv", "-"});
  refuses(kWarpLine + Line{"--json", "other.json"});
  refuses({"tree", "--n", "4", "--order", "seq", "--dot", "--newick"});
  refuses({"tree", "--n", "4", "--order", "seq", "--dot", "--json", "never.json"});
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
