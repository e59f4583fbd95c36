#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace orderlab::cli;

namespace {

const Line kSmall{"--n", "9", "--dist", "normal(0,1)", "--format", "fp32", "--order"};

}  // namespace

TEST_CASE("enumerate gives counts that add up to all orders, and their shares as probabilities") {
  const std::pair<const char*, unsigned long long> orders[] = {
      {"random", 362880}, {"random_tree", 2027025}, {"shuffle | pairwise", 362880}, {"ao", 362880}, {"sequential", 1}};
  for (const auto& [order, total] : orders) {
    CAPTURE(order);
    const auto json = json_of(Line{"enumerate"} + kSmall + Line{order});
    REQUIRE(!json.is_null());
    CHECK(json["orders"] == std::to_string(total));
    unsigned long long sum = 0;
    for (const auto& result : json["results"]) {
      const auto count = std::stoull(result["count"].text());
      sum += count;
      // both are the correctly rounded quotient of two integers below 2^53
      CHECK(result["probability"] == static_cast<double>(count) / static_cast<double>(total));
    }
    CHECK(sum == total);
    CHECK(json["distinct"] == json["results"].size());
    CHECK(json["unseen_mass"] == 0.0);
  }
}

TEST_CASE("a dot product by fma is enumerated, checked and driven to its extremes") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1.1\n2.2\n3.3\n4.4\n0.9\n");
  TemporaryFolder::write("y.txt", "0.1\n0.7\n-0.3\n1.9\n-5.1\n");
  const Line dot{"--input", "x.txt", "--with", "y.txt", "--format", "fp32", "--order", "shuffle | seq(acc=fma)"};
  const auto all = json_of(Line{"enumerate"} + dot);
  REQUIRE(!all.is_null());
  CHECK(all["family"] == "sequences");
  CHECK(all["orders"] == "120");
  // by std::fma over all 120 permutations
  const std::pair<const char*, const char*> results[] = {
      {"0x408dc28e", "5"}, {"0x408dc28f", "39"}, {"0x408dc290", "60"}, {"0x408dc291", "16"}};
  REQUIRE(all["results"].size() == std::size(results));
  for (std::size_t i = 0; i < std::size(results); ++i) {
    CHECK(all["results"][i]["bits"] == results[i].first);
    CHECK(all["results"][i]["count"] == results[i].second);
    CHECK(run(Line{"check"} + dot + Line{"--value", std::string("bits:") + results[i].first}).status == kDone);
  }
  const Outcome outside = run(Line{"check"} + dot + Line{"--value", "bits:0x408dc292"});
  CHECK(outside.status == 1);
  CHECK(has(outside.out, "Decided exactly: all 120 orders"));
  CHECK(has(outside.out, "impossible"));
  const auto worst = json_of(Line{"worst"} + dot);
  REQUIRE(!worst.is_null());
  CHECK(worst["method"] == "enumeration");
  CHECK(worst["least"]["bits"] == results[0].first);
  CHECK(worst["greatest"]["bits"] == results[3].first);
  CHECK(has(run(Line{"worst"} + dot).out, "products, rounded: x0 = "));
}

TEST_CASE("what sample sees is among what enumerate lists, with the same errors") {
  for (const char* order : {"random", "random_tree", "shuffle | halving(2) | seq", "openmp(t=5)"}) {
    CAPTURE(order);
    const auto all = json_of(Line{"enumerate"} + kSmall + Line{order});
    const auto seen = json_of(Line{"sample"} + kSmall + Line{order});
    REQUIRE(!all.is_null());
    REQUIRE(!seen.is_null());
    for (const auto& result : seen["results"]) {
      bool found = false;
      for (const auto& known : all["results"])
        found = found || (known["bits"] == result["bits"] && known["error_ulp"] == result["error_ulp"] &&
                          known["value"] == result["value"]);
      CHECK(found);
    }
    CHECK(all["error"]["ulp"]["min"].number() <= seen["error"]["ulp"]["min"].number());
    CHECK(all["error"]["ulp"]["max"].number() >= seen["error"]["ulp"]["max"].number());
    CHECK(all["vs"]["baseline_bits"] == seen["vs"]["baseline_bits"]);
    CHECK(all["input"] == seen["input"]);
    CHECK(all["order"]["expression"] == seen["order"]["expression"]);
  }
}

