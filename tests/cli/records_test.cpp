// Commands whose runs are kept: --db, sweeps over them, reports.
#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "sweep/record_store.hpp"

using namespace orderlab::cli;

namespace {

const Line kSmallTraining{"train", "--nodes", "80", "--classes", "3", "--hidden",      "16", "--epochs",
                          "2",     "--seeds", "3",  "--orders",  "2", "--evaluations", "2"};
const Line kSmallInfer{"infer",        "tiny",
                       "--tokens",     "3",
                       "--against",    "split_k=4,partials=bf16",
                       "--neighbours", "1,300",
                       "--set",        "tp=4,all_reduce=ring",
                       "--runs",       "2"};
const Line kSmallSolve{"solve", "cg", "--matrix", "poisson2d(6)", "--samples", "5"};

constexpr const char* kRecordsConfig = R"toml(title = "T"
question = "Q?"
command = "solve"
solver = ["cg", "bicgstab"]
matrix = "poisson2d(5)"
scale = [0, 1.5]
samples = 3
)toml";

}  // namespace

TEST_CASE("a command with a store says what it says without, and again when all runs are known") {
  for (const Line& line : {kSmallTraining, kSmallSolve, kSmallInfer}) {
    const TemporaryFolder folder;
    const std::string expected = json_of(line).dump();
    CHECK(json_of(line + Line{"--db", "r.sqlite"}).dump() == expected);
    CHECK(json_of(line + Line{"--db", "r.sqlite", "--threads", "3"}).dump() == expected);
  }
}

TEST_CASE("a stopped command goes on where it was") {
  const TemporaryFolder folder;
  const std::string expected = json_of(kSmallTraining).dump();
  Line two = kSmallTraining;
  for (std::size_t i = 0; i + 1 < two.size(); ++i)
    if (two[i] == "--seeds") two[i + 1] = "2";
  CHECK(run(two + Line{"--db", "r.sqlite"}).status == kDone);
  const Outcome stopped = run_until("training", kSmallTraining + Line{"--db", "r.sqlite", "--json", "-"});
  CHECK(stopped.status == kInterrupted);
  CHECK(has(stopped.out, "\"partial\": true"));  // from two seeds
  CHECK(json_of(kSmallTraining + Line{"--db", "r.sqlite"}).dump() == expected);
}

TEST_CASE("answers of a stopped command are kept, and it goes on where it was") {
  const TemporaryFolder folder;
  const std::string expected = json_of(kSmallInfer).dump();
  CHECK(run(kSmallInfer + Line{"--db", "r.sqlite", "--shard", "1/3", "--quiet"}).status == kDone);
  const Outcome stopped = run_until("tokens of all runs", kSmallInfer + Line{"--db", "r.sqlite", "--json", "-"});
  CHECK(stopped.status == kInterrupted);
  CHECK(has(stopped.out, "\"partial\": true"));
  CHECK(json_of(kSmallInfer + Line{"--db", "r.sqlite"}).dump() == expected);
}

TEST_CASE("shards of a model's prompts merge to the whole, in any order") {
  const TemporaryFolder folder;
  const std::string expected = json_of(kSmallInfer).dump();
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Outcome part = run(kSmallInfer + Line{"--shard", shard, "--db", "part-{shard}.sqlite"});
    CHECK(part.status == kDone);
    CHECK(has(part.out, "part " + std::string(shard) + " of 200 prompts"));
  }
  const Outcome merged = run({"merge", "--db", "all.sqlite", "part-3.sqlite", "part-1.sqlite", "part-2.sqlite"});
  CHECK(merged.out == "200 records in all.sqlite, 200 of them new\n");
  CHECK(run({"merge", "--db", "all.sqlite", "part-2.sqlite"}).out == "200 records in all.sqlite, 0 of them new\n");
  CHECK(json_of(kSmallInfer + Line{"--db", "all.sqlite"}).dump() == expected);
  refuses({"merge", "--complete", "--db", "all.sqlite", "part-2.sqlite"}, "--complete is about stores of points");
  for (const char* shard : {"1/300", "201/300"})
    refuses(kSmallInfer + Line{"--shard", shard, "--db", "r.sqlite"}, "300 parts: there are only 200 prompts");
}

TEST_CASE("shards of a solver's runs and of a training's seeds merge to the whole, in any order") {
  for (const auto& [line, records] : {std::pair(kSmallSolve, 7U), std::pair(kSmallTraining, 3U)}) {
    const TemporaryFolder folder;
    const std::string expected = json_of(line).dump();
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
      const Outcome part = run(line + Line{"--shard", shard, "--db", "part-{shard}.sqlite"});
      CHECK(part.status == kDone);
      CHECK(has(part.out, "part " + std::string(shard) + " is in part-" + shard[0] + ".sqlite"));
    }
    const Outcome merged = run({"merge", "--db", "all.sqlite", "part-3.sqlite", "part-1.sqlite", "part-2.sqlite"});
    CHECK(has(merged.out, std::to_string(records) + " records in all.sqlite"));
    CHECK(json_of(line + Line{"--db", "all.sqlite"}).dump() == expected);
    CHECK(orderlab::RecordStore("all.sqlite", orderlab::RecordStore::Access::read).count() ==
          records);  // none was made
    refuses(line + Line{"--shard", "1/3"}, "its runs go to a store; give --db 'part-{shard}.sqlite'");
    refuses(line + Line{"--shard", "1/3", "--db", "r.sqlite", "--json", "-"}, "a part has no report");
    refuses(line + Line{"--shard", "1/9", "--db", "r.sqlite"}, "give no more shards than these");
  }
}

