// No command may lose a file that it reads, or one of its outputs, to another of its outputs.
#include "cli/file_table.hpp"

#include <filesystem>

#include "cli/order_files.hpp"
#include "cli/refusals.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace fs = std::filesystem;

namespace {

// Files and links to them: "a" and "b" are there, "new" is not.
class Files : public TemporaryFolder {
 public:
  Files() {
    write("a", "1\n2\n3\n");
    write("b", "1\n");
    fs::create_directory("folder");
    fs::create_directory_symlink("folder", "folder_link");
    fs::create_hard_link("a", "hard");
    fs::create_symlink("a", "link");
    fs::create_symlink("../link", "folder/link");
    fs::create_symlink("new", "dangling");
    fs::create_symlink("../dangling", "folder/dangling");
  }
};

const Texts kNamesOfA{"a",    "./a",         "folder/../a", "folder_link/../a", "hard",
                      "link", "folder/link", ".//a",        "folder_link/link", "folder/../folder/link"};
const Texts kNamesOfNew{"new", "./new", "folder/../new", "dangling", "folder/dangling", "folder_link/dangling"};

bool refused(const std::string& read, const std::string& written) {
  const auto throws = [&](bool read_first) {
    FileTable files;
    try {
      if (read_first) files.reads(read);
      files.writes("--json", written);
      if (!read_first) files.reads(read);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK(std::string(error.what()).starts_with("--json " + written + ": "));
      return true;
    }
    return false;
  };
  const bool after = throws(true);
  CHECK(throws(false) == after);
  return after;
}

bool refused_both(const std::string& one, const std::string& other) {
  FileTable files;
  files.writes("--json", one);
  try {
    files.writes("--csv", other);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(std::string(error.what()).starts_with("--json " + one + " and --csv " + other + ": "));
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("an output that is read is known by any of its names") {
  const Files folder;
  const std::string before = Files::listing();
  for (const Texts& names : {kNamesOfA, kNamesOfNew})
    for (const std::string& read : names)
      for (const std::string& written : names + Texts{fs::absolute(names[0]).string()}) {
        CAPTURE(read);
        CAPTURE(written);
        CHECK(refused(read, written));
        CHECK(refused_both(read, written));
      }
  CHECK(Files::listing() == before);
}

TEST_CASE("files that are not one file may be named together") {
  const Files folder;
  for (const std::string& other : Texts{"b", "new", "folder/a", "folder/new", "nope/a", "", "-", "a/x"}) {
    CAPTURE(other);
    CHECK(!refused("a", other));
    CHECK(!refused(other, "a"));
    CHECK(!refused_both("a", other));
    CHECK(!refused_both("new", other == "new" ? "a" : other));
  }
}

TEST_CASE("a device may be named twice, standard output not") {
  CHECK(!refused("/dev/null", "/dev/null"));
  CHECK(!refused_both("/dev/null", "/dev/null"));
  CHECK(!refused_both("", ""));
  CHECK(!refused("-", "-"));
  CHECK(refused_both("-", "-"));
}

TEST_CASE("files may be read twice, and a flag may be named again") {
  const Files folder;
  FileTable files;
  files.reads("a");
  files.reads("link");
  files.writes("--json", "b");
  files.writes("--json", "b");
  CHECK_THROWS_AS(files.writes("--csv", "b"), Error);
  CHECK_THROWS_AS(files.writes("--csv", "a"), Error);
  files.writes("--csv", "new");
}

TEST_CASE("the files of an order are found in stages, arrival models and named orders") {
  const Files folder;
  TemporaryFolder::write("p", "0 1 2\n");
  TemporaryFolder::write("t", "2 1 0\n");
  const auto names = [](const Order& order) {
    Texts paths;
    for (const StageCall& call : order.stages())
      for (const Rows* rows : files_of(call.arguments)) paths.push_back(rows->path);
    return paths;
  };
  CHECK(names(parse_order("perm('p') | seq")) == Texts{"p"});
  CHECK(names(parse_order("perm('p') | arrive(trace('t')) | seq")) == Texts{"p", "t"});
  CHECK(names(parse_order("ao", "trace('t')")) == Texts{"t"});
  CHECK(names(parse_order("ao")).empty());
  FileTable files;
  read_files_of(parse_order("perm('p') | arrive(trace('t')) | seq"), files);
  CHECK_THROWS_AS(files.writes("--json", "p"), Error);
  CHECK_THROWS_AS(files.writes("--json", "./t"), Error);
}

TEST_CASE("every command keeps what it reads and what it writes") {
  const Files folder;
  TemporaryFolder::write("p", "0 2 1\n");
  TemporaryFolder::write("t", "2 1 0\n1 0 2\n");
  TemporaryFolder::write("c.toml", "n = 5\norder = 'seq'\n");
  REQUIRE(run({"sweep", "c.toml", "--db", "s", "--quiet"}).status == kDone);
  const Line three{"--values", "1,2,3"};
  const std::string perm = "perm('p') | seq";
  for (const char* flag : {"--json", "--csv"}) {
    refuses({"sum", "--input", "a", "--order", "seq", flag, "hard"});
    refuses({"sum", "--input", "b", "--with", "a", "--order", "seq", flag, "link"});
    for (const char* command : {"sum", "tree", "sample", "enumerate"})
      refuses(Line{command, "--order", perm, flag, "p"} + three);
    for (const char* command : {"sample", "enumerate"})
      refuses(Line{command, "--order", "random", "--baseline", perm, flag, "p"} + three);
    for (const char* command : {"sample", "worst", "tolerance", "enumerate"})
      refuses(Line{command, "--n", "3", "--order", "ao", "--arrival", "trace('t')", flag, "./t"});
    refuses({"check", "--n", "3", "--order", "arrive(trace('t')) | seq", "--value", "1", flag, "t"});
    refuses({"check", "--n", "3", "--order", "random", "--values", "a", flag, "hard"});
    refuses({"fit", "t", flag, "t"});
    refuses({"verify", "a", "b", flag, "b"});
    refuses({"export", "s", flag, "./s"});
  }
  refuses({"worst", "--input", "a", "--order", "random", "--order-file", "folder/link"});
  refuses({"worst", "--input", "a", "--order", "random", "--order-file", "x", "--json", "./x"});
  refuses({"worst", "--input", "a", "--order", "random", "--order-file", "-"});
  refuses(Line{"sample", "--order", "random", "--json", "r", "--html", "r"} + three);
  refuses(Line{"sample", "--order", "random", "--csv", "dangling", "--html", "new"} + three);
  refuses(Line{"sample", "--order", perm, "--html", "p"} + three);
  refuses({"sweep", "c.toml", "--db", "./c.toml"});
  refuses({"report", "s", "-o", "s"});
}
