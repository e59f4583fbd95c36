// --by: one answer for each group of rows of a table; sweeps over files; --axis and --list.
#include <doctest/doctest.h>

#include <string>

#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

constexpr const char* kTable =
    "shard,amount\na,5.2\na,5.0\na,6.5\na,5.3\nb,1.55\nb,1.6\nc,1.8\nb,1.6\nb,1.5\nb,1.65\nc,3.6\na,5.2\nc,4.0\nb,1.6\n"
    "a,5.4\nb,1.65\na,5.9\nc,6.76\nb,1.6\n";
const Line kByShard{"--input", "t.csv::amount", "--by", "shard", "--order", "random"};

std::string only_of(const std::string& shard) {
  std::string text;
  const std::string table = kTable;
  for (std::size_t at = table.find('\n'); at + 1 < table.size();) {
    const std::size_t end = table.find('\n', at + 1);
    if (table.compare(at + 1, 2, shard + ",") == 0) text += table.substr(at + 3, end - at - 2);
    at = end;
  }
  return text;
}

}  // namespace

TEST_CASE("every group has the answer of its rows alone") {
  const TemporaryFolder folder;
  TemporaryFolder::write("t.csv", kTable);
  const Json groups = json_of(Line{"enumerate"} + kByShard);
  REQUIRE(groups["groups"].size() == 3);
  const char* const names[] = {"a", "b", "c"};
  const int results[] = {3, 3, 1};  // as the issue that these numbers are of says of its runs: a and b vary, c does not
  for (int i = 0; i < 3; ++i) {
    TemporaryFolder::write("one.txt", only_of(names[i]));
    const Json alone = json_of({"enumerate", "--input", "one.txt", "--order", "random"});
    const Json& group = groups["groups"][i];
    CHECK(group["group"] == names[i]);
    CHECK(group["results"] == results[i]);
    CHECK(group["results"] == alone["distinct"]);
    CHECK(group["hash"] == alone["input"]["hash"]);
    CHECK(group["least"] == alone["results"].front()["value"]);
    CHECK(group["greatest"] == alone["results"].back()["value"]);
  }
  CHECK(json_of(Line{"sample", "--samples", "300"} + kByShard)["groups"][0]["results"] == 3);
  CHECK(json_of(Line{"tolerance"} + kByShard)["groups"][2]["verdict"].is_null());
}

TEST_CASE("check judges the result of every group") {
  const TemporaryFolder folder;
  TemporaryFolder::write("t.csv", kTable);
  TemporaryFolder::write("good.csv", "total,shard\n38.5,a\n12.75,b\n16.16,c\n");
  TemporaryFolder::write("bad.csv", "total,shard\n38.5,a\n12.75,b\n16.17,c\n");
  TemporaryFolder::write("less.csv", "total,shard\n38.5,a\n");
  CHECK(run(Line{"check", "--values", "good.csv::total"} + kByShard).status == kDone);
  const Outcome bad = run(Line{"check", "--values", "bad.csv::total"} + kByShard);
  CHECK(bad.status == kExitNo);
  CHECK(has(bad.out, "3 groups: 1 not explained by order."));
  CHECK(has(run(Line{"check", "--values", "less.csv::total"} + kByShard).err,
            "check: less.csv: has no row of shard b; give its result"));
  TemporaryFolder::write("more.csv", "total,shard\n38.5,a\n12.75,b\n16.16,c\n5,zz\n");
  CHECK(has(run(Line{"check", "--values", "more.csv::total"} + kByShard).err,
            "more.csv:5: shard zz is not a group of t.csv::amount"));
  TemporaryFolder::write("comma.csv", "total;shard\n38,5;a\n12,75;b\n16,16;c\n");
  TemporaryFolder::write("t_comma.csv", "shard;amount\na;38,5\nb;12,75\nc;16,16\n");
  const Json comma = json_of({"check", "--input", "t_comma.csv::amount", "--by", "shard", "--order", "random",
                              "--values", "comma.csv::total", "--decimal", ",", "--format", "fp32"});
  CHECK(comma["groups"][0]["verdict"] == "explained");
  CHECK(comma["rounded_values"] == 1);  // 16.16
  CHECK(comma["config"]["confidence"] == 0.999);
  CHECK(has(run(Line{"check", "--values", "good.csv::total", "--ftz", "yes"} + kByShard).err, "--ftz"));
  CHECK(has(run({"check", "--input", "-::amount", "--values", "-::total", "--by", "shard", "--order", "random"}).err,
            "standard input has one list"));
}