TEST_CASE("a stopped part goes on where it was") {
  const TemporaryFolder folder;
  const Line part = kSmallSolve + Line{"--shard", "1/2", "--db", "r.sqlite"};
  const Outcome stopped = run_until("launch", part);
  CHECK(stopped.status == kInterrupted);
  CHECK(has(stopped.err, "solve: interrupted before all runs of the part were in r.sqlite"));
  CHECK(run(part).status == kDone);
}

TEST_CASE("a sweep over a model's settings is reported from its store alone") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml",
                         "command = 'infer'\nmodel = 'tiny'\ntokens = 2\nformat = ['bf16', 'fp32']\n"
                         "against = 'split_k=4,partials=bf16'\n");
  CHECK(run({"sweep", "c.toml", "--db", "r.sqlite"}).out == "2 points in r.sqlite\n");
  CHECK(run({"report", "r.sqlite", "-o", "r.html"}).status == kDone);
  const std::string page = TemporaryFolder::read("r.html");
  for (const char* part : {"format bf16", "format fp32", "infer_survival", "infer_margins"}) CHECK(has(page, part));
  TemporaryFolder::write("bad.toml", "command = 'infer'\nlogprobs = 'a.jsonl'\nnoise = 0.1\n");
  refuses({"sweep", "bad.toml", "--db", "b.sqlite"}, "no model: a sweep is over a model");
}

TEST_CASE("stores of two sweeps do not merge, and nothing is written") {
  const TemporaryFolder folder;
  for (const char* ranks : {"1", "2"}) {
    TemporaryFolder::write("c.toml", "command = 'infer'\nmodel = 'tiny'\ntokens = 1\nprompts = 'p.txt'\ntp = " +
                                         std::string(ranks) + "\nagainst = 'split_k=4,partials=bf16'\n");
    TemporaryFolder::write("p.txt", "import os\n");
    CHECK(run({"sweep", "c.toml", "--db", ranks, "--quiet"}).status == kDone);
  }
  refuses({"merge", "--db", "all", "1", "2"}, "2: has another sweep than 1");
  CHECK(run({"merge", "--db", "all", "1", "1"}).out == "1 record in all, 1 of them new\n");
  refuses({"merge", "--db", "all", "2"}, "2: has another sweep than all");
}

TEST_CASE("a sweep over a command asks it for every point, and a report shows all answers") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kRecordsConfig);
  const Outcome plan = run({"sweep", "c.toml", "--dry-run"});
  CHECK(plan.status == kDone);
  CHECK(has(plan.out, "orderlab solve bicgstab --matrix 'poisson2d(5)' --scale 1.5 --samples 3\n"));
  const Outcome first = run({"sweep", "c.toml", "--db", "r.sqlite"});
  CHECK(first.err == "");
  CHECK(first.status == kDone);
  CHECK(first.out == "4 points in r.sqlite\n");
  CHECK(run({"sweep", "c.toml", "--db", "r.sqlite"}).out == first.out);
  CHECK(run({"report", "r.sqlite", "-o", "r.html"}).status == kDone);
  const std::string page = TemporaryFolder::read("r.html");
  for (const char* part : {"<title>T", "Q?", "solver cg, scale 0", "solver bicgstab, scale 1.5", "solve_divergence_4"})
    CHECK(has(page, part));
}

TEST_CASE("a key of a config is called as on the command line or as in Python") {
  const TemporaryFolder folder;
  const std::string config = "command = 'solve'\nsolver = 'cg'\nmatrix = 'poisson2d(3)'\nsamples = 2\n";
  TemporaryFolder::write("dashes.toml", config + "max-iterations = [5, 6]\n");
  TemporaryFolder::write("underscores.toml", config + "max_iterations = [5, 6]\n");
  const Outcome dashes = run({"sweep", "dashes.toml", "--dry-run"});
  CHECK(has(dashes.out, "--max-iterations 6"));
  CHECK(run({"sweep", "underscores.toml", "--dry-run"}).out == dashes.out);
}

TEST_CASE("a sweep that is stopped says how far it came, and a report of it that points are missing") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kRecordsConfig);
  const Outcome stopped = run_until("point 1/4", {"sweep", "c.toml", "--db", "r.sqlite"});
  CHECK(stopped.status == kInterrupted);
  CHECK(has(stopped.err, "interrupted: 0 of 4 points are in r.sqlite; the same command continues"));
  refuses({"report", "r.sqlite", "-o", "r.html"}, "no run is finished");
}