TEST_CASE("a fixed order has one result, that of sum") {
  const auto all = json_of(Line{"enumerate"} + kSmall + Line{"pairwise"});
  const auto sum = json_of(Line{"sum"} + kSmall + Line{"pairwise"});
  REQUIRE(all["results"].size() == 1);
  CHECK(all["results"][0]["bits"] == sum["results"][0]["bits"]);
  CHECK(all["results"][0]["count"] == "1");
  CHECK(all["order"]["height"] == sum["order"]["height"]);
}

TEST_CASE("the distribution's mean and sd are those of its results") {
  // 1, u, u in fp32: 1 first loses both halves of an ulp (ties to even), u + u first keeps them; 2 of 6 orders do.
  const auto json = json_of({"enumerate", "--values", "1,0x1p-24,0x1p-24", "--format", "fp32", "--order", "random"});
  REQUIRE(!json.is_null());
  REQUIRE(json["results"].size() == 2);
  CHECK(json["results"][0]["count"] == "4");
  CHECK(json["results"][0]["error_ulp"] == -1.0);
  CHECK(json["results"][1]["error_ulp"] == 0.0);
  const auto& ulp = json["error"]["ulp"];
  // 4/6 and 2/6 are rounded to fp64, their sum is 1 within 2^-53: mean -2/3, sd sqrt(2)/3 to a few units
  CHECK(std::fabs(ulp["mean"].number() + 2.0 / 3) <= 4 * 0x1p-53);
  CHECK(std::fabs(ulp["sd"].number() - std::sqrt(2.0) / 3) <= 4 * 0x1p-53);
  CHECK(ulp["quantiles"]["0.5"]["value"] == -1.0);
  CHECK(ulp["quantiles"]["0.75"]["value"] == 0.0);
  CHECK(ulp["quantiles"]["0.75"]["low"] == 0.0);
}

TEST_CASE("enumerate says exactly how often two runs give the same bits") {
  const Line line{"enumerate", "--values", "1,0x1p-24,0x1p-24", "--format", "fp32", "--order", "random"};
  const auto json = json_of(line);
  REQUIRE(!json.is_null());
  const auto& same = json["same_bits"];  // (4/6)^2 + (2/6)^2, rounded once
  for (const char* name : {"probability", "low", "high"}) CHECK(same[name] == 5.0 / 9);
  CHECK(same["runs_to_differ"] == 18);  // (2/3)^r + (1/3)^r
  std::string text = run(line).out;
  for (char& c : text) c = c == '\n' ? ' ' : c;
  CHECK(has(text,
            "Two runs give the same bits with probability 0.556; 18 runs show a difference with probability 99.9 %."));
  const auto fixed = json_of({"enumerate", "--values", "1,2,3", "--order", "random"});
  CHECK(fixed["same_bits"]["probability"] == 1.0);
  CHECK(fixed["same_bits"]["runs_to_differ"].is_null());
  CHECK(!has(run({"enumerate", "--values", "1,2,3", "--order", "random"}).out, "wo runs"));
}

TEST_CASE("beyond --max-distinct there are bins, and their counts add up as well") {
  const Line line = Line{"enumerate"} + kSmall + Line{"random", "--max-distinct", "3"};
  const auto json = json_of(line);
  REQUIRE(!json.is_null());
  CHECK(json["distinct"].is_null());
  CHECK(json["unseen_mass"].is_null());
  CHECK(!json.contains("results"));
  unsigned long long sum = 0;
  CHECK(json["histogram"]["bins"].size() <= 3);
  for (const auto& bin : json["histogram"]["bins"]) sum += std::stoull(bin[1].text());
  CHECK(sum == 362880);
}

TEST_CASE("enumerate's output does not depend on threads") {
  for (const char* order : {"random", "random_tree", "shuffle | halving(8)"}) {
    const Line line{"enumerate", "--n", "8", "--dist", "cauchy(0,1)", "--order", order, "--json", "-", "--threads"};
    const std::string one = run(line + Line{"1"}).out;
    CHECK(one.size() > 500);
    CHECK(run(line + Line{"2"}).out == one);
    CHECK(run(line + Line{"5"}).out == one);
  }
}

