#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;

namespace {

const Line kOrders{"seq",         "pairwise", "numpy",         "warp",   "spa", "random",
                   "random_tree", "sptr",     "tprc_neumaier", "openmp", "cub"};

auto count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("a tree is shown as text, for Graphviz, in Newick format and as JSON") {
  for (const std::string& order : kOrders) {
    CAPTURE(order);
    const Line line{"tree", "--n", "37", "--order", order};
    const Outcome text = run(line);
    CHECK(text.status == kDone);
    CHECK(text.err.empty());
    CHECK(lines_of(text.out)[0].find(", height ") != std::string::npos);
    const Outcome dot = run(line + Line{"--dot"});
    CHECK(dot.out.starts_with("digraph"));
    CHECK(std::count(dot.out.begin(), dot.out.end(), '{') == std::count(dot.out.begin(), dot.out.end(), '}'));
    const Outcome newick = run(line + Line{"--newick"});
    CHECK(newick.out.ends_with(";\n"));
    CHECK(lines_of(newick.out).size() == 1);
    const auto json = json_of(line);
    REQUIRE(!json.is_null());
    CHECK(json["terms"] == 37);
    CHECK(json["roots"].size() == 1);
    for (int i = 0; i < 37; ++i) {
      CHECK(count_of(text.out, "x[" + std::to_string(i) + "]") == 1);
      const std::string leaf = "x" + std::to_string(i);
      CHECK(count_of(newick.out, leaf + ",") + count_of(newick.out, leaf + ")") == 1);
    }
  }
}

TEST_CASE("the CSV of a tree has a row a node, the root's bits those of the sum") {
  for (const std::string& order : kOrders) {
    CAPTURE(order);
    const Line line{"tree", "--n", "37", "--order", order, "--format", "fp16"};
    const auto json = json_of(line);
    const Outcome csv = run(line + Line{"--csv", "-"});
    CHECK(csv.status == kDone);
    const auto rows = lines_of(csv.out);
    REQUIRE(rows.size() == json["nodes"].size() + 1);
    CHECK(rows[0] == "node,operation,format,children,value,bits");
    for (std::size_t i = 1; i < rows.size(); ++i) CHECK(rows[i].ends_with("," + json["nodes"][i - 1]["bits"].text()));
  }
}

TEST_CASE("the root of the tree is the sum") {
  for (const char* order : {"seq", "pairwise", "numpy", "sptr", "reverse | halving(8) | seq(from=zero)"})
    for (const char* format : {"fp64", "fp32", "fp16", "bf16"}) {
      const Line line{"--n", "61", "--order", order, "--format", format, "--seed", "4"};
      const auto tree = json_of(Line{"tree"} + line);
      const auto sum = json_of(Line{"sum"} + line);
      REQUIRE(!tree.is_null());
      const auto root = tree["roots"][0].count();
      CHECK(tree["nodes"][root]["bits"] == sum["results"][0]["bits"]);
      CHECK(tree["height"] == sum["order"]["height"]["max"]);
    }
}

TEST_CASE("--sample chooses the drawn order, the same that sample draws") {
  const Line line{"--n", "50", "--order", "random", "--format", "fp16"};
  std::vector<std::string> bits;
  for (int i = 0; i < 5; ++i) {
    const auto tree = json_of(Line{"tree"} + line + Line{"--sample", std::to_string(i)});
    const auto part = json_of(Line{"sample"} + line + Line{"--range", std::to_string(i) + ":" + std::to_string(i + 1)});
    CHECK(tree["nodes"][tree["roots"][0].count()]["bits"] == part["results"][0]["bits"]);
    bits.push_back(tree["nodes"].dump());
  }
  for (std::size_t i = 1; i < bits.size(); ++i) CHECK(bits[i] != bits[0]);
}

TEST_CASE("--json FILE prints nothing, --json - JSON alone") {
  const TemporaryFolder folder;
  const Line line{"tree", "--n", "100", "--order", "warp"};
  const Outcome file = run(line + Line{"--json", "tree.json"});
  CHECK(file.status == kDone);
  CHECK(file.out.empty());
  CHECK(TemporaryFolder::read("tree.json") == run(line + Line{"--json", "-"}).out);
}

TEST_CASE("every operation of a tree has a name of the grammar's page") {
  const std::vector<std::string> names{"term",  "add",   "add_ftz",  "start", "start_ftz",
                                       "round", "kahan", "neumaier", "fma"};
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1.1\n2.2\n3.3\n");
  for (const char* order : {"seq(acc=fma)", "seq(acc=fma,from=zero)", "tile(2,2,acc=fma) | seq(acc=atomic)",
                            "seq(acc=kahan)", "seq(acc=neumaier)", "seq(from=zero)"}) {
    const Line line{"tree", "--input", "x.txt", "--with", "x.txt", "--order", order};
    const auto json = json_of(line);
    REQUIRE(!json.is_null());
    for (const auto& node : json["nodes"])
      CHECK(std::find(names.begin(), names.end(), node["operation"].text()) != names.end());
    for (const Line& more : std::vector<Line>{{}, {"--dot"}, {"--csv", "-"}})
      CHECK(run(line + more).out.find("fma_") == std::string::npos);
  }
}

TEST_CASE("a tree too large to read is refused as text only") {
  CHECK(run({"tree", "--n", "64", "--order", "seq"}).status == kDone);
  const Outcome large = run({"tree", "--n", "65", "--order", "seq"});
  CHECK(large.status == 2);
  CHECK(large.err.find("--newick") != std::string::npos);
  CHECK(run({"tree", "--n", "65", "--order", "seq", "--newick"}).status == kDone);
}

TEST_CASE("a tree shows which rank of an all-reduce adds to which") {
  const auto newick = [](const std::string& order) {
    const Outcome outcome = run({"tree", "--n", "6", "--order", order, "--newick"});
    CHECK(outcome.status == kDone);
    return outcome.out;
  };
  CHECK(newick("nccl_ring(1)") == "(((((x2,x3)n6,x4)n7,x5)n8,x0)n9,x1)n10;\n");
  CHECK(newick("ompi_ring(1)") == "(((((x1,x2)n6,x3)n7,x4)n8,x5)n9,x0)n10;\n");
  CHECK(newick("nccl_tree") == "(x0,(x1,(x2,(x3,(x4,x5)n6)n7)n8)n9)n10;\n");
  CHECK(newick("nccl_tree(2)") == "((x0,x1)n6,(x4,(x5,(x2,x3)n7)n8)n9)n10;\n");
  CHECK(newick("mpi_recursive_doubling") == "(((x0,x1)n6,(x2,x3)n7)n8,(x4,x5)n9)n10;\n");
}
