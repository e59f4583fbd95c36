// orderlab report and sample --html: pages that say what was measured, the same bytes twice, refusals.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "cli/refusals.hpp"
#include "page/chart.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

struct Sweep {
  const char* name;
  const char* config;
  const char* leader;
};

// Every chart is drawn by one of these; `leader` is the one that the page opens with.
constexpr Sweep kSweeps[] = {
    {"growth",
     "title = 'A <b> & </script>'\nquestion = 'Does \"it\" grow?'\nn = [100, 1000, 10000]\norder = ['random', 'spa', "
     "'pairwise']\nformat = ['fp64', 'fp32']\narrival = ['uniform', 'jitter(3)']\ninput = [0, 1]\nsamples = 60\n",
     "growth"},
    {"vs", "n = [300, 1000, 3000]\norder = 'spa'\nbaseline = 'sptr'\ninput = { from = 0, to = 5 }\nsamples = 60\n",
     "vs"},
    {"differences",
     "n = [8, 16, 32]\norder = ['sequential', 'pairwise', 'simd']\nbaseline = 'pairwise'\nformat = 'bf16'\ninput = [0, "
     "1]\nsamples = 1\n",
     "differences"},
    {"condition",
     "n = 500\ndist = ['cancel(1)', 'cancel(1e4)', 'cancel(1e8)']\norder = ['random', 'pairwise']\nsamples = 50\n",
     "condition"},
    {"parameter",
     "n = 2000\norder = ['spa(8)', 'spa(16)', 'spa(32)']\nsamples = 60\ninput = [0, 1]\nmax_distinct = 50\nseed = "
     "[1, 2]\ninput_seed = 7\n",
     "parameter"},
    {"arrivals", "n = 5000\norder = 'spa'\narrival = ['uniform', 'jitter(3)', \"trace('t.csv')\"]\nsamples = 60\n",
     "arrivals"},
    {"operations",
     "op = 'index_add'\nshape = ['9x8', '64x80']\nratio = [0.5, 1]\narrival = ['uniform', 'jitter(3)']\ninput = [0, "
     "1]\nseed = 5\nsamples = 20\nbaseline = ['exact', 'launch']\n",
     "vc_size"}};

// Recorded arrivals of the 40 thread blocks that 5000 terms make: multiples of 2, 3, ... modulo the prime 41.
std::string recording() {
  std::string text;
  for (int row = 2; row < 10; ++row)
    for (int block = 1; block <= 40; ++block) text += std::to_string(block * row % 41 - 1) + (block == 40 ? "\n" : ",");
  return text;
}

void sweep_into_s(const Sweep& one) {
  TemporaryFolder::write("t.csv", recording());
  TemporaryFolder::write("c.toml", one.config);
  std::filesystem::remove("s");
  const Outcome outcome = run({"sweep", "c.toml", "--db", "s", "--quiet"});
  CHECK(outcome.err.empty());
  REQUIRE(outcome.status == kDone);
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + before.size();
  return text.substr(from, text.find(after, from) - from);
}

}  // namespace

TEST_CASE("a report has its charts, opens with the one that the sweep is about, and is the same twice") {
  const TemporaryFolder folder;
  std::set<std::string> drawn;
  for (const Sweep& one : kSweeps) {
    CAPTURE(std::string(one.name));
    sweep_into_s(one);
    CHECK(run({"report", "s", "-o", "a.html"}).status == kDone);
    CHECK(run({"report", "s", "-o", "b.html", "--quiet"}).out.empty());
    const std::string page = TemporaryFolder::read("a.html");
    CHECK(page == TemporaryFolder::read("b.html"));
    CHECK(page == run({"report", "s", "-o", "-"}).out);
    CHECK(page.size() < 3'000'000);
    const Json specs = Json::parse(between(page, "id=\"specs\">", "</script>"));
    REQUIRE(!specs.empty());
    CHECK(between(page, "data-chart=\"", "\"") == std::string(one.leader));
    for (const auto& [name, spec] : specs.members()) {
      drawn.insert(name);
      CHECK(page.find("data-chart=\"" + name + "\"") != std::string::npos);
    }
  }
  std::set<std::string> all;
  for (const Chart* chart : charts()) all.insert(std::string(chart->name));
  CHECK(drawn == all);
}

