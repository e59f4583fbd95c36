// Names that others have chosen: files, boxes, orders, texts of configs and stores. Wherever a command says them, a
// terminal shows them and does nothing else.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "core/printable.hpp"

using namespace orderlab::cli;

namespace {

/// What may be in a name of a file or an argument.
const std::vector<std::string> kNames{"esc\x1b[2J",
                                      "csi\xC2\x9B"
                                      "2J",
                                      "bell\a",
                                      "return\rorderlab: done",
                                      "del\x7f",
                                      "line\nEXPLAINED",
                                      "rtl\u202Egnp",
                                      "isolate\u2066a",
                                      "byte\x9B",
                                      "osc\x1b]0;a\a",
                                      "separator\u2028a",
                                      "bold\x1b[1m"};

void shows_and_no_more(const Line& line) {
  const Outcome outcome = run(line);
  std::string about;
  for (const std::string& word : line) about += " [" + orderlab::printable(word) + "]";
  CAPTURE(about);
  for (const std::string* text : {&outcome.out, &outcome.err}) {
    CAPTURE(orderlab::printable(*text).substr(0, 1000));
    CHECK(orderlab::printable(*text, orderlab::LineEnds::kept) == *text);
    CHECK(!has(*text, "\nEXPLAINED"));
  }
  CHECK(!outcome.out.empty() + !outcome.err.empty() > 0);
}

}  // namespace

TEST_CASE("no name acts upon the terminal, wherever it is said") {
  for (const std::string& name : kNames) {
    const TemporaryFolder folder;
    const std::string file = name;
    TemporaryFolder::write(file, "0.5\n0.25\n0.75\n");
    TemporaryFolder::write("scores.txt", "0.5\n0.6\n0.7\n");
    TemporaryFolder::write("sums.toml", "n = 10\norder = 'seq'\n");
    TemporaryFolder::write("solve.toml", "command = 'solve'\nsolver = 'cg'\nmatrix = 'poisson2d(3)'\nsamples = 2\n");
    TemporaryFolder::write("orders.csv", "0,1,2,3,4,5,6,7\n1,0,2,3,4,5,7,6\n0,2,1,3,5,4,6,7\n1,0,2,4,3,5,7,6\n");
    std::filesystem::copy_file("orders.csv", file + ".csv");
    TemporaryFolder::write("box.sh", "exit 3\n");
    const std::string store = "s" + file + ".sqlite";
    const std::vector<Line> lines{
        {name},
        {"sum", name},
        {"sum", "--" + name},
        {"sum", "--values", name},
        {"sum", "--values", "1,2", "--order", name},
        {"sum", "--input", "absent" + name},
        {"sum", "--values", "1,2", "--order", "seq", "--format", name},
        {"sample", "--n", "10", "--order", "perm('" + name + "')"},
        {"sample", "--n", "10", "--order", "spa", "--arrival", name},
        {"sample", "--n", "10", "--dist", name},
        {"sample", "--op", name, "--shape", "8"},
        {"compare", file, "scores.txt"},
        {"compare", file, "absent" + name},
        {"compare", name, "0.1,0.2"},
        {"fit", file + ".csv"},
        {"fit", "absent" + name},
        {"verify", file},
        {"verify", "absent" + name},
        {"probe", "--command", "echo '" + name + "'"},
        {"probe", "--command", "printf '%s' '" + name + "' >&2; exit 1"},
        {"probe", "--library", name + ":f"},
        {"probe", "--python", name + ":f"},
        {"sweep", "sums.toml", "--db", store},
        {"sweep", "sums.toml", "--db", store, "--status"},
        {"sweep", "sums.toml", "--db", "absent" + name, "--status"},
        {"report", store, "-o", "p" + file + ".html"},
        {"report", store, "-o", "q.html", "--spec", "d" + file},
        {"export", store, "--csv", "e" + file + ".csv"},
        {"merge", "--db", "m" + file, store},
        {"merge", "--db", "n" + file, "absent" + name},
        {"merge", "--complete", "--db", "o" + file, store, "absent" + name},
        {"sample", "--n", "10", "--order", "random", "--samples", "5", "--counts", "c" + file},
        {"merge", "--counts", "d2" + file, "c" + file},
        {"sweep", "solve.toml", "--db", "r" + store},
        {"report", "r" + store, "-o", "r" + file + ".html"},
        {"solve", "cg", "--matrix", name + ".mtx"},
        {"solve", "cg", "--matrix", "poisson2d(3)", "--rhs", "absent" + name},
        {"solve", "cg", "--matrix", "poisson2d(3)", "--db", "scores.txt" + name},
        {"train", "--data", name},
        {"check", "--n", "10", "--value", name},
        {"list", name},
        {"list", "orders", name},
        {"help", name},
        {"crosscheck", "--kernel", name},
    };
    for (const Line& line : lines) shows_and_no_more(line);
  }
}

TEST_CASE("documents on standard output have no control character either, and stay what they are") {
  for (const std::string& name : kNames) {
    const TemporaryFolder folder;
    std::filesystem::create_directory("d");
    TemporaryFolder::write(name, "0.5\n0.25\n0.75\n");
    for (const Line& line : {Line{"verify", name, "--json", "-"}, Line{"compare", name, "0.1,0.2,0.3", "--json", "-"},
                             Line{"sample", "--n", "10", "--order", "random | " + name, "--csv", "-"}})
      shows_and_no_more(line);
    for (const Line& line : {Line{"verify", name}, Line{"compare", name, "0.1,0.2,0.3"}})
      if (const Outcome json = run(line + Line{"--json", "-"}); json.status == kDone) {
        CHECK(!orderlab::Json::parse(json.out).is_null());
        shows_and_no_more(line + Line{"--csv", "-"});
      }
  }
}

TEST_CASE("texts of a config") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "title = \"\u202Egnp \u009b2J\"\nquestion = \"\u2028?\"\nn = 10\norder = 'seq'\n");
  for (const Line& line : {Line{"sweep", "c.toml", "--dry-run"}, Line{"sweep", "c.toml", "--db", "s.sqlite"},
                           Line{"report", "s.sqlite", "-o", "-"}, Line{"export", "s.sqlite", "--json", "-"}})
    shows_and_no_more(line);
}

TEST_CASE("colors and progress bars are our own") {
  std::ostringstream out;
  TextStream text(out);
  text.write("\x1b[1mbold\x1b[0m \x1b[2J \x1b[8mhidden", true);
  CHECK(out.str() == "\x1b[1mbold\x1b[0m \\u001b[2J \\u001b[8mhidden");
  out.str("");
  text.write("\x1b[1mbold\x1b[0m", false);
  CHECK(out.str() == "\\u001b[1mbold\\u001b[0m");
}
