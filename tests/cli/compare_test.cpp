// The command compare: its words, its documents, its page, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "show/compare_words.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const Line kClear{"compare", "0.5,0.52,0.51,0.53", "0.56,0.55,0.58,0.57"};
const Line kUnclear{"compare", "0.5,0.52,0.51,0.53", "0.51,0.54,0.50,0.53"};

// The text with its lines joined.
std::string flowing(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Json specs_of(const std::string& page) {
  const std::string before = "id=\"specs\">";
  const std::size_t from = page.find(before) + before.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

}  // namespace

TEST_CASE("the decision stands last, and the status is 0 either way") {
  const Outcome clear = run(kClear);
  CHECK(clear.status == kDone);
  CHECK(clear.err.empty());
  CHECK(
      has(flowing(clear.out), " B is better than A by 0.050 (95 %: 0.028 to 0.072), p = 0.0015 (Welch), p = 0.029 by"));
  const Outcome unclear = run(kUnclear);
  CHECK(unclear.status == kDone);
  const std::string text = flowing(unclear.out);
  CHECK(has(text, "Inconclusive: B did better than A by 0.005 (95 %: -0.0"));
  CHECK(has(text, " in these runs, but zero lies in the interval, p = "));
  CHECK(has(text, " runs of each in 80 % ("));
  CHECK(has(text, "give --difference D, the least difference that matters."));
  CHECK(has(flowing(run(kClear + Line{"--lower-is-better"}).out), "A is better than B by 0.050"));
  CHECK(has(flowing(run(kUnclear + Line{"--difference", "0.01"}).out),
            "With 4 runs of each, a difference of 0.01 would be detected in "));
}

TEST_CASE("few runs that no permutation can tell apart are said to rest on normal scores") {
  const std::string text = flowing(run({"compare", "1,2,3", "11,12,13"}).out);
  CHECK(has(text, "p = 0.1 by permutation"));
  CHECK(has(text, "cannot fall below 0.1 with so few runs: the decision rests on normal scores."));
}

TEST_CASE("text, sentence and chart tell the difference with one sign") {
  const TemporaryFolder folder;
  struct Case {
    Line line;
    std::string difference, better, title;
  };
  const Case cases[] = {
      {kClear, "B - A: 0.050 (95 %: 0.028 to 0.072); Welch's test: t = 5.48", "B is better than A by 0.050",
       "mean of B − mean of A (above 0: B is better)"},
      {{"compare", "0.56,0.55,0.58,0.57", "0.5,0.52,0.51,0.53"},
       "A - B: 0.050 (95 %: 0.028 to 0.072)",
       "A is better than B by 0.050",
       "mean of A − mean of B (above 0: A is better)"},
      {kClear + Line{"--lower-is-better"}, "B - A: 0.050", "A is better than B by 0.050",
       "mean of B − mean of A (above 0: A is better)"},
  };
  for (const Case& c : cases) {
    const std::string text = flowing(run(c.line + Line{"--html", "page.html"}).out);
    CHECK(has(text, c.difference));
    CHECK(has(text, c.better));
    CHECK(has(folder.read("page.html"), c.title));
  }
  run(kClear + Line{"--paired", "--html", "page.html"});
  const Json rows = specs_of(folder.read("page.html"))["difference"]["data"]["values"];
  for (const Json& row : rows) CHECK(row["x"].number() >= -0.01);  // three pairs and the mean are above 0
  CHECK(json_of(kClear)["difference"].number() < 0);               // A - B, as ever
}

TEST_CASE("equal pairs do not matter: 17 of 198 that differ are counted, whatever the seed") {
  std::string a, b;
  for (int i = 0; i < 198; ++i) {
    a += std::string(i > 0 ? "," : "") + (i >= 13 && i < 17 ? "0" : "1");
    b += std::string(i > 0 ? "," : "") + (i < 13 ? "0" : "1");
  }
  for (const char* seed : {"1", "2"}) {
    const Line line{"compare", a, b, "--paired", "--seed", seed};
    const std::string text = flowing(run(line).out);
    CHECK(has(text, "sign flips: p = 0.049, exact over all 131072 choices of signs of the 17 pairs that differ;"));
    CHECK(!has(text, "disagree"));
    const Json json = json_of(line);
    CHECK(json["unequal_pairs"] == 17);
    CHECK(json["arrangements"] == 131072);
    CHECK(json["p_permutation"] == 6428.0 / 131072);
  }
}

TEST_CASE("scores in per cent are shares, and a mixture is an error") {
  const TemporaryFolder folder;
  const Line line{"compare", "93%,94%", "95%,96%"};
  const Json json = json_of(line + Line{"--items", "1000", "--difference", "1%"});
  REQUIRE(!json.is_null());
  CHECK(json["a"]["scores"] == Json::array({0.93, 0.94}));
  CHECK(json["config"]["difference"] == 0.01);
  CHECK(json["difference"] == json_of({"compare", "0.93,0.94", "0.95,0.96"})["difference"]);
  CHECK(has(flowing(run(line).out), "percentages are read as fractions: 93% as 0.93"));
  refuses_with({"compare", "93%,0.94", "95%,96%"},
               "A: value 2: '0.94' is not in per cent and the scores before it are");
  refuses_with({"compare", "93%,94%", "0.95,0.96"}, "the scores of A are in per cent and those of the other are not");
  refuses_with(line + Line{"--difference", "0.01"}, "--difference 0.01: is not in per cent and the scores are");
  refuses_with({"compare", "1,2", "3,4", "--difference", "1%"},
               "--difference 1%: is in per cent and the scores are not");
}

TEST_CASE("a p is told apart from the level that it is compared with") {
  // p = 0.0499: two digits would make it 0.05.
  CHECK(p_in_words(0.04999) == "p = 0.04999");
  CHECK(p_in_words(0.0501) == "p = 0.05");
  CHECK(p_in_words(0.05) == "p = 0.05");
  CHECK(p_in_words(0.012345) == "p = 0.012");
}

TEST_CASE("seeds pair runs, and the text names those left out") {
  const TemporaryFolder folder;
  folder.write("a.csv", "seed,accuracy\n1,0.5\n2,0.6\n3,0.7\n9,0.9\n");
  folder.write("b.csv", "seed,accuracy\n3,0.72\n1,0.53\n2,0.61\n5,0.1\n");
  const Outcome paired = run({"compare", "a.csv", "b.csv", "--paired"});
  CHECK(paired.status == kDone);
  CHECK(has(paired.out, "A: a.csv\nB: b.csv\n3 pairs of runs; higher scores are better\n"));
  CHECK(has(paired.out, "Left out: 1 seed of A, which B lacks: 9.\nLeft out: 1 seed of B, which A lacks: 5.\n"));
  CHECK(has(flowing(paired.out), "over all 8 choices of signs; sd of the differences 0.01."));
  CHECK(has(flowing(run({"compare", "a.csv", "b.csv"}).out), "3 seeds are in both files: --paired compares"));
}

TEST_CASE("the document has the names of the contract") {
  const Json json = json_of(kClear + Line{"--items", "1000", "--difference", "0.01"});
  REQUIRE(!json.is_null());
  for (const char* name : {"difference", "low", "high", "p_welch", "p_permutation", "runs_needed"})
    CHECK(json[name].is_number());
  CHECK(json["config"]["items"] == 1000);
  CHECK(json["config"]["seed"] == 1);
  CHECK(json["p_paired"].is_null());
  CHECK(json["shown"] == true);
  CHECK(json["a"]["scores"].size() == 4);
  const Json paired = json_of(kClear + Line{"--paired"});
  CHECK(paired["p_welch"].is_null());
  CHECK(paired["p_paired"].is_number());
  const Json equal = json_of({"compare", "1,1", "1,1"});
  CHECK(equal["low"].is_null());
  CHECK(equal["runs_needed"].is_null());
  CHECK(equal["plan"].is_null());
  CHECK(json_of(kClear + Line{"--seed", "2"})["p_permutation"] == json["p_permutation"]);  // all splits are counted
  const Outcome csv = run(kClear + Line{"--csv", "-"});
  CHECK(lines_of(csv.out).size() == 3);
  CHECK(csv.out.starts_with("model,file,runs,mean,low,high,sd,min,max,best_of,best_gain,item_error,item_share\nA,,4,"));
}

TEST_CASE("the page has the decision, all scores, the interval and power") {
  const TemporaryFolder folder;
  CHECK(run(kUnclear + Line{"--difference", "0.01", "--html", "page.html", "--quiet"}).out.empty());
  const std::string page = folder.read("page.html");
  CHECK(has(page, "Inconclusive: B did better than A by 0.005"));
  for (const char* chart : {"scores", "difference", "power"})
    CHECK(has(page, "data-chart=\"" + std::string(chart) + "\""));
  const Json specs = specs_of(page);
  CHECK(specs["scores"]["data"]["values"].size() == 8 + 2);
  CHECK(specs["difference"]["data"]["values"].size() == 1 + 3);  // 0, d and -d
  double before_power = 0;
  for (const Json& row : specs["power"]["data"]["values"]) {
    if (row["kind"] != "power") continue;
    CHECK(row["power"].number() >= before_power);
    before_power = row["power"].number();
  }
  CHECK(before_power > 0.8);
  CHECK(has(page, "orderlab compare 0.5,0.52,0.51,0.53 0.51,0.54,0.5,0.53 --difference 0.01 --power 0.8 --seed 1"));
  CHECK(run({"compare", "1,1", "2,2", "--html", "still.html", "--quiet"}).status == kDone);
  CHECK(!has(folder.read("still.html"), "data-chart=\"power\""));
}

TEST_CASE("compare refuses in one line what is no comparison") {
  const TemporaryFolder folder;
  folder.write("a.csv", "1,0.5\n2,0.6\n");
  folder.write("b.csv", "3,0.5\n4,0.6\n");
  folder.write("c.csv", "1,0.5\n2,nan\n");
  refuses_with({"compare"}, "no scores of model A: give two files or lists");
  refuses_with({"compare", "1,2"}, "no scores of model B");
  refuses_with({"compare", "1", "2,3"}, "A has 1 score");
  refuses_with({"compare", "1,2", "2,x"}, "B: value 2: 'x' is not a number");
  refuses_with({"compare", "1,2", "2,nan"}, "B: value 2: is nan");
  refuses_with({"compare", "a.csv", "c.csv"}, "c.csv:2: the score is nan");
  refuses_with({"compare", "a.csv", "none.csv"}, "none.csv: no such file");
  refuses_with({"compare", "a.csv", "b.csv", "--paired"}, "leave --paired out to compare all runs");
  refuses_with({"compare", "-", "-"}, "A and B are both standard input");
  refuses_with({"compare", "1,2", "3,4", "5,6"}, "5,6: unexpected argument");
  refuses_with({"compare", "1,2", "3,4", "--items", "5"}, "--items 5: scores must be shares");
  refuses_with({"compare", "1,2", "3,4", "--best-of", "3"}, "--best-of 3: there are 2 runs");
  refuses_with({"compare", "1,2", "3,4", "--difference", "big"}, "--difference big: is not a number");
  refuses_with({"compare", "1,2", "3,4", "--power", "1"}, "--power 1: ");
  refuses({"compare", "a.csv", "b.csv", "--json", "a.csv"}, "--json a.csv: is read by this command");
}
