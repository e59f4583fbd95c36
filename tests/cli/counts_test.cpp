// One sampling over many processes: sample --counts, --shard, --range, and merge --counts.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/program.hpp"
#include "cli/refusals.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

const Line kSampleLine{"sample", "--n", "200", "--format", "fp32", "--order", "random", "--samples", "1000"};

Line merge(const std::string& to, const Line& from, const Line& more = {}) {
  return Line{"merge", "--counts", to} + from + more;
}

// Draws the parts of N shards, and returns their files.
Line shards_of(const Line& line, int count) {
  Line files;
  for (int i = 1; i <= count; ++i) {
    const std::string shard = std::to_string(i) + "/" + std::to_string(count);
    CHECK(run(line + Line{"--shard", shard, "--counts", "part-{shard}.counts", "--quiet"}).status == kDone);
    files.push_back("part-" + std::to_string(i) + ".counts");
  }
  return files;
}

void same_reports(const Line& line, const Line& files) {
  CHECK(run(line + Line{"--json", "one.json", "--csv", "one.csv", "--html", "one.html", "--quiet"}).status == kDone);
  const Line outputs{"--json", "all.json", "--csv", "all.csv", "--html", "all.html", "--quiet"};
  const Outcome merged = run(merge("all.counts", files, outputs + Line{"--complete"}));
  CHECK(merged.status == kDone);
  CHECK(merged.out.empty());
  CHECK(merged.err.empty());
  for (const std::string kind : {"json", "csv", "html"})
    CHECK_MESSAGE(TemporaryFolder::read("all." + kind) == TemporaryFolder::read("one." + kind), kind);
  // And so does `sample`, which has nothing left to draw.
  CHECK(run(line + Line{"--counts", "all.counts", "--json", "-"}).out == TemporaryFolder::read("one.json"));
}

std::uint64_t samples_in(const std::string& file, const Line& line = kSampleLine) {
  return Json::parse(run(line + Line{"--range", "0:1", "--counts", file, "--json", "-"}).out)["samples"].count();
}

}  // namespace

TEST_CASE("parts of a sampling merge to the bytes of one process") {
  const std::vector<Line> lines{
      kSampleLine,
      {"sample", "--n", "300", "--order", "random", "--samples", "700", "--max-distinct", "20", "--seed", "9"},  // bins
      {"sample", "--n", "1e3", "--order", "warp", "--order", "sptr", "--order", "spa", "--samples", "90"},
      {"sample", "--n", "1e3", "--order", "spa", "--arrival", "jitter(8)", "--baseline", "sptr", "--samples", "90"},
      {"sample", "--values", "1e8,1,-1e8,3,0.1", "--format", "fp16", "--order", "random", "--samples", "64"}};
  for (const Line& line : lines) {
    const TemporaryFolder folder;
    same_reports(line, shards_of(line, 7));
  }
}

TEST_CASE("terms of files merge too, while the files are there and the same") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "0.1\n0.2\n0.3\n1e10\n-1e10\n0.7\n");
  TemporaryFolder::write("y.txt", "3\n1\n4\n1\n5\n9\n");
  const Line line{"sample", "--input", "x.txt", "--with", "y.txt", "--order", "random", "--samples", "50"};
  const Line files = shards_of(line, 3);
  same_reports(line, files);
  TemporaryFolder::write("y.txt", "3\n1\n4\n1\n5\n8\n");
  // The counts are merged all the same. Only where a report is asked for is it a failure that there is none.
  const std::string why =
      "the counts are merged, but cannot be reported: other.counts: its samples are of other terms than --input x.txt "
      "--with y.txt have now\n";
  const Outcome changed = run(merge("other.counts", files, {"--complete"}));
  CHECK(changed.status == kDone);
  CHECK(changed.out == "50 of 50 samples in other.counts\n");
  CHECK(changed.err == "orderlab: merge: " + why);
  const Outcome asked = run(merge("other.counts", files, {"--json", "-"}));
  CHECK(asked.status == kFailed);
  CHECK(asked.err == "orderlab: merge: " + why);
  TemporaryFolder::write("y.txt", "3\n1\n4\n1\n5\n9\n");
  CHECK(run(line + Line{"--counts", "other.counts", "--json", "-"}).out == TemporaryFolder::read("one.json"));
}