TEST_CASE("a page loads nothing, and what a config says in words cannot leave its place") {
  const TemporaryFolder folder;
  sweep_into_s(kSweeps[0]);
  CHECK(run({"report", "s", "-o", "a.html"}).status == kDone);
  const std::string page = TemporaryFolder::read("a.html");
  CHECK(page.find("<h1>A &lt;b&gt; &amp; &lt;/script&gt;</h1>") != std::string::npos);
  CHECK(page.find("Does &quot;it&quot; grow?") != std::string::npos);
  CHECK(page.find("A <b>") == std::string::npos);
  for (const char* loading : {"src=\"http", "href=\"http", "@import", "<script src", "<link rel=\"stylesheet"})
    CHECK(page.find(loading) == std::string::npos);
  for (const char* license : {"vega 6", "vega-lite 6", "vega-embed 7", "Interactive Data Lab", "Mike Bostock"})
    CHECK(page.find(license) != std::string::npos);
  for (const char* source : {"GNU", "Clang"})  // either compiler names itself
    if (page.find(source) != std::string::npos) return;
  FAIL("no compiler among the provenance");
}

TEST_CASE("numbers of the page are those of the export") {
  const TemporaryFolder folder;
  sweep_into_s(kSweeps[1]);
  CHECK(run({"report", "s", "--spec", "specs"}).status == kDone);
  const Json spec = Json::parse(TemporaryFolder::read("specs/growth.vl.json"));
  CHECK(spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json");
  double squares = 0;
  int points = 0;
  for (const std::string& line : lines_of(run({"export", "s", "--json", "-"}).out)) {
    const Json point = Json::parse(line);
    if (point["config"]["n"] != 3000) continue;
    const double spread = point["vs"]["spread"].number();
    squares += spread * spread;  // some 1e-32: far from underflow
    ++points;
  }
  REQUIRE(points == 6);
  bool found = false;
  for (const Json& row : spec["data"]["values"]) {
    if (row["kind"] != "point" || row["x"] != 3000) continue;
    found = true;
    const double rms = std::sqrt(squares / points);
    CHECK(std::fabs(row["y"].number() - rms) <= 0.5001e-4 * rms);  // rounded to five digits
  }
  CHECK(found);
}

TEST_CASE("the config that a page shows makes the same points") {
  const TemporaryFolder folder;
  for (const Sweep& one : kSweeps) {
    CAPTURE(std::string(one.name));
    sweep_into_s(one);
    const std::string exported = run({"export", "s", "--csv", "-"}).out;
    const std::string page = run({"report", "s", "-o", "-"}).out;
    std::string config = between(page, "CONFIG.toml, reconstructed</summary>\n<pre>", "</pre>");
    for (const auto& [escaped, plain] :
         {std::pair{"&quot;", "\""}, {"&#39;", "'"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}})
      for (std::size_t at = config.find(escaped); at != std::string::npos; at = config.find(escaped, at + 1))
        config.replace(at, std::string(escaped).size(), plain);
    TemporaryFolder::write("again.toml", config);
    const Outcome outcome = run({"sweep", "again.toml", "--db", "s"});
    CHECK(outcome.err.empty());
    CHECK(outcome.out.find(": 0 new,") != std::string::npos);
    CHECK(run({"export", "s", "--csv", "-"}).out == exported);
  }
}

TEST_CASE("sample writes a page of its orders, and the same one again") {
  const TemporaryFolder folder;
  const Line line{"sample", "--n",     "2000",     "--order",   "random", "--order",
                  "spa",    "--order", "pairwise", "--samples", "80"};
  const Outcome outcome = run(line + Line{"--html", "a.html"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == run(line).out);
  CHECK(run(line + Line{"--html", "b.html", "--threads", "3", "--quiet"}).out.empty());
  const std::string page = TemporaryFolder::read("a.html");
  CHECK(page == TemporaryFolder::read("b.html"));
  const Json specs = Json::parse(between(page, "id=\"specs\">", "</script>"));
  for (const char* chart : {"orders", "histogram", "ecdf", "trees"}) CHECK(specs.contains(chart));
  const std::string repeat = between(page, "<th>to repeat</th><td>orderlab ", "</td>");
  CHECK(repeat.find("--dist &#39;uniform(0,10)&#39;") != std::string::npos);
}

TEST_CASE("sample writes a page of an operation, and the command that it names writes it again") {
  const TemporaryFolder folder;
  const Line line{"sample", "--op", "index_add", "--shape", "40x30", "--ratio", "0.5", "--arrival", "jitter(9)"};
  const Outcome outcome = run(line + Line{"--samples", "8", "--html", "a.html"});
  CHECK(outcome.err.empty());
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == run(line + Line{"--samples", "8"}).out);
  const std::string page = TemporaryFolder::read("a.html");
  std::string repeat = between(page, "<th>to repeat</th><td>orderlab ", "</td>");
  Line again;
  std::istringstream words(repeat);
  for (std::string word; words >> word;) {
    for (std::size_t at; (at = word.find("&#39;")) != std::string::npos;) word.erase(at, 5);
    again.push_back(word);
  }
  CHECK(run(again + Line{"--threads", "3", "--html", "b.html"}).status == kDone);
  CHECK(page == TemporaryFolder::read("b.html"));
}

TEST_CASE("results that differ in the sign of zero alone are one error") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1\n-1\n0x1p-54\n-0x1p-55\n");
  TemporaryFolder::write("y.txt", "0x1p29\n-0x1p29\n0x1p-24\n-0x1p-26\n");
  for (const char* file : {"x.txt", "y.txt"}) {
    CAPTURE(file);
    CHECK(run({"sample", "--input", file, "--format", "fp64:fp64:fp16", "--order", "random", "--html", "a.html"})
              .status == kDone);
    CHECK(TemporaryFolder::read("a.html").find("\"low\":null") == std::string::npos);
  }
}