TEST_CASE("configs of commands are refused with the place of what is wrong") {
  const auto refuses_config = [](const std::string& text, const char* part) {
    const TemporaryFolder folder;
    TemporaryFolder::write("c.toml", text);
    refuses({"sweep", "c.toml", "--db", "r.sqlite"}, part);
    refuses({"sweep", "c.toml", "--dry-run"}, part);
  };
  refuses_config("command = \"solv\"\n", "c.toml:1:11: solv: no such command; did you mean solve?");
  refuses_config("command = \"sample\"\n",
                 "c.toml:1:11: sample cannot be swept over like this; solve, train, infer can");
  refuses_config("command = [\"solve\"]\n", "command: must be a text in quotes");
  refuses_config("command = \"solve\"\nsolver = \"--help\"\n", "c.toml:2:1: solver --help: begins with a dash");
  refuses_config("command = \"solve\"\nsolver = \"cg\"\nmatrix = \"absent.mtx\"\n", "absent.mtx");
  refuses_config("command = \"solve\"\nmatrx = \"poisson2d(5)\"\n", "c.toml:2:1: ");
  refuses_config("command = \"solve\"\nscale = []\n", "c.toml:2:9: scale: is empty");
  refuses_config("command = \"solve\"\nscale = [true]\n", "scale: must be a text in quotes, a number");
  refuses_config("command = \"train\"\nseeds = [2, 0]\n", "c.toml: --seeds 0: ");
  for (const char* own : {"json = \"x.json\"", "shard = \"1/2\""})
    refuses_config("command = \"solve\"\n" + std::string(own) + "\n", "c.toml:2:1: ");
  refuses_config("command = \"solve\"\nmax_iterations = 5\nmax-iterations = 5\n",
                 "c.toml:3:1: max-iterations: is given twice");
}

TEST_CASE("a store of another kind is refused") {
  const TemporaryFolder folder;
  TemporaryFolder::write("sums.toml", "n = 10\norder = \"seq\"\n");
  CHECK(run({"sweep", "sums.toml", "--db", "sums.sqlite"}).status == kDone);
  refuses(kSmallSolve + Line{"--db", "sums.sqlite"}, "sums.sqlite: is no store of solve, train or infer");
  CHECK(run(kSmallSolve + Line{"--db", "r.sqlite"}).status == kDone);
  CHECK(run({"merge", "--db", "m.sqlite", "r.sqlite"}).status == kDone);
  refuses({"merge", "--db", "n.sqlite", "r.sqlite", "sums.sqlite"},
          "sums.sqlite: is no store of solve, train or infer; give one that is");
  CHECK(run({"export", "r.sqlite"}).status == kFailed);
}

TEST_CASE("train refuses what it cannot do") {
  const TemporaryFolder folder;
  refuses({"train", "--data", "absent", "--json", "never.json"}, "absent/");
  refuses({"train", "--data", ".", "--nodes", "50"}, "--nodes 50: is about the generated graph");
  refuses({"train", "--nodes", "50", "--json", "never.json"}, "training nodes of each class");
  refuses({"train", "--arrival", "nonsense"}, "nonsense");
  refuses({"train", "--dropout", "1"}, "dropout");
  refuses({"train", "--dropout", "half"}, "--dropout half: is not a number");
  refuses_each({"train"}, "--seeds", {"0", "-1", "x", "1e30"});
  refuses_each({"train"}, "--epochs", {"0", "1.5"});
}

TEST_CASE("a record that cannot be used is said, and its run made again") {
  const TemporaryFolder folder;
  const std::string expected = json_of(kSmallTraining).dump();
  CHECK(run(kSmallTraining + Line{"--db", "r.sqlite"}).status == kDone);
  std::string key;
  {
    orderlab::RecordStore store("r.sqlite", orderlab::RecordStore::Access::create);
    key = store.configs().front();
    store.leave_out(key, 2);
    store.keep(key, 2, "{}");
  }
  const Outcome again = run(kSmallTraining + Line{"--db", "r.sqlite", "--json", "-"});
  CHECK(has(again.err, "r.sqlite: record 2 cannot be used; its run is made again"));
  CHECK(orderlab::Json::parse(again.out).dump() == expected);
  CHECK(run(kSmallTraining + Line{"--db", "r.sqlite"}).err.empty());
}

TEST_CASE("a trace in --arrival is an input") {
  const TemporaryFolder folder;
  std::string trace;
  for (int unit = 0; unit < 4; ++unit) trace += (unit == 0 ? "" : ",") + std::to_string(3 - unit);
  TemporaryFolder::write("t.csv", trace + "\n");  // 460 entries of poisson2d(10) are 4 thread blocks
  const Line line{"solve",  "cg",  "--matrix",  "poisson2d(10)",  "--order",   "seq",
                  "--spmv", "coo", "--arrival", "trace('t.csv')", "--samples", "2"};
  refuses(line + Line{"--csv", "t.csv"}, "t.csv");
  CHECK(json_of(line)["config"]["arrival"].text().find("xxh3:") != std::string::npos);
  refuses(kSmallTraining + Line{"--arrival", "trace('t.csv')", "--csv", "t.csv"}, "t.csv");
}