TEST_CASE("samples in a file are not drawn again") {
  const TemporaryFolder folder;
  const std::string whole = run(kSampleLine + Line{"--json", "-"}).out;
  CHECK(run(kSampleLine + Line{"--range", "100:300", "--counts", "c", "--quiet"}).status == kDone);
  const Json part = json_of(kSampleLine + Line{"--range", "200:400", "--counts", "c"});
  CHECK(part["samples"] == 300);
  CHECK(part["range"] == Json::array({100, 400}));
  CHECK(part["partial"].is_null());
  CHECK(json_of(kSampleLine + Line{"--range", "100:400"}) == part);
  // A gap: the report is partial.
  const Json gap = json_of(kSampleLine + Line{"--range", "900:1000", "--counts", "c"});
  CHECK(gap["samples"] == 400);
  CHECK(gap["partial"] == true);
  CHECK(run(kSampleLine + Line{"--counts", "c", "--json", "-"}).out == whole);
  // More samples than were asked for at first.
  const Line more{"--samples", "1500"};
  Line longer = kSampleLine;
  longer.back() = "1500";
  CHECK(run(longer + Line{"--counts", "c", "--json", "-"}).out == run(longer + Line{"--json", "-"}).out);
  refuses(kSampleLine + Line{"--counts", "c"},
          "sample: c: has samples up to 1500 of 1500; ask for as many, --samples 1500");
}

TEST_CASE("an interrupted run keeps what was drawn, and continues") {
  const TemporaryFolder folder;
  const Line line{"sample", "--n", "1000", "--order", "random", "--order", "spa", "--samples", "1e7"};
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    source.request_stop();
  });
  const Outcome stopped = run(line + Line{"--counts", "c", "--json", "never.json"}, source.get_token());
  CHECK(stopped.status == kInterrupted);
  CHECK(stopped.out.empty());
  CHECK(has(stopped.err, " of 20000000 samples are in c; the same command continues\n"));
  CHECK(!std::filesystem::exists("never.json"));
  REQUIRE(std::filesystem::exists("c"));
  const Json there = Json::parse(run(merge("all", {"c"}, {"--json", "-"})).out);
  CHECK(there["partial"] == true);
  const std::uint64_t drawn = there["runs"][0]["samples"].count();
  CHECK(drawn > 0);
  CHECK(drawn < 10'000'000);
  // What it kept is a prefix of the samples.
  const Line first{
      "sample", "--n", "1000", "--order", "random", "--samples", "1e7", "--range", "0:" + std::to_string(drawn)};
  CHECK(json_of(first)["results"] == there["runs"][0]["results"]);
}

TEST_CASE("merge --complete says what is missing") {
  const TemporaryFolder folder;
  const Line files = shards_of(kSampleLine, 4);
  const Line some{files[0], files[2], files[3]};
  const Outcome partial = run(merge("all", some, {"--complete", "--json", "some.json"}));
  CHECK(partial.status == kExitNo);
  CHECK(
      partial.out.starts_with("750 of 1000 samples in all\nmissing: 250 samples, 250:500\nto finish, repeat the lost "
                              "shards, or draw these samples "
                              "with --range, and merge again\n"));
  CHECK(partial.err.empty());
  CHECK(Json::parse(TemporaryFolder::read("some.json"))["partial"] == true);
  CHECK(run(merge("loose", some)).status == kDone);
  // What is missing is drawn, and joins what was merged.
  CHECK(run(kSampleLine + Line{"--range", "250:500", "--counts", "again", "--quiet"}).status == kDone);
  const Outcome whole = run(merge("all", {"again"}, {"--complete", "--json", "-"}));
  CHECK(whole.status == kDone);
  CHECK(whole.out == run(kSampleLine + Line{"--json", "-"}).out);
  // Merging all of it again changes nothing.
  const std::string before = TemporaryFolder::read("all");
  const Outcome again = run(merge("all", files, {"--quiet"}));
  CHECK(again.status == kDone);
  CHECK(again.err.empty());
  CHECK(TemporaryFolder::read("all") == before);
  CHECK(run(merge("all", {"again", files[1]}, {"--quiet"})).err ==
        "orderlab: merge: again and 1 other file: their samples are in other files, too; they count once\n");
  CHECK(TemporaryFolder::read("all") == before);
  // With --complete a part may be absent, or empty.
  TemporaryFolder::write("empty", "");
  const Outcome lost = run(merge("less", {files[0], "empty", "absent"}, {"--complete", "--json", "-"}));
  CHECK(lost.status == kExitNo);
  CHECK(has(lost.err, "merge: empty: is absent or empty; counts as a file without samples\n"));
  CHECK(has(lost.err, "merge: absent: is absent or empty; counts as a file without samples\n"));
  CHECK(has(lost.err, "missing: 750 samples, 250:1000\n"));
  CHECK(run(merge("less", {files[1], "empty"})).status == kFailed);
}

