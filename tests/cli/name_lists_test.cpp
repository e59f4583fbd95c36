// Lists of names, as errors, help and completion show them: no name comes twice.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/listing.hpp"
#include "cli/program.hpp"

using namespace orderlab::cli;

namespace {

constexpr const char* kUnknown = "qqqqqqqq";

// The names behind "known:", "did you mean" or "must be" in a message; none where it lists none.
std::vector<std::string> listed(const std::string& message) {
  for (const std::string mark : {"; known:", "; did you mean ", ": must be "}) {
    const auto at = message.find(mark);
    if (at == std::string::npos) continue;
    std::vector<std::string> names;
    std::string name;
    for (const char c : message.substr(at + mark.size()))
      if (std::string_view(" ,?()\n").find(c) == std::string_view::npos) {
        name += c;
      } else {
        if (!name.empty() && name != "or") names.push_back(name);
        name.clear();
      }
    return names;
  }
  return {};
}

std::string twice(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) return name;
  return {};
}

// The message has a list, and each name is in it once.
void lists_each_once(const Line& line) {
  const Outcome outcome = run(line);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 2);
  const std::vector<std::string> names = listed(outcome.err);
  CHECK(!names.empty());
  CHECK(twice(names).empty());
}

}  // namespace

TEST_CASE("an error that lists names lists each once") {
  const TemporaryFolder folder;
  TemporaryFolder::write("key.toml", "n = [10]\norder = \"seq\"\nqqqqqqqq = 1\n");
  TemporaryFolder::write("order.toml", "n = [10]\norder = \"qqqqqqqq\"\n");
  TemporaryFolder::write("exclude.toml", "n = [10, 20]\norder = [\"seq\", \"pairwise\"]\nexclude = [{n = 30}]\n");
  TemporaryFolder::write("program.toml", "command = \"qqqqqqqq\"\n");
  TemporaryFolder::write("solve.toml", "command = \"solve cg\"\nqqqqqqqq = 1\n");
  // All names; the same but for case; similar ones; ones that begin with this, or have it inside.
  for (const char* order : {kUnknown, "Pairwise", "numpi", "pairwize", "pair", "airwis"})
    lists_each_once({"sum", "--n", "10", "--order", order});
  for (const Line& line : std::vector<Line>{{kUnknown},
                                            {"help", kUnknown},
                                            {"sample", "--qqqqqqqq"},
                                            {"list", kUnknown},
                                            {"sum", "--n", "10", "--order", "seq(acc=qqqqqqqq)"},
                                            {"sum", "--n", "10", "--order", "ao", "--arrival", kUnknown},
                                            {"sum", "--n", "10", "--order", "seq", "--format", kUnknown},
                                            {"sum", "--n", "10", "--order", "seq", "--dist", kUnknown},
                                            {"sample", "--op", kUnknown},
                                            {"sample", "--op", "index_add", "--gpu", kUnknown},
                                            {"sample", "--op", "index_add", "--baseline", kUnknown},
                                            {"sample", "--n", "10", "--order", "warp", "--baseline", kUnknown},
                                            {"solve", kUnknown, "--matrix", "poisson2d(4)"},
                                            {"solve", "cg", "--matrix", kUnknown},
                                            {"solve", "cg", "--matrix", "poisson2d(4)", "--order", kUnknown},
                                            {"crosscheck", "--kernel", kUnknown},
                                            {"crosscheck", "--device", kUnknown},
                                            {"train", "--arrival", kUnknown},
                                            {"probe", "--command", "true", "--expect", kUnknown},
                                            {"sweep", "key.toml", "--db", "a.sqlite"},
                                            {"sweep", "order.toml", "--db", "a.sqlite"},
                                            {"sweep", "exclude.toml", "--db", "a.sqlite"},
                                            {"sweep", "program.toml", "--db", "a.sqlite"},
                                            {"sweep", "solve.toml", "--db", "a.sqlite"}}) {
    CAPTURE(line.back());
    lists_each_once(line);
  }
  for (const char* list : {"orders", "stages", "arrivals", "distributions", "metrics", "kernels", "formats",
                           "operations", "lookbacks", "gpus", "units", "solvers", "matrices"})
    lists_each_once({"list", list, kUnknown});
}

TEST_CASE("flags, and names that shells complete, come once") {
  for (const Command* command : commands())
    for (const orderlab::Flag* flag : command->flags) {
      CAPTURE(command->name);
      CAPTURE(flag->key);
      CHECK(twice({flag->words.begin(), flag->words.end()}).empty());
      if (!flag->list.empty()) CHECK(twice(names_in(flag->list)).empty());
    }
  CHECK(twice(command_names()).empty());
}