TEST_CASE("a group without an answer stays in the table, and says why") {
  const TemporaryFolder folder;
  std::string table = kTable;
  for (int i = 1; i <= 60; ++i) table += "large," + std::to_string(1.0 / i) + "\n";
  TemporaryFolder::write("t.csv", table);
  const Outcome text = run(Line{"enumerate"} + kByShard);
  CHECK(text.status == kExitNo);
  CHECK(has(text.out, "large: 60 partial sums"));
  CHECK(has(text.out, "4 groups: 1 with one result; the most results are 3, of a; 1 without an answer."));
  const Json document = Json::parse(run(Line{"enumerate", "--json", "-"} + kByShard).out);
  CHECK(document["groups"][3]["results"].is_null());
  CHECK(has(document["groups"][3]["problem"].text(), "can be enumerated"));
  TemporaryFolder::write("t.csv", table.substr(0, 13) + table.substr(table.find("large")));
  CHECK(has(run(Line{"enumerate"} + kByShard).err, "shard large: 60 partial sums"));
}

TEST_CASE("results that were too many to count are the most") {
  const TemporaryFolder folder;
  TemporaryFolder::write("t.csv", kTable);
  const Line line = Line{"sample", "--max-distinct", "2"} + kByShard;
  CHECK(has(run(line).out, "3 groups: 1 with one result; the most results are more than 2, of a."));
  const Json document = json_of(line);
  CHECK(document["groups"][0]["more_than"] == 2);
  CHECK(document["groups"][2]["results"] == 1);
}

TEST_CASE("what does not go with --by is refused") {
  const TemporaryFolder folder;
  TemporaryFolder::write("t.csv", kTable);
  const auto refused = [](const Line& line) {
    const Outcome outcome = run(line);
    CHECK(outcome.status == kFailed);
    return outcome.err;
  };
  CHECK(has(refused({"sample", "--n", "10", "--by", "shard", "--order", "random"}), "groups the rows of a table"));
  CHECK(has(refused({"sample", "--input", "t.csv::amount", "--by", "sort", "--order", "random"}), "no such column"));
  CHECK(has(refused(Line{"sample", "--order", "seq"} + kByShard), "--by takes one order"));
  CHECK(has(refused(Line{"sample", "--range", "0:5"} + kByShard), "does not go with --by"));
  CHECK(has(refused(Line{"check", "--value", "1"} + kByShard), "give the results of groups as a table"));
  TemporaryFolder::write("t.csv", "shard,amount\na,1\nb,x\n");
  CHECK(has(refused(Line{"enumerate"} + kByShard), "shard b: t.csv:3: 'x' is not a number"));
}

TEST_CASE("an array of two dimensions is added along an axis, or as it lies, by a word") {
  const TemporaryFolder folder;
  TemporaryFolder::write("p.json", "[[1, 2], [3, 4]]");
  CHECK(has(run({"sum", "--input", "p.json", "--order", "seq"}).err, "has the shape 2x2, and a sum takes one list"));
  CHECK(json_of({"sum", "--input", "p.json", "--order", "seq", "--axis", "all"})["input"]["n"] == 4);
  CHECK(json_of({"sum", "--input", "p.json", "--order", "seq", "--axis", "0"})["results"][1]["result"] == 6.0);
  CHECK(has(run({"sum", "--input", "p.json", "--order", "seq", "--axis", "x"}).err, "--axis x"));
  CHECK(has(run({"tree", "--input", "p.json", "--order", "seq", "--axis", "1"}).err, "--axis all adds all numbers"));
  CHECK(has(run({"tree", "--n", "4", "--order", "seq", "--axis", "all"}).err, "this adds one list of terms"));
  CHECK(has(run({"sum", "--input", "p.json", "--list"}).out, "numbers  2x2"));
}

TEST_CASE("a sweep takes files by their content") {
  const TemporaryFolder folder;
  TemporaryFolder::write("t.csv", kTable);
  TemporaryFolder::write("same.csv", kTable);
  TemporaryFolder::write("x.txt", "0.1\n0.2\n0.3\n");
  TemporaryFolder::write("c.toml",
                         "input = ['t.csv::amount', 'same.csv::2', 'x.txt']\norder = 'random'\nsamples = 5\n");
  CHECK(has(run({"sweep", "c.toml", "--db", "s.sqlite"}).out, "2 points"));
  CHECK(has(run({"sweep", "c.toml", "--db", "s.sqlite"}).out, "2 points in s.sqlite: 0 new, 2 from before"));
  for (const char* other : {"n = 5", "dist = 'normal(0,1)'", "input_seed = 3"}) {
    TemporaryFolder::write("d.toml", "input = 'x.txt'\norder = 'random'\n" + std::string(other) + "\n");
    CHECK(has(run({"sweep", "d.toml", "--db", "d.sqlite"}).err, "is about generated terms, and input names files"));
  }
  TemporaryFolder::write("d.toml", "input = ['x.txt', 3]\norder = 'random'\n");
  CHECK(has(run({"sweep", "d.toml", "--db", "d.sqlite"}).err, "has files and numbers of generated terms"));
}