TEST_CASE("parts that were merged half done are repeated and merged again") {
  const TemporaryFolder folder;
  CHECK(run(kSampleLine + Line{"--range", "0:100", "--counts", "part-1.counts", "--quiet"}).status == kDone);
  CHECK(run(kSampleLine + Line{"--range", "500:600", "--counts", "part-2.counts", "--quiet"}).status == kDone);
  CHECK(run(merge("all", {"part-1.counts", "part-2.counts"}, {"--complete"})).status == kExitNo);
  const Line files = shards_of(kSampleLine, 2);
  CHECK(run(merge("all", files, {"--complete", "--json", "-"})).out == run(kSampleLine + Line{"--json", "-"}).out);
}

TEST_CASE("files of counts that do not fit are refused, and nothing is written") {
  const TemporaryFolder folder;
  const Line files = shards_of(kSampleLine, 4);
  CHECK(run(kSampleLine + Line{"--range", "100:300", "--counts", "overlaps", "--quiet"}).status == kDone);
  refuses(merge("all", {files[0], "overlaps"}), "overlaps: its samples 100:250 are in part-1.counts, too");
  refuses(merge("all", {files[0], files[0]}), "merge: part-1.counts: is given twice; name each file once\n");
  std::filesystem::create_symlink(files[0], "link");
  refuses(merge("all", {files[0], "link"}),
          "merge: link: is given twice, also as part-1.counts; name each file once\n");
  refuses(merge(files[0], {files[0]}), "part-1.counts");
  refuses(merge("all", {files[0], "absent"}), "merge: absent: ");
  refuses(merge("all", {files[0], "."}), "merge: .: ");
  refuses(merge("all", {}), "no files to merge: name them after --counts all");
  refuses({"merge", files[0], files[1]}, "nothing to merge into");
  refuses({"merge", "--counts", "a", "--db", "b", files[0]},
          "--db merges stores, --counts merges files of counts; give one of them");
  refuses({"merge", "--db", "b", files[0], "--json", "never.json"}, "is about counts");
  refuses({"merge", "--db", "b.sqlite", files[0]}, "part-1.counts: ");
  for (const Line& other : {Line{"--seed", "2"}, Line{"--n", "201"}, Line{"--order", "spa"}, Line{"--format", "fp64"},
                            Line{"--max-distinct", "9"}}) {
    const Line line = Line{"sample", "--samples", "1000"} +
                      (has(other[0], "order") ? other : Line{"--order", "random"}) +
                      (has(other[0], "--n") ? other : Line{"--n", "200"}) +
                      (has(other[0], "format") ? other : Line{"--format", "fp32"}) +
                      (has(other[0], "seed") || has(other[0], "max") ? other : Line{});
    refuses(line + Line{"--counts", files[0]}, "part-1.counts: holds other samples than what is asked");
    CHECK(run(line + Line{"--range", "0:10", "--counts", "other", "--quiet"}).status == kDone);
    refuses(merge("all", {files[0], "other"}), "holds other samples than");
    std::filesystem::remove("other");
  }
  const std::string intact = TemporaryFolder::read(files[0]);
  for (const std::size_t at : {std::size_t{40}, intact.size() / 2, intact.size() - 1}) {
    std::string damaged = intact;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    TemporaryFolder::write("damaged", damaged);
    refuses(merge("all", {files[1], "damaged"}), "damaged: is damaged: ");
    refuses(kSampleLine + Line{"--counts", "damaged"}, "damaged: is damaged: ");
  }
  TemporaryFolder::write("text", "1\n2\n");
  refuses(merge("all", {"text"}), "text: is not a file of counts; `orderlab sample --counts FILE` writes one");
  refuses(kSampleLine + Line{"--counts", "text"}, "text: is not a file of counts");
  refuses(kSampleLine + Line{"--counts", "/dev/full"},
          "/dev/full: is a device, not a file; name a file of counts, or ");
  TemporaryFolder::write("empty", "");  // as mktemp makes it
  CHECK(run(kSampleLine + Line{"--counts", "empty", "--quiet"}).status == kDone);
  CHECK(samples_in("empty") == 1000);
}

