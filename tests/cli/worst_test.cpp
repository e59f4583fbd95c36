#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "orderlab/error.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

// The words of a command as a shell splits it, without backslashes.
Line shell_words(const std::string& command) {
  Line words(1);
  char quote = 0;
  for (const char c : command) {
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (quote == 0 && c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

// The command printed for the order file, run.
Json replayed(const std::string& text) {
  const std::string mark = "replay: orderlab ";
  const auto begin = text.find(mark);
  REQUIRE(begin != std::string::npos);
  const auto end = text.find('\n', begin);
  return json_of(shell_words(text.substr(begin + mark.size(), end - begin - mark.size())));
}

const Line kWorstFew{"worst", "--n", "9", "--format", "fp32", "--order", "random"};
const Line kMany{"worst", "--n", "200", "--format", "fp32", "--order", "random", "--evaluations", "2000"};

}  // namespace

TEST_CASE("the order file replays the bits of the extreme that was chosen") {
  const TemporaryFolder folder;
  TemporaryFolder::write("terms.txt", "1\n1e8\n-1e8\n0.5\n-0.25\n3\n");
  TemporaryFolder::write("factors.txt", "0.3\n0.7\n0.7000001\n-0.1\n3\n0.9\n");
  TemporaryFolder::write("swap.txt", "1 0 2 3 4 5\n");
  for (const Line& line : std::vector<Line>{
           kWorstFew,
           kMany,
           {"worst", "--values", "-0.1,0.2,0.3,1e16,-1e16,3", "--order", "ao"},
           {"worst", "--input", "terms.txt", "--format", "fp32", "--order", "perm(swap.txt) | shuffle | pairwise"},
           {"worst", "--input", "terms.txt", "--with", "factors.txt", "--order", "shuffle | seq(acc=fma)"},
           {"worst", "--n", "5000", "--seed", "3", "--format", "fp16:fp32", "--order", "spa"},
           {"worst", "--n", "640", "--dist", "normal(0,1)", "--order", "spa", "--arrival", "v100_b64"},
           {"worst", "--n", "60", "--dist", "normal(0,1)", "--order", "random_tree", "--evaluations", "500"}})
    for (const char* which : {"least", "greatest", "farthest"}) {
      const Line all = line + Line{"--which", which, "--order-file", "it's o.txt"};
      CHECK(run(all).status == 2);  // no expression can quote it
      const Outcome outcome = run(line + Line{"--which", which, "--order-file", "or der.txt", "--json", "a.json"});
      CAPTURE(outcome.err);
      CHECK(outcome.status == kDone);
      const Json json = Json::parse(TemporaryFolder::read("a.json"));
      const Json sum = replayed(outcome.out);
      REQUIRE(!sum.is_null());
      const double low = std::abs(json["least"]["error_ulp"].number());
      const double high = std::abs(json["greatest"]["error_ulp"].number());
      const std::string end = which != std::string("farthest") ? which : high >= low ? "greatest" : "least";
      CHECK(sum["results"][0]["bits"] == json[end]["bits"]);
      CHECK(sum["bounds"]["running"]["max"] == json[end]["running_bound"]);
    }
}

TEST_CASE("few partial sums are walked exactly, many are searched, and the JSON says which") {
  const Json few = json_of(kWorstFew);
  CHECK(few["method"] == "enumeration");
  CHECK(few["evaluations"].is_null());
  CHECK(few["reproducible"] == true);
  CHECK(few["least"]["order"].size() == 9);
  const Json many = json_of(kMany);
  CHECK(many["method"] == "search");
  CHECK(many["evaluations"].number() <= 2000);
  CHECK(many["reproducible"] == true);
  CHECK(many["least"]["order"].size() == 200);
  CHECK(many["least"]["error_ulp"].number() <= many["sampled"]["error_ulp"]["min"].number());
  CHECK(many["greatest"]["error_ulp"].number() >= many["sampled"]["error_ulp"]["max"].number());
  CHECK(many["sampled"]["times_as_far"].number() > 1);
  CHECK(many["sampled"]["samples"] == 1000);
  for (const char* end : {"least", "greatest"}) {
    CHECK(many[end]["share_of_bound"].number() > 0);
    CHECK(many[end]["share_of_bound"].number() <= 1);
  }
  const Json tree = json_of({"worst", "--n", "6", "--order", "random_tree"});
  CHECK(tree["method"] == "enumeration");
  const auto expression = tree["least"]["tree"].text();
  CHECK(std::count(expression.begin(), expression.end(), '+') == 5);
  CHECK(tree["least"]["share_of_bound"].number() <= 1);
  CHECK(json_of({"worst", "--n", "20", "--order", "random", "--memory", "1000"})["method"] == "search");
  CHECK(json_of({"worst", "--n", "20", "--order", "random", "--seconds", "0.1"})["method"] == "enumeration");
}

TEST_CASE("exact extremes contain all samples, and some sample of few sums is one") {
  const Json json = json_of({"worst", "--n", "4", "--format", "fp16", "--order", "random"});
  CHECK(json["least"]["error_ulp"] == json["sampled"]["error_ulp"]["min"]);
  CHECK(json["greatest"]["error_ulp"] == json["sampled"]["error_ulp"]["max"]);
}

TEST_CASE("the output does not depend on threads") {
  for (const Line& line : {kWorstFew, kMany, Line{"worst", "--n", "10", "--order", "random_tree"}}) {
    const std::string one = run(line + Line{"--threads", "1", "--json", "-"}).out;
    for (const char* threads : {"2", "7"}) CHECK(run(line + Line{"--threads", threads, "--json", "-"}).out == one);
  }
}

TEST_CASE("the text says whether it is exact, and what was searched") {
  const std::string few = run(kWorstFew).out;
  CHECK(few.find("Exact: no order") != std::string::npos);
  CHECK(few.find("partial sums: x0 = ") != std::string::npos);
  CHECK(few.find("Heuristic") == std::string::npos);
  const std::string many = run(kMany).out;
  CHECK(many.find("Heuristic: ") != std::string::npos);
  CHECK(many.find("1000 random orders give [") != std::string::npos);
  CHECK(many.find("partial sums: x0") == std::string::npos);
  const std::string jitter = run({"worst", "--n", "12", "--order", "arrive(jitter(290)) | seq"}).out;
  CHECK(jitter.find("never draw") != std::string::npos);
  const std::string trees = run({"worst", "--n", "40", "--order", "random_tree", "--evaluations", "100"}).out;
  CHECK(trees.find("only sequences were searched") != std::string::npos);
  const std::string timed = run({"worst", "--n", "40", "--order", "random", "--seconds", "0.05"}).out;
  CHECK(timed.find("Another") != std::string::npos);
}

TEST_CASE("a search by time is marked as not reproducible") {
  const Json json = json_of({"worst", "--n", "300", "--order", "random", "--seconds", "0.05"});
  CHECK(json["reproducible"] == false);
  CHECK(json["config"]["seconds"] == 0.05);
  CHECK(json["evaluations"].number() > 0);
}

TEST_CASE("the CSV has the two extremes with their orders") {
  const auto rows = lines_of(run(kWorstFew + Line{"--csv", "-"}).out);
  const Json json = json_of(kWorstFew);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "end,bits,value,error_ulp,running_bound,order");
  CHECK(rows[1].starts_with("least," + json["least"]["bits"].text() + ","));
  CHECK(rows[2].starts_with("greatest," + json["greatest"]["bits"].text() + ","));
  CHECK(std::count(rows[1].begin(), rows[1].end(), ' ') == 8);
}

TEST_CASE("extremes that overflow are infinite errors") {
  const Json json =
      json_of({"worst", "--values", "60000,60000,-60000,-60000,1", "--format", "fp16", "--order", "random"});
  CHECK(json["greatest"]["value"] == "inf");
  CHECK(json["greatest"]["error_ulp"] == "inf");
  CHECK(json["least"]["bits"] == "0xfc00");
}

TEST_CASE("what worst cannot do is refused in one line") {
  const TemporaryFolder folder;
  refuses_with(kMany + Line{"--seconds", "1"}, "give one of them");
  refuses_with(kWorstFew + Line{"--evaluations", "0"}, "--evaluations 0");
  for (const char* seconds : {"0", "-1", "nan", "x", "1e10"})
    refuses_with(kWorstFew + Line{"--seconds", seconds}, "--seconds");
  refuses_with(kWorstFew + Line{"--which", "most"}, "farthest");
  refuses_with(kWorstFew + Line{"--memory", "0"}, "--memory");
  refuses_with(kWorstFew + Line{"--order-file", "no/such/folder.txt", "--json", "a.json"}, "folder does not exist");
  refuses_with(kWorstFew + Line{"--order-file", "a.json", "--json", "a.json"}, "name two");
  refuses_with({"worst", "--n", "9", "--order", "seq"}, "is fixed");
  refuses_with({"worst", "--n", "9", "--order", "shuffle | shuffle | seq"}, "second random stage");
  refuses_with({"worst", "--n", "9", "--order", "arrive | halving(2) | shuffle | seq"}, "second random stage");
  refuses_with({"worst", "--n", "9", "--order", "tree"}, "fixed places");
  refuses_with({"worst", "--n", "9", "--order", "random_tree", "--order-file", "t.txt"}, "are trees");
  refuses_with({"worst", "--values", "1,inf,2", "--order", "random"}, "must be finite");
  refuses_with({"worst", "--values", "1,inf,2", "--order", "random", "--memory", "1"}, "must be finite");
  refuses_with({"worst", "--values", "60000,60000,-60000,-60000", "--format", "fp16", "--order", "random_tree"}, "NaN");
}

TEST_CASE("a stopped search reports what it found, one stopped at once nothing") {
  const TemporaryFolder folder;
  std::stop_source at_once;
  at_once.request_stop();
  for (const Line& line : {kWorstFew, kMany}) {
    const Outcome nothing = run(line + Line{"--order-file", "o.txt", "--json", "a.json"}, at_once.get_token());
    CHECK(nothing.status == kInterrupted);
    CHECK(nothing.out.empty());
    CHECK(lines_of(nothing.err).size() == 1);
    CHECK(TemporaryFolder::listing().empty());
  }
  std::stop_source later;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    later.request_stop();
  });
  const Outcome part =
      run({"worst", "--n", "300", "--order", "random", "--evaluations", "1e15", "--json", "-", "--order-file", "o.txt"},
          later.get_token());
  CHECK(part.status == kInterrupted);
  const Json json = Json::parse(part.out);
  CHECK(json["partial"] == true);
  CHECK(json["reproducible"] == false);
  CHECK(lines_of(TemporaryFolder::read("o.txt")).size() == 300);
}

TEST_CASE("next to an exact sum of 0 errors are in u sum|x|, however small its ulp") {
  const Outcome outcome = run({"worst", "--values", "1e16,1,-1e16,-1", "--order", "random"});
  // 1 over 2^-53 * (2e16 + 2)
  CHECK(outcome.out.find("1000 random orders give [-0.4504, 0.4504] u sum|x|; ") != std::string::npos);
}

TEST_CASE("the memory that decides between all orders and a search stands in the config") {
  const Json all = json_of({"worst", "--n", "10", "--order", "random", "--quiet"});
  const Json search = json_of({"worst", "--n", "10", "--order", "random", "--quiet", "--memory", "1"});
  CHECK(all["method"] != search["method"]);
  CHECK(all["config"]["memory"] == 1073741824);
  CHECK(search["config"]["memory"] == 1);
}