TEST_CASE("results that are not finite are told, and only where there are some") {
  const TemporaryFolder folder;
  const Line line{"sample", "--n", "4", "--format", "fp16", "--order", "random", "--samples", "7", "--html", "a.html"};
  CHECK(run(line + Line{"--dist", "constant(60000)"}).status == kDone);
  CHECK(between(TemporaryFolder::read("a.html"), "<th>inf and NaN</th></tr></thead>", "</tbody>")
            .find("<td>7</td></tr>") != std::string::npos);
  CHECK(run(line + Line{"--dist", "constant(6)"}).status == kDone);
  CHECK(TemporaryFolder::read("a.html").find("inf and NaN") == std::string::npos);
}

TEST_CASE("a report that cannot be made is refused in one line and leaves nothing") {
  const TemporaryFolder folder;
  sweep_into_s(kSweeps[3]);
  TemporaryFolder::write("text", "no database");
  TemporaryFolder::write("empty", "");
  std::filesystem::create_directory("dir");
  refuses({"report"});
  refuses({"report", "s"});
  refuses({"report", "absent", "-o", "a.html"});
  refuses({"report", "text", "-o", "a.html"});
  refuses({"report", "empty", "-o", "a.html"});
  refuses({"report", "s", "-o", "no/folder.html"});
  refuses({"report", "s", "-o", "dir"});
  refuses({"report", "s", "--spec", "text"});
  refuses({"report", "s", "--spec", "no/folder"});
  refuses({"sample", "--n", "10", "--order", "random", "--html", "no/folder.html"});
}

TEST_CASE("a store without finished points, or with a damaged one, is refused") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "n = [10, 20]\norder = 'pairwise'\n");
  CHECK(run({"sweep", "c.toml", "--db", "s", "--shard", "3/3"}).status == kDone);  // no point is in it
  refuses({"report", "s", "-o", "a.html"});
}

TEST_CASE("a damaged row and a newer store are refused") {
  const TemporaryFolder folder;
  sweep_into_s(kSweeps[3]);
  const std::string store = TemporaryFolder::read("s");
  std::string damaged = store;
  const std::size_t config = damaged.find("{\"n\":");
  REQUIRE(config != std::string::npos);
  damaged[config + 4] = ';';
  TemporaryFolder::write("damaged", damaged);
  refuses({"report", "damaged", "-o", "a.html"});
  refuses({"report", "damaged", "--spec", "specs"});
  std::string newer = store;
  newer[60] = 1;  // the first byte of PRAGMA user_version in the header of a database
  TemporaryFolder::write("newer", newer);
  refuses({"report", "newer", "-o", "a.html"});
  CHECK(run({"report", "s", "-o", "a.html"}).status == kDone);
}

TEST_CASE("the line to repeat a part of the samples has the range") {
  const TemporaryFolder folder;
  CHECK(run({"sample", "--n", "100", "--order", "random", "--samples", "50", "--range", "10:40", "--html", "p.html"})
            .status == kDone);
  CHECK(TemporaryFolder::read("p.html").find("--range 10:40") != std::string::npos);
}

TEST_CASE("a report says how far it has read, of sums and of records") {
  const TemporaryFolder folder;
  TemporaryFolder::write("sums.toml", "n = [10, 20, 30]\norder = 'seq'\n");
  TemporaryFolder::write("runs.toml", "command = 'solve'\nsolver = 'cg'\nmatrix = 'poisson2d(3)'\nscale = [0, 1, 2]\n");
  for (const std::string name : {"sums", "runs"}) {
    CHECK(run({"sweep", name + ".toml", "--db", name}).status == kDone);
    std::ostringstream out;
    std::ostringstream err;
    Session session{.out = out, .err = err};
    std::vector<std::uint64_t> done;
    session.caller.follows = [&](const std::string& stage, const orderlab::study::Progress& progress) {
      CHECK(stage == "reading, points");
      CHECK(progress.total == 3);
      done.push_back(progress.done);
    };
    CHECK(run_program({"report", name, "-o", name + ".html"}, session) == kDone);
    CHECK(done == std::vector<std::uint64_t>{1, 2, 3});
  }
}