TEST_CASE("enumerate's text says how many orders and results there are, and which is most likely") {
  const Outcome outcome = run(Line{"enumerate"} + kSmall + Line{"random"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  for (const char* part :
       {"9 terms, all 362880 sequences", "probability", " results are possible over a range of ", "0x"})
    CHECK(has(outcome.out, part));
  for (const std::string& line : lines_of(outcome.out)) CHECK(line.find_last_not_of(' ') + 1 == line.size());
  CHECK(has(run({"enumerate", "--n", "40", "--dist", "integers(9)", "--order", "random"}).out,
            "; every addition is exact in any order"));
  CHECK(has(run({"enumerate", "--values", "inf,-inf,1", "--order", "random"}).out, "nan"));
}

TEST_CASE("enumerate refuses what it cannot do, in one line that says why and what sample would do") {
  TemporaryFolder folder;
  const std::string before = TemporaryFolder::listing();
  const std::pair<Line, const char*> refused[] = {
      {{"--n", "40", "--order", "random"}, "40 partial sums"},
      {{"--n", "20", "--order", "ao", "--arrival", "jitter(3)"}, "not uniform"},
      {{"--n", "8", "--order", "shuffle | seq(acc=kahan)"}, "kahan"},
      {{"--n", "8", "--order", "shuffle | sort(asc) | seq"}, "sort"},
      {{"--n", "8", "--order", "shuffle | halving(2) | shuffle | seq"}, "second"},
      {{"--n", "8", "--order", "tree"}, "tree"},
      {{"--n", "20", "--order", "random", "--memory", "1000"}, "--memory"},
      {{"--n", "20", "--order", "random", "--memory", "lots"}, "--memory lots"},
      {{"--n", "20", "--order", "random", "--memory", "-1GiB"}, "--memory -1GiB"},
      {{"--n", "20", "--order", "random", "--memory", "0"}, "--memory 0"},
      {{"--n", "9", "--order", "random", "--baseline", "random"}, "--baseline"},
  };
  for (const auto& [line, part] : refused) {
    const Outcome outcome = run(Line{"enumerate"} + line + Line{"--json", "x.json", "--csv", "x.csv"});
    CAPTURE(outcome.err);
    CHECK(outcome.status == kFailed);
    CHECK(outcome.out.empty());
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK(has(outcome.err, part));
    CHECK(TemporaryFolder::listing() == before);
  }
}

TEST_CASE("an interrupted enumeration says so and writes nothing") {
  TemporaryFolder folder;
  std::stop_source stop;
  stop.request_stop();
  const Outcome outcome = run(Line{"enumerate"} + kSmall + Line{"random", "--json", "x.json"}, stop.get_token());
  CHECK(outcome.status == kInterrupted);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(TemporaryFolder::listing().empty());
}

TEST_CASE("next to an exact sum of 0 errors are told without its ulp, which is the smallest subnormal") {
  const Outcome outcome = run({"enumerate", "--values", "1e16,1,-1e16,-1", "--order", "random"});
  CHECK(has(outcome.out, "3 results are possible over a range of 0.901 u sum|x|; largest error 0.45 u\nsum|x|."));
  CHECK(!has(outcome.out, "inf ulp"));
  CHECK(!has(outcome.out, "nan"));
  const Outcome sampled = run({"sample", "--values", "1e16,1,-1e16,-1", "--order", "random"});
  CHECK(has(sampled.out, "3 different sums over a range of 0.901 u sum|x|; largest error"));
  CHECK(!has(sampled.out, "inf ulp"));
}

TEST_CASE("infinite results are not called the exact sum") {
  const Outcome outcome = run({"enumerate", "--values", "1e308,1e308,-1e308,-1e308", "--order", "random"});
  CHECK(has(outcome.out, "3 results are possible; the finite ones are exact."));
  CHECK(!has(outcome.out, "which is exact"));
}

TEST_CASE("enumerate counts the partial sums before it looks for what else stands in the way") {
  const std::vector<std::string> compensated{"enumerate", "--order", "shuffle | seq(acc=kahan)", "--n"};
  const auto says = [&](const std::string& n, std::string_view why) {
    const Outcome outcome = run(compensated + std::vector<std::string>{n});
    CHECK(outcome.status == kFailed);
    CHECK(outcome.err.find(why) != std::string::npos);
  };
  says("10000", "acc=kahan keeps more state");
  says("10001", "10001 partial sums: at most 10000 can be enumerated");
}