TEST_CASE("shards of samples that cannot be are refused") {
  const TemporaryFolder folder;
  refuses(kSampleLine + Line{"--shard", "1/2", "--range", "0:10"}, "is a range already; give one");
  for (const char* shard : {"1/1001", "1001/1001"})
    refuses(kSampleLine + Line{"--shard", shard}, "there are only 1000 samples");
  refuses(kSampleLine + Line{"--counts", "part-{shard}.counts"}, "{shard} is the number of a shard; give --shard too");
  refuses({"sample", "--op", "index_add", "--shape", "100", "--ratio", "0.5", "--json", "{shard}.json"},
          "give --shard too");
  refuses({"merge", "--counts", "{shard}", "a"}, "{shard} is the number of a shard, and there is none here");
  for (const char* range : {"0:", ":5", "5", "0:1:2", "1:1", "0:1001", "x:5"})
    refuses(kSampleLine + Line{"--range", range}, std::string("--range ") + range);
  // A file whose samples are not the shard's, as where --samples has changed: found out before anything is drawn.
  CHECK(run(kSampleLine + Line{"--shard", "2/2", "--counts", "half", "--quiet"}).status == kDone);
  refuses(Line{"sample", "--n", "200", "--format", "fp32", "--order", "random", "--samples", "2000"} +
              Line{"--shard", "2/2", "--counts", "half"},
          "half: has samples 500:1000, and --shard 2/2 of 2000 is 1000:2000; name a new file");
  refuses(kSampleLine + Line{"--counts", "-"}, "--counts -: ");
  refuses(kSampleLine + Line{"--counts", "absent/c"}, "its folder does not exist");
  refuses({"sample", "--n", "10", "--order", "sptr", "--counts", "c"},
          "a fixed order has one result, and nothing to count");
  refuses({"sample", "--op", "index_add", "--shape", "100", "--ratio", "0.5", "--counts", "c"},
          "is about sums of one output");
}

TEST_CASE("two processes that write one file do not lose each other's samples") {
  const TemporaryFolder folder;
  CHECK(run(kSampleLine + Line{"--range", "0:10", "--counts", "other", "--quiet"}).status == kDone);
  // The other process writes while this one draws: its progress is where that happens here.
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err};
  session.caller.follows = [](const std::string& stage, const study::Progress&) {
    if (stage == "sampling") std::filesystem::copy_file("other", "c", std::filesystem::copy_options::skip_existing);
  };
  CHECK(run_program(kSampleLine + Line{"--range", "500:1000", "--counts", "c"}, session) == kFailed);
  CHECK(has(err.str(), "c: another process has written it meanwhile; give every process a file of its own"));
  CHECK(TemporaryFolder::read("c") == TemporaryFolder::read("other"));
  // At once: whoever ends well has its samples in the file.
  for (int trial = 0; trial < 20; ++trial) {
    std::filesystem::remove("c");
    int statuses[2] = {};
    const Line ranges[2] = {{"--range", "0:300"}, {"--range", "300:900"}};
    {
      const std::jthread one([&] {
        statuses[0] = run(kSampleLine + ranges[0] + Line{"--counts", "c", "--quiet"}).status;
      });
      const std::jthread two([&] {
        statuses[1] = run(kSampleLine + ranges[1] + Line{"--counts", "c", "--quiet"}).status;
      });
    }
    const Json there = Json::parse(run(merge("copy", {"c"}, {"--json", "-"})).out);
    CHECK(there["samples"].count() == (statuses[0] == kDone ? 300U : 0U) + (statuses[1] == kDone ? 600U : 0U));
    std::filesystem::remove("copy");
  }
}

TEST_CASE("two merges into one file do not lose each other's samples") {
  const TemporaryFolder folder;
  const Line files = shards_of(kSampleLine, 2);
  for (int trial = 0; trial < 20; ++trial) {
    std::filesystem::remove("all");
    int statuses[2] = {};
    {
      const std::jthread one([&] { statuses[0] = run(merge("all", {files[0]}, {"--quiet"})).status; });
      const std::jthread two([&] { statuses[1] = run(merge("all", {files[1]}, {"--quiet"})).status; });
    }
    CHECK(Json::parse(run(merge("all", {files[0]}, {"--json", "-"})).out)["samples"].count() ==
          (statuses[1] == kDone ? 1000U : 500U));
  }
}

TEST_CASE("the shard of a scheduler names the files") {
  const TemporaryFolder folder;
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err};
  session.environment = [](const char* name) -> const char* {
    const std::string variable = name;
    return variable == "PMI_RANK" ? "1" : variable == "PMI_SIZE" ? "4" : nullptr;
  };
  const Line outputs{"--counts", "part-{shard}.counts", "--json", "{shard}/{shard}.json", "--quiet"};
  std::filesystem::create_directory("2");
  CHECK(run_program(kSampleLine + Line{"--shard", "auto"} + outputs, session) == kDone);
  CHECK(samples_in("part-2.counts") == 251);
  CHECK(Json::parse(TemporaryFolder::read("2/2.json"))["range"] == Json::array({250, 500}));
}
